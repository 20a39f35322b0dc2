import { rangeText } from '../ground/decimal.js';
import { HISTOGRAMS, setAt, valueAt } from '../measure/figures.js';
import { OPERATION_FIGURES } from '../measure/operation-figures.js';
import { rangeOf } from '../measure/own-part.js';
import { MAIN_PERCENTILES, PERCENTILES, valuesNeeded } from '../measure/percentiles.js';
import { userMetricsOf } from '../measure/user-metrics.js';

/** @import { HistogramSummary } from '../contracts/summaries.js' */
/** @import { Result } from './types.js' */

/** @typedef {typeof import('../measure/percentiles.js').STATISTICS[number]['key']} TimeKey of a summary */

/**
 * A result for people: percentiles that too few values cannot support are null, so that reports print `-` for them.
 * JSON keeps the numbers.
 * @template {Result} R
 * @param {R} result
 * @returns {R}
 */
export function withSupportedPercentiles(result) {
  /** @type {R} */
  const copy = {
    ...result,
    main: { ...result.main },
    requests: { ...result.requests },
    connections: { ...result.connections },
    loadGenerator: { ...result.loadGenerator },
    operations: result.operations.map((one) => ({
      ...withSupportedFigures(one),
      ...(one.serviceTimeByStatus && { serviceTimeByStatus: eachSupported(one.serviceTimeByStatus) }),
    })),
    ...(result.loads && { loads: result.loads.map(withSupportedTimes) }),
    ...(result.scenarios && { scenarios: result.scenarios.map(withSupportedTimes) }),
    ...(result.groups && { groups: result.groups.map(withSupportedTimes) }),
    ...(result.tags && { tags: result.tags.map(withSupportedFigures) }),
    metrics: { ...result.metrics, ...metricsOf(result) },
  };
  for (const { path } of HISTOGRAMS) {
    const summary = valueAt(result, path);
    if (summary) setAt(copy, path, supportedOnly(summary));
  }
  const { count } = result.main.completed;
  const percentiles = result.percentiles?.map(({ percentile, responseTime }) => ({
    percentile,
    responseTime: count < valuesNeeded(percentile / 100) ? null : responseTime,
  }));
  return percentiles ? { ...copy, percentiles } : copy;
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

/** The same for any percentile. @type {(text: string, count: number, percentile: number) => string} */
export function markedAt(text, count, percentile) {
  return text !== '-' && isWeak(count, percentile) ? `~${text}` : text;
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

/** @type {<T extends { times: object }>(row: T) => T} */
function withSupportedTimes(row) {
  return { ...row, times: eachSupported(/** @type {any} */ (row.times)) };
}

/** @type {<T extends { times: object }>(row: T) => T} */
function withSupportedFigures(row) {
  const ofSome = OPERATION_FIGURES.flatMap(({ key, times }) => {
    const figures = /** @type {any} */ (row)[key];
    if (figures === undefined) return [];
    const supported = times.map((time) => [time.key, supportedOnly(figures[time.key])]);
    return [[key, { ...figures, ...Object.fromEntries(supported) }]];
  });
  return { ...withSupportedTimes(row), ...Object.fromEntries(ofSome) };
}

/** @type {<T extends Record<string, HistogramSummary>>(summaries: T) => T} */
function eachSupported(summaries) {
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(summaries).map(([key, summary]) => [key, supportedOnly(summary)]))
  );
}

/** The timers and histograms of hooks, by name. @type {(result: Result) => Record<string, object>} */
function metricsOf(result) {
  const pairs = userMetricsOf(result).flatMap(({ name, kind, value }) => {
    if (kind === 'histogram') return [[name, supportedOnly(value)]];
    return kind === 'timer' ? [[name, { ...value, histogram: supportedOnly(value.histogram) }]] : [];
  });
  return Object.fromEntries(pairs);
}
