/** Creates a seeded generator in [0, 1) (mulberry32, Tommy Ettinger). @type {(seed: number) => () => number} */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Creates a uniform number in [0, 1) for each INDEX, a multiple of 2^-32; those of the first 2^32 indexes are all
 * different, and those of different places independent. It is a function of INDEX, the seed and its place in the flow,
 * so a run repeats exactly with any number of workers: MurmurHash3 by Austin Appleby (public domain), which needs no
 * state that threads would have to share.
 * @type {(from: { seed: number, place: string }) => (index: number) => number}
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

/** Mixes the bits at the end, so that similar inputs have unlike results. @type {(hash: number) => number} */
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

/**
 * Chooses one of several alternatives for each iteration, and returns its position: in turn if none has a weight,
 * otherwise by weight (1 by default). The choice is a function of INDEX, the seed and its place in the flow, so a run
 * repeats exactly with any number of workers, and choices at different places are independent.
 * @type {(weights: (number | undefined)[], from: { seed: number, place: string }) => (index: number) => number}
 */
export function createChoice(weights, { seed, place }) {
  const count = weights.length;
  if (weights.every((weight) => weight === undefined)) return (index) => index % count;
  // Divided by the largest one, because the sum of the weights may overflow.
  const largest = weights.reduce((/** @type {number} */ most, weight = 1) => Math.max(most, weight), 0);
  let total = 0;
  const bounds = weights.map((weight = 1) => (total += weight / largest));
  const uniform = createUniform({ seed, place });
  return (index) => {
    const at = uniform(index) * total;
    // The first alternative whose bound is above; the sum of the weights may be rounded: the last one has no bound.
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
