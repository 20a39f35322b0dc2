/** @import { IndexAllocator, Load } from '../types.js' */

/**
 * A load that starts after another one starts this much later than that has ended, so that all threads know it in time.
 */
const LEAD_MS = 10;
/** The end is read this often. */
export const READ_MS = LEAD_MS / 2;

/**
 * What the loads of a run share, in all threads: when one has ended that others start after, and the requests that are
 * left of `maxRequests`. A load has ended when its part of each thread has. Times are ms after the start of the run.
 */
export class SharedLoads {
  /**
   * For each load the threads that have ended it, and then one more; for each its end, microseconds; and the requests
   * that were taken.
   */
  #words;
  #loads;
  #threads;

  /**
   * @param {SharedArrayBuffer} memory of {@link loadsMemory}
   * @param {number} threads that generate the loads
   */
  constructor(memory, threads) {
    this.#words = new BigInt64Array(memory);
    this.#loads = (this.#words.length - 1) / 2;
    this.#threads = BigInt(threads);
  }

  /** A thread has ended its part of the load at a place. @type {(place: number, ms: number) => void} */
  end(place, ms) {
    const isLast = Atomics.add(this.#words, place, 1n) + 1n === this.#threads;
    if (!isLast) return;
    Atomics.store(this.#words, this.#loads + place, BigInt(Math.round(1000 * ms)));
    Atomics.add(this.#words, place, 1n);
  }

  /**
   * Returns when a load starts; Infinity: the one before it has not ended.
   * @type {(load: Pick<Load, 'from' | 'after'>) => number}
   */
  startOf({ from, after }) {
    if (after === null) return from;
    const hasEnded = Atomics.load(this.#words, after) > this.#threads;
    return hasEnded ? Number(Atomics.load(this.#words, this.#loads + after)) / 1000 + LEAD_MS + from : Infinity;
  }

  /**
   * Hands out indexes while `most` requests are left for all loads; then Infinity. An iteration makes `requests`.
   * @type {(indexes: IndexAllocator, requests: number, most: number) => IndexAllocator}
   */
  limited(indexes, requests, most) {
    const taken = 2 * this.#loads;
    return {
      ...indexes,
      next: () =>
        Number(Atomics.add(this.#words, taken, BigInt(requests))) + requests <= most ? indexes.next() : Infinity,
    };
  }
}
