import { pointAt } from '../../core/report/distribution-charts.js';

/** @import { Render } from '../../core/report/types.js' */

/** Steps until the distance to 100 % is halved, as in the tools of HdrHistogram. */
const STEPS = 5;
/** The layout of HdrCounts, in the terms of HdrHistogram. */
const LAYOUT = `#[Buckets = ${'22'.padStart(12)}, SubBuckets     = ${'2048'.padStart(12)}]\n`;

/** Writes percentiles of the response time as HdrHistogram prints them, for its plotters. @type {Render} */
export function render({ main }, { distributionOf = () => [] } = {}) {
  const { mean, stddev, max, count } = main.completed;
  const points = distributionOf('completed');
  const rows = shares(count).map((share) => {
    const { ms: bin, upTo } = pointAt(points, share) ?? { ms: max ?? 0, upTo: count };
    // The last value is known exactly, its bin is not.
    const ms = upTo >= count ? (max ?? 0) : bin;
    const inverse = share < 1 ? (1 / (1 - share)).toFixed(2) : 'inf';
    return `${ms.toFixed(3).padStart(12)} ${share.toFixed(12)} ${String(upTo).padStart(10)} ${inverse.padStart(14)}\n`;
  });
  const figure = (/** @type {number | null} */ value) => (value ?? 0).toFixed(3).padStart(12);
  return (
    `${'Value'.padStart(12)} ${'Percentile'.padStart(14)} ${'TotalCount'.padStart(10)} ${'1/(1-Percentile)'.padStart(14)}\n\n${rows.join('')}` +
    `#[Mean    = ${figure(mean)}, StdDeviation   = ${figure(stddev)}]\n#[Max     = ${figure(max)}, Total count    = ${String(count).padStart(12)}]\n${LAYOUT}`
  );
}

/** The shares (0 to 1) of the rows: the more values, the nearer to 1. @type {(count: number) => number[]} */
function shares(count) {
  if (count === 0) return [];
  const all = [];
  for (let left = 1; left * count >= 1; left /= 2) {
    for (let step = 0; step < STEPS; step++) all.push(1 - left + (left / 2) * (step / STEPS));
  }
  return [...all, 1];
}
