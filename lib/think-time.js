import { readMs, readMsRange } from './units.js';

/**
 * @typedef {[from: number, to: number] | { mean: number, dev: number }} ThinkTime ms: evenly distributed between two bounds, or
 *   normally distributed
 */

/**
 * Reads a think time: `500`, `'2s'`, `[100, '1s']`, `'100,1s'`, `{ mean: '2s', dev: 500 }`.
 *
 * @param {any} given
 * @returns {ThinkTime | null} null for anything else
 */
export function readThinkTime(given) {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return readMsRange(given);
  const { mean, dev, ...others } = given;
  const [meanMs, devMs] = [readMs(mean), readMs(dev)];
  return meanMs >= 0 && devMs >= 0 && Object.keys(others).length === 0 ? { mean: meanMs, dev: devMs } : null;
}

/**
 * Draws a duration.
 *
 * @param {ThinkTime} thinkTime
 * @param {() => number} random the next number in [0, 1)
 * @returns {number} ms, at least 0
 */
export function drawMs(thinkTime, random) {
  if (Array.isArray(thinkTime)) {
    const [from, to] = thinkTime;
    return from + random() * (to - from);
  }
  const { mean, dev } = thinkTime;
  return Math.max(0, mean + dev * normal(random));
}

/** Box and Muller, A Note on the Generation of Random Normal Deviates, 1958. @type {(random: () => number) => number} */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
