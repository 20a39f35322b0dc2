/**
 * Two-sided 4 %: blocks still depend on each other a little, and with it false alarms stay below 5 %
 * (test/lib/measure/compare.test.js).
 */
const Z = 2.053748910631823;

/** @type {(values: number[]) => number} */
export function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Welch's t test of two samples with different variances.
 *
 *     difference of means +- t(df) sqrt(v1 / n1 + v2 / n2),     df by Welch and Satterthwaite
 *
 * @param {number[]} one at least two values
 * @param {number[]} other
 * @returns {{ difference: number, low: number, high: number }} `other` minus `one`, and the bounds of its confidence interval
 */
export function welch(one, other) {
  const [a, b] = [one, other].map((values) => variance(values) / values.length);
  const difference = meanOf(other) - meanOf(one);
  const df = a + b === 0 ? 1 : (a + b) ** 2 / (a ** 2 / (one.length - 1) + b ** 2 / (other.length - 1));
  const half = quantileOfT(df) * Math.sqrt(a + b);
  return { difference, low: difference - half, high: difference + half };
}

/**
 * Student's t test of pairs: disturbances that both of a pair share cancel out.
 *
 * @param {number[]} one
 * @param {number[]} other as many
 * @returns {{ difference: number, low: number, high: number }} as {@link welch}
 */
export function pairedT(one, other) {
  const differences = other.map((value, i) => value - one[i]);
  const difference = meanOf(differences);
  const half = quantileOfT(differences.length - 1) * Math.sqrt(variance(differences) / differences.length);
  return { difference, low: difference - half, high: difference + half };
}

/** @type {(values: number[]) => number} */
function variance(values) {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/**
 * The quantile of Student's t for {@link Z} (Abramowitz and Stegun 26.7.5); exact for one and two degrees of freedom.
 * @type {(df: number) => number}
 */
function quantileOfT(df) {
  const p = 0.98;
  if (df < 1.5) return Math.tan(Math.PI * (p - 0.5));
  if (df < 2.5) return (2 * p - 1) / Math.sqrt(2 * p * (1 - p));
  const z = Z;
  const g1 = (z ** 3 + z) / 4;
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  const g4 = (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160;
  return z + g1 / df + g2 / df ** 2 + g3 / df ** 3 + g4 / df ** 4;
}
