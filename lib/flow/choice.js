import { createUniform } from './uniform.js';

/**
 * Chooses one of several alternatives for each iteration: in turn, or by weight. The choice is a function of INDEX, the
 * seed and its place in the flow, so a run repeats exactly with any number of workers.
 *
 * @param {(number | undefined)[]} weights one for each alternative; in turn if none has a weight, otherwise the default is 1
 * @param {{ seed: number, place: string }} from place: choices at different places are independent
 * @returns {(index: number) => number} the position of the alternative
 */
export function createChoice(weights, { seed, place }) {
  const count = weights.length;
  if (weights.every((weight) => weight === undefined)) return (index) => index % count;
  // divided by the largest one, because the sum of the weights may overflow
  const largest = weights.reduce((/** @type {number} */ most, weight = 1) => Math.max(most, weight), 0);
  let total = 0;
  const bounds = weights.map((weight = 1) => (total += weight / largest));
  const uniform = createUniform({ seed, place });
  return (index) => {
    const at = uniform(index) * total;
    // the first alternative whose bound is above; the sum of the weights may be rounded: the last one has no bound
    let chosen = 0;
    let last = count - 1;
    while (chosen < last) {
      const middle = (chosen + last) >>> 1;
      if (at >= bounds[middle]) chosen = middle + 1;
      else last = middle;
    }
    return chosen;
  };
}
