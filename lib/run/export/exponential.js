/** @import { Histogram } from '../../measure/histogram.js' */

/**
 * The times of a histogram in the buckets of an exponential histogram, as OpenTelemetry and native histograms of
 * Prometheus have them: bucket i holds (2^(i / 2^scale), 2^((i + 1) / 2^scale)].
 *
 * @typedef {object} ExponentialHistogram times in seconds
 * @property {number} scale
 * @property {number} offset index of the first bucket
 * @property {number[]} counts of each bucket from there on
 * @property {number} count
 * @property {number} sum
 * @property {number} min
 * @property {number} max
 */

/** 16 buckets for each power of two: a time is known to 2.2 %, and those from 1 ms to 1 s have 160. */
const SCALE = 4;

/** @type {(histogram: Histogram) => ExponentialHistogram} */
export function exponentialOf(histogram) {
  /** @type {Map<number, number>} */
  const buckets = new Map();
  let [min, max] = [Infinity, -Infinity];
  histogram.forEach((ms, times) => {
    const index = Math.ceil(Math.log2(ms / 1000) * 2 ** SCALE) - 1;
    buckets.set(index, (buckets.get(index) ?? 0) + times);
    min = Math.min(min, ms);
    max = Math.max(max, ms);
  });
  const indexes = [...buckets.keys()];
  const [first, last] = [Math.min(...indexes), Math.max(...indexes)];
  const isEmpty = indexes.length === 0;
  return {
    scale: SCALE,
    offset: isEmpty ? 0 : first,
    counts: isEmpty ? [] : Array.from({ length: last - first + 1 }, (_, i) => buckets.get(first + i) ?? 0),
    count: histogram.count,
    sum: histogram.sum / 1000,
    min: isEmpty ? 0 : min / 1000,
    max: isEmpty ? 0 : max / 1000,
  };
}
