/** @import { LoggedRequest } from '../../core/iteration/exchange-record.js' */

/** The rate of requests is measured anew after this time, ms. */
const WINDOW_MS = 100;

/**
 * Selects requests at random, as many per second as were asked for. The requests are taken in blocks of equal size, and
 * of each block one is selected, which stands for the block: figures that are weighted so are not biased, whatever
 * order the operations of a flow have. With every block of one request, all are selected.
 *
 * Within a block each request replaces the selected one with the probability 1/n, where n is its number in the block
 * (a reservoir of one: Vitter, 1985). So a block can end after any request, and its weight is the requests that it had.
 */
export class Sampler {
  /** Requests that may be selected in a window. */
  #most;
  #random;
  /** After this time a block ends even if it is not complete. */
  #mostMs;
  /** Requests of the current block when it is complete. */
  #size = 1;
  /** The size of the next block. */
  #nextSize = 1;
  /** Requests of the block until now. */
  #count = 0;
  /** The number of the request in the block that is selected next. */
  #next = 1;
  /** The start of the window, the requests in it, and the blocks that have ended in it. */
  #windowFrom = -Infinity;
  #seen = 0;
  #taken = 0;
  /** After this many blocks of a window, the next one has twice the size. */
  #limit;
  /** The selected request of the block. @type {LoggedRequest | null} */
  held = null;
  /** When the block ends even if it is not complete, instant of the clock. */
  dueAt = Infinity;

  /**
   * @param {number} perSecond Infinity: all of them
   * @param {() => number} random
   */
  constructor(perSecond, random) {
    this.#most = (perSecond * WINDOW_MS) / 1000;
    this.#limit = this.#most;
    this.#random = random;
    // There are not more lines per second than blocks that are complete.
    this.#mostMs = Math.max(WINDOW_MS, 1000 / perSecond);
  }

  /** Reports whether the current block has all its requests. @type {boolean} */
  get isComplete() {
    return this.#count === this.#size;
  }

  /**
   * Counts a request, and reports whether it is selected, instead of an earlier one of its block. `now` is an instant
   * of the clock.
   * @type {(now: number) => boolean}
   */
  selects(now) {
    if (now - this.#windowFrom >= WINDOW_MS) this.#measure(now);
    this.#seen++;
    if (this.#count === 0) this.#begin(now);
    if (++this.#count !== this.#next) return false;
    // P(next > n) = count / n
    if (this.#size > 1) this.#next = Math.ceil(this.#count / this.#random());
    return true;
  }

  /** @type {(now: number) => void} */
  #begin(now) {
    this.#size = this.#nextSize;
    this.#next = 1;
    if (this.#size > 1) this.dueAt = now + this.#mostMs;
  }

  /** Ends the block, and returns how many requests the selected one stands for. @type {() => number} */
  end() {
    const weight = this.#count;
    this.#count = 0;
    this.held = null;
    this.dueAt = Infinity;
    if (++this.#taken >= this.#limit) this.#enlarge();
    return weight;
  }

  /** Ends a window: its rate decides the size of the blocks of the next one. @type {(now: number) => void} */
  #measure(now) {
    const expected = (this.#seen * WINDOW_MS) / (now - this.#windowFrom);
    this.#nextSize = Math.max(1, Math.ceil(expected / this.#most));
    this.#windowFrom = now;
    this.#seen = 0;
    this.#taken = 0;
    this.#limit = this.#most;
  }

  /** Enlarges the blocks if the rate rises within a window. */
  #enlarge() {
    this.#nextSize = this.#size * 2;
    this.#limit += this.#most / 2;
  }
}
