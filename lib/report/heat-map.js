import { HdrCounts } from '../measure/hdr-counts.js';

/**
 * @import { Result } from './types.js'
 *
 * @typedef {object} HeatMap response times over time: how many iterations ended in each interval and band
 * @property {number} interval ms of a column
 * @property {number} low ms, the lower end of the first band
 * @property {number} high ms, the upper end of the last band; all bands have the same width on a logarithmic scale
 * @property {number[][]} columns counts of the bands of each interval, from the lowest
 */

const BANDS = 48;
const MAX_COLUMNS = 600;
/** ends of the scale, of each decade */
const ENDS = [1, 2, 5];

/**
 * @param {Pick<Result, 'main' | 'series' | 'histograms'>} result
 * @param {number} [maxColumns] intervals of longer runs are joined
 * @returns {HeatMap | null} null if the result has no counts of its intervals
 */
export function heatMapOf({ main, series, histograms }, maxColumns = MAX_COLUMNS) {
  const { min, max } = main.ok;
  if (!histograms || histograms.series.length === 0 || min === null || max === null) return null;
  const [low, high] = rangeOf(min, max);
  const perColumn = Math.ceil(histograms.series.length / maxColumns);
  const perBand = Math.log(high / low) / BANDS;
  const counts = new HdrCounts();
  /** @type {number[][]} */
  const columns = [];
  for (let i = 0; i < histograms.series.length; i += perColumn) {
    counts.clear();
    for (const encoded of histograms.series.slice(i, i + perColumn)) counts.addBytes(Buffer.from(encoded, 'base64'));
    /** @type {number[]} */
    const column = new Array(BANDS).fill(0);
    counts.forEach((us, count) => {
      const band = Math.floor(Math.log(us / 1000 / low) / perBand);
      column[Math.max(0, Math.min(BANDS - 1, band))] += count;
    });
    columns.push(column);
  }
  return { interval: series.interval * perColumn, low, high, columns };
}

/**
 * How dark a band is: its count relative to the fullest band, as a square root, so that rare times can be seen.
 *
 * @param {number} count
 * @param {number} fullest
 * @param {number} levels
 * @returns {number} 0 for none, up to `levels`
 */
export function levelOf(count, fullest, levels) {
  return Math.ceil(levels * Math.sqrt(count / fullest));
}

/**
 * Round ends of a logarithmic scale, at least a factor of four apart.
 *
 * @param {number} min ms
 * @param {number} max ms
 * @returns {[low: number, high: number]}
 */
export function rangeOf(min, max) {
  const ends = [];
  for (let decade = 1e-3; decade <= 1e7; decade *= 10) for (const end of ENDS) ends.push(end * decade);
  const from = Math.max(
    0,
    ends.findLastIndex((end) => end <= min),
  );
  const to = ends.findIndex((end) => end >= max);
  const last = Math.max(to < 0 ? ends.length - 1 : to, from + 2);
  return [ends[from], ends[Math.min(last, ends.length - 1)]];
}
