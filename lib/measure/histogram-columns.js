/** Percentiles of a histogram summary: key in the result, percentile, label. */
export const PERCENTILES = /** @type {const} */ ([
  { key: 'median', percentile: 50, label: 'p50' },
  { key: 'p75', percentile: 75, label: 'p75' },
  { key: 'p90', percentile: 90, label: 'p90' },
  { key: 'p95', percentile: 95, label: 'p95' },
  { key: 'p99', percentile: 99, label: 'p99' },
  { key: 'p999', percentile: 99.9, label: 'p99.9' },
]);

const MAIN = ['p50', 'p95', 'p99'];

/** The percentiles that every report shows, pictures mark and comparisons test. */
export const MAIN_PERCENTILES = PERCENTILES.filter(({ label }) => MAIN.includes(label));

/** Columns of a latency table: key in a histogram summary, and heading. */
export const STATISTICS = /** @type {const} */ ([
  ...PERCENTILES,
  { key: 'max', label: 'max' },
  { key: 'mean', label: 'mean' },
  { key: 'stddev', label: 'stddev' },
]);
