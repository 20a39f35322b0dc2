import { meanOf, twoSidedP, twoSidedQuantile, varianceOf } from '../../../core/measure/statistics.js';

/** Tests of the difference between two samples, and their correction for many figures. */

/**
 * The level of the test of the deciding figure. Half a percent more is for all others (`withDiscoveries`), so that a
 * comparison of equal sides finds a change in less than 5 % of cases.
 */
export const LEVEL = 0.04;
/** The changes that make a difference testable. */
export const TEST_CURE =
  'run both sides in turn, three times or more (bench-rest ab --runs 10), or say how much runs differ by chance (--noise 5%, or --history)';

/**
 * @typedef {object} Estimate of a difference
 * @property {number} difference
 * @property {number} error standard error
 * @property {number} df degrees of freedom of the error
 */

/**
 * The difference of two samples with different variances (Welch 1947).
 *
 *     error = sqrt(v1 f / n1 + v2 f / n2),     df by Welch and Satterthwaite, divided by f
 *
 * With this df, 3 values differ from 9 or more equal ones in 6 % of cases instead of 4 %. So if one sample has more
 * than twice as many values as the other, df is at most twice that of the smaller (bench/alarms.js).
 * @param {number[]} one at least two values
 * @param {number[]} other
 * @param {{ bin?: number, inflation?: number }} [options] bin: the width to which values are rounded; inflation: f,
 *   see {@link inflationOf}
 * @returns {Estimate} `other` minus `one`
 */
export function welch(one, other, { bin = 0, inflation = 1 } = {}) {
  const means = [one, other].map((values) => meanOfRounded(values, bin));
  const variance = means.reduce((sum, mean) => sum + mean.variance, 0);
  const spread = means.reduce((sum, mean) => sum + mean.variance ** 2 / mean.df, 0);
  const df = spread === 0 ? Infinity : Math.min(mostDf(one.length, other.length), variance ** 2 / spread) / inflation;
  return { difference: meanOf(other) - meanOf(one), error: Math.sqrt(variance * inflation), df: Math.max(1, df) };
}

/** @type {(n: number, m: number) => number} */
function mostDf(n, m) {
  const fewest = Math.min(n, m);
  return Math.max(n, m) > 2 * fewest ? 2 * (fewest - 1) : Infinity;
}

/**
 * The difference of pairs (Student): disturbances that both of a pair share cancel out.
 * @param {number[]} one
 * @param {number[]} other as many
 * @param {{ bin?: number }} [options] the width to which values are rounded
 * @returns {Estimate} as {@link welch}
 */
export function pairedT(one, other, { bin = 0 } = {}) {
  const differences = other.map((value, i) => value - one[i]);
  const { variance, df } = meanOfRounded(differences, bin * Math.SQRT2);
  return { difference: meanOf(differences), error: Math.sqrt(variance), df };
}

/**
 * The error of a mean whose values are all in one bin, as a part of the bin; a difference of two has 0.75 bins. One bin
 * between two sides is t = 1.3, no significant difference, as rounding may have caused it; two bins are t = 2.7.
 */
const LEAST_ERROR = 0.75 / Math.SQRT2;

/**
 * The variance of a mean, and its degrees of freedom. Values within one bin hide their spread, so the width of the bin
 * decides.
 * @type {(values: number[], bin: number) => { variance: number, df: number }}
 */
function meanOfRounded(values, bin) {
  const own = { variance: varianceOf(values) / values.length, df: values.length - 1 };
  const isWithinBin = Math.max(...values) - Math.min(...values) <= bin * 1.001;
  const least = (bin * LEAST_ERROR) ** 2;
  return isWithinBin && own.variance < least ? { variance: least, df: Infinity } : own;
}

/**
 * How many times larger the variance of the means may be than that of independent values, because values that follow
 * each other are alike: (1 + r) / (1 - r) of a process with autocorrelation r (Bartlett 1946). Of few values r is
 * estimated too low; Kendall's (1954) first-order correction is added, and one standard error, because r decides
 * between a change and a drift.
 * @param {number[]} one in the order of time
 * @param {number[]} other
 * @returns {number} at least 1
 */
export function inflationOf(one, other) {
  const sides = [one, other].map((values) => {
    const mean = meanOf(values);
    return values.map((value) => value - mean);
  });
  const squares = sides.flat().reduce((sum, value) => sum + value * value, 0);
  if (squares === 0) return 1;
  const products = sides.flatMap((values) => values.slice(1).map((value, i) => value * values[i]));
  const fewest = Math.min(one.length, other.length);
  const lag = products.reduce((sum, value) => sum + value, 0) / squares;
  const r = (lag + 1 / fewest) / (1 - 3 / fewest) + 1 / Math.sqrt(one.length + other.length);
  const bounded = Math.min(MOST_LAG, Math.max(0, r));
  return (1 + bounded) / (1 - bounded);
}

const MOST_LAG = 0.97;

/**
 * Returns the confidence interval of a difference. `level` is the share of intervals that may miss: 0.05.
 * @type {(estimate: Estimate, level: number) => { low: number, high: number }}
 */
export function intervalOf({ difference, error, df }, level) {
  const half = error === 0 ? 0 : twoSidedQuantile(level, df) * error;
  return { low: difference - half, high: difference + half };
}

/** Returns the probability (0 to 1) of such a difference by chance. @type {(estimate: Estimate) => number} */
export function pValueOf({ difference, error, df }) {
  if (difference === 0) return 1;
  return error === 0 ? 0 : twoSidedP(difference / error, df);
}

/**
 * Returns the level up to which p values are significant among several tests at a false discovery rate (0.05), the
 * share of wrong ones among them (Benjamini and Hochberg 1995).
 * @type {(ps: number[], rate: number) => number}
 */
export function discoveryLimit(ps, rate) {
  const sorted = [...ps].sort((a, b) => a - b);
  const found = sorted.findLastIndex((p, i) => p <= (rate * (i + 1)) / sorted.length);
  return (rate * Math.max(1, found + 1)) / Math.max(1, sorted.length);
}

/** More degrees of freedom are those of the normal distribution. */
