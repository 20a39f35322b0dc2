import { ms as milliseconds } from '../decimal.js';
import { valuesNeeded } from '../quantile.js';
import { CHECKS, shareOfChecks } from './check-threshold.js';
import { HISTOGRAMS } from './figures.js';
import { Histogram } from './histogram.js';
import { partsOf } from './parts.js';
import { pointsOf } from './state.js';
import {
  NUMBERS,
  OF_OPERATIONS,
  PERCENTILE,
  STATUS,
  TIMES,
  isValue,
  kindOf,
  splitFigure,
  splitPrefix,
} from './threshold-figures.js';
import { COMPARATORS, thresholdsOf } from './thresholds.js';
import { metricRows } from './user-metrics.js';
import { valueAt } from './value-at.js';
import { worstWindow } from './windows.js';

/**
 * @import { JudgedFigure } from './judge-figures.js'
 * @import { Part } from './parts.js'
 * @import { Judgement, Threshold } from './thresholds.js'
 * @import { Stats } from './types.js'
 * @import { WindowPoint } from './windows.js'
 *
 * @typedef {object} JudgeOptions
 * @property {JudgedFigure[]} [figures] which of them are doubtful
 * @property {boolean} [isOver] false for a run that goes on: its windows may not be whole yet
 * @property {() => WindowPoint[]} [points] of the series, with their counts; default: those of a saved result
 */

/** Figures that a load generator limits. */
const RATES = ['rate', 'okRate', 'messageRate'];

/**
 * Applies thresholds to a result.
 *
 * @param {Threshold[]} thresholds
 * @param {Stats} stats
 * @param {JudgeOptions} [options]
 * @returns {Judgement[]}
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
 * @type {(threshold: Threshold, passed: boolean, judged: { stats: Stats, figures: JudgedFigure[] }) => { doubt?: string }}
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
 * Reports a threshold on a percentile that too few values support. It is judged all the same: a test that waits for a
 * hundred values would pass a server that answers slowly.
 *
 * @param {Pick<Judgement, 'expression' | 'window'>} judgement
 * @param {Stats} stats
 * @returns {{ count: number, needed: number, label: string } | null} null if there are enough values, or none, or no percentile
 */
export function fewValuesOf({ expression, window }, stats) {
  const [threshold] = thresholdsOf({ thresholds: [{ expression }] });
  const behind = threshold && window ? { figure: threshold.metric, count: window.count } : null;
  const { figure, count } = behind ?? (threshold && valuesBehind(threshold, stats)) ?? { figure: '', count: 0 };
  const label = figure === 'median' ? 'p50' : figure;
  const percentile = PERCENTILE.exec(label)?.[1];
  if (percentile === undefined || count === 0) return null;
  const needed = valuesNeeded(Number(percentile) / 100);
  return count < needed ? { count, needed, label } : null;
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

/** The figure of a metric of hooks; null if there is no such metric, or one of another kind. @type {(metric: string, isTime: boolean, stats: Stats) => number | null} */
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
