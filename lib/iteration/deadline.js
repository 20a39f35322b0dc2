import { makeError } from '../errors.js';

/**
 * @import { Clock } from '../run/clock.js'
 * @import { Connection } from '../transport/types.js'
 *
 * @typedef {'timeout' | 'cancelled'} Interruption
 * @typedef {(why: Interruption) => void} Interrupt ends a wait
 */

/**
 * The timeouts of one lane: of an exchange (for connecting, then for the whole), of a hook, or of nothing. Starting
 * one takes a few writes and no timer; {@link Deadlines} checks all of them. All times are instants of the clock in ms.
 */
export class Deadline {
  #clock;
  #remove;
  /** when the current wait times out; Infinity: never */
  #at = Infinity;
  /** standstills are credited from here on; Infinity: never, as for hooks */
  #since = Infinity;
  /** ms of standstill since then, added to `#at` */
  #credit = 0;
  /** limit of all waits of this lane, set when the run is over */
  #limit = Infinity;
  /** null: the lane does not wait @type {Interrupt | null} */
  #interrupt = null;

  /** of the current exchange @type {Connection | null} */
  #connection = null;
  #origin = '';
  #startedAt = 0;
  #timeoutMs = 0;
  #endsAt = Infinity;
  #connectTimeoutMs = 0;
  #connectFrom = 0;
  #connectBy = Infinity;

  /**
   * @param {Pick<Clock, 'now'>} clock
   * @param {(deadline: Deadline) => void} remove ends the checks of this deadline
   */
  constructor(clock, remove) {
    this.#clock = clock;
    this.#remove = remove;
  }

  /** The connection that the lane waits for, if any. */
  get connection() {
    return this.#connection;
  }

  /** When the last exchange started. */
  get startedAt() {
    return this.#startedAt;
  }

  /**
   * Starts the time of an exchange: for connecting first, then for the whole of it.
   *
   * @param {number} now
   * @param {number} timeoutMs 0: no limit
   * @param {number} connectTimeoutMs
   */
  startExchange(now, timeoutMs, connectTimeoutMs) {
    this.#startedAt = now;
    this.#timeoutMs = timeoutMs;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#endsAt = timeoutMs > 0 ? now + timeoutMs : Infinity;
    this.#since = now;
    this.#credit = 0;
    this.startConnect(now);
  }

  /**
   * Starts the time for connecting again: a redirect or a retry may need another connection.
   *
   * @param {number} now
   */
  startConnect(now) {
    this.#connectFrom = now;
    this.#connectBy = now + this.#connectTimeoutMs;
    this.#at = Math.min(this.#endsAt, this.#connectBy);
  }

  /**
   * Aborts this connection if the exchange times out or is cancelled.
   *
   * @param {Connection} connection
   * @param {string} origin for the message
   */
  watch(connection, origin) {
    this.#connection = connection;
    this.#origin = origin;
    this.#interrupt = this.#interruptExchange;
  }

  /**
   * @param {number} now
   * @returns {boolean} the exchange has used up its time
   */
  isExchangeOver(now) {
    return this.#endsAt + this.#credit <= now;
  }

  /** @returns {Error} E_TIMEOUT_REQUEST of the current exchange */
  requestTimeout() {
    return makeError('E_TIMEOUT_REQUEST', { ms: this.#timeoutMs });
  }

  /**
   * Starts any other wait: a hook, a pause. Standstills do not extend it.
   *
   * @param {number} at Infinity: no limit
   * @param {Interrupt} interrupt
   */
  start(at, interrupt) {
    this.#at = at;
    this.#interrupt = interrupt;
  }

  /** The wait is over. */
  end() {
    this.#at = Infinity;
    this.#since = Infinity;
    this.#credit = 0;
    this.#interrupt = null;
    this.#connection = null;
  }

  /**
   * Limits every later wait, whatever its own timeout is.
   *
   * @param {number} at
   */
  limitTo(at) {
    this.#limit = at;
  }

  /**
   * @param {number} now
   * @returns {boolean} the limit of {@link limitTo} has passed
   */
  isPastLimit(now) {
    return this.#limit <= now;
  }

  /**
   * @param {number} now
   * @returns {boolean} the current wait has to be interrupted
   */
  hasPassed(now) {
    return this.#interrupt !== null && (this.#at + this.#credit <= now || this.#limit <= now);
  }

  /** @param {Interruption} why */
  interrupt(why) {
    this.#interrupt?.(why);
  }

  /**
   * Extends the current exchange by the part of a standstill that it lost.
   *
   * @param {number} now
   * @param {number} standstillMs
   * @returns {boolean} the exchange would have timed out
   */
  extend(now, standstillMs) {
    const credit = Math.min(standstillMs, now - this.#since);
    if (this.#interrupt === null || !(credit > 0)) return false;
    const isSpared = this.#at + this.#credit <= now;
    this.#credit += credit;
    return isSpared;
  }

  /** The lane is closed. */
  remove() {
    this.#remove(this);
  }

  /** @type {Interrupt} */
  #interruptExchange = (why) => {
    const connection = /** @type {Connection} */ (this.#connection);
    const now = this.#clock.now();
    if (why === 'cancelled' || this.#limit <= now) connection.abort(makeError('E_CANCELLED'));
    else if (connection.isConnecting && this.#isConnectOver(now)) {
      const ms = Math.min(this.#timeoutMs || Infinity, this.#connectTimeoutMs);
      connection.abort(makeError('E_TIMEOUT_CONNECT', { origin: this.#origin, ms }));
    } else if (this.isExchangeOver(now)) connection.abort(this.requestTimeout());
    else this.#at = this.#endsAt;
  };

  /**
   * A later connection (of a redirect or a retry) that the end of the exchange cuts off counts as a request timeout.
   *
   * @type {(now: number) => boolean}
   */
  #isConnectOver(now) {
    return this.#connectFrom === this.#startedAt || this.#connectBy + this.#credit <= now;
  }
}
