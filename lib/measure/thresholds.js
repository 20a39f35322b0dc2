import { nearest } from '../problems.js';
import { valuesNeeded } from '../quantile.js';
import { maskText } from '../text/mask.js';
import { readMs } from '../units.js';
import { CHECKS, noCheck, shareOfChecks, splitCheck } from './check-threshold.js';
import { FIGURES, HISTOGRAMS } from './figures.js';
import { STATISTICS } from './histogram-columns.js';
import { Histogram } from './histogram.js';
import { partsOf } from './parts.js';
import { metricRows } from './user-metrics.js';
import { valueAt } from './value-at.js';

/**
 * @import { KnownCheck } from './check-threshold.js'
 * @import { Part } from './parts.js'
 * @import { Stats } from './types.js'
 *
 * @typedef {object} Threshold
 * @property {string} expression as the user wrote it
 * @property {string | null} operation the name of an operation, a scenario or a group; null: the whole run
 * @property {string | null} check its name; null: all checks, or another figure
 * @property {string} metric
 * @property {string} comparison
 * @property {number} bound ms, a share of 1, or a number
 * @property {boolean} isShare `errors` or `checks` with a bound in `%`
 * @property {boolean} isTime
 *
 * @typedef {object} Judgement
 * @property {string} expression
 * @property {boolean} passed
 * @property {number | null} actual in the unit of the bound; null without data, which fails
 * @property {string} unit `ms`, `%` or nothing
 *
 * @typedef {object} HookMetrics
 * @property {string[]} names those of the built-in hooks
 * @property {boolean} hasFunctions functions may add others
 *
 * @typedef {{ threshold: Threshold } | { column: number, reason: string }} Reading `column`: position of the error, from 0
 */

const COMPARISONS = /** @type {Record<string, (a: number, b: number) => boolean>} */ ({
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
});
const SIGNS = '<>=!';
/** keys of a histogram summary by their names in a threshold; any other percentile is computed from the counts */
const TIMES = /** @type {Record<string, string>} */ ({
  min: 'min',
  median: 'median',
  ...Object.fromEntries(STATISTICS.map(({ key, label }) => [label, key])),
  p100: 'max',
});
const NUMBERS = FIGURES.filter(({ kind, threshold }) => threshold !== undefined && kind !== 'histogram');
const METRICS = [
  ...Object.keys(TIMES).filter((name) => name !== 'p100'),
  ...NUMBERS.map(({ threshold }) => /** @type {string} */ (threshold)),
];
/** names of hooks cannot be close to these; a metric called check is common */
const NOT_OF_HOOKS = METRICS.filter((name) => name !== CHECKS);
const ALL_METRICS = `use one of ${METRICS.join(' ')} or status.NNN`;
const PREFIXES = HISTOGRAMS.flatMap(({ threshold }) => threshold || []);
const OF_OPERATIONS = ['errors', 'count', 'checks'];

/** @type {HookMetrics} */
const NO_METRICS = { names: [], hasFunctions: false };
const OF_METERS = ['count', 'rate'];
const PERCENTILE = /^p(\d{1,2}(?:\.\d+)?|100)$/;
const SHARE = /%\s*$/;
const STATUS = /^status\.([1-9]\d\d)$/;

/**
 * Reads a threshold: `p99<200ms`, `errors<1%`, `rate>1000`, `status.500==0`, `GET /items p95<50ms`, `serviceTime.p99<1s`.
 * Also checks: `checks>99%`, `checks.status 201>99%`, `GET /items checks==100%`, and metrics of hooks: `step_0.p95<1s`,
 * `size.max<1000` of a histogram, `hits>10` of a counter.
 *
 * @param {string} expression
 * @param {string[]} [operations] known names; what precedes the metric must be one of them
 * @param {HookMetrics} [metrics] of the flow's hooks
 * @param {KnownCheck[]} [checks] of the flow; a check must be one of them
 * @returns {Reading}
 */
export function readThreshold(expression, operations, metrics, checks) {
  const { left, comparison, right } = splitAtComparison(expression);
  if (!comparison)
    return { column: expression.length, reason: "has no comparison: write <, <=, >, >=, == or !=, as in 'p99<200ms'" };
  const { check, metric, metricAt } = splitCheck(left);
  // the names in a result are masked, too
  const operation = maskText(left.slice(0, metricAt).trim()) || null;
  if (!metric) return { column: 0, reason: `unknown figure: ${ALL_METRICS}` };
  if (operation !== null && operations && !operations.includes(operation))
    return { column: 0, reason: noOperation(operation, operations) };
  const kind = operation === null ? kindInRun(metric, right, metrics) : kindOf(metric, true);
  if (!kind) return { column: metricAt, reason: unknownFigure(metric, metrics) };
  const unknown = metric === CHECKS && checks ? noCheck(check, operation, checks) : undefined;
  if (unknown) return { column: metricAt, reason: unknown };
  const { bound, isShare } = readBound(right, metric, kind);
  if (Number.isNaN(bound)) {
    const boundAt = expression.length - right.trimStart().length;
    return { column: boundAt, reason: `expected ${exampleOf(kind, metric)}` };
  }
  const isTime = kind === 'time';
  return { threshold: { expression: expression.trim(), operation, check, metric, comparison, bound, isShare, isTime } };
}

/** The bound is NaN if it cannot be read. @type {(right: string, metric: string, kind: 'time' | 'number') => { bound: number, isShare: boolean }} */
function readBound(right, metric, kind) {
  if (kind === 'time') return { bound: readTime(right), isShare: false };
  const isShare = (metric === 'errors' || metric === CHECKS) && SHARE.test(right);
  if (isShare) return { bound: readNumber(right.replace(SHARE, '')) / 100, isShare };
  return { bound: metric === CHECKS ? NaN : readNumber(right), isShare };
}

/**
 * Splits a threshold at its last comparison: the name of an operation may contain others.
 *
 * @param {string} expression
 * @returns {{ left: string, comparison: string | undefined, right: string }}
 */
export function splitAtComparison(expression) {
  let rightAt = expression.length;
  while (rightAt > 0 && !SIGNS.includes(expression[rightAt - 1])) rightAt--;
  const before = expression.slice(0, rightAt);
  const comparison = Object.keys(COMPARISONS).find((one) => before.endsWith(one));
  const left = before.slice(0, before.length - (comparison?.length ?? 0)).trimEnd();
  return { left, comparison, right: expression.slice(rightAt) };
}

/** @type {(operation: string, operations: string[]) => string} */
function noOperation(operation, operations) {
  const near = nearest(operation, operations);
  const cure = near ? `, did you mean ${JSON.stringify(near)}?` : `: there are ${operations.join(', ')}`;
  return `no operation is called ${JSON.stringify(operation)}${cure}`;
}

/** @type {(kind: 'time' | 'number', metric: string) => string} */
function exampleOf(kind, metric) {
  if (kind === 'time') return 'a time with its unit, such as 200ms or 1.5s';
  if (metric === CHECKS) return 'a share of the checks that pass, such as 99%';
  return metric === 'errors' ? 'a number or a share, such as 10 or 1%' : 'a number';
}

/**
 * Applies thresholds to a result.
 *
 * @param {Threshold[]} thresholds
 * @param {Stats} stats
 * @returns {Judgement[]}
 */
export function judgeThresholds(thresholds, stats) {
  return thresholds.map((threshold) => {
    const { expression, comparison, bound, isShare, isTime } = threshold;
    const actual = actualOf(threshold, stats);
    const passed = actual !== null && COMPARISONS[comparison](actual, bound);
    return {
      expression,
      passed,
      actual: isShare && actual !== null ? actual * 100 : actual,
      unit: isTime ? 'ms' : isShare ? '%' : '',
    };
  });
}

/**
 * Reports a threshold on a percentile that too few values support. It is judged all the same: a test that waits for a
 * hundred values would pass a server that answers slowly.
 *
 * @param {Pick<Judgement, 'expression'>} judgement
 * @param {Stats} stats
 * @returns {{ count: number, needed: number, label: string } | null} null if there are enough values, or none, or no percentile
 */
export function fewValuesOf({ expression }, stats) {
  const [threshold] = thresholdsOf({ thresholds: [{ expression }] });
  const { figure, count } = (threshold && valuesBehind(threshold, stats)) ?? { figure: '', count: 0 };
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

/**
 * The thresholds of a saved result.
 *
 * @param {{ thresholds?: Pick<Judgement, 'expression'>[] }} stats
 * @returns {Threshold[]}
 */
export function thresholdsOf({ thresholds = [] }) {
  return thresholds.flatMap(({ expression }) => {
    const reading = readThreshold(expression, undefined, { names: [], hasFunctions: true });
    return 'threshold' in reading ? [reading.threshold] : [];
  });
}

/** @type {(metric: string, isOfOperation: boolean) => 'time' | 'number' | null} */
function kindOf(metric, isOfOperation) {
  const [, time] = isOfOperation ? ['', metric] : splitPrefix(metric);
  if (isValue(time)) return 'time';
  const names = isOfOperation ? OF_OPERATIONS : NUMBERS.map(({ threshold }) => threshold);
  return names.includes(metric) || STATUS.test(metric) ? 'number' : null;
}

/** The kind of a figure of the run, or of its hooks. @type {(metric: string, right: string, metrics?: HookMetrics) => 'time' | 'number' | null} */
function kindInRun(metric, right, metrics = NO_METRICS) {
  return kindOf(metric, false) ?? kindOfHooks(metric, right, metrics);
}

/**
 * A metric of hooks: what functions call it is not known before the run, so every name is good that is not close to one
 * of ours. Times have a unit, the values of a histogram have none.
 *
 * @type {(metric: string, right: string, metrics: HookMetrics) => 'time' | 'number' | null}
 */
function kindOfHooks(metric, right, { names, hasFunctions }) {
  const [name, figure] = splitFigure(metric);
  const isKnown = names.includes(name) || (hasFunctions && isNewName(name, figure));
  if (!isKnown) return null;
  return isValue(figure) && (/[a-z]\s*$/.test(right) || names.includes(name)) ? 'time' : 'number';
}

/** @type {(name: string, figure: string) => boolean} */
function isNewName(name, figure) {
  return (
    /^[\w-]+(\.[\w-]+)*$/.test(name) &&
    !/^(p|status\.)\d+$/.test(name) &&
    !nearest(name, figure ? PREFIXES : NOT_OF_HOOKS)
  );
}

/** `step_0.p95` is `['step_0', 'p95']`, `hits` is `['hits', '']`. @type {(metric: string) => [name: string, figure: string]} */
function splitFigure(metric) {
  const [, name, figure] = /^(.*?)\.(p\d{1,2}\.\d+|[^.]+)$/.exec(metric) ?? ['', metric, ''];
  return isValue(figure) || OF_METERS.includes(figure) ? [name, figure] : [metric, ''];
}

/** A figure of single values. @type {(figure: string) => boolean} */
function isValue(figure) {
  return Object.hasOwn(TIMES, figure) || PERCENTILE.test(figure);
}

/** @type {(metric: string, metrics?: HookMetrics) => string} */
function unknownFigure(metric, { names } = NO_METRICS) {
  const [name, figure] = splitFigure(metric);
  const nearName = nearest(name, [...names, ...PREFIXES]);
  const near = nearName && figure ? `${nearName}.${figure}` : nearest(metric.replace(/^\w+\./, ''), METRICS);
  return `unknown figure ${metric}${near ? `, did you mean ${near}?` : `: ${ALL_METRICS}`}`;
}

/** `ttfb.p99` is `['ttfb', 'p99']`; without a known prefix it is that of the main histogram. @type {(metric: string) => [prefix: string, name: string]} */
function splitPrefix(metric) {
  const prefix = PREFIXES.find((one) => metric.startsWith(`${one}.`)) ?? '';
  return [prefix, prefix === '' ? metric : metric.slice(prefix.length + 1)];
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
  if (isShare) return summary.count > 0 ? summary.errors / summary.count : null;
  if (OF_OPERATIONS.includes(metric)) return valueAt(summary, metric);
  return timeOf(metric, time, encoded);
}

/** @type {(name: string, summary: any, encoded: string | null | undefined) => number | null} */
function timeOf(name, summary, encoded) {
  if (Object.hasOwn(TIMES, name)) return summary[TIMES[name]];
  return Histogram.decode(summary, encoded).valueAt(Number(name.slice(1)));
}

/** A time needs a unit. @type {(text: string) => number} */
function readTime(text) {
  if (!/[a-z]\s*$/.test(text)) return NaN;
  return /us\s*$/.test(text) ? readNumber(text.replace(/us\s*$/, '')) / 1000 : readMs(text);
}

/** @type {(text: string) => number} */
function readNumber(text) {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : NaN;
}
