/** Logarithmic scales of times. */

const STEPS = [1, 2, 5];

/**
 * @param {number} low ms
 * @param {number} high ms
 * @param {number} length of the axis
 * @returns {(ms: number) => number} position from 0 to `length`
 */
export function logScale(low, high, length) {
  const perUnit = length / Math.log(high / low);
  return (ms) => Math.max(0, Math.min(length, Math.log(Math.max(ms, low) / low) * perUnit));
}

/**
 * Round times from low to high: 1, 2 and 5 of each decade, or only 1 over many decades.
 *
 * @param {number} low ms
 * @param {number} high ms
 * @returns {number[]}
 */
export function timeTicks(low, high) {
  const steps = high / low > 2000 ? [1] : STEPS;
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high * 1.001; power++)
    for (const step of steps) ticks.push(Number((step * 10 ** power).toPrecision(3)));
  return ticks.filter((ms) => ms >= low * 0.999 && ms <= high * 1.001);
}

/**
 * A round time with its unit: `200 µs`, `5 ms`, `2 s`.
 *
 * @param {number} ms
 */
export function timeLabel(ms) {
  if (ms < 1) return `${Number((ms * 1000).toPrecision(3))} µs`;
  return ms < 1000 ? `${Number(ms.toPrecision(3))} ms` : `${Number((ms / 1000).toPrecision(3))} s`;
}
