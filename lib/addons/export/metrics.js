import { Histogram } from '../../core/measure/histogram.js';
import { safe } from '../../core/text/safe.js';

/** @import { TransportTotals } from '../../core/contracts/connection.js' */
/** @import { CheckSummary } from '../../core/contracts/summaries.js' */
/** @import { Recorder } from '../../core/measure/recorder.js' */

/**
 * @typedef {object} Figures of a run so far, of all its threads
 * @property {Recorder} recorder
 * @property {TransportTotals} traffic
 *
 * @typedef {Record<string, string>} Attributes
 * @typedef {{ attributes: Attributes, value: number }} NumberPoint
 * @typedef {{ attributes: Attributes, histogram: Histogram }} TimePoint times in ms
 *
 * @typedef {object} MetricFacts
 * @property {string} name as OpenTelemetry writes it
 * @property {string} unit in the code of UCUM: `s`, `By`, or a note such as `{request}`
 * @property {string} about
 *
 * @typedef {MetricFacts & { kind: 'counter' | 'gauge', points: NumberPoint[] }} NumberMetric
 * @typedef {MetricFacts & { kind: 'histogram', points: TimePoint[] }} TimeMetric
 * @typedef {NumberMetric | TimeMetric} Metric
 *
 * @typedef {MetricFacts & ({ kind: 'counter' | 'gauge', read: (figures: Figures) => NumberPoint[] } | { kind:
 *   'histogram', read: (figures: Figures) => TimePoint[] })} MetricRow
 */

/** The most operations, and the most checks, that have series of their own. */
const MOST_PARTS = 100;
const OUTCOMES = /** @type {const} */ (['completed', 'failed', 'cancelled']);

/** The metrics of a run, for all exporters: counters since its start. @type {MetricRow[]} */
export const METRICS = [
  {
    ...{ name: 'benchrest.iterations', kind: 'counter', unit: '{iteration}' },
    about: 'Iterations that have ended, by outcome.',
    read: ({ recorder }) => OUTCOMES.map((outcome) => point(recorder.iterations[outcome], { outcome })),
  },
  {
    ...{ name: 'benchrest.iterations.dropped', kind: 'counter', unit: '{iteration}' },
    about: 'Iterations of an arrival rate that did not start, because too many were waiting.',
    read: ({ recorder }) => [point(recorder.iterations.dropped)],
  },
  {
    ...{ name: 'benchrest.iteration.duration', kind: 'histogram', unit: 's' },
    about: 'Response times of completed iterations; with an arrival rate, they include the wait for a virtual user.',
    read: ({ recorder }) => [{ attributes: {}, histogram: recorder.histograms.completed }],
  },
  {
    ...{ name: 'benchrest.requests', kind: 'counter', unit: '{request}' },
    about: 'Operations, by status; those without a response have the status none.',
    read: ({ recorder }) =>
      partsOf(recorder).flatMap(({ attributes, operation }) =>
        Object.entries(operation.counts()).map(([status, count]) => point(count, { ...attributes, status })),
      ),
  },
  {
    ...{ name: 'benchrest.request.duration', kind: 'histogram', unit: 's' },
    about: 'Service times of operations.',
    read: ({ recorder }) =>
      partsOf(recorder).map(({ attributes, operation }) => ({ attributes, histogram: operation.serviceTime() })),
  },
  {
    ...{ name: 'benchrest.errors', kind: 'counter', unit: '{error}' },
    about: 'Errors, by kind.',
    read: ({ recorder }) => Object.entries(recorder.errors().kinds).map(([kind, count]) => point(count, { kind })),
  },
  {
    ...{ name: 'benchrest.checks', kind: 'counter', unit: '{check}' },
    about: 'Checks of responses, by result.',
    read: ({ recorder }) =>
      checksOf(recorder).flatMap(({ name, operation, passed, failed }) => [
        point(passed, { check: name, operation, result: 'passed' }),
        point(failed, { check: name, operation, result: 'failed' }),
      ]),
  },
  {
    ...{ name: 'benchrest.virtual_users', kind: 'gauge', unit: '{user}' },
    about: 'Virtual users that run an iteration.',
    read: ({ recorder }) => [point(recorder.active)],
  },
  {
    ...{ name: 'benchrest.network.io', kind: 'counter', unit: 'By' },
    about: 'Bytes on the connections, by direction.',
    read: ({ traffic }) => [
      point(traffic.bytesSent, { direction: 'transmit' }),
      point(traffic.bytesReceived, { direction: 'receive' }),
    ],
  },
  {
    ...{ name: 'benchrest.server.duration', kind: 'histogram', unit: 's' },
    about: 'Times that responses told in Server-Timing, by name.',
    read: ({ recorder }) =>
      recorder.metrics.serverTimes().map(({ name, histogram }) => ({ attributes: { name }, histogram })),
  },
];

/** Reads the metrics that a run has. @type {(figures: Figures) => Metric[]} */
export function readMetrics(figures) {
  return METRICS.map(({ read, ...facts }) => /** @type {Metric} */ ({ ...facts, points: read(figures) })).filter(
    ({ points }) => points.length > 0,
  );
}

/** Texts are cut before equal ones become one series: no two may have the same attributes. */
const LONGEST_TEXT = 200;

/** @type {(text: string) => string} without control characters, which end a scrape, and without secrets */
export function shown(text) {
  return safe(text).slice(0, LONGEST_TEXT);
}

/** @type {(value: number, attributes?: Attributes) => NumberPoint} */
function point(value, attributes = {}) {
  return { attributes, value };
}

/** Equal operations are one series. @type {(recorder: Recorder) => { attributes: Attributes, operation: Part }[]} */
function partsOf({ operations }) {
  /** @type {Map<string, { attributes: Attributes, operation: Part }>} */
  const parts = new Map();
  for (const operation of operations.first(MOST_PARTS)) {
    const { name, phase, labels } = operation;
    const attributes = { operation: shown(name), phase, ...(labels.scenario && { scenario: shown(labels.scenario) }) };
    const key = JSON.stringify(attributes);
    const known = parts.get(key);
    parts.set(key, { attributes, operation: known ? sumOf(known.operation, operation) : operation });
  }
  return [...parts.values()];
}

/** @typedef {{ counts: () => Record<string, number>, serviceTime: () => Histogram }} Part */

/** @type {(one: Part, other: Part) => Part} */
function sumOf(one, other) {
  return {
    counts() {
      const sums = { ...one.counts() };
      for (const [status, count] of Object.entries(other.counts())) sums[status] = (sums[status] ?? 0) + count;
      return sums;
    },
    serviceTime() {
      const sum = new Histogram();
      for (const part of [one, other]) sum.add(part.serviceTime());
      return sum;
    },
  };
}

/** @typedef {Pick<CheckSummary, 'name' | 'operation' | 'passed' | 'failed'>} CheckCounts */

/** Equal checks are one series. @type {(recorder: Recorder) => CheckCounts[]} */
function checksOf({ checks }) {
  /** @type {Map<string, CheckCounts>} */
  const sums = new Map();
  for (const { passed, failed, ...check } of checks.toJSON()?.details ?? []) {
    const [name, operation] = [shown(check.name), shown(check.operation)];
    const key = JSON.stringify([name, operation]);
    const sum = sums.get(key) ?? { name, operation, passed: 0, failed: 0 };
    if (!sums.has(key) && sums.size === MOST_PARTS) continue;
    sum.passed += passed;
    sum.failed += failed;
    sums.set(key, sum);
  }
  return [...sums.values()];
}

/**
 * The times of a histogram in the buckets of an exponential histogram, as in OpenTelemetry and in native histograms
 * of Prometheus: bucket i holds (2^(i / 2^scale), 2^((i + 1) / 2^scale)].
 *
 * @typedef {object} ExponentialHistogram times in seconds
 * @property {number} scale
 * @property {number} offset index of the first bucket
 * @property {number[]} counts of each bucket from there on
 * @property {number} count
 * @property {number} sum
 * @property {number} min
 * @property {number} max
 */

/** 16 buckets for each power of two: a time is known to 2.2 %, and those from 1 ms to 1 s have 160. */
const SCALE = 4;
/** Indexes of the buckets of the range of histograms, 1 us to 1 h. */
const [LOWEST, HIGHEST] = [1e-6, 3600].map(indexOf);

/** @type {(seconds: number) => number} */
function indexOf(seconds) {
  return Math.ceil(Math.log2(seconds) * 2 ** SCALE) - 1;
}

/** @type {(histogram: Histogram) => ExponentialHistogram} */
export function exponentialOf(histogram) {
  const buckets = new Float64Array(HIGHEST - LOWEST + 1);
  let [first, last, min, max] = [Infinity, -1, 0, 0];
  histogram.forEach((ms, times) => {
    const seconds = ms / 1000;
    const at = Math.min(buckets.length - 1, Math.max(0, indexOf(seconds) - LOWEST));
    buckets[at] += times;
    if (last < 0) [first, min] = [at, seconds];
    [last, max] = [at, seconds];
  });
  const isEmpty = last < 0;
  return {
    scale: SCALE,
    offset: isEmpty ? 0 : LOWEST + first,
    counts: isEmpty ? [] : [...buckets.subarray(first, last + 1)],
    count: histogram.count,
    sum: histogram.sum / 1000,
    min,
    max,
  };
}
