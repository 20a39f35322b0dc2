/** the rate of requests is measured anew after this time, ms */
const WINDOW_MS = 100;

/**
 * Selects requests at random, as many per second as were asked for. The requests are taken in blocks of equal size, and of
 * each block one is selected, which stands for the block: figures that are weighted so are not biased, whatever order the
 * operations of a flow have. With every block of one request, all are selected.
 */
export class Sampler {
  #most;
  #random;
  /** requests in the current block, and in the next one */
  #size = 1;
  #nextSize = 1;
  /** requests of the current block that are still to come */
  #left = 0;
  /** the one of them that is selected, counted from the end */
  #selected = 0;
  #windowFrom = -Infinity;
  #seen = 0;
  #taken = 0;
  /** blocks of twice the size are needed from here on */
  #limit;

  /**
   * @param {number} perSecond Infinity: all of them
   * @param {() => number} random
   */
  constructor(perSecond, random) {
    this.#most = (perSecond * WINDOW_MS) / 1000;
    this.#limit = this.#most;
    this.#random = random;
  }

  /**
   * @param {number} now instant of the clock
   * @returns {number} how many requests this one stands for; 0: it is not selected
   */
  take(now) {
    if (now - this.#windowFrom >= WINDOW_MS) this.#measure(now);
    this.#seen++;
    if (this.#left === 0) {
      this.#size = this.#nextSize;
      this.#left = this.#size;
      this.#selected = this.#size === 1 ? 1 : 1 + Math.floor(this.#random() * this.#size);
    }
    if (this.#left-- !== this.#selected) return 0;
    const weight = this.#size;
    if (++this.#taken >= this.#limit) this.#enlarge();
    return weight;
  }

  /** @type {(now: number) => void} */
  #measure(now) {
    const expected = (this.#seen * WINDOW_MS) / (now - this.#windowFrom);
    this.#nextSize = Math.max(1, Math.ceil(expected / this.#most));
    this.#windowFrom = now;
    this.#seen = 0;
    this.#taken = 0;
    this.#limit = this.#most;
  }

  /** The rate rises within a window. */
  #enlarge() {
    this.#nextSize = this.#size * 2;
    this.#limit += this.#most / 2;
  }
}
