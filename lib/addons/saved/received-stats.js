import { makeError } from '../../core/ground/errors.js';
import { HISTOGRAMS, valueAt } from '../../core/measure/figures.js';
import { PERCENTILES } from '../../core/measure/percentiles.js';
import { accountingErrors } from '../../core/measure/recorder.js';
import { TRANSACTIONS } from '../../core/measure/transactions.js';
import { userMetricsOf } from '../../core/measure/user-metrics.js';

/** @import { Stats } from '../../core/contracts/stats.js' */
/** @import { HistogramSummary } from '../../core/contracts/summaries.js' */

/**
 * Results that come from elsewhere, a file or another machine: finds contradictions between their figures, and refuses
 * the same run twice. Their shape has been checked before.
 */

/** A relative error, and one in ms, which is a nanosecond: sums are rounded to it. */
const ROUNDING = 1e-6;
/** ms: 31 years */
export const LONGEST_MS = 1e12;

/**
 * Finds the first contradiction between the figures of a result of another machine or of a file, whose shape has been
 * checked: `main.completed: more times than main.histogram`. The state of a run that is not over may have running
 * iterations.
 * @type {(stats: Stats, options: { isOver: boolean }) => string | undefined}
 */
export function contradictionIn(stats, { isOver }) {
  // If the accounting check of its own run failed, the result says so: that is no contradiction.
  const known = new Set(stats.validity.reasons.map(({ message }) => message));
  const errors = isOver ? accountingErrors(stats).filter((error) => !known.has(error)) : [];
  return (
    errors[0] ?? EQUATIONS.find(({ holds }) => !holds(stats))?.reason ?? seriesFault(stats) ?? impossibleTime(stats)
  );
}

/**
 * Finds a histogram whose percentiles fall, or whose mean is not between minimum and maximum: `main.completed: its
 * figures contradict each other`. People edit figures in files; programs do not.
 * @type {(stats: Stats) => string | undefined}
 */
export function implausibleSummary(stats) {
  for (const [path, summary] of summariesOf(stats))
    if (!isPlausible(summary)) return `${path}: its figures contradict each other`;
  return undefined;
}

/** Equations that hold at any time of a run. @type {{ reason: string, holds: (stats: Stats) => boolean }[]} */
const EQUATIONS = [
  {
    reason: 'iterations: more ended than started',
    holds: ({ iterations: { started, completed, failed, cancelled } }) => started >= completed + failed + cancelled,
  },
  {
    reason: 'requests: more were answered, unanswered or cancelled than sent',
    holds: ({ requests: { sent, answered, unanswered, cancelled } }) => sent >= answered + unanswered + cancelled,
  },
  {
    reason: 'requests.statusCodes: not as many as requests.answered',
    holds: ({ requests: { answered, statusCodes }, operations }) =>
      // Calls of clients have no status.
      mayHaveCalls(operations) ? sumOf(statusCodes) <= answered : sumOf(statusCodes) === answered,
  },
  {
    reason: 'main.histogram: more times than iterations.started',
    holds: ({ main, iterations }) => main.histogram.count <= iterations.started,
  },
  {
    reason: 'iterations.completed: more than there are times in main.completed',
    // A hook may end an iteration before main.
    holds: ({ main, iterations: { completed, endedEarly } }) => completed - endedEarly <= main.completed.count,
  },
  {
    reason: 'iterations.endedEarly: more than iterations.started',
    holds: ({ iterations: { started, endedEarly } }) => endedEarly <= started,
  },
  {
    reason: 'measuredElapsed: 0, and iterations have ended',
    holds: ({ measuredElapsed, main }) => measuredElapsed > 0 || main.histogram.count === 0,
  },
  {
    reason: 'main.completed: more times than main.histogram',
    holds: ({ main }) => main.completed.count <= main.histogram.count,
  },
  {
    reason: 'series.points: not as many iterations as times in main.histogram',
    holds: ({ main, series }) =>
      series.points.reduce((sum, { iterations }) => sum + iterations.completed, 0) <= main.histogram.count,
  },
  {
    reason: 'errors.kinds: not as many as errors.count',
    holds: ({ errors }) => sumOf(errors.kinds) === errors.count,
  },
  {
    reason: 'iterations.furtherErrors: more than errors.count',
    holds: ({ errors, iterations: { furtherErrors } }) => furtherErrors <= errors.count,
  },
  {
    reason: 'errors.details: more than errors.count',
    holds: ({ errors }) => errors.details.reduce((sum, { count }) => sum + count, 0) <= errors.count,
  },
  {
    reason: 'operations: more times than count',
    holds: ({ operations }) => operations.every(({ count, times }) => times.serviceTime.count <= count),
  },
  {
    reason: 'operations: more times.withoutErrors than times.serviceTime',
    holds: ({ operations }) =>
      operations.every(({ times }) => (times.withoutErrors?.count ?? 0) <= times.serviceTime.count),
  },
  {
    reason: 'operations: not as many times in serviceTimeByStatus as in times.serviceTime',
    holds: ({ operations }) =>
      operations.every(
        ({ times, serviceTimeByStatus: all }) =>
          !all || Object.values(all).reduce((sum, { count }) => sum + count, 0) === times.serviceTime.count,
      ),
  },
  {
    reason: 'checks: not the sum of checks.details',
    holds: ({ checks }) => {
      const counts = /** @type {const} */ (['passed', 'failed']);
      return !checks || counts.every((key) => checks.details.reduce((sum, one) => sum + one[key], 0) === checks[key]);
    },
  },
];

/** @type {(operations: Stats['operations']) => boolean} */
function mayHaveCalls(operations) {
  return operations.some(({ protocol, other = false }) => protocol !== 'http' || other);
}

/** Each point begins one interval after the one before it. @type {(stats: Stats) => string | undefined} */
function seriesFault({ series, loads = [] }) {
  const ofLoads = loads.map((load, i) => ({ path: `loads[${i}].series`, ...load.series }));
  for (const { path, interval, points } of [{ path: 'series', ...series }, ...ofLoads]) {
    const wrong = points.findIndex(({ at }, i) => Math.abs(at - i * interval) > interval * ROUNDING * (i + 1));
    if (wrong >= 0) return `${path}.points[${wrong}].at: not ${wrong} intervals after the start`;
  }
  return undefined;
}

/** Times are not negative, nor longer than anything that was measured. @type {(stats: Stats) => string | undefined} */
function impossibleTime(stats) {
  const { totalElapsed, measuredElapsed } = stats;
  for (const [name, time] of Object.entries({ totalElapsed, measuredElapsed }))
    if (!isTime(time)) return `${name}: expected 0 to ${LONGEST_MS} ms`;
  for (const [path, summary, isAnyNumber] of summariesOf(stats)) {
    const { count, min, max, mean, sum } = summary;
    const times = [min, ...RISING.map((key) => summary[key]), max, mean];
    if (!isAnyNumber && !times.every((time) => time === null || isTime(time)))
      return `${path}: expected times of 0 to ${LONGEST_MS} ms`;
    if (!isAnyNumber && !(sum >= 0 && sum <= count * LONGEST_MS)) return `${path}.sum: not of ${count} times`;
  }
  return undefined;
}

/** @type {(ms: number) => boolean} */
function isTime(ms) {
  return ms >= 0 && ms <= LONGEST_MS;
}

/** The lists of rows with times. */
const ROWS = /** @type {const} */ (['loads', 'operations', 'tags', ...TRANSACTIONS.map(({ key }) => key)]);

/**
 * The summaries of all histograms, by their paths; isAnyNumber: of any numbers, not of times.
 * @type {(stats: Stats) => Generator<[path: string, summary: HistogramSummary, isAnyNumber?: boolean]>}
 */
function* summariesOf(stats) {
  for (const { path } of HISTOGRAMS) {
    const summary = valueAt(stats, path);
    if (summary) yield [path, summary];
  }
  for (const [i, { serviceTimeByStatus = {} }] of stats.operations.entries())
    for (const [status, summary] of Object.entries(serviceTimeByStatus))
      yield [`operations[${i}].serviceTimeByStatus.${status}`, summary];
  for (const key of ROWS)
    for (const [i, { times }] of (stats[key] ?? []).entries())
      for (const [name, summary] of Object.entries(times)) yield [`${key}[${i}].times.${name}`, summary];
  for (const { name, kind, value } of userMetricsOf(stats)) {
    if (kind === 'timer') yield [`metrics.${name}.histogram`, value.histogram];
    if (kind === 'histogram') yield [`metrics.${name}`, value, true];
  }
}

/** Nothing was recorded, or all statistics are in their order. @type {(summary: HistogramSummary) => boolean} */
function isPlausible(summary) {
  const { count, min, max, mean, sum } = summary;
  const rising = [min, ...RISING.map((key) => summary[key]), max];
  if (count === 0) return rising.every((value) => value === null);
  if (min === null || max === null || mean === null) return false;
  const slack = ROUNDING * Math.max(1, Math.abs(min), Math.abs(max));
  return (
    rising.every((value, i) => value !== null && (i === 0 || value >= Number(rising[i - 1]))) &&
    mean >= min - slack &&
    mean <= max + slack &&
    Math.abs(sum - mean * count) <= slack * count
  );
}

const RISING = /** @type {Exclude<keyof HistogramSummary, 'hdr'>[]} */ (PERCENTILES.map(({ key }) => key));

/** @type {(counts: Record<string, number>) => number} */
function sumOf(counts) {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** @typedef {Pick<Stats, 'iterations' | 'main'> & { id?: string, startedAt?: string, measuredAt?: string }} Run */

/**
 * Refuses results of the same run, which would count as several: copies, the `.json` and the `.ndjson` of one run, a
 * result and the sum that it is part of.
 * @throws {Error} E_RESULT
 * @type {(results: Run[], names: string[]) => void}
 */
export function refuseSameRun(results, names) {
  /** @type {Map<string, number>} */
  const found = new Map();
  results.forEach((result, i) => {
    for (const key of keysOf(result)) {
      const twin = found.get(key);
      if (twin !== undefined && twin !== i)
        throw makeError('E_RESULT', {
          path: names[i],
          reason: `is the same run as ${names[twin]}`,
          cure: 'pass each result once',
        });
      found.set(key, i);
    }
  });
}

/** The ids of its runs; of a result without one, what no other run has. @type {(result: Run) => string[]} */
function keysOf({ id, startedAt, measuredAt, iterations, main }) {
  if (id !== undefined) return id.split(BETWEEN_IDS);
  // Nothing was measured: it may be any run.
  if (startedAt === undefined && main.completed.count === 0) return [];
  return [JSON.stringify([startedAt, measuredAt, iterations, main.completed])];
}

const BETWEEN_IDS = '+';

/** The id of the sum of runs. @type {(results: { id?: string }[]) => string | undefined} */
export function joinedId(results) {
  const ids = results.flatMap(({ id }) => id ?? []);
  return ids.length > 0 ? ids.join(BETWEEN_IDS) : undefined;
}
