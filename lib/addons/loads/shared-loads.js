/** @import { IndexAllocator, Load } from '../../core/run/types.js' */

/**
 * The delay between the end of a load and the start of those after it, ms, so that all threads know of the end in time.
 */
const LEAD_MS = 10;
/** Threads read the end this often, ms. */
export const READ_MS = LEAD_MS / 2;

/** Creates the memory of {@link SharedLoads}. @type {(loads: number) => SharedArrayBuffer} */
export function loadsMemory(loads) {
  return new SharedArrayBuffer((2 * loads + 1) * BigInt64Array.BYTES_PER_ELEMENT);
}

/**
 * Shares the end of each load, for those that start after it, and the requests left of `maxRequests` among all threads.
 * A load has ended when all threads have ended their parts. Times are ms after the start of the run.
 */
export class SharedLoads {
  /**
   * For each load how many threads have ended it, plus one when its end is written; then for each load its end,
   * microseconds; and at last the requests of the run that were taken.
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

  /**
   * Counts a thread that has ended its share of the load at a position.
   * @type {(position: number, ms: number) => void}
   */
  end(position, ms) {
    const isLast = Atomics.add(this.#words, position, 1n) + 1n === this.#threads;
    if (!isLast) return;
    Atomics.store(this.#words, this.#loads + position, BigInt(Math.round(1000 * ms)));
    Atomics.add(this.#words, position, 1n);
  }

  /**
   * Reports whether all threads have ended their shares of the load at a position.
   * @type {(position: number) => boolean}
   */
  hasEnded(position) {
    return Atomics.load(this.#words, position) > this.#threads;
  }

  /** Returns when a load starts; Infinity: not known yet. @type {(load: Pick<Load, 'from' | 'after'>) => number} */
  startOf({ from, after }) {
    if (after === null) return from;
    if (!this.hasEnded(after)) return Infinity;
    return Number(Atomics.load(this.#words, this.#loads + after)) / 1000 + LEAD_MS + from;
  }

  /**
   * Hands out indexes while `most` requests are left for all loads; then Infinity, which is never due. An iteration
   * makes `requests`; one that the load does not have any more (`isDue`) makes none.
   * @type {(indexes: IndexAllocator, limit: { requests: number, most: number, isDue: (index: number) => boolean }) =>
   *   IndexAllocator}
   */
  limited(indexes, { requests, most, isDue }) {
    return {
      ...indexes,
      // No virtual user pauses before an iteration that cannot start.
      count: () => (this.#requestsTaken + requests <= most ? indexes.count() : Infinity),
      next: () => {
        if (!isDue(indexes.count())) return indexes.next();
        if (!this.#take(requests, most)) return Infinity;
        const index = indexes.next();
        // Another thread took the last one meanwhile.
        if (!isDue(index)) this.#take(-requests, Infinity);
        return index;
      },
    };
  }

  /**
   * Takes requests, all or none; a negative number returns them.
   * @type {(requests: number, most: number) => boolean} false: fewer are left
   */
  #take(requests, most) {
    for (let taken = this.#requestsTaken; taken + requests <= most; taken = this.#requestsTaken) {
      const before = Atomics.compareExchange(this.#words, 2 * this.#loads, BigInt(taken), BigInt(taken + requests));
      if (Number(before) === taken) return true;
    }
    return false;
  }

  get #requestsTaken() {
    return Number(Atomics.load(this.#words, 2 * this.#loads));
  }
}
