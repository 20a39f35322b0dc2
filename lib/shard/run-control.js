import { KEYS, PROTOCOL } from './protocol.js';

/**
 * @import { Redis } from 'ioredis'
 * @import { Control } from './protocol.js'
 * @import { Timing } from './timing.js'
 */

/** What all agents of a run shall do: a key that expires unless it is renewed, so that agents stop when its coordinator has gone. */
export class RunControl {
  #key;
  #timing;
  /** set when it is open @type {Redis | null} */
  #redis = null;
  /** @type {Control} */
  #value = { protocol: PROTOCOL, order: 'prepare', startAt: null, reason: null, within: null, dropped: [] };
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isClosed = false;
  /** why the last renewal failed; null if it did not @type {unknown} */
  error = null;

  /**
   * @param {string} run
   * @param {Pick<Timing, 'renewMs' | 'controlMs'>} timing
   */
  constructor(run, timing) {
    this.#key = KEYS.control(run);
    this.#timing = timing;
  }

  /** @returns {Readonly<Control>} */
  get value() {
    return this.#value;
  }

  /** Agents can read it. */
  get isOpen() {
    return this.#redis !== null;
  }

  /** The run was asked to end. */
  get isStopped() {
    return this.#value.order === 'stop' || this.#value.order === 'abort';
  }

  /**
   * Writes it, and renews it until it is closed.
   *
   * @param {Redis} redis
   * @throws {Error} of Redis: it was not written
   */
  async open(redis) {
    this.#redis = redis;
    await this.#write();
    if (!this.#isClosed) this.#timer = setInterval(() => void this.#renew(), this.#timing.renewMs);
  }

  /** A start that was agreed on while the run was asked to end is not ordered. @type {(change: Partial<Control>) => void} */
  change(change) {
    if (change.order === 'start' && this.isStopped) return;
    this.#value = { ...this.#value, ...change };
    if (this.isOpen && !this.#isClosed) void this.#renew();
  }

  close() {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  async #renew() {
    try {
      await this.#write();
      this.error = null;
    } catch (error) {
      this.error = error;
    }
  }

  async #write() {
    const redis = /** @type {Redis} */ (this.#redis);
    await redis.set(this.#key, JSON.stringify(this.#value), 'PX', this.#timing.controlMs);
  }
}
