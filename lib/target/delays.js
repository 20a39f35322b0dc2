import { createRandom } from '../random.js';

/** @import { Delay } from '../delay.js' */

/**
 * Draws the delays of responses, one after the other. The same seed draws the same delays.
 *
 * @param {Delay} delay
 * @param {number} seed
 * @returns {() => number} ms
 */
export function createDelays({ range, tails }, seed) {
  if (tails.length === 0 && range[0] === range[1]) return () => range[0];
  const random = createRandom(seed);
  // the last tail has the numbers from 1 - share to 1, the one before it those below, …
  const ranges = tails.map((tail, i) => ({
    from: 1 - tails.slice(i).reduce((sum, { share }) => sum + share, 0),
    range: tail.range,
  }));
  return () => {
    // always two numbers, so that a tail does not change the delays of the other responses
    const position = random();
    const chosen = random();
    const [from, to] = ranges.findLast((tail) => chosen >= tail.from)?.range ?? range;
    return from + position * (to - from);
  };
}
