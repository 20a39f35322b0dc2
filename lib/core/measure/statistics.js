/** Moments of samples, and the distribution of Student's t. */

/** @type {(values: number[]) => number} */
export function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The upper one of the two in the middle of an even number; 0 of none. @type {(values: number[]) => number} */
export function medianOf(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** The sum of the squares of the deviations from the mean. @type {(values: number[]) => number} */
export function squaresOf(values) {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
}

/** @type {(values: number[]) => number} */
export function varianceOf(values) {
  return squaresOf(values) / (values.length - 1);
}

const MOST = 1e6;
const TINY = 1e-30;
const PRECISION = 1e-12;

/** The two-sided probability of Student's t, at any df above 0. @type {(t: number, df: number) => number} */
export function twoSidedP(t, df) {
  if (Math.abs(t) === Infinity) return 0;
  const n = Math.min(df, MOST);
  return incompleteBeta(n / (n + t * t), n / 2, 0.5);
}

/** Inverts {@link twoSidedP}: `p` is above 0 and at most 1. @type {(p: number, df: number) => number} */
export function twoSidedQuantile(p, df) {
  const n = Math.min(df, MOST);
  const scale = Math.exp(logGamma((n + 1) / 2) - logGamma(n / 2)) / Math.sqrt(n * Math.PI);
  // The probability is a convex function of t, so that Newton's method from 0 only rises, and ends when it no longer
  // does
  let [t, next] = [-1, 0];
  while (next - t > PRECISION * next || t < 0) {
    t = next;
    next = t + (twoSidedP(t, n) - p) / (2 * scale * (1 + (t * t) / n) ** (-(n + 1) / 2));
  }
  return t;
}

/**
 * Returns the regularized incomplete beta function, by its continued fraction (NIST DLMF 8.17.22, Lentz's method).
 * @type {(x: number, a: number, b: number) => number}
 */
function incompleteBeta(x, a, b) {
  if (x <= 0 || x >= 1) return Math.min(1, Math.max(0, x));
  // The fraction converges fast on this side only.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const scale = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  let [c, d] = [1, 1 / nonZero(1 - ((a + b) * x) / (a + 1))];
  let value = d;
  for (let m = 1, factor = 0; Math.abs(factor - 1) > PRECISION; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    [c, d] = [nonZero(1 + even / c), 1 / nonZero(1 + even * d)];
    value *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    [c, d] = [nonZero(1 + odd / c), 1 / nonZero(1 + odd * d)];
    factor = c * d;
    value *= factor;
  }
  return scale * value;
}

/** @type {(value: number) => number} */
function nonZero(value) {
  return Math.abs(value) < TINY ? TINY : value;
}

/** Stirling's series (NIST DLMF 5.11.1), shifted to where its error is below 1e-12. @type {(x: number) => number} */
function logGamma(x) {
  let [value, shift] = [x, 0];
  for (; value < 10; value++) shift += Math.log(value);
  const square = value * value;
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / value;
  return (value - 0.5) * Math.log(value) - value + Math.log(2 * Math.PI) / 2 + series - shift;
}
