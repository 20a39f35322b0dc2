import { MAIN_PERCENTILES } from '../measure/histogram-columns.js';

/**
 * @import { HistogramSummary } from '../measure/histogram.js'
 * @import { PercentileDistribution } from './types.js'
 */

/**
 * The shape of a distribution: the share of the values in each of `bands` bands of equal width on a logarithmic scale.
 *
 * @param {PercentileDistribution} points
 * @param {{ low: number, high: number, bands: number }} scale ends in ms
 * @returns {number[]} 0 to 1; empty if there are no values
 */
export function shapeOf(points, { low, high, bands }) {
  const total = points.at(-1)?.upTo ?? 0;
  if (total === 0) return [];
  const perBand = Math.log(high / low) / bands;
  const shares = new Array(bands).fill(0);
  let before = 0;
  for (const { ms, upTo } of points) {
    const band = Math.floor(Math.log(ms / low) / perBand);
    shares[Math.max(0, Math.min(bands - 1, band))] += (upTo - before) / total;
    before = upTo;
  }
  return shares;
}

/**
 * The percentiles that a picture of a distribution marks.
 *
 * @param {HistogramSummary} summary
 * @returns {{ label: string, ms: number }[]}
 */
export function marksOf(summary) {
  return MAIN_PERCENTILES.flatMap(({ label, key }) => {
    const value = summary[key];
    return value === null ? [] : [{ label, ms: value }];
  });
}
