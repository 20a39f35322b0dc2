/**
 * Think time: how long nothing is sent, evenly distributed between two bounds.
 *
 * @param {[from: number, to: number]} range ms
 * @param {() => number} random 0 to 1
 * @returns {number} ms
 */
export function pauseBetween([from, to], random) {
  return from + random() * (to - from);
}
