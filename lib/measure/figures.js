/**
 * Every figure of a result, once: recorder, summary, merge, thresholds, reports and `result.schema.json` walk these tables.
 * To add a counter or a histogram, add a row here, record it, and run `npm run generate`.
 *
 * @import { HistogramSummary } from './histogram.js'
 * @import { Threshold } from './thresholds.js'
 * @import { Stats } from './types.js'
 *
 * @typedef {object} Figure
 * @property {string} path place in the result, such as `requests.ttfb`
 * @property {'count' | 'number' | 'nullable' | 'flag' | 'histogram'} kind type of the value
 * @property {string} unit `ms`, `B`, `/s`, or nothing
 * @property {string | ((stats: Stats) => string)} [label] name in reports; figures without one are for programs
 * @property {string} [threshold] name in a threshold; of a histogram the prefix, empty for the main one
 * @property {boolean} [isOptional] results of the same schema number may lack it: it was added later, or applies to some runs
 *
 * @typedef {object} CounterOptions
 * @property {'count' | 'number'} [kind]
 * @property {string} [unit]
 * @property {'sum' | 'max'} [add] how the values of two threads, files or machines become one
 * @property {'recorder' | 'transport'} [source] who counts
 * @property {string} [label]
 * @property {string} [threshold]
 * @property {boolean} [isOptional]
 *
 * @typedef {object} HistogramOptions
 * @property {Figure['label']} [label]
 * @property {string} [threshold]
 * @property {boolean} [isOptional]
 * @property {boolean} [isRecorded] false: the summary computes it from the recorded ones
 * @property {(stats: Stats) => boolean} [isShown] in the latency table; by default wherever there are values
 */

/** Counts and sums. They are recorded in the group of their path: `iterations`, `requests` or `requests.connections`. */
export const COUNTERS = [
  counter('iterations.started', { threshold: 'count' }),
  counter('iterations.completed'),
  counter('iterations.failed', { label: 'failed' }),
  counter('iterations.cancelled', { label: 'cancelled', threshold: 'cancelled' }),
  counter('iterations.teardownFailed', { label: 'with failed teardown' }),
  counter('iterations.late', { threshold: 'late' }),
  counter('iterations.maxBacklog', { add: 'max' }),
  counter('iterations.dropped', { label: 'dropped', threshold: 'dropped' }),
  counter('iterations.busyTime', { kind: 'number', unit: 'ms', isOptional: true }),
  counter('requests.count'),
  counter('requests.sent'),
  counter('requests.answered'),
  counter('requests.failed', { label: 'failed' }),
  counter('requests.cancelled', { label: 'cancelled' }),
  counter('requests.retries', { label: 'retries' }),
  counter('requests.redirects', { label: 'redirects' }),
  counter('requests.challenges', { label: 'with credentials asked for', isOptional: true }),
  counter('requests.ok'),
  counter('requests.bytesSent', { source: 'transport', unit: 'B' }),
  counter('requests.bytesReceived', { source: 'transport', unit: 'B' }),
  counter('requests.connections.opened', { source: 'transport' }),
  counter('requests.connections.reused', { source: 'transport' }),
  counter('requests.connections.closedByServer', { source: 'transport', label: 'closed by the server' }),
  counter('requests.connections.discarded', { source: 'transport', label: 'dropped (unexpected bytes)' }),
  counter('requests.connections.asked'),
  counter('requests.connections.reached'),
];

/** Times in milliseconds, in the order of the latency table. The last part of the path is the key in `histograms`. */
export const HISTOGRAMS = [
  histogram('main', 'main.histogram', {
    label: (stats) => (isOpen(stats) ? 'response time' : 'iteration'),
    threshold: '',
    isRecorded: false,
  }),
  histogram('serviceTime', 'main.serviceTime', { label: 'service time', threshold: 'serviceTime', isShown: isOpen }),
  histogram('corrected', 'main.corrected', { label: 'corrected', isRecorded: false, isOptional: true }),
  histogram('ok', 'main.ok', {
    label: 'completed',
    threshold: 'ok',
    isShown: ({ iterations }) => iterations.failed > 0,
  }),
  histogram('ttfb', 'requests.ttfb', { label: 'first byte', threshold: 'ttfb' }),
  histogram('connect', 'requests.connect', { label: 'connecting', threshold: 'connect' }),
  histogram('tls', 'requests.tls', { label: 'TLS', threshold: 'tls' }),
  histogram('startDelay', 'client.startDelay'),
];

/** The histograms of a recorder: `notOk` holds the response times of failed iterations, which `main` includes. */
export const RECORDED_HISTOGRAMS = /** @type {(HistogramKey | 'notOk')[]} */ ([
  ...HISTOGRAMS.filter(({ isRecorded }) => isRecorded).map(({ key }) => key),
  'notOk',
]);

/** Figures that follow from others, computed once, by {@link deriveFigures}. */
export const DERIVED = [
  derived('iterations.rate', {
    unit: '/s',
    label: 'iterations per second',
    isOptional: true,
    from: ({ iterations: { completed, failed }, measuredElapsed }) => perSecond(completed + failed, measuredElapsed),
  }),
  derived('requests.rate', {
    unit: '/s',
    threshold: 'rate',
    from: ({ requests, measuredElapsed }) => perSecond(requests.answered, measuredElapsed),
  }),
  derived('requests.okRate', {
    unit: '/s',
    threshold: 'okRate',
    from: ({ requests, measuredElapsed }) => perSecond(requests.ok, measuredElapsed),
  }),
  derived('requests.bytesReceivedRate', {
    unit: 'B/s',
    isOptional: true,
    from: ({ requests, measuredElapsed }) => perSecond(requests.bytesReceived, measuredElapsed),
  }),
  derived('errors.share', {
    kind: 'nullable',
    isOptional: true,
    from: ({ errors, iterations }) => (iterations.started > 0 ? errors.count / iterations.started : null),
  }),
  derived('errors.allowed', {
    kind: 'flag',
    isOptional: true,
    // errors fail a run, unless an `errors` threshold is set: then the threshold decides
    from: ({ errors }, thresholds) =>
      errors.count === 0 || thresholds.some(({ metric, operation }) => metric === 'errors' && operation === null),
  }),
  derived('client.cpuPerRequest', {
    kind: 'nullable',
    unit: 'ms',
    from: ({ client, requests }) => (requests.sent > 0 ? client.cpu / requests.sent : null),
  }),
];

/** Figures that other parts of the summary compute, and that a threshold can name. */
const OTHERS = /** @type {Figure[]} */ ([
  { path: 'errors.count', kind: 'count', unit: '', threshold: 'errors' },
  { path: 'client.utilization', kind: 'number', unit: '', threshold: 'utilization' },
]);

/** All of the above. @type {Figure[]} */
export const FIGURES = [...COUNTERS, ...HISTOGRAMS, ...DERIVED, ...OTHERS];

/** Percentiles of a histogram summary: key in the result, percentile, label. */
export const PERCENTILES = /** @type {const} */ ([
  { key: 'median', percentile: 50, label: 'p50' },
  { key: 'p75', percentile: 75, label: 'p75' },
  { key: 'p90', percentile: 90, label: 'p90' },
  { key: 'p95', percentile: 95, label: 'p95' },
  { key: 'p99', percentile: 99, label: 'p99' },
  { key: 'p999', percentile: 99.9, label: 'p99.9' },
]);

/** Columns of a latency table: key in a histogram summary, and heading. */
export const STATISTICS = /** @type {const} */ ([
  ...PERCENTILES,
  { key: 'max', label: 'max' },
  { key: 'mean', label: 'mean' },
  { key: 'stddev', label: 'stddev' },
]);

/**
 * @typedef {typeof COUNTERS[number]['path']} CounterPath
 * @typedef {typeof HISTOGRAMS[number]['path']} HistogramPath
 * @typedef {typeof HISTOGRAMS[number]['key']} HistogramKey
 */

/**
 * The names of a group: `started` and others of `iterations`.
 *
 * @template {string} Group
 * @template {string} Path
 * @typedef {Path extends `${Group}.${infer Name}` ? (Name extends `${string}.${string}` ? never : Name) : never} NameIn
 */

/**
 * Counters at zero, for a recorder.
 *
 * @template {string} Group
 * @param {Group} group
 * @returns {Record<NameIn<Group, CounterPath>, number>}
 */
export function zeroCounters(group) {
  const rows = COUNTERS.filter((row) => row.group === group && row.source === 'recorder');
  return /** @type {any} */ (
    recordOf(
      rows.map(({ name }) => name),
      0,
    )
  );
}

/**
 * An object with the keys of a table. V8 stores the fields of a parsed object in the object itself, as those of a literal: an
 * update takes half the time of one of `Object.fromEntries` (bench/micro/measure/recorder.js).
 *
 * @template {number | null} T
 * @param {string[]} keys
 * @param {T} value of each
 * @returns {Record<string, T>}
 */
export function recordOf(keys, value) {
  return JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, value]))));
}

/**
 * Computes the figures that follow from others and sets them.
 *
 * @param {Stats} stats all other figures are set
 * @param {Threshold[]} thresholds of the run
 */
export function deriveFigures(stats, thresholds) {
  for (const { path, from } of DERIVED) setAt(stats, path, from(stats, thresholds));
}

/**
 * The rows of a latency table: what there is to show, with its label.
 *
 * @param {Stats} stats
 * @returns {{ label: string, summary: HistogramSummary }[]}
 */
export function latencyRows(stats) {
  return HISTOGRAMS.flatMap(({ path, label, isShown }) => {
    const summary = valueAt(stats, path);
    if (!label || !summary || summary.count === 0 || !isShown(stats)) return [];
    return [{ label: typeof label === 'string' ? label : label(stats), summary }];
  });
}

/**
 * The labelled counters of a group that are not zero, for a line of a report.
 *
 * @param {Stats} stats
 * @param {string} group
 */
export function counterRows(stats, group) {
  return COUNTERS.flatMap(({ path, label, ...row }) => {
    const value = valueAt(stats, path) ?? 0;
    return row.group === group && label && value > 0 ? [{ label, value }] : [];
  });
}

/**
 * The value at a path, undefined if there is none.
 *
 * @param {object} object
 * @param {string} path
 * @returns {any}
 */
export function valueAt(object, path) {
  return path.split('.').reduce((/** @type {any} */ value, key) => value?.[key], object);
}

/**
 * Sets the value at a path.
 *
 * @param {object} object
 * @param {string} path
 * @param {unknown} value
 */
export function setAt(object, path, value) {
  const keys = path.split('.');
  const last = /** @type {string} */ (keys.pop());
  const parent = keys.reduce((/** @type {any} */ at, key) => (at[key] ??= {}), object);
  parent[last] = value;
}

/**
 * Events per second over a time in milliseconds; 0 over no time.
 *
 * @param {number} count
 * @param {number} ms
 */
export function perSecond(count, ms) {
  return ms > 0 ? (count * 1000) / ms : 0;
}

/** @type {(stats: Stats) => boolean} */
function isOpen({ client }) {
  return client.rate !== null;
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
    ...options,
    path,
    group: path.slice(0, at),
    name: path.slice(at + 1),
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
    isShown: () => true,
    ...options,
    key,
    path,
  };
}

/**
 * @template {string} Path
 * @param {Path} path
 * @param {Partial<Figure> & { from: (stats: Stats, thresholds: Threshold[]) => number | boolean | null }} options
 */
function derived(path, options) {
  return { kind: /** @type {const} */ ('number'), unit: '', ...options, path };
}
