import { FIGURES, HISTOGRAMS } from './figures.js';
import { STATISTICS } from './histogram-columns.js';

/** Keys of a histogram summary by their names in a threshold; any other percentile is computed from the counts. */
export const TIMES = /** @type {Record<string, string>} */ ({
  min: 'min',
  median: 'median',
  ...Object.fromEntries(STATISTICS.map(({ key, label }) => [label, key])),
  p100: 'max',
});
/** Figures that are one number. */
export const NUMBERS = FIGURES.filter(({ kind, threshold }) => threshold !== undefined && kind !== 'histogram');
/** The names of all figures of a run, except the percentiles that STATISTICS has not. */
export const METRICS = [
  ...Object.keys(TIMES).filter((name) => name !== 'p100'),
  ...NUMBERS.map(({ threshold }) => /** @type {string} */ (threshold)),
];
/** Another name of the histogram without a prefix. */
const OK = 'ok';
/** Of the histograms other than that of the completed iterations: `ttfb.p99`. */
export const PREFIXES = [...HISTOGRAMS.flatMap(({ threshold }) => threshold || []), OK];
/** Figures of an operation, a scenario or a group that are no times. */
export const OF_OPERATIONS = ['errors', 'count', 'checks'];
const OF_METERS = ['count', 'rate'];
export const PERCENTILE = /^p(\d{1,2}(?:\.\d+)?|100)$/;
export const STATUS = /^status\.([1-9]\d\d)$/;

/**
 * The kind of a figure of the run, or of one operation; a scenario or a group counts as one.
 *
 * @param {string} metric
 * @param {boolean} isOfOperation
 * @returns {'time' | 'number' | null} null if there is no such figure
 */
export function kindOf(metric, isOfOperation) {
  const [, time] = isOfOperation ? ['', metric] : splitPrefix(metric);
  if (isValue(time)) return 'time';
  const names = isOfOperation ? OF_OPERATIONS : NUMBERS.map(({ threshold }) => threshold);
  return names.includes(metric) || STATUS.test(metric) ? 'number' : null;
}

/**
 * Reports whether a figure of the run can be judged over windows: the points of the series have counts of the response times,
 * and errors.
 *
 * @param {string} metric
 * @returns {boolean}
 */
export function hasWindows(metric) {
  return metric === 'errors' || percentileOf(metric) !== null;
}

/**
 * @param {string} metric
 * @returns {number | null} 50 for `median`, 100 for `max`; null if it is no percentile
 */
export function percentileOf(metric) {
  if (metric === 'median') return 50;
  const percentile = metric === 'max' ? '100' : PERCENTILE.exec(metric)?.[1];
  return percentile === undefined ? null : Number(percentile);
}

/**
 * Splits a figure of a metric of hooks: `step_0.p95` is `['step_0', 'p95']`, `hits` is `['hits', '']`.
 *
 * @param {string} metric
 * @returns {[name: string, figure: string]}
 */
export function splitFigure(metric) {
  const [, name, figure] = /^(.*?)\.(p\d{1,2}\.\d+|[^.]+)$/.exec(metric) ?? ['', metric, ''];
  return isValue(figure) || OF_METERS.includes(figure) ? [name, figure] : [metric, ''];
}

/**
 * Reports whether a figure is one of single values: a percentile, the mean, …
 *
 * @param {string} figure
 * @returns {boolean}
 */
export function isValue(figure) {
  return Object.hasOwn(TIMES, figure) || PERCENTILE.test(figure);
}

/**
 * Splits a figure of a histogram: `ttfb.p99` is `['ttfb', 'p99']`; without a known prefix it is that of the completed iterations.
 *
 * @param {string} metric
 * @returns {[prefix: string, name: string]}
 */
export function splitPrefix(metric) {
  const prefix = PREFIXES.find((one) => metric.startsWith(`${one}.`)) ?? '';
  return [prefix === OK ? '' : prefix, prefix === '' ? metric : metric.slice(prefix.length + 1)];
}
