/** Rounding error of a number of iterations: products and sums of fractions miss whole numbers. */
export const TINY = 1e-9;
