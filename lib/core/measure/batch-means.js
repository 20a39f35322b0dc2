import { twoSidedQuantile } from './statistics.js';

/**
 * Batch means: the error of a figure of a series of points that follow each other (Law and Carson 1979, Schmeiser
 * 1982). Neighbours are alike, so their number is not the sample size; they are joined to batches, and the error
 * follows from how much these differ.
 *
 * - A figure is a ratio R of two sums over all points. With x and n of a batch, its standard error is
 *   sqrt(k / (k - 1) * sum of (x - R n)^2) / sum of n (Cochran 1977).
 * - Batches become longer until neighbours are independent by von Neumann's test (1941), as in Fishman and Yarberry
 *   (1997), but not longer than a tenth of the series. The correlation r that is left widens the variance by
 *   (1 + r) / (1 - r), as in Skart (Tafazzoli et al. 2011).
 *
 * @typedef {object} Sums of each point
 * @property {Float64Array} x
 * @property {Float64Array} n
 */

export const FEWEST_BATCHES = 10;
/** More batches are shorter, and more alike (Schmeiser 1982 advises 10 to 30). */
const MOST_BATCHES = 20;
/** Residuals of equal values differ from 0 by the errors of their sums only. */
const ROUNDING = 1e-12;
/** Divides the number of batches to get the next one. */
const STEP = 1.4;
/** The normal quantile above which independence is rejected: for one of ten independent series. */
const DEPENDENT = 1.2816;
/** A series with more autocorrelation has a trend. */
const MOST_CORRELATION = 0.9;

/**
 * Half of the confidence interval of a ratio, with a level such as 0.95; null: even the longest batches are too much
 * alike. There are at least {@link FEWEST_BATCHES} points, and the ratio is that of all x to all n.
 * @type {(sums: Sums, ratio: number, level: number) => { half: number, batches: number } | null}
 */
export function halfWidth({ x, n }, ratio, level) {
  const residuals = x.map((value, i) => value - ratio * n[i]);
  for (let batches = Math.min(MOST_BATCHES, x.length); ; batches = fewer(batches)) {
    const each = joined(residuals, batches);
    const squares = each.reduce((sum, value) => sum + value * value, 0);
    if (Math.sqrt(squares) <= ROUNDING * Math.abs(ratio) * sumOf(n)) return { half: 0, batches };
    const r = autocorrelationOf(each, squares);
    if (batches > FEWEST_BATCHES && isDependent(r, each, squares)) continue;
    if (correctedCorrelation(r, batches) >= MOST_CORRELATION) return null;
    const variance = (varianceInflation(r, batches) * squares * batches) / (batches - 1);
    return { half: (twoSidedQuantile(1 - level, batches - 1) * Math.sqrt(variance)) / sumOf(n), batches };
  }
}

/** The normal quantile of the assurance, 70 %. */
const ASSURED = 0.5244;

/**
 * The factor that widens the intervals of a run which stops once they are narrow enough. Such a run tends to stop when
 * chance makes its variance look small, so the standard deviation is replaced by its upper bound, which holds with an
 * assurance of 70 % (Kupper and Hafner 1989), by the distribution of chi-squared (Wilson and Hilferty 1931).
 * @type {(batches: number) => number}
 */
export function assuredFactor(batches) {
  const part = 2 / (9 * (batches - 1));
  return (1 - part - ASSURED * Math.sqrt(part)) ** -1.5;
}

/** @type {(batches: number) => number} */
function fewer(batches) {
  return Math.max(FEWEST_BATCHES, Math.floor(batches / STEP));
}

/** Sums of batches of nearly equal length. @type {(values: Float64Array, batches: number) => number[]} */
export function joined(values, batches) {
  /** @type {number[]} */
  const sums = Array(batches).fill(0);
  for (let i = 0; i < values.length; i++) sums[Math.floor((i * batches) / values.length)] += values[i];
  return sums;
}

/** The correlation of neighbours, of values whose sum is 0. @type {(each: number[], squares: number) => number} */
function autocorrelationOf(each, squares) {
  let products = 0;
  for (let i = 1; i < each.length; i++) products += each[i] * each[i - 1];
  return products / squares;
}

/**
 * Reports whether neighbours are alike: von Neumann's ratio as an estimate of the lag-1 autocorrelation, whose variance
 * is (k - 2) / (k^2 - 1) if they are independent (Fishman 1978).
 * @type {(r: number, each: number[], squares: number) => boolean}
 */
function isDependent(r, each, squares) {
  const k = each.length;
  const c = r + (each[0] ** 2 + each[k - 1] ** 2) / (2 * squares);
  return c / Math.sqrt((k - 2) / (k * k - 1)) > DEPENDENT;
}

/**
 * Returns how many times larger the variance of a mean is than that of independent values. The autocorrelation r was
 * estimated from k values, more than 3.
 * @type {(r: number, k: number) => number}
 */
export function varianceInflation(r, k) {
  const corrected = Math.min(MOST_CORRELATION, correctedCorrelation(r, k));
  return (1 + corrected) / (1 - corrected);
}

/** Corrects r, which is estimated too low from few values (Kendall 1954). @type {(r: number, k: number) => number} */
function correctedCorrelation(r, k) {
  return Math.max(0, (r + 1 / k) / (1 - 3 / k));
}

/** @type {(values: Float64Array) => number} */
export function sumOf(values) {
  return values.reduce((sum, value) => sum + value, 0);
}
