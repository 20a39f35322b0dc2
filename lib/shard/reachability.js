import { isQueueError } from './queue.js';

/** Exchanges with a queue that may be unreachable for a while: agents go on meanwhile. */
export class Reachability {
  #limitMs;
  #now;
  /** instant of the last exchange that succeeded */
  #reachedAt;

  /** @param {{ limitMs: number, now?: () => number }} options limitMs: longest time without an exchange that succeeds */
  constructor({ limitMs, now = () => performance.now() }) {
    this.#limitMs = limitMs;
    this.#now = now;
    this.#reachedAt = now();
  }

  /**
   * @template T
   * @param {() => Promise<T>} exchange
   * @returns {Promise<T | null>} null: the queue was not reachable
   * @throws {Error} the queue was not reachable for too long, or it is another error
   */
  async attempt(exchange) {
    try {
      const result = await exchange();
      this.#reachedAt = this.#now();
      return result;
    } catch (error) {
      if (!isQueueError(error) || this.#now() - this.#reachedAt > this.#limitMs) throw error;
      return null;
    }
  }
}
