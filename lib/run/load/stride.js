import { WHOLE } from '../options/shard.js';

/** @import { Shard } from '../options/shard.js' */

/**
 * The iterations of a shard: shard i of n takes INDEX i - 1, i - 1 + n, i - 1 + 2n, … So each INDEX runs once in all shards,
 * and a schedule, which is a function of INDEX, needs no messages between them.
 */
export class Stride {
  #first;
  #step;
  /** the first INDEX of a part that was taken over; null: the shard begins with its run */
  from;

  /** @param {Shard} [shard] */
  constructor({ number, of, from = undefined } = WHOLE) {
    this.#first = number - 1;
    this.#step = of;
    this.from = from ?? null;
  }

  /** The INDEX of the shard's own iteration k. @type {(k: number) => number} */
  indexOf(k) {
    return this.#first + k * this.#step;
  }

  /** The k of an INDEX of this shard. @type {(index: number) => number} */
  positionOf(index) {
    return (index - this.#first) / this.#step;
  }

  /** How many of the first iterations of the run belong to this shard. @type {(count: number) => number} */
  countOf(count) {
    return Math.max(0, Math.ceil((count - this.#first) / this.#step));
  }
}
