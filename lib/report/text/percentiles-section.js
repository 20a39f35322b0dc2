import { count } from '../numbers.js';
import { pointAt } from '../percentiles.js';
import { table } from './layout.js';

/** Percentiles whose distance to 100 % is halved from row to row, as HdrHistogram prints them. @type {import('./index.js').Section} */
export function percentilesSection(result, options) {
  const { distributionOf, scale } = options;
  const points = distributionOf('ok');
  const rows = percentilesOf(points.at(-1)?.upTo ?? 0).map((percentile) => {
    const { ms: value, upTo } = pointAt(points, percentile / 100) ?? { ms: null, upTo: 0 };
    return [`${percentile.toFixed(percentile < 1 ? 3 : percentile < 99 ? 1 : 4)} %`, scale.format(value), count(upTo)];
  });
  if (rows.length === 0) return [];
  return table([{ head: 'percentile' }, { head: scale.unit }, { head: 'iterations' }], rows, options);
}

/** @type {(total: number) => number[]} */
function percentilesOf(total) {
  const fast = [0.001, 0.01, 0.1, 1, 2.5].filter((percentile) => (percentile / 100) * total >= 1);
  const all = [...fast, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 95];
  for (let above = 2.5; (above / 100) * total >= 1; above /= 2) all.push(100 - above);
  return total > 0 ? [...all, 100] : [];
}
