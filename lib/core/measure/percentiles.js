/** Percentiles of a histogram summary: key in the result, percentile, label. */
export const PERCENTILES = /** @type {const} */ ([
  { key: 'median', percentile: 50, label: 'p50' },
  { key: 'p75', percentile: 75, label: 'p75' },
  { key: 'p90', percentile: 90, label: 'p90' },
  { key: 'p95', percentile: 95, label: 'p95' },
  { key: 'p99', percentile: 99, label: 'p99' },
  { key: 'p999', percentile: 99.9, label: 'p99.9' },
]);

const MAIN_LABELS = ['p50', 'p95', 'p99'];

/** The percentiles that every report shows, pictures mark and comparisons test. */
export const MAIN_PERCENTILES = PERCENTILES.filter(({ label }) => MAIN_LABELS.includes(label));

/** Columns of a latency table: key in a histogram summary, and heading. */
export const STATISTICS = /** @type {const} */ ([
  ...PERCENTILES,
  { key: 'max', label: 'max' },
  { key: 'mean', label: 'mean' },
  { key: 'stddev', label: 'stddev' },
]);

/**
 * Returns the rank (1 to `count`) of a quantile by the nearest-rank method: the smallest rank at which at least `share`
 * (0 to 1) of the values is reached. The small subtraction keeps the rounding error of a product such as 99.9 / 100 *
 * 1000 from asking for one value more.
 * @type {(share: number, count: number) => number}
 */
export function quantileRank(share, count) {
  return Math.max(1, Math.ceil(share * count - 1e-6));
}

/** Returns a quantile (0 to 1) of a list; null: empty. @type {(values: number[], share: number) => number | null} */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[quantileRank(share, sorted.length) - 1];
}

/**
 * Returns the number of values that a quantile (0 to 1; both ends are the extremes themselves) needs: with fewer, it is
 * the largest or the smallest value under another name. 100 for p99, 1,000 for p99.9, 20 for p95 and p5, 2 for the
 * median.
 * @type {(share: number) => number}
 */
export function valuesNeeded(share) {
  const rest = Math.min(share, 1 - share);
  return rest > 0 ? Math.ceil(1 / rest - 1e-6) : 1;
}
