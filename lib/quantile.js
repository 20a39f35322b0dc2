/**
 * The rank of a quantile by the nearest-rank method: the smallest rank at which at least `share` of the values is reached.
 * The small subtraction keeps the rounding error of a product such as 99.9 / 100 * 1000 from asking for one value more.
 *
 * @param {number} share 0 to 1
 * @param {number} count of all values
 * @returns {number} 1 to `count`
 */
export function quantileRank(share, count) {
  return Math.max(1, Math.ceil(share * count - 1e-6));
}

/**
 * A quantile of a list.
 *
 * @param {number[]} values in any order
 * @param {number} share 0 to 1
 * @returns {number | null} null if the list is empty
 */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[quantileRank(share, sorted.length) - 1];
}

/**
 * The number of values that a quantile needs: with fewer, it is the largest or the smallest value under another name. 100
 * for p99, 1,000 for p99.9, 20 for p95 and p5, 2 for the median.
 *
 * @param {number} share 0 to 1; 0 and 1 are the extremes themselves
 * @returns {number}
 */
export function valuesNeeded(share) {
  const rest = Math.min(share, 1 - share);
  return rest > 0 ? Math.ceil(1 / rest - 1e-6) : 1;
}
