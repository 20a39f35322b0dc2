/**
 * Think time, evenly distributed within a range.
 *
 * @param {[from: number, to: number]} range ms
 * @param {() => number} random 0 to 1
 * @returns {number} ms
 */
export function pauseBetween([from, to], random) {
  return from + random() * (to - from);
}
