/** @import { AddressFigures } from './types.js' */

/**
 * Adds the figures of addresses, of several threads or machines.
 *
 * @param {AddressFigures[]} all
 * @returns {AddressFigures[]}
 */
export function addAddresses(all) {
  /** @type {Map<string, AddressFigures>} */
  const sums = new Map();
  for (const one of all) {
    const key = `${one.name} ${one.address}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, { ...one });
    else {
      for (const field of /** @type {const} */ (['connections', 'failed', 'requests', 'time']))
        sum[field] += one[field];
      sum.error ??= one.error;
    }
  }
  return [...sums.values()];
}
