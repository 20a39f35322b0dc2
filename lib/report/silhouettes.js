import { rangeOf } from './heat-map.js';
import { marksOf, shapeOf } from './shape.js';
import { rounded } from './time-series.js';

/**
 * @import { HistogramSummary } from '../measure/histogram.js'
 * @import { PercentileDistribution, Result } from './types.js'
 *
 * @typedef {{ label: string, ms: number }} Mark
 *
 * @typedef {object} Silhouette the shape of a distribution
 * @property {string} name
 * @property {number[]} shares of the values in each band
 * @property {Mark[]} marks percentiles
 *
 * @typedef {object} Silhouettes one or two distributions on one logarithmic axis of times, back to back
 * @property {number} low ms
 * @property {number} high ms
 * @property {Silhouette} above
 * @property {Silhouette | null} below
 */

const BANDS = 90;

/**
 * The response times of a result, and below them the service times if they can differ.
 *
 * @param {Result} result
 * @param {(which: 'ok' | 'serviceTime') => PercentileDistribution} distributionOf
 * @returns {Silhouettes | null} null if there are too few values
 */
export function silhouettesOf({ main, client }, distributionOf) {
  const response = { points: distributionOf('ok'), summary: main.ok };
  if (!client.rate) return silhouettes([{ name: 'response time', ...response, hasMarks: true }]);
  return silhouettes([
    { name: 'response time, from when an iteration was due', ...response, hasMarks: true },
    { name: 'service time, from when it started', points: distributionOf('serviceTime'), summary: main.serviceTime },
  ]);
}

/**
 * @param {{ name: string, points: PercentileDistribution, summary: HistogramSummary, hasMarks?: boolean }[]} sides one or two
 * @returns {Silhouettes | null} null if there are too few values
 */
export function silhouettes(sides) {
  const ends = sides.flatMap(({ summary: { min, max } }) => (min === null || max === null ? [] : [min, max]));
  if (ends.length === 0 || sides[0].points.length < 2) return null;
  const [low, high] = rangeOf(Math.max(0.001, Math.min(...ends)), Math.max(...ends));
  const [above, below = null] = sides.map(({ name, points, summary, hasMarks }) => ({
    name,
    shares: shapeOf(points, { low, high, bands: BANDS }).map(rounded),
    marks: hasMarks ? marksOf(summary) : [],
  }));
  return { low, high, above, below };
}
