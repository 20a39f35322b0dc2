import { createRequire } from 'node:module';

import { hintsAt } from '../../ground/addons.js';
import { readCount, readMs, readThinkTime, refuseBareStage, refuseBareTime } from '../../ground/units.js';
import { readWorkers } from './machine.js';
import { FILE_NAME, MOST_USERS, count, flag, ms, rate, text, textOf, texts } from './row.js';
import { MOST_SHARDS, isShardOption, readShard, refuseShard } from './shard.js';

/** @import { RunOption } from './types.js' */

/** The value of `seed` that stands for a number that is drawn before the run. */
export const RANDOM_SEED = 'random';
const factor = {
  type: 'number | string',
  parsed: 'number',
  schema: {
    oneOf: [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'string', pattern: '^\\s*\\d' },
    ],
  },
  read: (/** @type {unknown} */ given) =>
    typeof given === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(given) ? Number(given) : given,
  check: (/** @type {any} */ v) => typeof v === 'number' && v > 0 && v <= 1e6,
  expected: 'a number above 0, such as 2 or 0.5',
};
const PACINGS = ['auto', 'timer', 'thread', 'poll'];

/** Reads `10 per user`; 0: it is another text. @type {(given: unknown) => number} */
export function perUser(given) {
  const [, each] = (typeof given === 'string' && /^\s*(\S+)\s+per user\s*$/.exec(given)) || [];
  return each === undefined ? 0 : readCount(each) || 0;
}

/** A number, or a number for each virtual user. @type {(given: any) => any} */
export function readIterations(given) {
  return perUser(given) > 0 ? given : readCount(given);
}

/** Options that each of several loads of a run can have by itself. */
export const LOAD_OPTIONS = [
  ...['rate', 'stages', 'scale', 'speed', 'arrival', 'limit', 'iterations', 'duration'],
  ...['pause', 'rampUp', 'maxBacklog'],
];

/** Options of the load. `--debug` resets all of them except the seed. @type {RunOption[]} */
export const LOAD = [
  {
    name: 'iterations',
    flag: '-n, --iterations <n>',
    inHelp: 'short',
    ...count,
    schema: { oneOf: [{ $ref: '#/$defs/count' }, { type: 'string', pattern: '^\\s*\\d+[km]?\\s+per user\\s*$' }] },
    check: (v) => count.check(v) || perUser(v) > 0,
    read: readIterations,
    commandDefault: 1,
    about: "iterations to run, or '10 per user'",
  },
  {
    name: 'limit',
    flag: '-c, --concurrency <n>',
    inHelp: 'short',
    ...count,
    commandDefault: 10,
    check: (v) => count.check(v) && v <= MOST_USERS,
    expected: `a whole number from 1 to ${MOST_USERS}`,
    about: 'virtual users: iterations that run concurrently, each on its own connection',
  },
  {
    name: 'workers',
    flag: '-w, --workers <n>',
    inHelp: 'short',
    type: "number | 'auto'",
    parsed: 'number',
    schema: { oneOf: [{ type: 'integer', minimum: 1, maximum: 1024 }, { const: 'auto' }] },
    read: readWorkers,
    check: (v) => Number.isSafeInteger(v) && v > 0 && v <= 1024,
    expected: 'a whole number from 1 to 1024, or auto',
    excludes: ['trace'],
    about: 'worker threads that send the requests; auto: one per core',
  },
  {
    name: 'duration',
    flag: '-t, --duration <time>',
    inHelp: 'short',
    ...ms,
    refuseText: refuseBareTime,
    check: (v) => ms.check(v) && v > 0,
    expected: 'a time above 0',
    about: 'how long to start iterations, such as 30s; with -n, whichever ends first',
  },
  {
    name: 'forever',
    flag: '--forever',
    ...flag,
    default: false,
    excludes: ['iterations', 'duration', 'maxRequests', 'maxRequestsPerUser', 'precision'],
    about: 'run until stopped',
  },
  {
    name: 'precision',
    isExperimental: true,
    flag: '--precision <goal>',
    ...texts,
    parsed: 'PrecisionGoal[]',
    expected: "a figure and its precision, such as 'p95±3%'",
    excludes: ['stages', 'rampUp'],
    about: "run until the 95 % confidence interval of this figure is narrow enough, such as 'p95+-3%'; repeatable",
  },
  {
    name: 'maxDuration',
    isExperimental: true,
    flag: '--max-duration <time>',
    ...ms,
    refuseText: refuseBareTime,
    check: (v) => ms.check(v) && v > 0,
    expected: 'a time above 0',
    needs: ['precision'],
    about: 'with --precision: end at the latest after this time (default: 10m)',
  },
  {
    name: 'rate',
    flag: '-r, --rate <rate>',
    inHelp: 'short',
    ...rate,
    refuseText: refuseFlagWithoutRate,
    about: 'arrival rate: iterations started per second (500, 30/m), regardless of response times',
  },
  {
    name: 'arrival',
    flag: '--arrival <how>',
    type: "'constant' | 'poisson'",
    schema: { enum: ['constant', 'poisson'] },
    default: 'constant',
    check: (v) => ['constant', 'poisson'].includes(v),
    expected: 'constant or poisson',
    about: 'how arrivals are spaced: constant (evenly) or poisson (at random)',
  },
  {
    name: 'pacing',
    isExperimental: true,
    flag: '--pacing <how>',
    type: "'auto' | 'timer' | 'thread' | 'poll'",
    schema: { enum: PACINGS },
    default: 'auto',
    check: (v) => PACINGS.includes(v),
    expected: 'auto, timer, thread or poll',
    about:
      'how to wait for arrivals: timer (1 ms late), thread (0.1 ms, more CPU), poll (a whole core); auto: by rate and free cores',
  },
  {
    name: 'seed',
    flag: '--seed <n>',
    type: "number | 'random'",
    parsed: 'number',
    schema: { oneOf: [{ type: 'integer' }, { const: 'random' }] },
    default: 1,
    read: (given) => (given === RANDOM_SEED ? given : readCount(given)),
    check: (v) => v === RANDOM_SEED || Number.isSafeInteger(v),
    expected: 'a whole number, or random',
    about:
      'random seed of arrivals, pauses, choices, tokens and rows: the same one repeats a run; random: draws and prints one',
  },
  {
    name: 'stages',
    flag: '--stage <time:rate>',
    inHelp: 'common',
    repeatable: true,
    type: '(string | Stage)[] | StageFile | (string | Stage | StageFile)[]',
    parsed: 'PlannedStage[]',
    schema: {
      oneOf: [
        {
          type: 'array',
          minItems: 1,
          items: { oneOf: [{ type: 'string' }, { $ref: '#/$defs/stage' }, { $ref: '#/$defs/stageFile' }] },
        },
        { $ref: '#/$defs/stageFile' },
      ],
    },
    read: readStages,
    readPart: (given) => loadStages().readStageParts(given),
    readsAny: true,
    refuseText: refuseBareStage,
    masked: (given) => loadStages().withoutFolders(given),
    isQuoted: true,
    check: Array.isArray,
    refuse: (given) => loadStages().refuseStages(given),
    expected: "stages such as '30s:100' (a rate) or '30s:50c' (virtual users)",
    about:
      "ramp to '30s:100' (rate) or '30s:50c' (users); '30s:=100' at once, '30s:100 in 5 steps', '@curve.csv'; repeatable",
  },
  {
    name: 'scale',
    isExperimental: true,
    flag: '--scale <factor>',
    ...factor,
    about: 'with stages: multiply their rates, such as 2 for twice the recorded ones',
  },
  {
    name: 'speed',
    isExperimental: true,
    flag: '--speed <factor>',
    ...factor,
    about: 'with stages: divide their durations, such as 10 for a day in 2.4 hours; the rates stay',
  },
  {
    name: 'maxBacklog',
    isExperimental: true,
    flag: '--max-backlog <n>',
    ...count,
    schema: { type: 'integer', minimum: 0 },
    check: (v) => Number.isSafeInteger(v) && v >= 0,
    expected: 'a whole number from 0',
    about: 'due iterations that may wait for a free virtual user; more are dropped',
  },
  {
    name: 'warmup',
    flag: '-W, --warmup <time>',
    inHelp: 'short',
    type: 'number | string | { duration: number | string, limit?: number }',
    parsed: '{ duration: number, limit?: number }',
    schema: { oneOf: [{ $ref: '#/$defs/time' }, { $ref: '#/$defs/warmup' }] },
    read: readWarmup,
    refuseText: refuseBareStage,
    readsAny: true,
    check: (v) => typeof v === 'object',
    expected: `a time such as 5s, or 5s:10c for 10 virtual users, at most ${MOST_USERS}`,
    about:
      "warm-up: run the flow this long before measuring, '5s', or '5s:10c' with 10 virtual users; not included in the results",
  },
  {
    name: 'rampUp',
    flag: '--ramp-up <time>',
    ...ms,
    refuseText: refuseBareTime,
    about: 'start virtual users gradually over this time',
  },
  {
    name: 'pause',
    flag: '--pause <time>',
    inHelp: 'common',
    type: 'ThinkTime',
    parsed: 'ThinkTimeMs',
    schema: { $ref: '#/$defs/pause' },
    read: readThinkTime,
    readsAny: true,
    refuseText: refuseBareTime,
    check: (v) => readThinkTime(v) !== null,
    expected: 'a time such as 2s, or a range such as 50ms,150ms',
    about: 'think time of a virtual user between iterations: 500ms, or a range such as 500ms,2s',
  },
  {
    name: 'ratePerUser',
    isExperimental: true,
    flag: '--rate-per-user <rate>',
    ...rate,
    expected: 'a rate above 0, such as 10 or 30/m',
    about: 'maximum requests per second of one virtual user',
  },
  {
    name: 'maxRequestsPerUser',
    isExperimental: true,
    flag: '--max-requests-per-user <n>',
    ...count,
    about: 'maximum requests of one virtual user',
  },
  { name: 'maxRequests', flag: '--max-requests <n>', ...count, about: 'maximum requests in total' },
  {
    name: 'prealloc',
    flag: '-a, --prealloc <n>',
    ...count,
    schema: { oneOf: [{ type: 'integer', minimum: 0, maximum: 10_000_000 }, { type: 'string' }] },
    default: 0,
    check: (v) => Number.isSafeInteger(v) && v >= 0 && v <= 10_000_000,
    expected: 'a whole number from 0 to 10000000',
    refuseText: refuseBodyOrUser,
    about: 'render the requests of this many iterations before the start',
  },
  {
    name: 'shard',
    isExperimental: true,
    flag: '--shard <part>',
    env: 'BENCH_REST_SHARD',
    type: 'string | { number: number, of: number }',
    parsed: 'Shard',
    schema: {
      oneOf: [
        { type: 'string', pattern: '^(\\d+|auto)/\\d+$' },
        {
          type: 'object',
          properties: {
            number: { type: 'integer', minimum: 1, description: 'which one, from 1' },
            of: { type: 'integer', minimum: 1, maximum: MOST_SHARDS, description: 'how many there are' },
          },
          required: ['number', 'of'],
          additionalProperties: false,
        },
      ],
    },
    read: readShard,
    check: isShardOption,
    refuse: refuseShard,
    expected: 'a shard such as 1/3, the first of three',
    about:
      'run a part of the load, such as 2/3; auto/3 takes the number from JOB_COMPLETION_INDEX; -n, -c and -r are of all parts',
  },
  {
    name: 'startAt',
    isExperimental: true,
    flag: '--start-at <time>',
    type: 'string',
    parsed: 'number',
    schema: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT.*(Z|[+-]\\d\\d:?\\d\\d)$' },
    read: readInstant,
    check: Number.isFinite,
    refuse: refuseWithoutZone,
    expected: 'a time such as 2026-11-22T12:00:00Z',
    about: 'start the measured iterations at this time, after before and the warm-up, such as 2026-11-22T12:00:00Z',
  },
  {
    name: 'runId',
    isExperimental: true,
    flag: '--run-id <id>',
    ...text,
    check: (v) => typeof v === 'string' && /^[\w.:-]{1,100}$/.test(v),
    expected: 'up to 100 letters, digits, or characters of _ . : -',
    about: ['name of the run that the shards have in common', ...hintsAt('run id')].join(': '),
  },
  {
    name: 'signal',
    type: 'AbortSignal',
    schema: null,
    check: (v) => v instanceof AbortSignal,
    expected: 'an AbortSignal',
    about: 'ends the run early when aborted',
  },
];

/** `-r` of ab and loadtest goes on after errors. @type {(text: string) => string | undefined} */
function refuseFlagWithoutRate(text) {
  if (!/^-|:\/\//.test(text)) return undefined;
  return 'It is the arrival rate, such as -r 500. To go on after errors it is not needed, errors never end a run: leave -r out';
}

/** `-a` of loadtest is a body, that of hey has credentials. @type {(text: string) => string | undefined} */
function refuseBodyOrUser(text) {
  if (text.includes(':')) return 'It is a number of iterations to render; user and password are -u and -p';
  if (!FILE_NAME.test(text)) return undefined;
  return `It is a number of iterations to render; -m PATCH -b @${text} sends the body of a PATCH request`;
}

const requireHere = createRequire(import.meta.url);

/** Most runs have no stages. @type {() => typeof import('./stages.js')} */
const loadStages = () => requireHere('./stages.js');

/** @type {typeof import('./stages.js').readStages} */
export function readStages(given) {
  return loadStages().readStages(given);
}

/** Reports whether stages follow a recorded curve. @type {(given: unknown) => boolean} */
export function hasStageFile(given) {
  return given !== undefined && loadStages().hasStageFile(given);
}

/**
 * Reads a warm-up: a time, `5s:10c` (of 10 virtual users), or `{ duration, limit }`. Undefined if invalid.
 * @type {(given: unknown) => { duration: number, limit?: number } | undefined}
 */
export function readWarmup(given) {
  const { duration, limit, ...unknown } =
    typeof given === 'object' && given !== null ? /** @type {any} */ (given) : readWarmupText(given);
  const ms = readMs(duration);
  const lanes = limit === undefined ? undefined : readCount(limit);
  const isValid =
    ms > 0 && (lanes === undefined || (lanes > 0 && lanes <= MOST_USERS)) && Object.keys(unknown).length === 0;
  return isValid ? { duration: ms, ...(lanes !== undefined && { limit: lanes }) } : undefined;
}

/** @type {(given: unknown) => { duration: unknown, limit?: string }} */
function readWarmupText(given) {
  const [, duration, limit] = (typeof given === 'string' && /^([^:]*):(.*)c$/.exec(given)) || [];
  return duration === undefined ? { duration: given } : { duration, limit };
}

const WITH_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/** Reads an ISO 8601 time with its zone as ms since 1970; NaN: it is none. @type {(given: unknown) => number} */
export function readInstant(given) {
  return WITH_ZONE.test(textOf(given)) ? Date.parse(textOf(given)) : NaN;
}

/** @type {(given: unknown) => string | undefined} */
export function refuseWithoutZone(given) {
  const hasZone = WITH_ZONE.test(textOf(given)) || Number.isNaN(Date.parse(textOf(given)));
  return hasZone ? undefined : `${given} has no time zone: write ${given}Z for UTC, or an offset such as +02:00`;
}
