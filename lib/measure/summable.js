const PER_MS = 2 ** 14;

/**
 * Rounds a time to a multiple of 2^-14 ms (61 ns). Sums of such times are exact below 2^53 multiples, which are 17 years, so
 * they do not depend on how a run is split.
 *
 * @param {number} ms
 * @returns {number} ms
 */
export function summable(ms) {
  return Math.round(ms * PER_MS) / PER_MS;
}
