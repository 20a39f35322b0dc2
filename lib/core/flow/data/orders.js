import { createRandom, createUniform } from '../../ground/random.js';

/**
 * Which row an iteration gets: a function of INDEX, so that threads and machines need not share a position.
 *
 * @typedef {object} Order
 * @property {string} name
 * @property {string} about
 * @property {(count: number, from: { seed: number, place: string }) => (index: number) => number} create makes the
 *   function that returns the row of an INDEX; a number that is not below `count` means that there is none
 */

/** @type {Order[]} */
export const ORDERS = [
  {
    name: 'sequential',
    about: 'row INDEX, and the first row again after the last one',
    create: (count) => (index) => index % count,
  },
  {
    name: 'shuffled',
    about: 'each row once in an order that depends on the seed, then in the same order again',
    create(count, { seed, place }) {
      const at = shuffled(count, seed, place);
      return (index) => at[index % count];
    },
  },
  {
    name: 'random',
    about: 'any row, which depends on the seed and INDEX',
    create(count, from) {
      const uniform = createUniform(from);
      return (index) => Math.floor(uniform(index) * count);
    },
  },
  {
    name: 'unique',
    about: 'row INDEX, each row once: see whenEmpty',
    create: () => (index) => index,
  },
];

/** Shuffles the row numbers (Fisher and Yates). @type {(count: number, seed: number, place: string) => Uint32Array} */
function shuffled(count, seed, place) {
  const random = createRandom(createUniform({ seed, place })(0) * 2 ** 32);
  const rows = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [rows[i], rows[j]] = [rows[j], rows[i]];
  }
  return rows;
}
