import { isRecord } from '../../../core/flow/record.js';
import { readMs } from '../../../core/ground/units.js';
import { HIGHEST_PORT } from '../../../core/http/url-parts.js';
import { formatValue, typeName } from '../../../core/text/format-value.js';
import { maskFields, maskText } from '../../../core/text/mask.js';
import { isTarget, refuseTarget } from '../target-kinds.js';
import { PROFILE } from './profile.js';
import { RUNS_COMMAND, text } from '../../../core/run/options/row.js';

/** @import { Start } from '../../../core/contracts/run.js' */
/** @import { RunOption } from '../../../core/run/options/types.js' */

/** The server under test. @type {RunOption[]} */
export const TARGET = [
  { name: 'baseUrl', flag: '--base-url <url>', ...text, expected: 'a URL', about: 'base URL of relative URLs' },
  {
    name: 'start',
    flag: '--start <command>',
    type: 'string | string[] | StartOptions',
    parsed: 'Start',
    reaches: RUNS_COMMAND,
    schema: null,
    read: readStart,
    readsAny: true,
    check: (v) => v !== undefined,
    expected: "a command such as 'node app.js'",
    refuse: refuseStart,
    refuseSecond: 'A run starts one command',
    merge: mergeStart,
    masked: maskStart,
    about: 'start the server with this command, wait until it is ready, and end it after the run; its port is in PORT',
    refusedInJob: 'would start a server in each pod: run the server as a service, and pass its URL',
    refusedByAgents: 'would start a server on each agent: start it elsewhere, and pass its URL',
  },
  {
    name: 'watch',
    flag: '--watch <server>',
    type: 'string | number',
    parsed: 'string',
    schema: { type: ['string', 'integer'] },
    read: (given) => (typeof given === 'number' ? String(given) : given),
    readsAny: true,
    check: isWatched,
    expected: 'a process number, a port such as :3000, a container, or off',
    refuseSecond: 'A run watches one server',
    reaches: 'watches a process',
    about:
      'watch this server of the same machine: a process number, a port such as :3000, or a container; off: not that of --start',
    refusedInJob: 'would watch processes of each pod: leave it out',
    refusedByAgents: 'would watch processes on each agent, and not the server: run bench-rest on its machine',
  },
  {
    name: 'target',
    type: 'Target',
    schema: null,
    check: isTarget,
    expected: 'an http.Server, a (request, response) function, or an application such as one of Express, Koa or Hono',
    refuse: refuseTarget,
    about:
      'a server or an application of this process, instead of baseUrl; started on a free port if it is not listening',
  },
  ...PROFILE,
];

/** How long a server may take to be ready, unless `timeout` is set. */
const DEFAULT_MS = 30_000;

/** The properties of `start`. @type {Record<string, { check: (value: any) => boolean, expected: string }>} */
const PROPERTIES = {
  command: { check: isCommand, expected: "a command such as 'node app.js', or a program and its arguments" },
  ready: {
    check: (v) => typeof v === 'string' && (v.startsWith('/') || (/^https?:/i.test(v) && URL.canParse(v))),
    expected: 'a URL such as http://localhost:3000/health, or a path such as /health',
  },
  env: {
    check: (v) => isRecord(v) && Object.values(v).every((one) => ['string', 'number', 'boolean'].includes(typeof one)),
    expected: 'an object of variables',
  },
  cwd: { check: (v) => typeof v === 'string' && v !== '', expected: 'a folder' },
  timeout: { check: (v) => readMs(v) > 0, expected: 'a time above 0, such as 30s' },
};

/** Reads a start: a command, its words, or an object; or undefined. @type {(given: unknown) => Start | undefined} */
export function readStart(given) {
  if (refuseStart(given) !== undefined) return undefined;
  const { command, ready, env = {}, cwd = '.', timeout = DEFAULT_MS } = startFields(given);
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)]));
  return { command, ...(ready !== undefined && { ready }), env: variables, cwd, timeout: readMs(timeout) };
}

/** The value of `watch` for a server of `start` that is not watched. */
export const WATCH_OFF = 'off';

/**
 * Reports whether a value names a server to watch. Addresses such as 10.0.0.7 are refused, and numbers of 12 digits or
 * more are ids of containers.
 * @type {(value: unknown) => boolean}
 */
function isWatched(value) {
  if (typeof value !== 'string' || !/^:?\w[\w:.-]{0,199}$/.test(value) || /^[\d.]*\.[\d.]*$/.test(value)) return false;
  const [, colon, number] = /^(:?)(\d+)$/.exec(value) ?? [];
  if (number === undefined || (number.length >= 12 && colon === '')) return !value.startsWith(':');
  return Number(number) > 0 && (colon === '' || Number(number) <= HIGHEST_PORT);
}

/** Explains why a start is invalid. @type {(given: unknown) => string | undefined} */
export function refuseStart(given) {
  const fields = startFields(given);
  if (!isRecord(fields)) return `expected ${PROPERTIES.command.expected}, got ${formatValue(given)}`;
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(PROPERTIES, name));
  if (unknown !== undefined)
    return `unknown property ${formatValue(unknown)}; use ${Object.keys(PROPERTIES).join(', ')}`;
  if (fields.command === undefined) return 'needs the command that starts the server, such as --start "node app.js"';
  for (const [name, { check, expected }] of Object.entries(PROPERTIES)) {
    const value = fields[name];
    if (value === undefined || check(value)) continue;
    // The values of env may be secrets.
    return `${name}: expected ${expected}, got ${name === 'env' ? typeName(value) : formatValue(value)}`;
  }
  return undefined;
}

/** Combines layers: `--start-ready` adds to a command. @type {(weaker: unknown, stronger: unknown) => unknown} */
export function mergeStart(weaker, stronger) {
  const [below, above] = [startFields(weaker), startFields(stronger)];
  return isRecord(below) && isRecord(above) ? { ...below, ...above } : stronger;
}

/** @type {(given: unknown) => unknown} the values of variables may be secrets */
export function maskStart(given) {
  if (refuseStart(given) !== undefined) return typeName(given);
  const { command, env, ...others } = startFields(given);
  return {
    command: [command].flat().map(maskText).join(' '),
    ...others,
    ...(env && { env: maskFields(env) }),
  };
}

/** The fields of a start, which may be its command alone. @type {(given: any) => any} */
export function startFields(given) {
  return isCommand(given) ? { command: given } : given;
}

/** @type {(value: unknown) => boolean} */
function isCommand(value) {
  if (typeof value === 'string') return value.trim() !== '';
  return Array.isArray(value) && value.length > 0 && value[0] !== '' && value.every((one) => typeof one === 'string');
}
