import { isSecretField } from '../mask.js';
import { kindOf, show } from '../show.js';
import { TRANSPORTS } from '../transport/index.js';
import { readCount, readLimit, readMs, readMsRange, readRate } from '../units.js';
import { readStages } from './read-stages.js';
import { areThresholds } from './read-thresholds.js';
import { readWarmup } from './read-warmup.js';
import { readWorkers } from './read-workers.js';

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
 * @property {{ duration: number, limit?: number }} [warmup] ms, and lanes, of the same flow before, which is in no figure
 * @property {number} [rampUp] ms in which lanes start one after the other
 * @property {number} [connectionRate] requests a second of one lane, at most
 * @property {[from: number, to: number]} [pause] ms between the iterations of a lane
 * @property {number} [reconnectRate] requests after which a lane opens its connections anew
 * @property {number} [maxConnectionRequests] of a lane
 * @property {number} [maxOverallRequests] of all
 * @property {number} [iterationsOfLane] what `maxConnectionRequests` comes to
 * @property {number} [pipelining] requests in flight on a connection
 * @property {number} [expectedInterval] ms between the iterations of a lane, were none slow: the times are corrected by it
 * @property {number} [workers] threads that send; none: the one that asks
 * @property {any} [thresholds] what must hold; read when the operations are known
 * @property {boolean} abortOnFail a threshold that fails ends the run
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
const count = {
  read: readCount,
  check: (/** @type {any} */ v) => Number.isSafeInteger(v) && v > 0,
  expected: 'a whole number from 1',
};
const rate = { read: readRate, check: (/** @type {any} */ v) => typeof v === 'number' && v > 0 && v <= 1e6 };
const ms = {
  read: readMs,
  check: (/** @type {any} */ v) => typeof v === 'number' && Number.isFinite(v) && v >= 0,
  expected: 'milliseconds from 0',
};

/**
 * @typedef {object} RunOption
 * @property {keyof RunOptions} name
 * @property {string} [flag] of the command
 * @property {any} [default]
 * @property {(text: any) => any} [read] reads what the command line says, or a text in a flow
 * @property {boolean} [readsAny] not texts alone
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
  {
    name: 'limit',
    flag: '-c, --concurrency <n>',
    ...count,
    check: (v) => count.check(v) && v <= 100_000,
    expected: 'a whole number from 1 to 100000',
    about: 'iterations under way at once',
  },
  {
    name: 'workers',
    flag: '-w, --workers <n>',
    read: readWorkers,
    check: (v) => Number.isSafeInteger(v) && v > 0 && v <= 1024,
    expected: 'a whole number from 1, or auto',
    about: 'threads that send; auto: one a core',
  },
  {
    name: 'duration',
    flag: '-t, --duration <time>',
    ...ms,
    check: (v) => ms.check(v) && v > 0,
    expected: 'a time above 0',
    about: 'how long iterations start, such as 30s',
  },
  {
    name: 'forever',
    flag: '--forever',
    default: false,
    check: isFlag,
    expected: 'true or false',
    about: 'until it is stopped',
  },
  {
    name: 'rate',
    flag: '-r, --rate <rate>',
    ...rate,
    expected: 'a rate above 0, such as 500 or 30/m',
    about: 'iterations that start a second, whatever the server does',
  },
  {
    name: 'arrival',
    flag: '--arrival <how>',
    default: 'constant',
    check: (v) => ['constant', 'poisson'].includes(v),
    expected: 'constant or poisson',
    about: 'how a rate is spread: evenly, or at random',
  },
  {
    name: 'seed',
    flag: '--seed <n>',
    default: 1,
    read: readCount,
    check: Number.isSafeInteger,
    expected: 'a whole number',
    about: 'of what is random',
  },
  {
    name: 'stages',
    flag: '--stage <time:rate>',
    read: readStages,
    check: Array.isArray,
    expected: "stages such as '30s:100' (a rate) or '30s:50c' (lanes)",
    about: "a ramp to a rate, '30s:100', or to lanes, '30s:50c'; repeatable",
  },
  {
    name: 'maxBacklog',
    flag: '--max-backlog <n>',
    ...count,
    check: (v) => Number.isSafeInteger(v) && v >= 0,
    expected: 'a whole number from 0',
    about: 'iterations that may wait for a free lane; more are dropped',
  },
  {
    name: 'warmup',
    flag: '-W, --warmup <time>',
    read: readWarmup,
    readsAny: true,
    check: (v) => typeof v === 'object',
    expected: "a time such as 5s, or { duration: '5s', limit: 10 }",
    about: 'the same flow before, which is in no figure',
  },
  { name: 'rampUp', flag: '--ramp-up <time>', ...ms, about: 'in which lanes start one after the other' },
  {
    name: 'pause',
    flag: '--pause <time>',
    read: readMsRange,
    readsAny: true,
    check: Array.isArray,
    expected: "a time such as 500 or 2s, or two: [500, '2s']",
    about: 'between the iterations of a lane',
  },
  {
    name: 'connectionRate',
    flag: '--connection-rate <rate>',
    ...rate,
    expected: 'a rate above 0, such as 10 or 30/m',
    about: 'requests a second of one lane',
  },
  {
    name: 'reconnectRate',
    flag: '--reconnect-rate <n>',
    ...count,
    about: 'requests after which a lane opens its connections anew',
  },
  {
    name: 'maxConnectionRequests',
    flag: '--max-connection-requests <n>',
    ...count,
    about: 'requests of one lane, at most',
  },
  { name: 'maxOverallRequests', flag: '--max-overall-requests <n>', ...count, about: 'requests of all lanes, at most' },
  {
    name: 'pipelining',
    flag: '--pipelining <n>',
    ...count,
    check: (v) => count.check(v) && v <= 1000,
    expected: 'a whole number from 1 to 1000',
    about: 'requests in flight on a connection',
  },
  {
    name: 'expectedInterval',
    flag: '--expected-interval <ms>',
    ...ms,
    check: (v) => ms.check(v) && v > 0,
    expected: 'milliseconds above 0',
    about: 'ms from one iteration of a lane to the next, were none slow: times are corrected by it',
  },
  {
    name: 'bailout',
    flag: '--bailout <n>',
    check: (v) => readLimit(v) !== null,
    expected: 'a number of errors or a share such as 5%',
    about: 'end after so many errors, or such a share of failed iterations',
  },
  {
    name: 'thresholds',
    flag: '--threshold <test>',
    check: areThresholds,
    expected: "a test such as 'p99<200ms', an array of them, or { p99: '<200ms' }",
    about: "what must hold, such as 'p99<200ms' or 'errors<1%'; repeatable",
  },
  {
    name: 'abortOnFail',
    flag: '--abort-on-fail',
    default: false,
    check: isFlag,
    expected: 'true or false',
    about: 'end the run when a threshold fails, looked at every second',
  },
  {
    name: 'prealloc',
    flag: '-a, --prealloc <n>',
    ...count,
    default: 0,
    check: (v) => Number.isSafeInteger(v) && v >= 0 && v <= 10_000_000,
    expected: 'a whole number from 0 to 10000000',
    about: 'iterations whose requests are made before the clock starts',
  },
  {
    name: 'user',
    flag: '-u, --user <user>',
    check: isText,
    expected: 'a string',
    about: 'user for basic authentication',
  },
  { name: 'password', flag: '-p, --password <password>', check: isText, expected: 'a string', about: 'its password' },
  {
    name: 'progress',
    flag: '-d, --progress <ms>',
    ...ms,
    default: 0,
    about: 'ms between updates of the progress; 0: none',
  },
  { name: 'baseUrl', flag: '--base-url <url>', check: isText, expected: 'a URL', about: 'base of relative URLs' },
  {
    name: 'headers',
    check: (v) => typeof v === 'object' && v !== null && !Array.isArray(v),
    expected: 'an object',
    about: 'headers of every operation',
  },
  {
    name: 'target',
    check: (v) => typeof v?.listen === 'function',
    expected: 'an http.Server',
    about: 'server of this process to aim at',
  },
  { name: 'timeout', flag: '--timeout <ms>', ...ms, default: 30_000, about: 'ms an operation may take; 0: no limit' },
  {
    name: 'connectTimeout',
    ...ms,
    default: 10_000,
    check: (v) => ms.check(v) && v > 0,
    expected: 'milliseconds above 0',
    about: 'ms of it for connecting',
  },
  {
    name: 'gracefulStop',
    flag: '--graceful-stop <ms>',
    ...ms,
    default: 30_000,
    about: 'ms that iterations under way get after a stop',
  },
  { name: 'teardownTimeout', ...ms, default: 5_000, about: 'ms that afterMain and after get after that' },
  {
    name: 'maxBodySize',
    ...count,
    default: 64 * 1024 * 1024,
    expected: 'a number of bytes',
    about: 'bytes of a body that are kept for hooks',
  },
  {
    name: 'maxHeaderSize',
    ...count,
    default: 64 * 1024,
    expected: 'a number of bytes',
    about: 'bytes of the head of a response',
  },
  { name: 'maxHeaderFields', ...count, default: 1000, about: 'header fields of a response' },
  {
    name: 'transport',
    flag: '--transport <name>',
    check: (v) => TRANSPORTS.some(({ name }) => name === v),
    expected: TRANSPORTS.map(({ name }) => name).join(' or '),
    about: 'how bytes travel: wire or undici',
  },
  {
    name: 'lookupEach',
    flag: '--lookup-each',
    default: false,
    check: isFlag,
    expected: 'true or false',
    about: 'look names up for every connection, not once',
  },
  {
    name: 'insecure',
    flag: '--insecure',
    default: false,
    check: isFlag,
    expected: 'true or false',
    about: 'TLS certificates are not verified',
  },
  {
    name: 'keepGoing',
    flag: '--keep-going',
    default: true,
    check: isFlag,
    expected: 'true or false',
    about: 'go on although no connection could ever be made',
  },
  { name: 'signal', check: (v) => v instanceof AbortSignal, expected: 'an AbortSignal', about: 'ends the run early' },
  { name: 'trace', check: (v) => typeof v === 'function', expected: 'a function', about: 'is told of every exchange' },
];

/** Why an option cannot have the value that was given. @type {(row: RunOption, given: unknown) => string} */
export function refusalOf({ name, expected }, given) {
  return `expected ${expected}, got ${isSecretField(name) ? kindOf(given) : show(given)}`;
}

/** A value as the run wants it; whether it is right is for `check` to say. @type {(row: RunOption, given: any) => any} */
export function readOption({ read, readsAny }, given) {
  return read && (readsAny || typeof given === 'string' || Array.isArray(given)) ? read(given) : given;
}
