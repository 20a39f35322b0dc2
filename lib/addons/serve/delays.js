import { createRandom } from '../../core/ground/random.js';

/** @import { Delay } from '../../core/ground/units.js' */

/**
 * Creates a function that draws the delays of responses (ms), one after the other. The same seed draws the same delays.
 * @type {(delay: Delay, seed: number) => () => number}
 */
export function createDelays({ range, tails }, seed) {
  if (tails.length === 0 && range[0] === range[1]) return () => range[0];
  const random = createRandom(seed);
  // A random number from 0 to 1 chooses the tail: the last one from 1 - share on, the one before it below that.
  const ranges = tails.map((tail, i) => ({
    from: 1 - tails.slice(i).reduce((sum, { share }) => sum + share, 0),
    range: tail.range,
  }));
  return () => {
    // Two numbers are drawn for each, so that a tail does not change the delays of the other responses.
    const position = random();
    const chosen = random();
    const [from, to] = ranges.findLast((tail) => chosen >= tail.from)?.range ?? range;
    return from + position * (to - from);
  };
}
