import { COUNTERS, HISTOGRAMS, RECORDED_HISTOGRAMS } from './figures.js';
import { Histogram } from './histogram.js';
import { summable } from './summable.js';
import { TRANSACTIONS } from './transactions.js';
import { userMetricsOf } from './user-metrics.js';
import { valueAt } from './value-at.js';

/**
 * @import { CheckState } from './checks.js'
 * @import { ExemplarsSummary } from './exemplars.js'
 * @import { HistogramKey } from './figures.js'
 * @import { HistogramState, HistogramSummary } from './histogram.js'
 * @import { MeterSummary } from './meter.js'
 * @import { OperationState } from './operations.js'
 * @import { Point } from './point-maker.js'
 * @import { TransactionKey, TransactionState } from './transactions.js'
 * @import { Stats } from './types.js'
 * @import { MetricState } from './user-metrics.js'
 *
 * @typedef {object} RecorderState the state of a recorder as plain data, by which threads, files and machines are added up
 * @property {Record<string, Record<string, number>>} counters by group and name
 * @property {Record<HistogramKey | 'notOk', HistogramState>} histograms
 * @property {OperationState[]} operations
 * @property {CheckState[]} checks
 * @property {TransactionState[]} scenarios
 * @property {TransactionState[]} groups
 * @property {MetricState[]} metrics of hooks
 * @property {ExemplarsSummary} exemplars
 * @property {Point[]} points
 * @property {Record<string, number>} statusCodes
 * @property {Stats['errors']} errors
 * @property {MeterSummary} [meter] of a finished run
 */

/**
 * The recorder state behind a result.
 *
 * @param {Stats} stats of a run that has ended, as in the JSON format
 * @returns {RecorderState}
 * @throws {Error} the counts of a histogram cannot be read
 */
export function stateOf(stats) {
  const { exemplars, errors, requests, main } = stats;
  return {
    counters: countersOf(stats),
    histograms: histogramsOf(stats),
    operations: operationsOf(stats),
    checks: (stats.checks?.each ?? []).map(({ share: _share, ...check }) => ({ firstFailure: null, ...check })),
    ...transactionsOf(stats),
    metrics: metricsOf(stats),
    exemplars,
    points: pointsOf(stats),
    statusCodes: requests.statusCodes,
    errors,
    meter: main.meter,
  };
}

/**
 * A state as JSON text, for other machines.
 *
 * @param {RecorderState} state
 * @returns {string}
 */
export function encodeState(state) {
  return JSON.stringify(state, (_key, value) => {
    if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
    return value === Infinity || value === -Infinity ? { number: String(value) } : value;
  });
}

/**
 * @param {string} text as {@link encodeState} returns it
 * @returns {RecorderState}
 */
export function decodeState(text) {
  return JSON.parse(text, (_key, value) => {
    if (typeof value?.base64 === 'string') return new Uint8Array(Buffer.from(value.base64, 'base64'));
    return typeof value?.number === 'string' ? Number(value.number) : value;
  });
}

/** @type {(stats: Stats) => RecorderState['counters']} */
function countersOf(stats) {
  /** @type {RecorderState['counters']} */
  const counters = {};
  for (const { group, name, path, source } of COUNTERS) {
    if (source === 'recorder') (counters[group] ??= {})[name] = valueAt(stats, path) ?? 0;
  }
  counters.iterations.busyTime ||= stats.series.points.reduce((sum, point) => sum + areaOf(point, stats), 0);
  return counters;
}

/** @type {(stats: Stats) => RecorderState['histograms']} */
function histogramsOf(stats) {
  const all = /** @type {Record<HistogramKey, Histogram>} */ (
    Object.fromEntries(
      HISTOGRAMS.map(({ key, path }) => [
        key,
        Histogram.decode(valueAt(stats, path), valueAt(stats, `histograms.${key}`)),
      ]),
    )
  );
  // in a closed run an iteration is due when it starts, so both times are the same
  const isOpen = stats.client.rate !== null;
  const named = { ...all, serviceTime: isOpen ? all.serviceTime : all.main, notOk: all.main.without(all.ok) };
  return /** @type {RecorderState['histograms']} */ (
    Object.fromEntries(RECORDED_HISTOGRAMS.map((key) => [key, named[key].toState()]))
  );
}

/** @type {(stats: Stats) => OperationState[]} */
function operationsOf({ operations, histograms }) {
  return operations.map(({ name, phase, count, errors, statusCodes, serviceTime, serviceTimeByStatus = {} }, i) => {
    const all = Histogram.decode(serviceTime, histograms?.operations[i]);
    const byStatus = Object.entries(histograms?.operationsByStatus?.[i] ?? {});
    const statuses = Object.keys(statusCodes);
    const base = { name, phase, errors, unanswered: count - all.count };
    if (byStatus.length > 0)
      return {
        ...base,
        times: byStatus.map(([status, encoded]) => [
          keyOf(status),
          Histogram.decode(serviceTimeByStatus[status], encoded).toState(),
        ]),
      };
    if (statuses.length === 1) return { ...base, times: [[keyOf(statuses[0]), all.toState()]] };
    return { ...base, times: [], ...(all.count > 0 && { mixed: { statusCodes, times: all.toState() } }) };
  });
}

/** @type {(stats: Stats) => Record<TransactionKey, TransactionState[]>} */
function transactionsOf(stats) {
  const statesOf = (/** @type {TransactionKey} */ key) =>
    (stats[key] ?? []).map(({ name, count, errors, time }, i) => ({
      name,
      count,
      errors,
      time: Histogram.decode(time, stats.histograms?.[key]?.[i]).toState(),
    }));
  return /** @type {any} */ (Object.fromEntries(TRANSACTIONS.map(({ key }) => [key, statesOf(key)])));
}

/** @type {(status: string) => number | 'other'} */
function keyOf(status) {
  return status === 'other' ? 'other' : Number(status);
}

/** @type {(stats: Stats) => MetricState[]} */
function metricsOf(stats) {
  const timesOf = (/** @type {string} */ name, /** @type {HistogramSummary} */ summary) =>
    Histogram.decode(summary, stats.histograms?.timers[name]).toState();
  return userMetricsOf(stats).map(({ name, kind, value }) => {
    if (kind === 'timer') return { name, kind, meter: value.meter, histogram: timesOf(name, value.histogram) };
    if (kind === 'histogram') return { name, kind, histogram: timesOf(name, value) };
    return kind === 'meter' ? { name, kind, meter: value } : { name, kind, value: value ?? 0 };
  });
}

/** @type {(stats: Stats) => Point[]} */
function pointsOf(stats) {
  return stats.series.points.map((point, i) => {
    const { at, count, errors, max, utilization, bytes = 0 } = point;
    return {
      from: at,
      to: at + lengthOf(point, stats),
      count,
      errors,
      max: max ?? 0,
      area: areaOf(point, stats),
      utilization,
      bytes,
      counts: new Uint8Array(Buffer.from(stats.histograms?.series[i] ?? '', 'base64')),
    };
  });
}

/** Running iterations summed over the time of a point: the mean that is saved was divided by that time. @type {(point: Stats['series']['points'][0], stats: Stats) => number} */
function areaOf(point, stats) {
  return summable(point.concurrency * lengthOf(point, stats));
}

/** ms; the last point may be shorter than the interval. @type {(point: Stats['series']['points'][0], stats: Stats) => number} */
function lengthOf({ at }, { series: { interval, points }, measuredElapsed }) {
  const isLast = at === points[points.length - 1].at;
  return isLast ? Math.max(0, Math.min(interval, measuredElapsed - at)) : interval;
}
