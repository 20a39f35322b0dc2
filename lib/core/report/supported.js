import { rangeText } from '../ground/decimal.js';
import { withoutOwnCounts } from '../measure/histogram.js';
import { rangeOf } from '../measure/own-time.js';
import { MAIN_PERCENTILES, PERCENTILES, valuesNeeded } from '../measure/percentiles.js';
import { copyOf } from '../text/safe.js';

/** @import { HistogramSummary } from '../contracts/summaries.js' */
/** @import { Result } from './types.js' */

/** @typedef {typeof import('../measure/percentiles.js').STATISTICS[number]['key']} TimeKey of a summary */

/**
 * Returns a copy of a result for people, without what they cannot read: {@link readablePart}. JSON keeps all. The
 * series, which has many points, is not copied.
 * @type {<R extends Result>(result: R) => R}
 */
export function readable(result) {
  const copy = copyOf(/** @type {any} */ ({ ...result, series: null }), { change: readablePart });
  return { ...copy, series: result.series };
}

/**
 * Returns a part of a result without encoded counts; percentiles that too few values support are null, so that reports
 * print `-` for them.
 * @type {(part: Record<string, any>) => Record<string, any>}
 */
export function readablePart(part) {
  const isSummary = typeof part.count === 'number' && 'p95' in part;
  return isSummary ? supportedOnly(/** @type {any} */ (withoutOwnCounts(part))) : withoutOwnCounts(part);
}

/**
 * Lists the labels of the main percentiles, such as `p99`, that too few values cannot support; none if there are no
 * values at all.
 * @type {(result: Pick<Result, 'main'>) => string[]}
 */
export function unsupportedPercentiles({ main }) {
  const { count } = main.completed;
  if (count === 0) return [];
  return MAIN_PERCENTILES.filter(({ percentile }) => count < valuesNeeded(percentile / 100)).map(({ label }) => label);
}

/** A percentile with fewer values above it is the place of a few outliers. */
const ABOVE = 5;

/**
 * Lists the labels of the main percentiles, and of those of the run option, that values support, but with fewer than
 * five above them: reports mark them with `~`.
 * @type {(result: Pick<Result, 'main' | 'percentiles'>) => string[]}
 */
export function weakPercentiles({ main, percentiles = [] }) {
  const more = percentiles.map(({ percentile }) => ({ percentile, label: `p${percentile}` }));
  const weak = [...MAIN_PERCENTILES, ...more].filter(({ percentile }) => isWeak(main.completed.count, percentile));
  return [...new Set(weak.map(({ label }) => label))];
}

/**
 * Formats a figure of a summary, with a mark if it is a percentile with fewer than five values above it.
 * @type {(summary: HistogramSummary, key: TimeKey, format: (value: number | null) => string) => string}
 */
export function marked(summary, key, format) {
  const text = format(summary[key]);
  return text !== '-' && weakKeys(summary).some((weak) => weak === key) ? `~${text}` : text;
}

/**
 * The same, as a range if a part of the figure that matters is the load generator's. `least`: the same times without
 * what it may have added.
 * @type {(all: HistogramSummary, least: HistogramSummary | undefined, key: TimeKey, format: (value: number | null) =>
 *   string) => string}
 */
export function markedRange(all, least, key, format) {
  const range = rangeOf(all, least, key);
  if (range === null) return marked(all, key, format);
  return marked(all, key, () => rangeText(range, format));
}

/**
 * The same for any percentile of so many values; `-` if they cannot support it.
 * @type {(value: number | null, support: { count: number, percentile: number }, format: (value: number) => string) =>
 *   string}
 */
export function markedAt(value, { count, percentile }, format) {
  if (value === null || count < valuesNeeded(percentile / 100)) return '-';
  return isWeak(count, percentile) ? `~${format(value)}` : format(value);
}

/**
 * Lists the keys of a summary for percentiles that values support, but with fewer than five above them.
 * @type {(summary: Pick<HistogramSummary, 'count'>) => string[]}
 */
export function weakKeys({ count }) {
  return PERCENTILES.filter(({ percentile }) => isWeak(count, percentile)).map(({ key }) => key);
}

/** @type {(count: number, percentile: number) => boolean} */
function isWeak(count, percentile) {
  return isScarce({ count, needed: valuesNeeded(percentile / 100) });
}

/**
 * Reports whether values support a percentile, but with fewer than five above it: `needed` values have one above, so
 * five times as many have five. The maximum needs one value, and never has one above.
 * @type {(support: { count: number, needed: number }) => boolean}
 */
export function isScarce({ count, needed }) {
  return needed > 1 && count >= needed && count < ABOVE * needed;
}

/** Without percentiles that too few values cannot support. @type {(summary: HistogramSummary) => HistogramSummary} */
export function supportedOnly(summary) {
  const missing = PERCENTILES.filter(({ percentile }) => summary.count < valuesNeeded(percentile / 100));
  return missing.length === 0 ? summary : { ...summary, ...Object.fromEntries(missing.map(({ key }) => [key, null])) };
}
