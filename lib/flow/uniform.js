/**
 * A uniform number for each INDEX. It is a function of INDEX, the seed and its place in the flow, so a run repeats exactly
 * with any number of workers: MurmurHash3 by Austin Appleby (public domain), which needs no state that threads would have
 * to share.
 *
 * @param {{ seed: number, place: string }} from place: numbers of different places are independent
 * @returns {(index: number) => number} in [0, 1), a multiple of 2^-32; numbers of the first 2^32 indexes are all different
 */
export function createUniform({ seed, place }) {
  const salt = finished(add(hashOf(place), seed));
  return (index) => finished(add(add(salt, index), Math.floor(index / 2 ** 32))) / 2 ** 32;
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
