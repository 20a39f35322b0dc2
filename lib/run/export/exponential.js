/** @import { Histogram } from '../../measure/histogram.js' */

/**
 * The times of a histogram in the buckets of an exponential histogram, as in OpenTelemetry and in native histograms
 * of Prometheus: bucket i holds (2^(i / 2^scale), 2^((i + 1) / 2^scale)].
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
/** Indexes of the buckets of the range of histograms, 1 us to 1 h. */
const [LOWEST, HIGHEST] = [1e-6, 3600].map(indexOf);

/** @type {(seconds: number) => number} */
function indexOf(seconds) {
  return Math.ceil(Math.log2(seconds) * 2 ** SCALE) - 1;
}

/** @type {(histogram: Histogram) => ExponentialHistogram} */
export function exponentialOf(histogram) {
  const buckets = new Float64Array(HIGHEST - LOWEST + 1);
  let [first, last, min, max] = [Infinity, -1, 0, 0];
  histogram.forEach((ms, times) => {
    const seconds = ms / 1000;
    const at = Math.min(buckets.length - 1, Math.max(0, indexOf(seconds) - LOWEST));
    buckets[at] += times;
    if (last < 0) [first, min] = [at, seconds];
    [last, max] = [at, seconds];
  });
  const isEmpty = last < 0;
  return {
    scale: SCALE,
    offset: isEmpty ? 0 : LOWEST + first,
    counts: isEmpty ? [] : [...buckets.subarray(first, last + 1)],
    count: histogram.count,
    sum: histogram.sum / 1000,
    min,
    max,
  };
}
