import { isQueueError } from './queue.js';

/** Exchanges with a queue that may be unreachable for a while: agents go on meanwhile. */
export class Reachability {
  #limitMs;
  #now;
  #warnMs;
  #onWarning;
  #hasWarned = false;
  /** the last exchange that ended did not succeed */
  hasFailed = false;
  /** instant of the last exchange that succeeded */
  #reachedAt;

  /**
   * @param {{ limitMs: number, warnMs?: number, onWarning?: (error: unknown) => void, now?: () => number }} options limitMs: longest time
   *   without an exchange that succeeds; warnMs: such a time after which `onWarning` is called once
   */
  constructor({ limitMs, warnMs = Infinity, onWarning = () => {}, now = () => performance.now() }) {
    this.#limitMs = limitMs;
    this.#warnMs = warnMs;
    this.#onWarning = onWarning;
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
      this.hasFailed = false;
      return result;
    } catch (error) {
      const silentMs = this.#now() - this.#reachedAt;
      if (!isQueueError(error) || silentMs > this.#limitMs) throw error;
      this.hasFailed = true;
      if (silentMs > this.#warnMs && !this.#hasWarned) {
        this.#hasWarned = true;
        this.#onWarning(error);
      }
      return null;
    }
  }
}
