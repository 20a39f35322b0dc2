/**
 * @import { Clock } from '../clock.js'
 *
 * @typedef {object} Waiting
 * @property {number} at instant of the clock
 * @property {() => void} wake
 */

/**
 * Wakes lanes at the instants that they wait for: never early, and on an idle machine less than a millisecond late.
 * Instants never decrease from call to call, so a queue and a single timer suffice.
 */
export class Pacer {
  #clock;
  /** @type {Waiting[]} */
  #queue = [];
  #first = 0;
  #cancelTimer = () => {};

  /** @param {Clock} clock */
  constructor(clock) {
    this.#clock = clock;
  }

  /**
   * @param {number} at instant of the clock
   * @returns {Promise<void>}
   */
  until(at) {
    return new Promise((wake) => {
      if (this.#queue.push({ at, wake }) - this.#first === 1) this.#startTimer();
    });
  }

  /** Wakes all waiting lanes, because no iteration will start any more. */
  wakeAll() {
    this.#cancelTimer();
    const waiting = this.#queue.slice(this.#first);
    this.#clear();
    for (const { wake } of waiting) wake();
  }

  #startTimer() {
    const ms = Math.ceil(this.#queue[this.#first].at - this.#clock.now());
    this.#cancelTimer = this.#clock.after(this.#wakeDue, Math.max(1, ms));
  }

  #wakeDue = () => {
    const now = this.#clock.now();
    while (this.#first < this.#queue.length && this.#queue[this.#first].at <= now) this.#queue[this.#first++].wake();
    if (this.#first === this.#queue.length) this.#clear();
    else this.#startTimer();
  };

  #clear() {
    this.#queue = [];
    this.#first = 0;
  }
}
