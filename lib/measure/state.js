import { withoutOverdue } from './cut-off.js';
import { COUNTERS, HISTOGRAMS, RECORDED_HISTOGRAMS, isOpen, valueAt } from './figures.js';
import { totalOf } from './hdr-counts.js';
import { Histogram, countsOf } from './histogram.js';
import { summable } from './point-maker.js';
import { TRANSACTIONS } from './transactions.js';
import { userMetricsOf } from './user-metrics.js';

/**
 * @import { HistogramKey } from '../contracts/figure-names.js'
 * @import { Stats } from '../contracts/stats.js'
 * @import { ExemplarsSummary, HistogramSummary, MeterSummary } from '../contracts/summaries.js'
 * @import { CheckState } from './checks.js'
 * @import { HistogramState } from './histogram.js'
 * @import { OperationState } from './operations.js'
 * @import { Point } from './point-maker.js'
 * @import { TransactionKey, TransactionState } from './transactions.js'
 * @import { MetricState } from './user-metrics.js'
 *
 * @typedef {object} RecorderState the state of a recorder as plain data, by which threads, files and machines are
 *   added up
 * @property {Record<string, Record<string, number>>} counters by group and name
 * @property {Record<HistogramKey, HistogramState>} histograms
 * @property {OperationState[]} operations
 * @property {CheckState[]} checks
 * @property {TransactionState[]} scenarios
 * @property {TransactionState[]} groups
 * @property {MetricState[]} metrics of hooks
 * @property {ExemplarsSummary} exemplars
 * @property {Point[]} points
 * @property {Record<string, number>} statusCodes
 * @property {Record<string, number>} [withheld] requests without the credentials of the run, by origin
 * @property {Stats['errors']} errors
 * @property {MeterSummary} [meter] of a finished run
 */

/** decoded counts of one result: 10,000 operations and statuses have less than 1 kB each */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * The recorder state behind a result.
 *
 * @param {Stats} stats of a run that has ended, as in the JSON format
 * @returns {RecorderState}
 * @throws {Error} the counts of a histogram cannot be read, or are not those of its summary: `histograms.main: not
 *   encoded counts`
 */
export function stateOf(stats) {
  const { exemplars, errors, requests, main } = stats;
  const decoder = new HistogramDecoder();
  return {
    counters: countersOf(stats),
    histograms: histogramsOf(stats, decoder),
    operations: operationsOf(stats, decoder),
    checks: (stats.checks?.each ?? []).map(({ share: _share, ...check }) => ({ firstFailure: null, ...check })),
    ...transactionsOf(stats, decoder),
    metrics: metricsOf(stats, decoder),
    exemplars,
    points: pointsOf(stats),
    statusCodes: requests.statusCodes,
    withheld: requests.withheld ?? {},
    errors: withoutOverdue(errors),
    meter: main.meter,
  };
}

/**
 * A state as JSON text, for other machines.
 * @type {(state: RecorderState) => string}
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

/** @type {(stats: Stats, decoder: HistogramDecoder) => RecorderState['histograms']} */
function histogramsOf(stats, decoder) {
  const hasRate = isOpen(stats);
  /** @type {Partial<Record<HistogramKey, Histogram>>} */
  const all = {};
  for (const { key, path } of HISTOGRAMS) {
    // in a closed run an iteration is due when it starts, so both times are the same
    if (key === 'serviceTime' && !hasRate) all.serviceTime = all.completed;
    else if (key === 'serviceLeast' && !hasRate) all.serviceLeast = all.least;
    else if (key !== 'corrected')
      all[key] = decoder.decode(key, valueAt(stats, path), valueAt(stats, `histograms.${key}`));
  }
  const { main, completed, failed } = /** @type {Record<HistogramKey, Histogram>} */ (all);
  if (completed.count + failed.count !== main.count)
    throw new Error('histograms.main: not the sum of histograms.completed and histograms.failed');
  return /** @type {RecorderState['histograms']} */ (
    Object.fromEntries(RECORDED_HISTOGRAMS.map((key) => [key, /** @type {Histogram} */ (all[key]).toState()]))
  );
}

/** @type {(stats: Stats, decoder: HistogramDecoder) => OperationState[]} */
function operationsOf({ operations, histograms }, decoder) {
  return operations.map(
    ({ name, phase = '', protocol, labels, count, errors, skipped, overdue = 0, statusCodes, ...more }, i) => {
      const { serviceTimeByStatus = {} } = more;
      const { serviceTime, withoutErrors, least, cancelled } = more.times;
      const all = decoder.decode(`operations[${i}]`, serviceTime, histograms?.operations[i]);
      const byStatus = Object.entries(histograms?.operationsByStatus?.[i] ?? {});
      const statuses = Object.keys(statusCodes);
      const base = {
        ...{ name, phase, protocol, labels, errors: errors - overdue, skipped, unanswered: count - all.count },
        ...partOf('cancelled', cancelled, { i, key: 'operationsCancelled', histograms, decoder }),
        ...(withoutErrors && {
          failed: all
            .without(decoder.decode(`operationsOk[${i}]`, withoutErrors, histograms?.operationsOk?.[i]))
            .toState(),
        }),
        ...partOf('least', least, { i, key: 'operationsLeast', histograms, decoder }),
      };
      if (byStatus.length > 0) return { ...base, times: byStatus.map(([status, encoded]) => timesOf(status, encoded)) };
      if (statuses.length === 1) return { ...base, times: [[keyOf(statuses[0]), all.toState()]] };
      return { ...base, times: [], ...(all.count > 0 && { mixed: { statusCodes, times: all.toState() } }) };

      /** @type {(status: string, encoded: string | null) => OperationState['times'][0]} */
      function timesOf(status, encoded) {
        const place = `operationsByStatus[${i}].${status}`;
        return [keyOf(status), decoder.decode(place, serviceTimeByStatus[status], encoded).toState()];
      }
    },
  );
}

/** @type {(stats: Stats, decoder: HistogramDecoder) => Record<TransactionKey, TransactionState[]>} */
function transactionsOf(stats, decoder) {
  /** @type {(transaction: typeof TRANSACTIONS[number]) => TransactionState[]} */
  const statesOf = ({ key, time, least: keyOfLeast, cancelled: keyOfCancelled }) =>
    (stats[key] ?? []).map(({ name, count, errors, overdue = 0, times }, i) => {
      const { least, cancelled, [time]: whole } = times;
      return {
        ...{ name, count: count - overdue, errors: errors - overdue },
        ...partOf('cancelled', cancelled, { i, key: keyOfCancelled, histograms: stats.histograms, decoder }),
        time: decoder.decode(`${key}[${i}]`, whole, stats.histograms?.[key]?.[i]).toState(),
        ...partOf('least', least, { i, key: keyOfLeast, histograms: stats.histograms, decoder }),
      };
    });
  return /** @type {any} */ (Object.fromEntries(TRANSACTIONS.map((one) => [one.key, statesOf(one)])));
}

/**
 * The times of an operation, a scenario or a group that not all of them have.
 *
 * @param {'least' | 'cancelled'} name
 * @param {HistogramSummary | undefined} summary
 * @param {object} source
 * @param {number} source.i its position
 * @param {'operationsLeast' | 'operationsCancelled' | typeof TRANSACTIONS[number]['least' | 'cancelled']} source.key
 * @param {Stats['histograms']} source.histograms
 * @param {HistogramDecoder} source.decoder
 * @returns {{ [Name in 'least' | 'cancelled']?: HistogramState }} empty without them
 */
function partOf(name, summary, { i, key, histograms, decoder }) {
  const encoded = histograms?.[key]?.[i];
  return encoded ? { [name]: decoder.decode(`${key}[${i}]`, summary, encoded).toState() } : {};
}

/** @type {(status: string) => number | 'other'} */
function keyOf(status) {
  return status === 'other' ? 'other' : Number(status);
}

/** @type {(stats: Stats, decoder: HistogramDecoder) => MetricState[]} */
function metricsOf(stats, decoder) {
  const timesOf = (/** @type {string} */ name, /** @type {HistogramSummary} */ summary) =>
    decoder.decode(`timers.${name}`, summary, stats.histograms?.timers[name]).toState();
  return userMetricsOf(stats).map(({ name, kind, value }) => {
    if (kind === 'timer') return { name, kind, meter: value.meter, histogram: timesOf(name, value.histogram) };
    if (kind === 'histogram') return { name, kind, histogram: timesOf(name, value) };
    return kind === 'meter' ? { name, kind, meter: value } : { name, kind, value: value ?? 0 };
  });
}

/**
 * The points of a saved series with their counts.
 *
 * @throws {Error} the counts cannot be read
 * @type {(stats: Stats) => Point[]}
 */
export function pointsOf(stats) {
  return stats.series.points.map((point, i) => {
    // results of earlier versions lack the iterations that failed: nearly each has one error
    const { at, count, errors, failed = errors, max, utilization, bytes = 0 } = point;
    const counts = new Uint8Array(Buffer.from(stats.histograms?.series[i] ?? '', 'base64'));
    const total = totalOf(counts);
    if (total !== count) throw new Error(`histograms.series[${i}]: ${total ?? 'not encoded'} counts of ${count}`);
    return {
      from: at,
      to: at + lengthOf(point, stats),
      count,
      errors,
      failed,
      max: max ?? 0,
      area: areaOf(point, stats),
      utilization,
      bytes,
      counts,
    };
  });
}

/**
 * Running iterations summed over the time of a point: the mean that is saved was divided by that time.
 * @type {(point: Stats['series']['points'][0], stats: Stats) => number}
 */
function areaOf(point, stats) {
  return summable(point.concurrency * lengthOf(point, stats));
}

/**
 * ms; the last point may be shorter than the interval.
 * @type {(point: Stats['series']['points'][0], stats: Stats) => number}
 */
function lengthOf({ at }, { series: { interval, points }, measuredElapsed }) {
  const isLast = at === points[points.length - 1].at;
  return isLast ? Math.max(0, Math.min(interval, measuredElapsed - at)) : interval;
}

/**
 * Decodes the histograms of one result, which may come from another machine: each is small, and all of them are
 * bounded.
 */
class HistogramDecoder {
  #leftBytes = MOST_BYTES;

  /** @type {(place: string, summary: HistogramSummary | undefined, encoded: string | null | undefined) => Histogram} */
  decode(place, summary, encoded) {
    try {
      if (!summary || !encoded) {
        if (encoded || (summary?.count ?? 0) > 0) throw new Error('not those of its summary');
        return new Histogram();
      }
      const counts = countsOf(encoded);
      this.#leftBytes -= counts.length;
      if (this.#leftBytes < 0) throw new Error(`more than ${MOST_BYTES} bytes of counts`);
      return Histogram.of(summary, counts);
    } catch (error) {
      throw new Error(`histograms.${place}: ${/** @type {Error} */ (error).message}`);
    }
  }
}
