import { createProblems } from '../problems.js';
import { makeError } from '../errors.js';
import { TRANSPORTS } from '../transport/index.js';
import { readCount, readLimit, readMs, readRate } from '../units.js';
import { readStages } from './read-stages.js';

/**
 * @typedef {object} RunOptions
 * @property {number} [iterations] how many iterations to run
 * @property {number} [duration] ms in which iterations start
 * @property {boolean} forever until it is stopped
 * @property {number} limit lanes: iterations under way at once
 * @property {number} [rate] iterations that start a second, whatever the server does
 * @property {'constant' | 'poisson'} arrival how they are spread
 * @property {number} seed of what is random
 * @property {import('../schedule/types.js').Stage[]} [stages] ramps and steps of the rate, or of the lanes
 * @property {number} [maxBacklog] iterations that may wait for a free lane; more are dropped
 * @property {number | string} [bailout] errors, or share of the iterations (`5%`), after which the run ends
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
 * @property {string} [transport] `wire` or `undici`
 * @property {number} maxBodySize bytes of a body kept for hooks
 * @property {number} maxHeaderSize bytes of the head of a response
 * @property {number} maxHeaderFields of a response
 * @property {boolean} lookupEach names are looked up for every connection, not once
 * @property {boolean} insecure TLS certificates are not verified
 * @property {boolean} keepGoing go on although no connection could ever be made
 * @property {AbortSignal} [signal] ends the run early
 * @property {(exchange: object) => void} [trace] is told of every exchange
 */

/** @type {(value: any) => boolean} */
const isText = (value) => typeof value === 'string';
/** @type {(value: any) => boolean} */
const isFlag = (value) => typeof value === 'boolean';

/** Kinds of values that the command line reads: how, and what is allowed. */
const count = { read: readCount, check: (/** @type {any} */ v) => Number.isSafeInteger(v) && v > 0, expected: 'a whole number from 1' };
const ms = { read: readMs, check: (/** @type {any} */ v) => typeof v === 'number' && Number.isFinite(v) && v >= 0, expected: 'milliseconds from 0' };

/**
 * @typedef {object} RunOption
 * @property {keyof RunOptions} name
 * @property {string} [flag] of the command
 * @property {any} [default]
 * @property {(text: any) => any} [read] reads what the command line says, or a text in a flow
 * @property {(value: any) => boolean} check
 * @property {string} expected
 * @property {string} about
 */

/**
 * What a run can be told: one row an option.
 * @type {RunOption[]}
 */
export const RUN_OPTIONS = [
  { name: 'iterations', flag: '-n, --iterations <n>', ...count, about: 'iterations to run' },
  { name: 'limit', flag: '-c, --concurrency <n>', ...count, about: 'iterations under way at once' },
  { name: 'duration', flag: '-t, --duration <time>', ...ms, check: (v) => ms.check(v) && v > 0, expected: 'a time above 0', about: 'how long iterations start, such as 30s' },
  { name: 'forever', flag: '--forever', default: false, check: isFlag, expected: 'true or false', about: 'until it is stopped' },
  { name: 'rate', flag: '-r, --rate <rate>', read: readRate, check: (v) => typeof v === 'number' && v > 0 && v <= 1e6, expected: 'a rate above 0, such as 500 or 30/m', about: 'iterations that start a second, whatever the server does' },
  { name: 'arrival', flag: '--arrival <how>', default: 'constant', check: (v) => ['constant', 'poisson'].includes(v), expected: 'constant or poisson', about: 'how a rate is spread: evenly, or at random' },
  { name: 'seed', flag: '--seed <n>', default: 1, read: readCount, check: Number.isSafeInteger, expected: 'a whole number', about: 'of what is random' },
  { name: 'stages', flag: '--stage <time:rate>', read: readStages, check: Array.isArray, expected: "stages such as '30s:100' (a rate) or '30s:50c' (lanes)", about: "a ramp to a rate, '30s:100', or to lanes, '30s:50c'; repeatable" },
  { name: 'maxBacklog', flag: '--max-backlog <n>', ...count, check: (v) => Number.isSafeInteger(v) && v >= 0, expected: 'a whole number from 0', about: 'iterations that may wait for a free lane; more are dropped' },
  { name: 'bailout', flag: '--bailout <n>', read: String, check: (v) => readLimit(v) !== null, expected: 'a number of errors or a share such as 5%', about: 'end after so many errors, or such a share of failed iterations' },
  { name: 'prealloc', flag: '-a, --prealloc <n>', ...count, default: 0, check: (v) => Number.isSafeInteger(v) && v >= 0, expected: 'a whole number from 0', about: 'iterations whose requests are made before the clock starts' },
  { name: 'user', flag: '-u, --user <user>', check: isText, expected: 'a string', about: 'user for basic authentication' },
  { name: 'password', flag: '-p, --password <password>', check: isText, expected: 'a string', about: 'its password' },
  { name: 'progress', flag: '-d, --progress <ms>', ...ms, default: 0, about: 'ms between updates of the progress; 0: none' },
  { name: 'baseUrl', flag: '--base-url <url>', check: isText, expected: 'a URL', about: 'base of relative URLs' },
  { name: 'headers', check: (v) => typeof v === 'object' && v !== null && !Array.isArray(v), expected: 'an object', about: 'headers of every operation' },
  { name: 'target', check: (v) => typeof v?.listen === 'function', expected: 'an http.Server', about: 'server of this process to aim at' },
  { name: 'timeout', flag: '--timeout <ms>', ...ms, default: 30_000, about: 'ms an operation may take; 0: no limit' },
  { name: 'connectTimeout', ...ms, default: 10_000, check: (v) => ms.check(v) && v > 0, expected: 'milliseconds above 0', about: 'ms of it for connecting' },
  { name: 'gracefulStop', flag: '--graceful-stop <ms>', ...ms, default: 30_000, about: 'ms that iterations under way get after a stop' },
  { name: 'teardownTimeout', ...ms, default: 5_000, about: 'ms that afterMain and after get after that' },
  { name: 'maxBodySize', ...count, default: 64 * 1024 * 1024, expected: 'a number of bytes', about: 'bytes of a body that are kept for hooks' },
  { name: 'maxHeaderSize', ...count, default: 64 * 1024, expected: 'a number of bytes', about: 'bytes of the head of a response' },
  { name: 'maxHeaderFields', ...count, default: 1000, about: 'header fields of a response' },
  { name: 'transport', flag: '--transport <name>', check: (v) => TRANSPORTS.some(({ name }) => name === v), expected: TRANSPORTS.map(({ name }) => name).join(' or '), about: 'how bytes travel: wire or undici' },
  { name: 'lookupEach', flag: '--lookup-each', default: false, check: isFlag, expected: 'true or false', about: 'look names up for every connection, not once' },
  { name: 'insecure', flag: '--insecure', default: false, check: isFlag, expected: 'true or false', about: 'TLS certificates are not verified' },
  { name: 'keepGoing', flag: '--keep-going', default: true, check: isFlag, expected: 'true or false', about: 'go on although no connection could ever be made' },
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
  if (!merged.limit || !ENDS.some((name) => merged[name])) throw makeError('E_NO_LIMIT');
  checkConflicts(merged, problems);
  const names = RUN_OPTIONS.map(({ name }) => name);
  /** @type {Record<string, any>} */
  const options = {};
  for (const row of RUN_OPTIONS) {
    const given = merged[row.name] ?? row.default;
    if (given === undefined) continue;
    const value = row.read && (typeof given === 'string' || Array.isArray(given)) ? row.read(/** @type {any} */ (given)) : given;
    if (row.check(value)) options[row.name] = value;
    else problems.add(`runOptions.${row.name}`, `expected ${row.expected}, got ${typeof given === 'object' ? JSON.stringify(given) : String(given)}`);
  }
  for (const key of Object.keys(merged)) {
    if (!names.includes(/** @type {any} */ (key))) problems.unknown(`runOptions.${key}`, 'option', key, names);
  }
  problems.throwIfAny();
  return /** @type {RunOptions} */ (options);
}

/** What can end a run. */
export const ENDS = ['iterations', 'duration', 'forever', 'stages'];
const CONFLICTS = [['stages', 'rate'], ['stages', 'duration'], ['forever', 'iterations'], ['forever', 'duration'], ['forever', 'stages']];

/** @type {(options: Record<string, any>, problems: import('../problems.js').Problems) => void} */
function checkConflicts(options, problems) {
  for (const [one, other] of CONFLICTS) {
    if (options[one] && options[other] !== undefined) problems.add('runOptions', `${one} and ${other} do not go together: give one of them`);
  }
  if (options.maxBacklog !== undefined && !options.rate && !options.stages) problems.add('runOptions.maxBacklog', 'nothing waits without a rate: give rate or stages');
}

/** @type {(values: Record<string, any>) => Record<string, any>} */
function defined(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
