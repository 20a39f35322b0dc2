import { createProblems } from '../problems.js';
import { makeError } from '../errors.js';

/**
 * @typedef {object} RunOptions
 * @property {number} iterations how many iterations to run
 * @property {number} limit lanes: iterations under way at once
 * @property {number} prealloc iterations whose requests are rendered before the clock starts
 * @property {string} [user] for basic authentication
 * @property {string} [password]
 * @property {number} progress ms between progress events; 0: none
 * @property {string} [baseUrl] for relative URLs
 * @property {Record<string, unknown>} [headers] defaults for every operation
 * @property {import('node:http').Server | import('node:https').Server} [target] instead of baseUrl
 * @property {number} timeout ms an operation may take; 0: none
 * @property {number} connectTimeout ms of it for connecting
 * @property {number} gracefulStop ms that iterations under way get after a stop
 * @property {number} teardownTimeout ms that afterMain and after get after that
 * @property {number} maxBodySize bytes of a body kept for hooks
 * @property {boolean} insecure TLS certificates are not verified
 * @property {boolean} keepGoing go on although no connection could ever be made
 * @property {AbortSignal} [signal] ends the run early
 * @property {(exchange: object) => void} [trace] is told of every exchange
 */

/** @type {(value: any) => boolean} */
const isCount = (value) => Number.isSafeInteger(value) && value > 0;
/** @type {(value: any) => boolean} */
const isMs = (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
/** @type {(value: any) => boolean} */
const isText = (value) => typeof value === 'string';
/** @type {(value: any) => boolean} */
const isFlag = (value) => typeof value === 'boolean';

/**
 * What a run can be told: one row an option.
 * @type {{ name: keyof RunOptions, default?: any, check: (value: any) => boolean, expected: string, about: string }[]}
 */
export const RUN_OPTIONS = [
  { name: 'iterations', check: isCount, expected: 'a whole number from 1', about: 'iterations to run' },
  { name: 'limit', check: isCount, expected: 'a whole number from 1', about: 'iterations under way at once' },
  { name: 'prealloc', default: 0, check: (v) => Number.isSafeInteger(v) && v >= 0, expected: 'a whole number from 0', about: 'iterations whose requests are rendered before the clock starts' },
  { name: 'user', check: isText, expected: 'a string', about: 'user for basic authentication' },
  { name: 'password', check: isText, expected: 'a string', about: 'password for basic authentication' },
  { name: 'progress', default: 0, check: isMs, expected: 'milliseconds from 0', about: 'ms between progress events' },
  { name: 'baseUrl', check: isText, expected: 'a URL', about: 'base of relative URLs' },
  { name: 'headers', check: (v) => typeof v === 'object' && v !== null && !Array.isArray(v), expected: 'an object', about: 'headers of every operation' },
  { name: 'target', check: (v) => typeof v?.listen === 'function', expected: 'an http.Server', about: 'server of this process to aim at' },
  { name: 'timeout', default: 30_000, check: isMs, expected: 'milliseconds from 0 (0: none)', about: 'ms an operation may take' },
  { name: 'connectTimeout', default: 10_000, check: (v) => isMs(v) && v > 0, expected: 'milliseconds above 0', about: 'ms of it for connecting' },
  { name: 'gracefulStop', default: 30_000, check: isMs, expected: 'milliseconds from 0', about: 'ms iterations under way get after a stop' },
  { name: 'teardownTimeout', default: 5_000, check: isMs, expected: 'milliseconds from 0', about: 'ms afterMain and after get after that' },
  { name: 'maxBodySize', default: 64 * 1024 * 1024, check: isCount, expected: 'a number of bytes', about: 'bytes of a body that are kept for hooks' },
  { name: 'insecure', default: false, check: isFlag, expected: 'true or false', about: 'TLS certificates are not verified' },
  { name: 'keepGoing', default: true, check: isFlag, expected: 'true or false', about: 'go on although no connection could ever be made' },
  { name: 'signal', check: (v) => v instanceof AbortSignal, expected: 'an AbortSignal', about: 'ends the run early' },
  { name: 'trace', check: (v) => typeof v === 'function', expected: 'a function', about: 'is told of every exchange' },
];

/**
 * Checked options with their defaults; what the caller says wins over what the flow carries.
 *
 * @param {Record<string, any>} ofFlow
 * @param {Record<string, any> | null | undefined} given
 * @returns {RunOptions}
 * @throws {Error} E_NO_LIMIT, E_RUN_OPTIONS
 */
export function readRunOptions(ofFlow, given) {
  const problems = createProblems('E_RUN_OPTIONS');
  const merged = { ...ofFlow, ...defined(given ?? {}) };
  if (!merged.iterations || !merged.limit) throw makeError('E_NO_LIMIT');
  const names = RUN_OPTIONS.map(({ name }) => name);
  /** @type {Record<string, any>} */
  const options = {};
  for (const row of RUN_OPTIONS) {
    const value = merged[row.name] ?? row.default;
    if (value === undefined) continue;
    if (row.check(value)) options[row.name] = value;
    else problems.add(`runOptions.${row.name}`, `expected ${row.expected}, got ${typeof value === 'object' ? typeof value : String(value)}`);
  }
  for (const key of Object.keys(merged)) {
    if (!names.includes(/** @type {any} */ (key))) problems.unknown(`runOptions.${key}`, 'option', key, names);
  }
  problems.throwIfAny();
  return /** @type {RunOptions} */ (options);
}

/** @type {(values: Record<string, any>) => Record<string, any>} */
function defined(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
