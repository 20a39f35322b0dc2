import { MAIN_PERCENTILES, quantileRank } from '../measure/percentiles.js';

/** What charts of distributions draw, for pages, cards and terminals alike. */

/** @import { HistogramSummary } from '../contracts/summaries.js' */
/** @import { PercentileDistribution } from './types.js' */

/** The round ends that a scale can have in each decade. */
const ENDS = [1, 2, 5];

/**
 * Decides how dark a band is, from 0 (none) to `levels`: its count relative to the fullest band, as a square root, so
 * that rare times can be seen.
 * @type {(count: number, fullest: number, levels: number) => number}
 */
export function levelOf(count, fullest, levels) {
  return Math.ceil(levels * Math.sqrt(count / fullest));
}

/**
 * Rounds the ends of a logarithmic scale (ms) outwards; they are two steps of 1, 2, 5 apart at least, a factor of four.
 * @type {(min: number, max: number) => [low: number, high: number]}
 */
export function rangeOf(min, max) {
  const ends = [];
  for (let decade = 1e-3; decade <= 1e7; decade *= 10) for (const end of ENDS) ends.push(end * decade);
  const lowest = ends.findLastIndex((end) => end <= min);
  const from = Math.max(0, lowest);
  const to = ends.findIndex((end) => end >= max);
  const last = Math.max(to < 0 ? ends.length - 1 : to, from + 2);
  return [ends[from], ends[Math.min(last, ends.length - 1)]];
}

/**
 * Returns the shape of a distribution: the share (0 to 1) of the values in each of `bands` bands of equal width on a
 * logarithmic scale (ms); empty if there are no values.
 * @type {(points: PercentileDistribution, scale: { low: number, high: number, bands: number }) => number[]}
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

/** @typedef {{ label: string, ms: number }} Mark a time that a chart marks */

/** The percentiles that charts of a distribution mark. @type {(summary: HistogramSummary) => Mark[]} */
export function marksOf(summary) {
  return MAIN_PERCENTILES.flatMap(({ label, key }) => {
    const value = summary[key];
    return value === null ? [] : [{ label, ms: value }];
  });
}

/**
 * Finds the point of a percentile distribution at which a share (0 to 1) of the values is reached; null if it is empty.
 * @type {(points: PercentileDistribution, share: number) => { ms: number, upTo: number } | null}
 */
export function pointAt(points, share) {
  const total = points.at(-1)?.upTo ?? 0;
  const rank = quantileRank(share, total);
  return points.find(({ upTo }) => upTo >= rank) ?? points.at(-1) ?? null;
}
