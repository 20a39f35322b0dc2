import { offered } from '../ground/addons.js';
import { ITERATION_PHASES, PHASES } from '../ground/phases.js';
import { perSecond } from '../ground/units.js';

/** @import { CounterPath, NameIn } from '../contracts/figure-names.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { Stats } from '../contracts/stats.js' */

/**
 * Every figure of a result, once: recorder, summary, merge, thresholds, reports and `result.schema.json` walk these
 * tables. To add a counter or a histogram, add a row here, record it, and run `npm run generate`.
 *
 * @typedef {object} Figure
 * @property {string} path place in the result, such as `requests.ttfb`
 * @property {'count' | 'number' | 'nullable' | 'histogram'} kind type of the value
 * @property {string} unit `ms`, `B`, `/s`, `ratio` for a share of 1, or nothing
 * @property {string | ((stats: Stats) => string)} [label] name in reports; figures without one are for programs
 * @property {string} [counts] what it counts or measures; default: what its group does
 * @property {Partial<FigureScope>} [scope] where it differs from that of its group
 * @property {string} [short] name in a threshold and in options, where it is shorter than the path
 * @property {boolean} [isOptional] only some results with its group have it
 * @property {boolean} [isExperimental] its name may change in a minor version
 * @property {'always' | 'in ramps'} [rises] when it becomes greater while a run goes on: a threshold such as
 *   `iterations.started>300` fails at the end only
 *
 * @typedef {object} CounterOptions
 * @property {'count' | 'number'} [kind]
 * @property {string} [unit]
 * @property {'sum' | 'max'} [add] how the values of two threads, files or machines become one
 * @property {'recorder' | 'transport'} [source] who counts
 * @property {string} [key] what the transport calls it; default: the last part of the path
 * @property {(stats: Stats) => boolean} [isMeasured] whether a result has it
 * @property {string} [label]
 * @property {string} [short]
 * @property {boolean} [isOptional]
 * @property {boolean} [isExperimental]
 * @property {string} [counts]
 * @property {Partial<FigureScope>} [scope]
 *
 * @typedef {object} OfferedFigures what an add-on counts in its connections
 * @property {Record<string, string>} scopes what its groups count
 * @property {(CounterOptions & { path: string, key: string, endsLate?: boolean })[]} counters endsLate: it may change
 *   after the measured time, and its last value is right
 * @property {(Partial<Figure> & { path: string, of: string[], per: string, isMeasured?: (stats: Stats) => boolean })[]}
 *   [derived] sums of figures: per `second`, or per another figure
 * @property {{ path: string, key: string, by: string[] }[]} [lists] of objects with a `count`, by what is equal in them
 *
 * @typedef {object} HistogramOptions
 * @property {string} [counts]
 * @property {Figure['label']} [label]
 * @property {string} [short]
 * @property {boolean} [isOptional]
 * @property {boolean} [isExperimental]
 * @property {(stats: Stats) => boolean} [isMeasured] whether a result has it
 * @property {boolean} [isRecorded] false: the summary computes it from the recorded ones
 * @property {(stats: Stats) => boolean} [isShown] in the latency table; by default wherever there are values
 */

/** @type {OfferedFigures[]} */
export const OFFERED_FIGURES = offered('figures');

/**
 * What a figure covers. All but those of rows are of all loads, scenarios, threads and machines.
 *
 * @typedef {object} FigureScope
 * @property {string} counts what it counts or measures
 * @property {readonly Phase[]} phases
 * @property {string} time in which that happens
 */

const MEASURED = 'measured';
const WHOLE = 'whole run';
const MAIN = /** @type {const} */ (['main']);

/** The scopes of figures, by the beginning of their paths: numerator and denominator of a rate have the same. */
export const SCOPES = /** @type {Record<string, FigureScope>} */ ({
  iterations: { counts: 'iterations', phases: ITERATION_PHASES, time: MEASURED },
  main: { counts: 'iterations', phases: MAIN, time: MEASURED },
  requests: { counts: 'requests', phases: ITERATION_PHASES, time: MEASURED },
  outside: { counts: 'requests', phases: ['before', 'after'], time: 'before and after that' },
  bytes: { counts: 'bytes of connections', phases: ITERATION_PHASES, time: MEASURED },
  connections: { counts: 'connections', phases: ITERATION_PHASES, time: MEASURED },
  ...Object.fromEntries(
    OFFERED_FIGURES.flatMap(({ scopes }) => Object.entries(scopes)).map(([group, counts]) => [
      group,
      { counts, phases: ITERATION_PHASES, time: MEASURED },
    ]),
  ),
  virtualUsers: { counts: 'virtual users', phases: ITERATION_PHASES, time: MEASURED },
  errors: { counts: 'errors', phases: PHASES, time: WHOLE },
  checks: { counts: 'evaluations of checks', phases: PHASES, time: WHOLE },
  loadGenerator: { counts: 'threads that send requests', phases: ITERATION_PHASES, time: MEASURED },
  servers: { counts: 'the first server', phases: ITERATION_PHASES, time: MEASURED },
  // Of the rows of a list, each.
  'loads[]': { counts: 'iterations of the load', phases: ITERATION_PHASES, time: 'from its start to its last end' },
  'scenarios[]': { counts: 'iterations of the scenario', phases: MAIN, time: MEASURED },
  'groups[]': { counts: 'passes through the group', phases: MAIN, time: MEASURED },
  'operations[]': { counts: 'requests of the operation, redirects included', phases: PHASES, time: MEASURED },
  'tags[]': { counts: 'requests of the operations with the tag', phases: MAIN, time: MEASURED },
  'metrics[]': { counts: 'events and values of hooks and Server-Timing', phases: PHASES, time: WHOLE },
});

const OUTSIDE = { isMeasured: hasOutside };

const WAITED = /** @type {const} */ ({ isExperimental: true, isOptional: true });

/** Counts and sums, recorded in the group of their path: `iterations`, `requests`, `outside` or `virtualUsers`. */
export const COUNTERS = [
  counter('iterations.started'),
  counter('iterations.completed', { counts: 'iterations that completed' }),
  counter('iterations.failed', { label: 'failed' }),
  counter('iterations.endedEarly', { isExperimental: true, label: 'ended early by hooks' }),
  counter('iterations.cancelled', { label: 'cancelled', short: 'cancelled' }),
  counter('iterations.slowest', {
    isExperimental: true,
    ...{ kind: 'number', unit: 'ms', add: 'max' },
    ...{ counts: 'iterations that completed', scope: { phases: MAIN } },
  }),
  counter('iterations.teardownFailed', { isExperimental: true, label: 'with failed teardown' }),
  counter('iterations.furtherErrors', { isExperimental: true, counts: 'errors after the first one of an iteration' }),
  counter('iterations.late', { short: 'late' }),
  counter('iterations.maxBacklog', { isExperimental: true, add: 'max' }),
  counter('iterations.dropped', { label: 'dropped', short: 'dropped' }),
  // Those that ran when the last one was due.
  counter('iterations.backlog', { isExperimental: true, short: 'backlog' }),
  counter('iterations.busyTime', { isExperimental: true, kind: 'number', unit: 'ms' }),
  counter('iterations.promptTime', {
    isExperimental: true,
    ...{ kind: 'number', unit: 'ms', scope: { phases: MAIN } },
    counts: 'completed iterations of arrival rates for which a virtual user was idle',
  }),
  counter('requests.count'),
  counter('requests.sent'),
  counter('requests.answered'),
  counter('requests.unanswered', { label: 'unanswered' }),
  counter('requests.cancelled', { isExperimental: true, label: 'cancelled' }),
  counter('requests.retries', { label: 'retries' }),
  counter('requests.redirects', { label: 'redirects' }),
  counter('requests.authChallenges', { isExperimental: true, label: 'with credentials asked for' }),
  counter('requests.reconnects', { isExperimental: true, label: 'reconnections' }),
  // Sent again after a wait, for which a response has asked.
  counter('requests.throttled', WAITED),
  counter('requests.throttledTime', { ...WAITED, kind: 'number', unit: 'ms', counts: 'waits before these' }),
  counter('requests.waitsCut', { ...WAITED, counts: 'waits that the end of the run has cut' }),
  counter('requests.exhausted', { ...WAITED, counts: 'responses that were not waited for any more' }),
  counter('requests.skipped', { isExperimental: true, label: 'skipped', counts: 'operations that were left out' }),
  counter('requests.folded', {
    isExperimental: true,
    source: 'transport',
    key: 'foldedHeads',
    label: 'answered with a folded header field',
    isOptional: true,
    isMeasured: () => false,
  }),
  // Of `before` and `after`, which no rate has.
  counter('outside.sent', OUTSIDE),
  counter('outside.answered', OUTSIDE),
  counter('outside.unanswered', OUTSIDE),
  counter('outside.cancelled', OUTSIDE),
  counter('bytes.sent', { source: 'transport', key: 'bytesSent', unit: 'B' }),
  counter('bytes.received', { source: 'transport', key: 'bytesReceived', unit: 'B' }),
  counter('connections.opened', { source: 'transport' }),
  counter('connections.requestsOnReused', { source: 'transport', key: 'reused' }),
  counter('connections.closedByServer', { isExperimental: true, source: 'transport', label: 'closed by the server' }),
  counter('connections.discarded', {
    isExperimental: true,
    source: 'transport',
    label: 'discarded (unexpected bytes)',
  }),
  ...OFFERED_FIGURES.flatMap(({ counters }) => counters).map(({ path, ...options }) =>
    counter(/** @type {string} */ (path), { source: 'transport', ...options }),
  ),
  counter('virtualUsers.started'),
  counter('virtualUsers.answered'),
];

/** Prefix of the metrics that come from Server-Timing of responses: `serverTiming.db`. */
export const SERVER_TIMING = 'serverTiming.';

/** A closed run has no arrivals. */
const ARRIVALS = { isOptional: true, isMeasured: isOpen, counts: 'iterations for which a virtual user was idle' };

const COMPLETED = 'iterations that completed in main';

/** Times in milliseconds, in the order of the latency table. */
export const HISTOGRAMS = [
  // The times of all that ended, as in bench-rest 1; for programs.
  histogram('main', 'main.histogram', { isRecorded: false, counts: 'iterations that completed or failed' }),
  histogram('completed', 'main.completed', {
    label: (stats) => (isOpen(stats) ? 'response time' : 'iteration'),
    short: 'responseTime',
    counts: COMPLETED,
  }),
  histogram('serviceTime', 'main.serviceTime', {
    ...{ label: 'service time', short: 'serviceTime', isShown: isOpen, counts: COMPLETED },
  }),
  // The times of the completed ones, without the part that the load generator may have added.
  histogram('least', 'main.least', { isExperimental: true, counts: COMPLETED }),
  histogram('serviceLeast', 'main.serviceLeast', { isExperimental: true, counts: COMPLETED }),
  histogram('corrected', 'main.corrected', {
    isExperimental: true,
    ...{ label: 'corrected', isRecorded: false, isOptional: true, counts: COMPLETED },
  }),
  histogram('failed', 'main.failed', { label: 'failed', counts: 'iterations that failed in main' }),
  histogram('cancelled', 'main.cancelled', {
    isExperimental: true,
    ...{ label: 'cancelled', counts: 'iterations that the end of the run cut off in main' },
  }),
  histogram('ttfb', 'requests.ttfb', { label: 'first byte', short: 'ttfb', counts: 'responses' }),
  histogram('connect', 'connections.connect', { label: 'connecting', short: 'connect' }),
  histogram('tls', 'connections.tls', { label: 'TLS', short: 'tls', isOptional: true }),
  histogram('startDelay', 'loadGenerator.startDelay', { label: 'start delay', isShown: isOpen, ...ARRIVALS }),
  histogram('spacing', 'loadGenerator.spacing', ARRIVALS),
];

export const RECORDED_HISTOGRAMS = HISTOGRAMS.filter(({ isRecorded }) => isRecorded).map(({ key }) => key);

/** Figures that follow from others, set by {@link deriveFigures}: most are a sum per second or per another one. */
export const DERIVED = [
  perSecondOf('iterations.rate', ['iterations.completed', 'iterations.failed']),
  perSecondOf('iterations.completedRate', ['iterations.completed'], {
    label: 'iterations per second',
  }),
  perSecondOf('requests.rate', ['requests.answered']),
  ratio('requests.throttledShare', ['requests.throttled'], {
    ...{ kind: 'nullable', unit: 'ratio', short: 'throttled', isExperimental: true, isOptional: true },
    per: 'requests.sent',
  }),
  ...OFFERED_FIGURES.flatMap(({ derived: rows = [] }) => rows).map(({ path, of, per, ...options }) =>
    per === 'second' ? perSecondOf(path, of, options) : ratio(path, of, { kind: 'nullable', per, ...options }),
  ),
  perSecondOf('bytes.receivedRate', ['bytes.received'], { unit: 'B/s', rises: undefined }),
  derived('errors.share', {
    ...{ kind: 'nullable', unit: 'ratio', from: errorShareOf, of: ['errors.count'] },
    ...{ per: 'iterations.started', counts: 'iterations with an error, and errors outside of iterations' },
  }),
  ratio('loadGenerator.cpuTimePerRequest', ['loadGenerator.cpuTime'], {
    ...{ kind: 'nullable', unit: 'ms', per: 'requests.sent' },
  }),
];

const DUE = { counts: 'iterations of arrival rates', scope: { time: 'in which they were due' } };

/** Figures that other parts of the summary compute, and that a threshold can name. */
export const OTHERS = /** @type {Figure[]} */ ([
  { path: 'iterations.missing', isExperimental: true, kind: 'count', unit: '', label: 'missing', isOptional: true },
  {
    ...{ path: 'iterations.overdue', isExperimental: true, kind: 'count', unit: '', isOptional: true },
    counts: 'iterations that were cut off, older than the slowest completed one of their scenario',
  },
  {
    ...{ path: 'iterations.cutOff', isExperimental: true, kind: 'count', unit: '', isOptional: true },
    counts: 'others that were cut off, older than 99 % of the completed ones of their scenario',
  },
  { path: 'errors.overdue', isExperimental: true, kind: 'count', unit: '', isOptional: true },
  { path: 'errors.count', kind: 'count', unit: '', short: 'errors', rises: 'always' },
  { path: 'checks.passed', kind: 'count', unit: '' },
  { path: 'checks.failed', kind: 'count', unit: '' },
  { path: 'checks.share', kind: 'nullable', unit: 'ratio', short: 'checks' },
  { path: 'iterations.plannedRate', kind: 'number', unit: '/s', isOptional: true, ...DUE },
  { path: 'iterations.startedRate', isExperimental: true, kind: 'number', unit: '/s', isOptional: true, ...DUE },
  { path: 'iterations.peakRate', isExperimental: true, kind: 'number', unit: '/s', isOptional: true, ...DUE },
  { path: 'loadGenerator.eventLoopUtilization', kind: 'number', unit: 'ratio' },
]);

/** The figures of rows, such as operations. Only iterations have rates. */
export const ROW_FIGURES = /** @type {(Pick<Figure, 'path' | 'counts' | 'scope'> & { per?: string })[]} */ ([
  { path: 'loads[].count, errors, times' },
  { path: 'loads[].rate', counts: 'iterations of the load that completed', per: 'second' },
  { path: 'scenarios[].count, errors, times' },
  { path: 'scenarios[].rate', per: 'second' },
  { path: 'groups[].count, errors, times' },
  { path: 'groups[].rate', per: 'second' },
  { path: 'operations[].count, errors, times', scope: { time: WHOLE } },
  { path: 'operations[].rate', scope: { phases: ITERATION_PHASES }, per: 'second' },
  { path: 'tags[].count, errors, times' },
  { path: 'tags[].rate', per: 'second' },
  { path: 'metrics[].count, histogram' },
  { path: 'metrics[].rate', scope: { phases: ITERATION_PHASES, time: MEASURED }, per: 'second' },
]);

/** All of the above. @type {Figure[]} */
export const FIGURES = [...COUNTERS, ...HISTOGRAMS, ...DERIVED, ...OTHERS];

/** Each run has five such objects: the JSON of each group is made once. @type {Map<string, string>} */
const ZEROS = new Map();

/** @type {<Group extends string>(group: Group) => Record<NameIn<Group, CounterPath>, number>} */
export function zeroCounters(group) {
  if (!ZEROS.has(group)) {
    const rows = COUNTERS.filter((row) => row.group === group && row.source === 'recorder');
    const names = rows.map(({ name }) => name);
    ZEROS.set(group, textOf(names, 0));
  }
  return JSON.parse(/** @type {string} */ (ZEROS.get(group)));
}

/**
 * Creates an object with the keys of a table. V8 stores the fields of a parsed object in the object itself, as those of
 * a literal: an update takes half the time of one of `Object.fromEntries` (bench/micro/measure/recorder.js).
 * @type {<T extends number | null>(keys: string[], value: T) => Record<string, T>}
 */
export function recordOf(keys, value) {
  return JSON.parse(textOf(keys, value));
}

/** @type {(keys: string[], value: number | null) => string} */
function textOf(keys, value) {
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, value])));
}

/** Computes the figures that follow from others, which are set, and sets them. @type {(stats: Stats) => void} */
export function deriveFigures(stats) {
  for (const { path, from, isMeasured } of DERIVED) if (isMeasured(stats)) setAt(stats, path, from(stats));
}

/**
 * Returns the time that rates are per second of, ms: the measured one, or that of the arrivals of an open run, which is
 * longer if the next one would have been due later.
 * @type {(stats: Pick<Stats, 'iterations' | 'measuredElapsed'>) => number}
 */
export function ratedMs(stats) {
  return Math.max(stats.measuredElapsed, plannedMsOf(stats));
}

/**
 * Returns the time in which the iterations of an open run were due, ms.
 * @type {(stats: Pick<Stats, 'iterations' | 'measuredElapsed'>) => number}
 */
export function plannedMsOf({ iterations: { started, startedRate }, measuredElapsed }) {
  return startedRate ? (1000 * started) / startedRate : measuredElapsed;
}

/**
 * The share of the iterations that had an error. An error outside of iterations counts as one of them, so the share
 * stays at 1 if there are many.
 * @type {(stats: Pick<Stats, 'errors' | 'iterations'>) => number | null}
 */
function errorShareOf({ errors, iterations: { started, furtherErrors } }) {
  return started > 0 ? Math.min(1, (errors.count - furtherErrors) / started) : null;
}

/** @type {(stats: Stats) => boolean} */
function hasOutside({ outside }) {
  return outside !== undefined;
}

/** Reports whether iterations were due at a rate: open runs. @type {(stats: Pick<Stats, 'iterations'>) => boolean} */
export function isOpen({ iterations }) {
  return iterations.plannedRate !== undefined;
}

/**
 * @template {string} Path
 * @param {Path} path
 * @param {CounterOptions} [options]
 */
function counter(path, options = {}) {
  const at = path.lastIndexOf('.');
  return {
    kind: /** @type {const} */ ('count'),
    unit: '',
    add: /** @type {const} */ ('sum'),
    source: /** @type {const} */ ('recorder'),
    isMeasured: () => true,
    rises: /** @type {const} */ ('always'),
    ...options,
    path,
    group: path.slice(0, at),
    name: path.slice(at + 1),
    key: options.key ?? path.slice(at + 1),
  };
}

/**
 * @template {string} Key
 * @template {string} Path
 * @param {Key} key
 * @param {Path} path
 * @param {HistogramOptions} [options]
 */
function histogram(key, path, options = {}) {
  return {
    kind: /** @type {const} */ ('histogram'),
    unit: 'ms',
    isRecorded: true,
    isMeasured: () => true,
    isShown: () => true,
    ...options,
    key,
    path,
  };
}

/**
 * @template {string} Path
 * @param {Path} path
 * @param {Partial<Figure> & { from: (stats: Stats) => number | null, isMeasured?: (stats: Stats) => boolean, of:
 *   string[], per: string }} options isMeasured: whether a result has it; of, per: paths of numerator and denominator
 */
function derived(path, options) {
  return { kind: /** @type {const} */ ('number'), unit: '', isMeasured: () => true, ...options, path };
}

/**
 * The sum of figures per second of the time in which they are counted.
 * @type {(path: string, of: string[], options?: Partial<Parameters<typeof derived>[1]>) => ReturnType<typeof derived>}
 */
function perSecondOf(path, of, options) {
  const from = (/** @type {Stats} */ stats) => perSecond(sumAt(stats, of), ratedMs(stats));
  return derived(path, { unit: '/s', rises: 'in ramps', ...options, of, per: 'second', from });
}

/** @type {(path: string, of: string[], options: Partial<Figure> & { per: string, isMeasured?: any }) => any} */
function ratio(path, of, { per, ...options }) {
  const from = (/** @type {Stats} */ stats) =>
    valueAt(stats, per) > 0 ? sumAt(stats, of) / valueAt(stats, per) : null;
  return derived(path, { ...options, of, per, from });
}

/** @type {(stats: Stats, paths: string[]) => number} */
function sumAt(stats, paths) {
  return paths.reduce((sum, path) => sum + (valueAt(stats, path) ?? 0), 0);
}

/**
 * Returns what a figure covers, by its row, or by the path of one that a row of the result has: `operations[].rate`.
 * @type {(figure: Pick<Figure, 'path' | 'counts' | 'scope'>) => FigureScope}
 */
export function scopeOf({ path, counts, scope }) {
  const own = SCOPES[/^\w+(\[\])?/.exec(path)?.[0] ?? ''];
  return { ...own, ...(counts !== undefined && { counts }), ...scope };
}

/** The value at a path, undefined if there is none. @type {(object: object, path: string) => any} */
export function valueAt(object, path) {
  /** @type {any} */
  let value = object;
  for (const key of keysOf(path)) value = value?.[key];
  return value;
}

/** @type {(object: object, path: string, value: unknown) => void} */
export function setAt(object, path, value) {
  /** @type {any} */
  let parent = object;
  const keys = keysOf(path);
  for (let i = 0; i < keys.length - 1; i++) parent = parent[keys[i]] ??= {};
  parent[keys[keys.length - 1]] = value;
}

/** The keys of each path that was asked for: each summary asks for all. @type {Map<string, string[]>} */
const KEYS = new Map();

/** @type {(path: string) => string[]} */
function keysOf(path) {
  const known = KEYS.get(path);
  if (known) return known;
  const keys = path.split('.');
  KEYS.set(path, keys);
  return keys;
}
