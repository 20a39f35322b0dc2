import { orderOf } from './run-order.js';

/**
 * @import { RunOrder, Timed } from './run-order.js'
 *
 * @typedef {'pairs' | 'runs' | 'sequence' | 'noise' | 'none'} Method of the significance test
 *
 * @typedef {object} Known about the runs of two sides
 * @property {number[]} runs of each side
 * @property {number} fewest of a side
 * @property {boolean} isPaired run i of one side ran next to run i of the other
 * @property {RunOrder} order
 * @property {boolean} hasNoise the user knows how much runs differ by chance
 */

/** Values of each side that show how much they differ by chance. */
export const MIN_RUNS = 3;
/** The fewest runs that show whether neighbours in time are alike; with fewer, a drift was taken for a change in more than 5 % (bench/alarms.js). */
export const MIN_IN_SEQUENCE = 5;

/** The first row that suits decides. @type {{ method: Method, suits: (known: Known) => boolean, why?: string }[]} */
const TABLE = [
  {
    method: 'pairs',
    suits: ({ runs, fewest, isPaired, order }) =>
      isPaired && runs[0] === runs[1] && fewest >= MIN_RUNS && ['mixed', 'unknown'].includes(order),
  },
  { method: 'runs', suits: ({ fewest, order }) => fewest >= MIN_RUNS && order === 'mixed' },
  { method: 'sequence', suits: ({ fewest, order }) => fewest >= MIN_IN_SEQUENCE && order !== 'apart' },
  { method: 'noise', suits: ({ hasNoise }) => hasNoise },
  { method: 'none', suits: ({ runs }) => Math.max(...runs) === 1, why: 'each side has one run' },
  { method: 'none', suits: ({ fewest }) => fewest < MIN_RUNS, why: `a side has fewer than ${MIN_RUNS} runs` },
  {
    method: 'none',
    suits: ({ order }) => order === 'apart',
    why: 'the sides ran at different times, so the machine may have changed',
  },
  {
    method: 'none',
    suits: ({ order }) => order === 'unknown',
    why: `the order of the runs is not known, and a side has fewer than ${MIN_IN_SEQUENCE}`,
  },
  {
    method: 'none',
    suits: () => true,
    why: `one side ran before the other, and a side has fewer than ${MIN_IN_SEQUENCE} runs, so the machine may have drifted`,
  },
];

/**
 * Decides how two sides are tested, or why they cannot be.
 *
 * @param {Timed[]} bases
 * @param {Timed[]} others
 * @param {{ isPaired: boolean, hasNoise: boolean }} options
 * @returns {{ method: Method, why: string | null }}
 */
export function methodOf(bases, others, { isPaired, hasNoise }) {
  const runs = [bases.length, others.length];
  const known = { runs, fewest: Math.min(...runs), isPaired, hasNoise, order: orderOf(bases, others) };
  const row = TABLE.find(({ suits }) => suits(known));
  return { method: row?.method ?? 'none', why: row?.why ?? null };
}
