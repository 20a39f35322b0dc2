import { rangeWithUnit } from '../ground/decimal.js';
import { SERVER_TIMING, valueAt } from './figures.js';
import { Histogram, hasCounts, isInRange } from './histogram.js';
import { causeOf, rangeOfJudged, rangeOfRate } from './own-time.js';
import { valuesNeeded } from './percentiles.js';
import { pointsOf } from './state.js';
import {
  CHECKS,
  ERRORS,
  PART_FIGURES,
  PERCENTILE,
  RATES,
  RESPONSE_TIME,
  STATUS,
  TIMES,
  figureOfRun,
  isOfSome,
  rowOfSome,
  isOfLoads,
  isValue,
  percentileOf,
  splitFigure,
  statisticOf,
  timeOfSome,
} from './threshold-figures.js';
import { slowestByScenario } from './cut-off.js';
import { shareOf } from './checks.js';
import { rowsNamed } from './tags.js';
import { COMPARATORS, failsForGood, shareOfChecks, thresholdsOf } from './thresholds.js';
import { figuresNamed } from './operation-figures.js';
import { figuresOf, partNamed, partsOf } from './transactions.js';
import { OTHER_SERVED, metricRows } from './user-metrics.js';
import { isWorse, lastWindow, worstWindow } from './windows.js';

/** @import { JudgedLimits } from '../contracts/recorders.js' */
/** @import { JudgedFigure, JudgedPart, Judgement, Stats } from '../contracts/stats.js' */
/** @import { Recorder } from './recorder.js' */
/** @import { NamedFigure } from './threshold-figures.js' */
/** @import { Threshold } from './thresholds.js' */
/** @import { MeasuredPart } from './transactions.js' */
/** @import { WindowPoint, WindowValue } from './windows.js' */

/**
 * Judges thresholds: by the stats of a run (`judgeThresholds`), and while it goes on also by its running iterations
 * (`failuresSoFar`), as one that has waited for longer than the bound has broken it already.
 */

/**
 * @typedef {object} JudgeOptions
 * @property {JudgedFigure[]} [figures] which of them are suspect
 * @property {boolean} [isOver] false for a run that goes on: its windows may not be whole yet
 * @property {() => WindowPoint[]} [points] of the series, with their counts; default: those of a saved result
 */

/** @type {(thresholds: Threshold[], stats: Stats, options?: JudgeOptions) => Judgement[]} */
export function judgeThresholds(thresholds, stats, { figures = [], isOver = true, points } = {}) {
  const parts = thresholds.some(({ operation }) => operation !== null) ? partsOf(stats) : [];
  const hasWindows = thresholds.some(({ overMs }) => overMs !== null);
  const kept = hasWindows ? (points?.() ?? keptPoints(stats)) : [];
  return thresholds.map((threshold) => {
    if (threshold.overMs === null) {
      const judgement = judgementOf(threshold, actualOf(threshold, stats, parts), partOf(threshold, parts));
      const range = rangeOfThreshold(threshold, stats, figures);
      return range === null ? judgement : { ...judgement, range, ...undecided(threshold, range, stats) };
    }
    const worst = worstWindow(threshold, kept, { interval: stats.series.interval, isOver });
    const last = isOver ? windowOfEnd(threshold, kept, stats) : null;
    const isLast = last !== null && (worst === null || isWorse(last.actual, worst.actual, threshold));
    const { actual = null, ...rest } = (isLast ? last : worst) ?? {};
    return { ...judgementOf(threshold, actual), ...rest };
  });
}

/**
 * The last window, to which all that the end of the run cut off belongs: iterations count in the interval of their end.
 * @type {(threshold: Threshold, points: WindowPoint[], stats: Stats) => (WindowValue & { cutOff: number }) | null}
 */
function windowOfEnd(threshold, points, { main, errors, measuredElapsed }) {
  // Longer times and more errors break no lower bound.
  if (!threshold.operator.startsWith('<')) return null;
  // Cut-off iterations have a time so far; only those that ran for long count as errors.
  const isOfTimes = threshold.unit === 'ms';
  const running = isOfTimes ? timesIn(Histogram.decode(main.cancelled)) : [];
  const overdue = isOfTimes ? 0 : (errors.overdue ?? 0);
  const cutOff = running.length + overdue;
  if (cutOff === 0) return null;
  const last = lastWindow(threshold, points, { nowMs: measuredElapsed, running, overdue, isOver: true });
  return last && { ...last, cutOff };
}

/** Lists all times, each as that of its bin. @type {(histogram: Histogram | null) => number[]} */
function timesIn(histogram) {
  let before = 0;
  return (histogram ?? new Histogram()).percentileDistribution().flatMap(({ ms, upTo }) => {
    const count = upTo - before;
    before = upTo;
    return Array(count).fill(ms);
  });
}

/**
 * Judges a threshold. `actual` is in the unit of the bound, null without data; `of` is the whole run by default.
 * @type {(threshold: Threshold, actual: number | null, of?: JudgedPart) => Judgement}
 */
export function judgementOf({ expression, figure, operator, bound, unit }, actual, of = {}) {
  const passed = actual !== null && COMPARATORS[operator](actual, bound);
  return { expression, figure, of, operator, bound, actual, unit, passed };
}

/**
 * Returns the part of the run that a threshold judges: names of scenarios, groups and operations differ.
 * @type {(threshold: Threshold, parts: MeasuredPart[]) => JudgedPart}
 */
function partOf({ operation: name, check }, parts) {
  const kind = parts.find(({ names }) => name !== null && names.includes(name))?.kind;
  return { ...(name !== null && partNamed(name, kind)), ...(check !== null && { check }) };
}

/** The result of an aborted run has no counts. @type {(stats: Stats) => WindowPoint[]} */
function keptPoints(stats) {
  return hasCounts(stats) ? pointsOf(stats) : [];
}

/**
 * A threshold inside the range of its figure is undecided: it neither passed nor failed.
 * @type {(threshold: Threshold, range: { low: number, high: number }, stats: Stats) => Pick<Judgement, 'doubt'> & {
 *   passed?: false, undecided?: true }}
 */
function undecided({ operator, bound, unit }, range, stats) {
  if (COMPARATORS[operator](range.low, bound) === COMPARATORS[operator](range.high, bound)) return {};
  const { text, remedy } = causeOf(stats.loadGenerator, stats.measuredElapsed);
  return { passed: false, undecided: true, doubt: `${rangeWithUnit(range, unit)}: ${text}; ${remedy}` };
}

/**
 * The range of the figure of a threshold; null if it is none.
 * @type {(threshold: Threshold, stats: Stats, figures: JudgedFigure[]) => { low: number, high: number } | null}
 */
function rangeOfThreshold({ operation, figure, unit }, stats, figures) {
  if (operation === null && RATES.includes(figure)) return rangeOfRate(stats, valueAt(stats, figure));
  if (unit !== 'ms') return null;
  const part = operation ?? undefined;
  const judged = figures.find((one) => one.figure === figure && Object.values(one.of)[0] === part);
  return judged ? rangeOfJudged(judged) : null;
}

/**
 * Counts the values behind a threshold on a percentile, null if there are none, or it is no percentile. Too few values
 * are judged as well: a test that waits for a hundred of them would pass a server that answers slowly.
 * @type {(judgement: Pick<Judgement, 'expression' | 'window'> & Partial<Judgement>, stats: Stats) => { count: number,
 *   needed: number, label: string } | null}
 */
export function supportOf(judgement, stats) {
  const { window } = judgement;
  const [threshold] = thresholdsOf({ thresholds: [judgement] });
  const behind = threshold && window ? { figure: statisticOf(threshold.figure), count: window.count } : null;
  const { figure, count } = behind ?? (threshold && valuesBehind(threshold, stats)) ?? { figure: '', count: 0 };
  const percentile = PERCENTILE.exec(figure)?.[1];
  if (percentile === undefined || count === 0) return null;
  return { count, needed: valuesNeeded(Number(percentile) / 100), label: figure };
}

/**
 * The figure of a threshold on times or other values, and how many there are.
 * @type {(threshold: Threshold, stats: Stats) => { figure: string, count: number } | null}
 */
function valuesBehind(threshold, stats) {
  const { operation: name, figure } = threshold;
  if (name !== null) return valuesOfPart(threshold, stats);
  const known = figureOfRun(figure);
  if (known === null) {
    const [hookMetric, statistic] = splitFigure(figure);
    const row = metricRows(stats).find((one) => one.name === hookMetric);
    return row?.values ? { figure: statistic, count: row.values.count } : null;
  }
  if (!known.times || !known.statistic) return null;
  return { figure: known.statistic, count: valueAt(stats, known.times.path)?.count ?? 0 };
}

/** @type {typeof valuesBehind} */
function valuesOfPart(threshold, stats) {
  const { figure } = threshold;
  const { part } = worstPart(threshold, partsOf(stats)) ?? {};
  const { of = '', key, statistic = figure } = timeOfSome(figure) ?? {};
  const times = key === undefined ? part?.time : figuresOf(part, of)?.[key];
  return times ? { figure: statistic, count: times.count } : null;
}

/** @type {(threshold: Threshold, stats: Stats, parts: MeasuredPart[]) => number | null} */
function actualOf(threshold, stats, parts) {
  const { operation: name, check, figure, unit, limits, bound } = threshold;
  if (limits) return shareWithin(limits, stats);
  if (figure === CHECKS) return shareOfChecks(check, name, stats);
  if (name !== null) return worstPart(threshold, parts)?.actual ?? null;
  return figureOfRun(figure) ? actualOfRun(figure, unit, stats, bound) : metricActual(figure, unit, stats, bound);
}

/**
 * Several operations may have one name: the threshold holds for each of them.
 * @type {(threshold: Threshold, parts: MeasuredPart[]) => { part: MeasuredPart, actual: number } | null} null: none
 *   has a value
 */
function worstPart(threshold, parts) {
  /** @type {{ part: MeasuredPart, actual: number } | null} */
  let worst = null;
  for (const part of parts) {
    if (threshold.operation === null || !part.names.includes(threshold.operation)) continue;
    const actual = actualOfPart(part, threshold);
    if (actual !== null && (worst === null || isWorse(actual, worst.actual, threshold))) worst = { part, actual };
  }
  return worst;
}

/**
 * Returns a figure of the whole run by its one name; `unit` tells whether `errors` is their number or a share.
 * @type {(figure: string, unit: string, stats: Stats, bound?: number) => number | null}
 */
export function actualOfRun(figure, unit, stats, bound) {
  const status = STATUS.exec(figure)?.[1];
  if (status) return stats.requests.statusCodes[status] ?? 0;
  if (figure === ERRORS) return unit === 'ratio' ? (stats.errors.share ?? null) : stats.errors.count;
  const { number, times, statistic } = /** @type {NamedFigure} */ (figureOfRun(figure));
  if (number) return valueAt(stats, number.path) ?? null;
  const summary = valueAt(stats, /** @type {NonNullable<typeof times>} */ (times).path);
  return summary ? timeOf({ bound }, String(statistic), summary, () => Histogram.decode(summary)) : null;
}

/**
 * Returns the figure of a metric of hooks; null if there is no such metric, or one of another kind.
 * @type {(name: string, unit: string, stats: Stats, bound: number) => number | null}
 */
function metricActual(name, unit, stats, bound) {
  const [metric, figure] = splitFigure(name);
  const row = metricRows(stats).find((one) => one.name === metric);
  // Of several threads, some may have had no place for a name.
  const isPartial =
    OTHER_SERVED in stats.metrics && stats.loadGenerator.workers > 1 && metric.startsWith(SERVER_TIMING);
  if (!row || isPartial) return null;
  const { kind, count, rate, values } = row;
  if (isValue(figure)) {
    if (!values || (unit === 'ms') !== (kind === 'timer')) return null;
    return timeOf({ bound }, figure, values, () => Histogram.decode(values));
  }
  if (figure === 'rate') return rate;
  // `hits` is the value of a counter or gauge, `step_0.count` the number of values of another metric.
  return (kind === 'counter') === (figure === '') ? count : null;
}

/**
 * Returns the share that kept all limits; null if nothing was judged by them.
 * @type {(limits: JudgedLimits, stats: Pick<Stats, 'operations'>) => number | null}
 */
function shareWithin({ key, text, operation }, { operations }) {
  const own = operation === null ? operations : rowsNamed(operations, operation);
  const { name } = figuresNamed(key).limits;
  /** @type {{ limits: string, good: number, count: number }[]} */
  const all = own.flatMap((one) => /** @type {any} */ (one)[key]?.[name] ?? []);
  const judged = all.filter(({ limits }) => limits === text);
  const good = judged.reduce((sum, one) => sum + one.good, 0);
  return shareOf(good, judged.reduce((sum, one) => sum + one.count, 0) - good);
}

/**
 * A figure that only some operations have.
 * @type {(part: MeasuredPart, figure: string, bound: number) => number | null}
 */
function actualOfSome(part, figure, bound) {
  const figures = figuresOf(part, rowOfSome(figure)?.key ?? '');
  if (figures === undefined) return null;
  const { key, statistic = '' } = timeOfSome(figure) ?? {};
  if (key === undefined) return valueAt(figures, figure) ?? 0;
  return timeOf({ bound }, statistic, figures[key], () => Histogram.decode(figures[key]));
}

/** @type {(part: MeasuredPart, threshold: Threshold) => number | null} */
function actualOfPart(part, { figure, unit, bound }) {
  const { summary, time, counts } = part;
  if (isOfSome(figure)) return actualOfSome(part, figure, bound);
  const status = STATUS.exec(figure)?.[1];
  if (status) return 'statusCodes' in summary ? statusCount(summary.statusCodes, status) : null;
  // A hook may fail before a request, which is not counted then.
  if (unit === 'ratio') return summary.count > 0 ? Math.min(1, summary.errors / summary.count) : null;
  if (Object.hasOwn(PART_FIGURES, figure) || isOfLoads(figure)) return valueAt(summary, figure) ?? null;
  return timeOf({ bound }, figure, time, counts);
}

/**
 * Counts a status; null: beyond ten statuses of an operation, it may be one of the others.
 * @type {(statusCodes: Record<string, number>, status: string) => number | null}
 */
function statusCount(statusCodes, status) {
  return statusCodes[status] ?? ('other' in statusCodes ? null : 0);
}

/**
 * Returns a statistic of times, or of other values; null if values that have no bin decide it.
 * @type {(threshold: { bound?: number }, name: string, summary: any, counts: () => Histogram | null) =>
 *   number | null}
 */
function timeOf({ bound }, name, summary, counts) {
  const value = Object.hasOwn(TIMES, name) ? summary[TIMES[name]] : (counts()?.valueAt(Number(name.slice(1))) ?? null);
  const isDecided = !summary.outOfRange || value === null || bound === undefined || EXACT.includes(name);
  return isDecided || isInRange(value, bound) ? value : null;
}

/** Statistics that do not come from bins. */
const EXACT = ['min', 'max', 'p100', 'mean'];

/**
 * @typedef {{ response: ArrayLike<number>, service: ArrayLike<number>, scenario: string[] }} RunningTimes of the
 *   iterations that wait for the server: how long each has taken so far, ms, at least
 *
 * @typedef {object} LiveState a run that goes on
 * @property {Recorder['histograms']} histograms
 * @property {Recorder['series']} series
 * @property {Pick<Recorder['iterations'], 'started' | 'slowest' | 'furtherErrors'>} iterations
 * @property {Recorder['scenarios']} scenarios
 * @property {number} errorCount
 * @property {RunningTimes} running
 * @property {number} nowMs since the start of the measured iterations
 * @property {number} graceMs the time that running iterations would have after a stop
 * @property {boolean} isRamped the load changes as planned
 */

/** @type {RunningTimes} */
export const NONE_RUNNING = { response: [], service: [], scenario: [] };

/**
 * Judges the thresholds of a run that goes on, and lists those that fail: for good by the iterations that have ended
 * (`judged` is without the running ones), or if the running iterations count, as they do at the end. An iteration that
 * ends later takes longer, so a threshold on times that they break is broken.
 * @type {(thresholds: Threshold[], judged: Judgement[], state: LiveState) => Judgement[]}
 */
export function failuresSoFar(thresholds, judged, state) {
  return thresholds.flatMap((threshold, i) => {
    if (failsForGood(threshold, judged[i], state.isRamped)) return [judged[i]];
    return failureByRunning(threshold, state);
  });
}

/**
 * The thresholds with windows on times that fail by the running iterations: when these have ended, the points of the
 * series do not show that they waited at the same time.
 * @type {(thresholds: Threshold[], state: LiveState) => Judgement[]}
 */
export function failuresOfWindow(thresholds, state) {
  return thresholds.filter(isWatched).flatMap((threshold) => failureByRunning(threshold, state));
}

/** @type {(threshold: Threshold) => boolean} */
function isWatched({ overMs, unit, operator }) {
  return overMs !== null && unit === 'ms' && operator.startsWith('<');
}

/**
 * Reports whether a run has thresholds that are judged by its running iterations although they do not end it.
 * @type {(options: { thresholds?: Threshold[] }) => boolean}
 */
export function watchesWindows({ thresholds = [] }) {
  return thresholds.some(isWatched);
}

/** @type {(threshold: Threshold, state: LiveState) => Judgement[]} */
function failureByRunning(threshold, state) {
  const { operation, unit, figure, operator } = threshold;
  if (operation !== null || !operator.startsWith('<')) return [];
  const errorJudgement = () => (figure === ERRORS ? withOverdue(threshold, state) : null);
  const judgement = unit === 'ms' ? withRunning(threshold, state) : errorJudgement();
  return judgement && !judgement.passed ? [judgement] : [];
}

/**
 * Keeps a threshold that failed `earlier`, while the run went on or in parts of it, failed: the end of the run cut off
 * the running iterations, so the times of the completed ones do not show it.
 * @type {(judged: Judgement[], earlier?: Judgement[]) => Judgement[]}
 */
export function withEarlierFailures(judged, earlier = []) {
  const failed = earlier.filter(({ passed, running }) => !passed && running !== undefined);
  return judged.map((judgement) => {
    if (!judgement.passed && judgement.actual !== null) return judgement;
    return failed.find(({ expression }) => expression === judgement.expression) ?? judgement;
  });
}

/** @type {(threshold: Threshold, state: LiveState) => Judgement | null} null if running iterations do not count */
function withRunning(threshold, { histograms, series, running, nowMs }) {
  const { overMs } = threshold;
  const { times: row, statistic = '' } = figureOfRun(threshold.figure) ?? {};
  const name = row?.short;
  // Running iterations are a part of these two times alone.
  const times = name === RESPONSE_TIME ? running.response : name === 'serviceTime' ? running.service : null;
  if (!times || times.length === 0 || !neverFalls(statistic)) return null;
  const counted = { running: times.length };
  if (overMs !== null) {
    const last = lastWindow(threshold, series.points(2 * overMs), { nowMs, running: Array.from(times) });
    return last && { ...judgementOf(threshold, last.actual), window: last.window, ...counted };
  }
  const all = new Histogram();
  // In a closed run both times are the same, and only the one is recorded.
  all.add(name === RESPONSE_TIME || histograms.serviceTime.count === 0 ? histograms.completed : histograms.serviceTime);
  for (const ms of Array.from(times)) all.update(ms);
  return { ...judgementOf(threshold, valueOf(statistic, all)), ...counted };
}

/**
 * The errors, if the run ended now: after the grace period, iterations that had run longer than the slowest completed
 * one of their scenario would count.
 * @type {(threshold: Threshold, state: LiveState) => Judgement | null} null without such iterations
 */
function withOverdue(threshold, { series, iterations, scenarios, errorCount, running, nowMs, graceMs }) {
  const slowest = slowestByScenario({ iterations, scenarios });
  const isOverdue = (/** @type {number} */ ms, /** @type {number} */ i) =>
    ms > Math.max(slowest(running.scenario[i]), graceMs);
  const overdue = Array.from(running.service).filter(isOverdue).length;
  if (overdue === 0) return null;
  const counted = { running: overdue };
  if (threshold.overMs !== null) {
    const last = lastWindow(threshold, series.points(2 * threshold.overMs), { nowMs, running: [], overdue });
    return last && { ...judgementOf(threshold, last.actual), window: last.window, ...counted };
  }
  const errors = errorCount + overdue;
  const share = Math.min(1, (errors - iterations.furtherErrors) / iterations.started);
  return { ...judgementOf(threshold, threshold.unit === 'ratio' ? share : errors), ...counted };
}

/** Reports whether a statistic never becomes less if a time becomes longer. @type {(name: string) => boolean} */
function neverFalls(name) {
  return name === 'mean' || percentileOf(name) !== null;
}

/** @type {(name: string, times: Histogram) => number | null} */
function valueOf(name, times) {
  const percentile = percentileOf(name);
  return percentile === null ? times.sum / times.count : times.valueAt(percentile);
}
