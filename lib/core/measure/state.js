import { withoutOverdue } from './cut-off.js';
import { COUNTERS, HISTOGRAMS, RECORDED_HISTOGRAMS } from './figures.js';
import { isOpen, ratedMs, valueAt, zeroCounters } from './figures.js';
import { totalOf } from './hdr-counts.js';
import { Histogram, countsOf } from './histogram.js';
import { OPERATION_FIGURES } from './operation-figures.js';
import { summable } from './point-maker.js';
import { TRANSACTIONS, transactionsIn } from './transactions.js';
import { userMetricsOf } from './user-metrics.js';

/** @import { HistogramKey } from '../contracts/figure-names.js' */
/** @import { Stats } from '../contracts/stats.js' */
/** @import { ExemplarsSummary, HistogramSummary, LoadSummary, MeterSummary } from '../contracts/summaries.js' */
/** @import { OperationSummary, RecordedErrors } from '../contracts/summaries.js' */
/** @import { CheckState } from './checks.js' */
/** @import { HistogramState } from './histogram.js' */
/** @import { OperationFigures } from './operation-figures.js' */
/** @import { OperationState } from './operations.js' */
/** @import { Point } from './point-maker.js' */
/** @import { TransactionKey, TransactionState } from './transactions.js' */
/** @import { MetricState } from './user-metrics.js' */

/**
 * The state of a recorder is plain data, by which threads, files and machines are added up. A thread sends its state as
 * it is (`Recorder.drain`). That of a saved result is computed back from its figures and counts (`stateOf`), without
 * the series of operations, which a result keeps as figures only.
 *
 * @typedef {object} RecorderState
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
 * @property {RecordedErrors} errors
 * @property {MeterSummary} [meter] of a finished run
 */

/**
 * Decoded counts of the histograms of one result: 10,000 operations and statuses have less than 1 kB each. The counts
 * of points are not compressed, so the size of the file bounds them.
 */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Returns the recorder state behind a result of a run that has ended, as in the JSON format.
 * @throws {Error} the counts of a histogram cannot be read, or are not those of its summary: `main.histogram.hdr: not
 *   encoded counts`
 * @type {(stats: Stats) => RecorderState}
 */
export function stateOf(stats) {
  const { exemplars, errors, requests, main } = stats;
  const decoder = new HistogramDecoder();
  return {
    counters: countersOf(stats),
    histograms: histogramsOf(stats, decoder),
    operations: operationsOf(stats, decoder),
    checks: (stats.checks?.details ?? []).map(({ share: _share, passed: passes, failed: failures, ...check }) => ({
      passes,
      failures,
      firstFailure: null,
      ...check,
    })),
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

/** @type {(stats: Stats) => RecorderState['counters']} */
function countersOf(stats) {
  /** @type {RecorderState['counters']} */
  const counters = {};
  for (const { group, name, path, source } of COUNTERS) {
    if (source === 'recorder') (counters[group] ??= {})[name] = valueAt(stats, path) ?? 0;
  }
  return counters;
}

/** @type {(stats: Stats, decoder: HistogramDecoder) => RecorderState['histograms']} */
function histogramsOf(stats, decoder) {
  // In a closed model an iteration is due when it starts, so its response times are its service times, too.
  const isClosed = !isOpen(stats);
  const left = isClosed ? ['corrected', 'serviceTime', 'serviceLeast'] : ['corrected'];
  /** @type {Partial<Record<HistogramKey, Histogram>>} */
  const all = {};
  for (const { key, path } of HISTOGRAMS)
    if (!left.includes(key)) all[key] = decoder.decode(path, valueAt(stats, path));
  if (isClosed) [all.serviceTime, all.serviceLeast] = [all.completed, all.least];
  const { main, completed, failed } = /** @type {Record<HistogramKey, Histogram>} */ (all);
  if (completed.count + failed.count !== main.count)
    throw new Error('main.histogram: not the sum of main.completed and main.failed');
  return /** @type {RecorderState['histograms']} */ (
    Object.fromEntries(RECORDED_HISTOGRAMS.map((key) => [key, /** @type {Histogram} */ (all[key]).toState()]))
  );
}

/**
 * @type {(stats: { operations?: OperationSummary[] }, decoder: HistogramDecoder, path?: string) => OperationState[]}
 */
function operationsOf({ operations = [] }, decoder, path = '') {
  return operations.map((operation, i) => {
    const { name, phase = '', protocol, labels, count, errors, skipped, oldest, other, overdue = 0, times } = operation;
    const at = `${path}operations[${i}]`;
    const all = decoder.decode(`${at}.times.serviceTime`, times.serviceTime);
    return {
      name,
      phase,
      protocol,
      labels,
      errors: errors - overdue,
      skipped,
      oldest,
      ...(other && { other }),
      unanswered: count - all.count,
      ...partOf('cancelled', times, { at, decoder }),
      ...(times.withoutErrors && {
        failed: all.without(decoder.decode(`${at}.times.withoutErrors`, times.withoutErrors)).toState(),
      }),
      ...partOf('least', times, { at, decoder }),
      ...figuresOf(operation, { at, decoder }),
      ...timesByStatus(operation, all, { at, decoder }),
    };
  });
}

/**
 * Returns the times of an operation for each status. A result has them only if there are several: all times are those
 * of the only status, unless other responses had times and no status. Otherwise they are `mixed`.
 * @type {(operation: OperationSummary, all: Histogram, context: { at: string, decoder: HistogramDecoder }) =>
 *   Pick<OperationState, 'times' | 'mixed'>}
 */
function timesByStatus({ serviceTimeByStatus = {}, statusCodes }, all, { at, decoder }) {
  const separate = Object.entries(serviceTimeByStatus);
  if (separate.length > 0)
    return {
      times: separate.map(([status, summary]) => [
        keyOf(status),
        decoder.decode(`${at}.serviceTimeByStatus.${status}`, summary).toState(),
      ]),
    };
  const [only, ...others] = Object.keys(statusCodes);
  if (only !== undefined && others.length === 0 && statusCodes[only] === all.count)
    return { times: [[keyOf(only), all.toState()]] };
  return { times: [], ...(all.count > 0 && { mixed: { statusCodes, times: all.toState() } }) };
}

/** @type {(operation: any, source: { at: string, decoder: HistogramDecoder }) => Record<string, object>} */
function figuresOf(operation, { at, decoder }) {
  /** @type {(row: OperationFigures) => object} */
  const stateOf = ({ key, counts, times, limits }) => {
    const figures = operation[key];
    const known = counts.map((row) => row.key).filter((one) => figures[one] !== undefined);
    return {
      counts: Object.fromEntries(known.map((one) => [one, figures[one]])),
      times: Object.fromEntries(
        times.map((row) => [row.key, decoder.decode(`${at}.${key}.${row.key}`, figures[row.key]).toState()]),
      ),
      ...(figures[limits.name] && { [limits.name]: figures[limits.name] }),
    };
  };
  const rows = OPERATION_FIGURES.filter(({ key }) => operation[key] !== undefined);
  return Object.fromEntries(rows.map((row) => [row.key, stateOf(row)]));
}

/** @type {(stats: Stats, decoder: HistogramDecoder) => Record<TransactionKey, TransactionState[]>} */
function transactionsOf(stats, decoder) {
  /** @type {(transaction: typeof TRANSACTIONS[number]) => TransactionState[]} */
  const statesOf = ({ key, time }) =>
    transactionsIn(stats, key).map(({ name, count, errors, overdue = 0, times }, i) => {
      const at = `${key}[${i}]`;
      return {
        name,
        count: count - overdue,
        errors: errors - overdue,
        ...partOf('cancelled', times, { at, decoder }),
        time: decoder.decode(`${at}.times.${time}`, times[time]).toState(),
        ...(times.serviceTime && {
          service: decoder.decode(`${at}.times.serviceTime`, times.serviceTime).toState(),
        }),
        ...partOf('least', times, { at, decoder }),
      };
    });
  return /** @type {any} */ (Object.fromEntries(TRANSACTIONS.map((one) => [one.key, statesOf(one)])));
}

/**
 * Returns the times of an operation, a scenario or a group that not all of them have; empty without them. `at` is its
 * path.
 * @type {<Name extends 'least' | 'cancelled'>(name: Name, times: { least?: HistogramSummary, cancelled?:
 *   HistogramSummary }, source: { at: string, decoder: HistogramDecoder }) => { [N in Name]?: HistogramState }}
 */
function partOf(name, times, { at, decoder }) {
  const summary = times[name];
  if (!summary) return {};
  return /** @type {any} */ ({ [name]: decoder.decode(`${at}.times.${name}`, summary).toState() });
}

/** @type {(status: string) => number | 'other'} */
function keyOf(status) {
  return status === 'other' ? 'other' : Number(status);
}

/** Hooks may mark parts of an event: a millionth is kept. */
const PER_EVENT = 1e6;

/** @type {(stats: Stats, decoder: HistogramDecoder) => MetricState[]} */
function metricsOf(stats, decoder) {
  // Counts that were divided by the measured time.
  const countOf = (/** @type {MeterSummary} */ { rate, count }) =>
    rate === undefined ? count : Math.round((rate * ratedMs(stats) * PER_EVENT) / 1000) / PER_EVENT;
  return userMetricsOf(stats).map(({ name, kind, value }) => {
    const path = `metrics.${name}`;
    if (kind === 'timer') {
      const histogram = decoder.decode(`${path}.histogram`, value.histogram).toState();
      return { name, kind, meter: value.meter, measured: countOf(value.meter), histogram };
    }
    if (kind === 'histogram') return { name, kind, histogram: decoder.decode(path, value).toState() };
    return kind === 'meter' ? { name, kind, meter: value, measured: countOf(value) } : { name, kind, value };
  });
}

/**
 * The points of a saved series; `at`: the path of the object that has it, with a point behind.
 * @throws {Error} the counts cannot be read
 * @type {(stats: Pick<Stats, 'series' | 'measuredElapsed'>, at?: string) => Point[]}
 */
export function pointsOf(stats, at = '') {
  return stats.series.points.map((point, i) => {
    const { at: from, iterations, errors, responseTime, bytes, loadGenerator } = point;
    const { completed: count, failed } = iterations;
    const counts = new Uint8Array(Buffer.from(responseTime.hdrPayload ?? '', 'base64'));
    const total = totalOf(counts);
    if (total !== count)
      throw new Error(`${at}series.points[${i}].responseTime.hdrPayload: ${total ?? 'not encoded'} counts of ${count}`);
    return {
      from,
      to: from + lengthOf(point, stats),
      count,
      errors,
      failed,
      max: responseTime.max ?? 0,
      area: areaOf(point, stats),
      utilization: loadGenerator.eventLoopUtilization,
      bytes: bytes?.received ?? 0,
      counts,
    };
  });
}

/** The histograms of a load, keys of `main`, by their names in its `times`. */
export const LOAD_TIMES = /** @type {const} */ ({
  responseTime: 'completed',
  serviceTime: 'serviceTime',
  failed: 'failed',
  cancelled: 'cancelled',
  least: 'least',
  serviceLeast: 'serviceLeast',
});

/**
 * Returns the state of the recorder of a load, whose path is `at`, for sums.
 * @throws {Error} the counts of a histogram cannot be read
 * @type {(load: LoadSummary, at: string) => RecorderState}
 */
export function stateOfLoad(load, at) {
  const { iterations, virtualUsers, times, startDelay, spacing, series, measuredElapsed, startAfter = 0 } = load;
  const decoder = new HistogramDecoder();
  const known = Object.entries(LOAD_TIMES).map(([name, key]) => [
    key,
    decoder.decode(`${at}.times.${name}`, /** @type {any} */ (times)[name]),
  ]);
  /** @type {Record<string, Histogram>} */
  const histograms = {
    ...Object.fromEntries(known),
    startDelay: decoder.decode(`${at}.startDelay`, startDelay),
    spacing: decoder.decode(`${at}.spacing`, spacing),
  };
  const zero = zeroCounters('iterations');
  const own = Object.keys(zero).map((name) => [name, /** @type {any} */ (iterations)[name] ?? 0]);
  return {
    counters: {
      iterations: Object.fromEntries(own),
      requests: zeroCounters('requests'),
      outside: zeroCounters('outside'),
      virtualUsers: { ...zeroCounters('virtualUsers'), ...virtualUsers },
    },
    histograms: /** @type {RecorderState['histograms']} */ (
      Object.fromEntries(RECORDED_HISTOGRAMS.map((key) => [key, (histograms[key] ?? new Histogram()).toState()]))
    ),
    ...NOTHING_ELSE,
    operations: operationsOf(load, decoder, `${at}.`),
    // Points count from the start of the run, the time of a load from its own start.
    points: pointsOf(/** @type {any} */ ({ series, measuredElapsed: startAfter + measuredElapsed }), `${at}.`),
  };
}

/** What the recorder of a load does not count. @type {Omit<RecorderState, 'counters' | 'histograms' | 'points'>} */
export const NOTHING_ELSE = {
  ...{ operations: [], checks: [], scenarios: [], groups: [], metrics: [], statusCodes: {}, withheld: {} },
  exemplars: { slowest: [], failed: [] },
  errors: { count: 0, kinds: {}, details: [] },
};

/**
 * Running iterations summed over the time of a point: the mean that is saved was divided by that time.
 * @type {(point: Stats['series']['points'][0], stats: Pick<Stats, 'series' | 'measuredElapsed'>) => number}
 */
function areaOf(point, stats) {
  return summable(point.concurrency * lengthOf(point, stats));
}

/** ms; the last point may be shorter. @type {typeof areaOf} */
function lengthOf({ at }, { series: { interval, points }, measuredElapsed }) {
  const isLast = at === points[points.length - 1].at;
  return isLast ? Math.max(0, Math.min(interval, measuredElapsed - at)) : interval;
}

/** Decodes the histograms of one result, perhaps of another machine: each is small, and their sum is bounded. */
export class HistogramDecoder {
  #leftBytes = MOST_BYTES;

  /** @type {(path: string, summary: HistogramSummary | undefined) => Histogram} */
  decode(path, summary) {
    if (!summary) return new Histogram();
    try {
      if (summary.hdr === undefined) {
        const empty = Histogram.decode(summary);
        if (empty === null) throw new Error('missing');
        return empty;
      }
      const counts = countsOf(summary.hdr);
      this.#leftBytes -= counts.length;
      if (this.#leftBytes < 0) throw new Error(`more than ${MOST_BYTES} bytes of counts`);
      return Histogram.of(summary, counts);
    } catch (error) {
      throw new Error(`${path}.hdr: ${/** @type {Error} */ (error).message}`);
    }
  }
}
