import { latencyRows } from '../../measure/figure-rows.js';
import { STATISTICS } from '../../measure/histogram-columns.js';
import { count, ms } from '../numbers.js';
import { pointAt } from '../percentiles.js';
import { table, wrapped } from './layout.js';

/** columns that fit narrow terminals */
const NARROW = ['p50', 'p95', 'p99', 'max'];
const WIDE = 80;

/** @type {import('./index.js').Section} */
export function latencySection(result, options) {
  if (result.main.histogram.count === 0) return [];
  const columns = [
    { head: 'latency, ms', isText: true },
    ...STATISTICS.map(({ label }) => ({ head: label, from: NARROW.includes(label) ? 0 : WIDE })),
  ];
  const rows = latencyRows(result).map(({ label, summary }) => [
    label,
    ...STATISTICS.map(({ key }) => ms(summary[key])),
  ]);
  const lines = [...table(columns, rows, options), ...percentileLines(result, options)];
  return options.fullDistribution ? [...lines, '', ...distributionLines(options)] : lines;
}

/** Those of the run option. @type {(result: Parameters<import('./index.js').Section>[0], options: Parameters<import('./index.js').Section>[1]) => string[]} */
function percentileLines({ percentiles = [] }, { paint, width }) {
  if (percentiles.length === 0) return [];
  const parts = percentiles.map(({ percentile, ms: value }) => `p${percentile} ${ms(value)}`);
  return [`${paint('dim', 'percentiles, ms')}  ${wrapped(parts.join(', '), 17, width)}`];
}

/** Percentiles whose distance to 100 % is halved from row to row, as HdrHistogram prints them. @type {(options: Parameters<import('./index.js').Section>[1]) => string[]} */
function distributionLines(options) {
  const points = options.distributionOf('main');
  const rows = percentilesOf(points.at(-1)?.upTo ?? 0).map((percentile) => {
    const { ms: value, upTo } = pointAt(points, percentile / 100) ?? { ms: null, upTo: 0 };
    return [`${percentile.toFixed(percentile < 1 ? 3 : percentile < 99 ? 1 : 4)} %`, ms(value), count(upTo)];
  });
  return table([{ head: 'percentile' }, { head: 'ms' }, { head: 'iterations' }], rows, options);
}

/** @type {(total: number) => number[]} */
function percentilesOf(total) {
  const fast = [0.001, 0.01, 0.1, 1, 2.5].filter((percentile) => (percentile / 100) * total >= 1);
  const all = [...fast, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 95];
  for (let above = 2.5; (above / 100) * total >= 1; above /= 2) all.push(100 - above);
  return total > 0 ? [...all, 100] : [];
}
