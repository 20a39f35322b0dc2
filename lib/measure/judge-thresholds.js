import { ms as milliseconds } from '../ground/decimal.js';
import { HISTOGRAMS } from './figures.js';
import { HIGHEST_US, HdrCounts, LOWEST_US } from './hdr-counts.js';
import { Histogram } from './histogram.js';
import { valuesNeeded } from './percentiles.js';
import { pointsOf } from './state.js';
import {
  CHECKS,
  COMPARATORS,
  NUMBERS,
  OF_OPERATIONS,
  PERCENTILE,
  STATUS,
  TIMES,
  isValue,
  kindOf,
  percentileOf,
  shareOfChecks,
  splitFigure,
  splitPrefix,
  thresholdsOf,
} from './thresholds.js';
import { partsOf } from './transactions.js';
import { metricRows } from './user-metrics.js';
import { valueAt } from './value-at.js';

/**
 * @import { JudgedFigure } from './judge-figures.js'
 * @import { Point } from './point-maker.js'
 * @import { Recorder } from './recorder.js'
 * @import { JudgedWindow, Judgement, Threshold } from './thresholds.js'
 * @import { Part } from './transactions.js'
 * @import { Stats } from './types.js'
 */

/**
 * @typedef {object} JudgeOptions
 * @property {JudgedFigure[]} [figures] which of them are doubtful
 * @property {boolean} [isOver] false for a run that goes on: its windows may not be whole yet
 * @property {() => WindowPoint[]} [points] of the series, with their counts; default: those of a saved result
 */

/** Figures that a load generator limits. */
const RATES = ['rate', 'okRate', 'messageRate'];

/**
 * Applies thresholds to a result.
 * @type {(thresholds: Threshold[], stats: Stats, options?: JudgeOptions) => Judgement[]}
 */
export function judgeThresholds(thresholds, stats, { figures = [], isOver = true, points } = {}) {
  const hasWindows = thresholds.some(({ overMs }) => overMs !== null);
  const kept = hasWindows ? (points?.() ?? keptPoints(stats)) : [];
  return thresholds.map((threshold) => {
    if (threshold.overMs === null) {
      const judgement = judgementOf(threshold, actualOf(threshold, stats));
      return { ...judgement, ...doubtOf(threshold, judgement.passed, { stats, figures }) };
    }
    const worst = worstWindow(threshold, kept, { interval: stats.series.interval, isWhole: !isOver });
    return { ...judgementOf(threshold, worst?.actual ?? null), ...(worst && { window: worst.window }) };
  });
}

/**
 * @param {Threshold} threshold
 * @param {number | null} actual ms, a share of 1, or a number; null without data
 * @returns {Judgement}
 */
export function judgementOf({ expression, comparison, bound, isShare, isTime }, actual) {
  return {
    expression,
    passed: actual !== null && COMPARATORS[comparison](actual, bound),
    actual: isShare && actual !== null ? actual * 100 : actual,
    unit: isTime ? 'ms' : isShare ? '%' : '',
  };
}

/** The result of an aborted run has no counts. @type {(stats: Stats) => WindowPoint[]} */
function keptPoints(stats) {
  return stats.histograms ? pointsOf(stats) : [];
}

/**
 * Names a threshold that fails or passes only because of the load generator.
 *
 * @type {(threshold: Threshold, passed: boolean, judged: { stats: Stats, figures: JudgedFigure[] }) => { doubt?:
 *   string }}
 */
function doubtOf({ operation, metric, comparison, bound, isTime }, passed, { stats, figures }) {
  const isRate = operation === null && RATES.includes(metric);
  if (isRate && !passed && stats.client.saturated) return { doubt: 'the load generator was the limit' };
  const name = operation === null ? metric : `${operation} ${metric}`;
  const judged = isTime ? figures.find(({ figure }) => figure === name) : undefined;
  if (judged?.status !== 'doubtful') return {};
  const { ms, clientMs } = judged;
  if (COMPARATORS[comparison](ms - clientMs, bound) === passed) return {};
  return {
    doubt: `up to ${milliseconds(clientMs)} ms are the load generator's: without them it would ${passed ? 'fail' : 'pass'}`,
  };
}

/**
 * How many values are behind a threshold on a percentile. It is judged even if they are too few: a test that waits for
 * a hundred values would pass a server that answers slowly.
 *
 * @param {Pick<Judgement, 'expression' | 'window'>} judgement
 * @param {Stats} stats
 * @returns {{ count: number, needed: number, label: string } | null} null if there are none, or it is no percentile
 */
export function supportOf({ expression, window }, stats) {
  const [threshold] = thresholdsOf({ thresholds: [{ expression }] });
  const behind = threshold && window ? { figure: threshold.metric, count: window.count } : null;
  const { figure, count } = behind ?? (threshold && valuesBehind(threshold, stats)) ?? { figure: '', count: 0 };
  const label = figure === 'median' ? 'p50' : figure;
  const percentile = PERCENTILE.exec(label)?.[1];
  if (percentile === undefined || count === 0) return null;
  return { count, needed: valuesNeeded(Number(percentile) / 100), label };
}

/**
 * The figure of a threshold on times or other values, and how many there are.
 * @type {(threshold: Threshold, stats: Stats) => { figure: string, count: number } | null}
 */
function valuesBehind({ operation: name, metric }, stats) {
  if (name !== null) {
    const part = partNamed(name, stats);
    return part ? { figure: metric, count: part.time.count } : null;
  }
  if (kindOf(metric, false) === null) {
    const [hookMetric, figure] = splitFigure(metric);
    const row = metricRows(stats).find((one) => one.name === hookMetric);
    return row?.values ? { figure, count: row.values.count } : null;
  }
  const [prefix, figure] = splitPrefix(metric);
  const row = HISTOGRAMS.find(({ threshold }) => threshold === prefix);
  return { figure, count: valueAt(stats, /** @type {typeof HISTOGRAMS[0]} */ (row).path)?.count ?? 0 };
}

/** @type {(threshold: Threshold, stats: Stats) => number | null} */
function actualOf({ operation: name, check, metric, isShare, isTime }, stats) {
  if (metric === CHECKS) return shareOfChecks(check, name, stats);
  if (name === null && kindOf(metric, false) === null) return ofHooks(metric, isTime, stats);
  if (name === null) return actualOfRun(metric, isShare, stats);
  const part = partNamed(name, stats);
  return part ? actualOfPart(part, metric, isShare) : null;
}

/** @type {(metric: string, isShare: boolean, stats: Stats) => number | null} */
function actualOfRun(metric, isShare, stats) {
  const status = STATUS.exec(metric)?.[1];
  if (status) return stats.requests.statusCodes[status] ?? 0;
  if (isShare) return stats.errors.share ?? null;
  const figure = NUMBERS.find(({ threshold }) => threshold === metric);
  if (figure) return valueAt(stats, figure.path);
  const [prefix, name] = splitPrefix(metric);
  const { key, path } = /** @type {typeof HISTOGRAMS[0]} */ (HISTOGRAMS.find(({ threshold }) => threshold === prefix));
  return timeOf(name, valueAt(stats, path), valueAt(stats, `histograms.${key}`));
}

/**
 * The figure of a metric of hooks; null if there is no such metric, or one of another kind.
 * @type {(metric: string, isTime: boolean, stats: Stats) => number | null}
 */
function ofHooks(metric, isTime, stats) {
  const [name, figure] = splitFigure(metric);
  const row = metricRows(stats).find((one) => one.name === name);
  if (!row) return null;
  const { kind, count, rate, values } = row;
  if (!isValue(figure)) return figure === 'rate' ? rate : (figure === 'count') === (kind === 'counter') ? null : count;
  if (!values || isTime !== (kind === 'timer')) return null;
  return timeOf(figure, values, stats.histograms?.timers[name]);
}

/** An operation, a scenario or a group. @type {(name: string, stats: Stats) => Part | undefined} */
function partNamed(name, stats) {
  return partsOf(stats).find((part) => part.name === name);
}

/** @type {(part: Part, metric: string, isShare: boolean) => number | null} */
function actualOfPart({ summary, time, encoded }, metric, isShare) {
  const status = STATUS.exec(metric)?.[1];
  if (status) return 'statusCodes' in summary ? (summary.statusCodes[status] ?? 0) : null;
  // a hook may fail before a request, which is not counted then
  if (isShare) return summary.count > 0 ? Math.min(1, summary.errors / summary.count) : null;
  if (OF_OPERATIONS.includes(metric)) return valueAt(summary, metric);
  return timeOf(metric, time, encoded);
}

/** @type {(name: string, summary: any, encoded: string | null | undefined) => number | null} */
function timeOf(name, summary, encoded) {
  if (Object.hasOwn(TIMES, name)) return summary[TIMES[name]];
  return Histogram.decode(summary, encoded).valueAt(Number(name.slice(1)));
}

/**
 * @typedef {Pick<Point, 'from' | 'to' | 'count' | 'errors' | 'failed' | 'max' | 'counts'>} WindowPoint
 * @typedef {{ actual: number, window: JudgedWindow }} WindowValue `actual`: ms, a share of 1, or a number
 */

/**
 * While a run goes on, the windows that ended in this time are judged, ms: longer than from one judgement to the next.
 */
export const RECENT_MS = 30_000;

/**
 * Judges a threshold over each window of its length. A window consists of whole points of the series and slides by one
 * of them; if a point is longer, each point is a window. A run that is shorter than the window is one.
 *
 * @param {Threshold} threshold with windows
 * @param {WindowPoint[]} points one after the other
 * @param {{ interval: number, isWhole?: boolean }} options interval: length of the points, ms; isWhole: the run is
 *   not over, so a window that is too short is not judged
 * @returns {WindowValue | null} the worst window; null if no window has a value
 */
export function worstWindow(threshold, points, { interval, isWhole = false }) {
  const length = Math.max(1, Math.ceil(/** @type {number} */ (threshold.overMs) / interval - ROUNDING));
  if (isWhole && points.length < length) return null;
  const window = new SlidingWindow(threshold);
  /** @type {WindowValue | null} */
  let worst = null;
  for (const [i, point] of points.entries()) {
    window.add(point);
    if (i >= length) window.removeFirst();
    if (i < length - 1 && i < points.length - 1) continue;
    const value = window.value();
    if (value !== null && (worst === null || isWorse(value.actual, worst.actual, threshold))) worst = value;
  }
  return worst;
}

/**
 * The value of the last window of a run that is not over, in which running iterations count with the time that they
 * have taken.
 *
 * @param {Threshold} threshold with windows, on a time
 * @param {WindowPoint[]} points
 * @param {{ nowMs: number, running: Iterable<number> }} state nowMs: since the start; running: ms
 * @returns {WindowValue | null} null if the first window is not over
 */
export function lastWindow(threshold, points, { nowMs, running }) {
  const from = nowMs - /** @type {number} */ (threshold.overMs);
  if (from < 0) return null;
  const window = new SlidingWindow(threshold);
  for (const point of points) if (point.to > from) window.add(point);
  window.addRunning(running, { from, to: nowMs });
  return window.value();
}

/** of a division of two lengths */
const ROUNDING = 1e-9;

/** @type {(value: number, worst: number, threshold: Threshold) => boolean} */
function isWorse(value, worst, { comparison, bound }) {
  if (comparison.startsWith('<')) return value > worst;
  if (comparison.startsWith('>')) return value < worst;
  return COMPARATORS[comparison](worst, bound) && !COMPARATORS[comparison](value, bound);
}

/** The sums of consecutive points. */
class SlidingWindow {
  #percentile;
  #isShare;
  #hdr = new HdrCounts();
  /** @type {WindowPoint[]} */
  #points = [];

  /** @param {Threshold} threshold */
  constructor({ metric, isShare }) {
    this.#percentile = percentileOf(metric);
    this.#isShare = isShare;
  }

  /** @type {(point: WindowPoint) => void} */
  add(point) {
    this.#points.push(point);
    this.#hdr.addBytes(point.counts);
  }

  /** @param {Iterable<number>} times ms @param {{ from: number, to: number }} span */
  addRunning(times, span) {
    const hdr = new HdrCounts();
    let [count, max] = [0, 0];
    for (const ms of times) {
      hdr.record(Math.min(Math.max(LOWEST_US, Math.round(ms * 1000)), HIGHEST_US));
      count++;
      if (ms > max) max = ms;
    }
    this.add({ ...span, count, max, errors: 0, failed: 0, counts: hdr.toBytes() });
  }

  removeFirst() {
    const [first] = this.#points.splice(0, 1);
    this.#hdr.addBytes(first.counts, -1);
  }

  /** @returns {WindowValue | null} null: nothing ended in it */
  value() {
    const count = this.#sum(({ count: completed }) => completed);
    const actual = this.#percentile === null ? this.#errors(count) : this.#timeAt(this.#percentile, count);
    if (actual === null) return null;
    const from = Math.min(...this.#points.map((point) => point.from));
    const to = Math.max(...this.#points.map((point) => point.to));
    return { actual, window: { from, to, count } };
  }

  /** @type {(percentile: number, count: number) => number | null} */
  #timeAt(percentile, count) {
    if (count === 0) return null;
    const max = Math.max(...this.#points.map((point) => point.max));
    if (percentile === 100) return max;
    const [us] = this.#hdr.valuesAt([percentile], count);
    return Math.min(max, us / 1000);
  }

  /** Their number, or the share of the iterations that failed. @type {(completed: number) => number | null} */
  #errors(completed) {
    if (!this.#isShare) return this.#sum(({ errors }) => errors);
    const failed = this.#sum((point) => point.failed);
    return completed + failed > 0 ? failed / (completed + failed) : null;
  }

  /** @type {(value: (point: WindowPoint) => number) => number} */
  #sum(value) {
    return this.#points.reduce((sum, point) => sum + value(point), 0);
  }
}

/**
 * @typedef {{ response: ArrayLike<number>, service: ArrayLike<number> }} RunningTimes of the iterations that wait for
 *   the server: how long each has taken so far, ms, at least
 */

/** @type {RunningTimes} */
export const NONE_RUNNING = { response: [], service: [] };

/**
 * Judges the thresholds of a run that goes on: those that fail by what has ended, and those on times that fail if the
 * running iterations count with the time that they have taken so far. An iteration that ends later takes longer, so a
 * threshold that they break is broken.
 *
 * @param {Threshold[]} thresholds
 * @param {Judgement[]} judged the same without the running iterations
 * @param {{ histograms: Recorder['histograms'], series: Recorder['series'], running: RunningTimes, nowMs: number }}
 *   state nowMs: since the start of the measured iterations
 * @returns {Judgement[]} those that fail
 */
export function failuresSoFar(thresholds, judged, state) {
  return thresholds.flatMap((threshold, i) => {
    // a figure without data fails at the end only
    if (!judged[i].passed && judged[i].actual !== null) return [judged[i]];
    const judgement = withRunning(threshold, state);
    return judgement && !judgement.passed ? [judgement] : [];
  });
}

/**
 * A threshold that failed by the iterations that were running stays failed: the end of the run cut them off, so the
 * times of the completed ones do not show it.
 *
 * @param {Judgement[]} judged
 * @param {Judgement[]} [earlier] while the run went on, or of parts of the run
 * @returns {Judgement[]}
 */
export function withEarlierFailures(judged, earlier = []) {
  const failed = earlier.filter(({ passed, running }) => !passed && running !== undefined);
  return judged.map((judgement) => {
    if (!judgement.passed && judgement.actual !== null) return judgement;
    return failed.find(({ expression }) => expression === judgement.expression) ?? judgement;
  });
}

/**
 * @type {(threshold: Threshold, state: Parameters<typeof failuresSoFar>[2]) => Judgement | null} null if running
 *   iterations do not count
 */
function withRunning(threshold, { histograms, series, running, nowMs }) {
  const { operation, metric, isTime, comparison, overMs } = threshold;
  if (operation !== null || !isTime || !comparison.startsWith('<') || kindOf(metric, false) !== 'time') return null;
  const [prefix, name] = splitPrefix(metric);
  const times = { '': running.response, serviceTime: running.service }[prefix];
  if (!times || times.length === 0 || !isRising(name)) return null;
  const counted = { running: times.length };
  if (overMs !== null) {
    const last = lastWindow(threshold, series.points(2 * overMs), { nowMs, running: Array.from(times) });
    return last && { ...judgementOf(threshold, last.actual), window: last.window, ...counted };
  }
  const all = new Histogram();
  // in a closed run both times are the same, and only the one is recorded
  all.add(prefix === '' || histograms.serviceTime.count === 0 ? histograms.ok : histograms.serviceTime);
  for (const ms of Array.from(times)) all.update(ms);
  return { ...judgementOf(threshold, valueOf(name, all)), ...counted };
}

/** The figures that do not become less if a time becomes longer. @type {(name: string) => boolean} */
function isRising(name) {
  return name === 'mean' || percentileOf(name) !== null;
}

/** @type {(name: string, times: Histogram) => number | null} */
function valueOf(name, times) {
  const percentile = percentileOf(name);
  return percentile === null ? times.sum / times.count : times.valueAt(percentile);
}
