/** Rounding error of a number of iterations: products and sums of fractions miss whole numbers. */
export const TINY = 1e-9;

/**
 * @param {number} area under the rate until an end, in iterations
 * @returns {number} iterations that are due before it
 */
export function dueBefore(area) {
  // The rounding error of a run of days is greater.
  return Math.ceil(Math.min(area - TINY, area * (1 - 4 * Number.EPSILON)));
}
