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
  let total = 0;
  const bounds = weights.map((weight = 1) => (total += weight));
  const salt = finished(add(hashOf(place), seed));
  return (index) => {
    const at = uniform(salt, index) * total;
    let chosen = 0;
    // the sum of the weights may be rounded: the last alternative has no bound
    while (chosen < count - 1 && at >= bounds[chosen]) chosen++;
    return chosen;
  };
}

/**
 * The number in [0, 1) that belongs to an INDEX: MurmurHash3 by Austin Appleby (public domain), so that it needs no state,
 * which threads would have to share.
 *
 * @type {(salt: number, index: number) => number}
 */
function uniform(salt, index) {
  return finished(add(add(salt, index), Math.floor(index / 2 ** 32))) / 2 ** 32;
}

/** @type {(text: string) => number} */
function hashOf(text) {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = add(hash, text.charCodeAt(i));
  return hash;
}

/** Adds a word of 32 bits to a hash. @type {(hash: number, word: number) => number} */
function add(hash, word) {
  const mixed = Math.imul(rotated(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  return Math.imul(rotated(hash ^ mixed, 13), 5) + 0xe6546b64;
}

/** @type {(hash: number) => number} */
function finished(hash) {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** @type {(word: number, bits: number) => number} */
function rotated(word, bits) {
  return (word << bits) | (word >>> (32 - bits));
}
