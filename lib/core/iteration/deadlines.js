import { createRequire } from 'node:module';

import { makeError } from '../ground/errors.js';
import { SuspendedTime } from '../process/stops.js';
import { TIMES, createTimes } from './lane-times.js';

/** @import { Clock, ReadDelay } from '../contracts/clock.js' */
/** @import { Connection } from '../contracts/connection.js' */
/** @import { Lane } from './lane.js' */
/** @import { Sleepers } from './sleepers.js' */

const Time = TIMES;

const requireHere = createRequire(import.meta.url);

/** Many loads have no pauses. @type {() => typeof import('./sleepers.js')} */
export const loadSleepers = () => requireHere('./sleepers.js');

const TICK_MS = 5;
/** A tick that is this late means a stall: the thread ran no code, or one piece of it. Shorter delays are ordinary. */
const STALL_MS = 25;

/**
 * Checks the deadlines of all lanes every 5 ms, with one coarse timer instead of a timer per request.
 *
 * Timers run before sockets are read, so a response that arrived during a stall of this thread is still unread
 * then. Two rules keep the stall from being counted as the server's time: a passed deadline interrupts only after
 * sockets have been read once more, and deadlines of exchanges are extended by the length of the stall.
 */
export class Deadlines {
  #clock;
  /** @type {Set<Deadline>} */
  #all = new Set();
  /** No deadline passes before this instant. */
  #nextAt = Infinity;
  #lastTick;
  #readDelay;
  /** Returns the time so far in which the thread ran, or waited for a CPU. */
  #runnableMs;
  /** That time at the last tick; null: no lane has a limit, so it is not needed. @type {number | null} */
  #ranMs = null;
  #suspended = new SuspendedTime();
  #stop;
  /** @type {(() => void) | null} */
  #cancelCheck = null;
  /** @type {Sleepers | null} */
  #sleepers = null;
  /** The longest stall in ms, and how many deadlines that passed during one were extended; written only here. */
  stall = { longest: 0, extendedTimeouts: 0 };

  /**
   * @param {Clock} clock
   * @param {object} [thread]
   * @param {Pick<ReadDelay, 'tick'>} [thread.readDelay] what else needs the ticks
   * @param {() => number} [thread.runnableMs] time so far in which the thread ran, or waited for a CPU
   */
  constructor(clock, { readDelay, runnableMs = () => clock.now() } = {}) {
    this.#clock = clock;
    this.#readDelay = readDelay;
    this.#runnableMs = runnableMs;
    this.#lastTick = clock.now();
    this.#stop = clock.every(() => this.#tick(), TICK_MS);
  }

  /** Adds the deadline of a new lane. @type {(times: number[]) => Deadline} */
  add(times) {
    const deadline = new Deadline(this, times);
    this.#all.add(deadline);
    return deadline;
  }

  /** Removes the deadline of a closed lane. @type {(deadline: Deadline) => void} */
  remove(deadline) {
    this.#all.delete(deadline);
  }

  /** Notes that a wait has begun, and when it may have to be interrupted. @type {(at: number) => void} */
  expect(at) {
    if (at < this.#nextAt) this.#nextAt = at;
  }

  /**
   * A lane has a limit: from now on the time in which the thread ran is recorded, so that a suspension of the process
   * is recognized.
   * @type {(at: number) => void}
   */
  limit(at) {
    if (Number.isFinite(at)) this.#ranMs ??= this.#runnableMs();
    this.expect(at);
  }

  /** Discards earlier stalls. */
  restart() {
    this.stall.longest = this.stall.extendedTimeouts = 0;
    this.#lastTick = this.#clock.now();
  }

  /** The lanes that pause within their iterations, or wait for their turns. */
  get sleepers() {
    return (this.#sleepers ??= new (loadSleepers().Sleepers)(this.#clock, (lane, instant) => lane.pauseEnded(instant)));
  }

  close() {
    this.#stop();
    this.#cancelCheck?.();
    this.#sleepers?.close();
  }

  #tick() {
    const now = this.#clock.now();
    this.#readDelay?.tick(now);
    const lateMs = now - this.#lastTick - TICK_MS;
    this.#lastTick = now;
    if (this.#ranMs !== null) this.#postponeLimits(now, lateMs, this.#ranMs);
    if (lateMs >= STALL_MS) this.#extendAll(now, lateMs);
    const isChecking = this.#cancelCheck !== null;
    if (now < this.#nextAt || isChecking) return;
    let next = Infinity;
    for (const deadline of this.#all) {
      if (deadline.hasPassed(now)) {
        this.#cancelCheck = this.#clock.afterReads(() => this.#interruptPassed(now));
        return;
      }
      next = Math.min(next, deadline.at);
    }
    this.#nextAt = next;
  }

  /** @type {(now: number, stallMs: number) => void} */
  #extendAll(now, stallMs) {
    this.stall.longest = Math.max(this.stall.longest, stallMs);
    for (const deadline of this.#all) if (deadline.extend(now, stallMs)) this.stall.extendedTimeouts++;
  }

  /** @type {(now: number, lateMs: number, ranMs: number) => void} */
  #postponeLimits(now, lateMs, ranMs) {
    this.#ranMs = this.#runnableMs();
    const suspendedMs = this.#suspended.find(lateMs, this.#ranMs - ranMs);
    if (suspendedMs === 0) return;
    for (const deadline of this.#all) deadline.postponeLimit(now, suspendedMs);
  }

  /**
   * Interrupts the waits that are over. Deadlines that passed since the tick wait for the next one, as reading may have
   * been a stall.
   * @type {(tick: number) => void}
   */
  #interruptPassed(tick) {
    this.#cancelCheck = null;
    for (const deadline of this.#all) if (deadline.hasPassed(tick)) deadline.interrupt('timeout', tick);
  }
}

/**
 * Returns when the time of a request that was asked for at an instant begins: when it is handed to the socket, since
 * requests are written in groups, whose wait is no time of the service's. A request that has to wait for a connection
 * begins when it was asked for.
 * @type {(connection: Pick<Connection, 'wasSent' | 'connectedAt' | 'sentAt'>, askedAt: number) => number}
 */
export function beganAt({ wasSent, connectedAt, sentAt }, askedAt) {
  return wasSent && connectedAt === 0 ? sentAt : askedAt;
}

/** @typedef {'timeout' | 'cancelled'} Interruption */
/** @typedef {(why: Interruption, now: number) => void} Interrupt ends a wait; `now`: the instant of the check */

/**
 * The timeouts of one lane: of an exchange (for connecting, then for the whole), of a hook, or of nothing. {@link
 * Deadlines} checks all of them. All times are instants of the clock in ms.
 *
 * Starting one takes a few writes and no timer. Of an exchange only its start is written: with 1,000 lanes, each write
 * costs more than the sums when it is checked.
 */
export class Deadline {
  #all;
  #times;
  /** It interrupts the wait; null: the lane does not wait. @type {Interrupt | null} */
  #interrupt = null;
  /** The lane waits for an exchange, not for a hook or a pause. */
  #isExchange = false;
  /** The connection of the current exchange. @type {Connection | null} */
  #connection = null;
  #origin = '';
  /** 0: no limit */
  #timeoutMs = 0;
  #connectTimeoutMs = 0;
  /** It was connected in time, as a check has found: no check is needed before the end of the exchange. */
  #isConnected = false;

  /**
   * @param {Pick<Deadlines, 'remove' | 'expect' | 'limit' | 'sleepers'>} all those that are checked together
   * @param {number[]} [times] of the lane
   */
  constructor(all, times = createTimes()) {
    this.#all = all;
    this.#times = times;
  }

  get startedAt() {
    return this.#times[Time.STARTED];
  }

  get connection() {
    return this.#connection;
  }

  /** Returns when its last request started, after redirects and retries. */
  get requestedAt() {
    return this.#times[Time.STARTED] + this.#times[Time.CONNECT_AFTER];
  }

  /** Returns when the current wait has to be interrupted; Infinity: never. */
  get at() {
    const limit = this.#times[Time.LIMIT];
    if (!this.#isExchange) return Math.min(this.#times[Time.UNTIL], limit);
    return Math.min(this.#endsAt, this.#isConnected ? Infinity : this.#connectBy, limit);
  }

  /** Returns when the current exchange times out. */
  get #endsAt() {
    const times = this.#times;
    return this.#timeoutMs > 0 ? times[Time.STARTED] + this.#timeoutMs + times[Time.CREDIT] : Infinity;
  }

  /** Returns when the current connection times out. */
  get #connectBy() {
    return this.requestedAt + this.#connectTimeoutMs + this.#times[Time.CREDIT];
  }

  /** 0: there is no limit. @type {(now: number, timeoutMs: number, connectTimeoutMs: number) => void} */
  startExchange(now, timeoutMs, connectTimeoutMs) {
    this.#isExchange = true;
    this.#times[Time.STARTED] = now;
    this.#timeoutMs = timeoutMs;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#isConnected = false;
    this.#times[Time.CONNECT_AFTER] = this.#times[Time.CREDIT] = 0;
    this.#all.expect(now + (timeoutMs > 0 && timeoutMs < connectTimeoutMs ? timeoutMs : connectTimeoutMs));
  }

  /** Starts the time to connect again: a redirect or a retry may need it. @type {(now: number) => void} */
  startConnect(now) {
    this.#times[Time.CONNECT_AFTER] = now - this.startedAt;
    this.#isConnected = false;
    this.#all.expect(this.at);
  }

  /** Continues the time of the exchange after another wait, with a new connection. @type {(now: number) => void} */
  resumeExchange(now) {
    this.#isExchange = true;
    this.startConnect(now);
  }

  /** The message of a timeout names the origin. @type {(connection: Connection, origin: string) => void} */
  applyTo(connection, origin) {
    this.#connection = connection;
    this.#origin = origin;
    this.#interrupt = this.#interruptExchange;
  }

  /** Reports whether the exchange has used up its time. @type {(now: number) => boolean} */
  isExchangeOver(now) {
    return this.#endsAt <= now;
  }

  /** Returns the time that the exchange has left, ms. @type {(now: number) => number} */
  leftMs(now) {
    return Math.max(0, this.#endsAt - now);
  }

  /** Creates the error of an exchange that has used up its time: E_TIMEOUT_REQUEST, unless it is a call. */
  requestTimeout() {
    return makeError(this.#connection?.timeoutCode ?? 'E_TIMEOUT_REQUEST', { ms: this.#timeoutMs });
  }

  /** A hook or a pause; Infinity: without limit. @type {(at: number, interrupt: Interrupt) => void} */
  start(at, interrupt) {
    this.#isExchange = false;
    this.#connection = null;
    this.#times[Time.UNTIL] = at;
    this.#interrupt = interrupt;
    this.#all.expect(at);
  }

  /** The same of a pause, which ends by itself. @type {(lane: Lane, ms: number, interrupt: Interrupt) => void} */
  startPause(lane, ms, interrupt) {
    this.start(Infinity, interrupt);
    this.#times[Time.WAKES] = this.#all.sleepers.add(lane, ms);
  }

  end() {
    if (!this.#isExchange) this.#times[Time.UNTIL] = Infinity;
    this.#isExchange = false;
    this.#interrupt = null;
    this.#connection = null;
  }

  /** Limits every later wait, whatever its own timeout is. @type {(at: number) => void} */
  limitTo(at) {
    this.#times[Time.LIMIT] = at;
    this.#all.limit(at);
  }

  removeLimit() {
    this.#times[Time.LIMIT] = Infinity;
  }

  /** The limit of {@link limitTo} left no time. */
  get isAborted() {
    return this.#times[Time.LIMIT] === -Infinity;
  }

  /** The process was suspended: not a part of a teardown's time. @type {(now: number, suspendedMs: number) => void} */
  postponeLimit(now, suspendedMs) {
    if (this.#times[Time.LIMIT] > now - suspendedMs) this.#times[Time.LIMIT] += suspendedMs;
  }

  /** Reports whether the limit of {@link limitTo} has passed. @type {(now: number) => boolean} */
  isPastLimit(now) {
    return this.#times[Time.LIMIT] <= now;
  }

  /** Reports whether the current wait has to be interrupted. @type {(now: number) => boolean} */
  hasPassed(now) {
    return this.#interrupt !== null && this.at <= now;
  }

  /** What is later than `now` may be a stall. @type {(why: Interruption, now: number) => void} */
  interrupt(why, now) {
    this.#interrupt?.(why, now);
  }

  /** A stall does not count; true: it would have timed out. @type {(now: number, stallMs: number) => boolean} */
  extend(now, stallMs) {
    const credit = Math.min(stallMs, now - this.startedAt);
    if (this.#interrupt === null || !this.#isExchange || !(credit > 0)) return false;
    const isSpared = this.at <= now;
    this.#times[Time.CREDIT] += credit;
    return isSpared;
  }

  remove() {
    this.#all.remove(this);
  }

  /** @type {Interrupt} */
  #interruptExchange(why, now) {
    const connection = /** @type {Connection} */ (this.#connection);
    if (why === 'cancelled' || this.isPastLimit(now)) connection.abort(makeError('E_CANCELLED'));
    else if (connection.isConnecting && this.#isConnectOver(now)) {
      const ms = Math.min(this.#timeoutMs || Infinity, this.#connectTimeoutMs);
      connection.abort(makeError('E_TIMEOUT_CONNECT', { origin: this.#origin, ms }));
    } else if (this.isExchangeOver(now)) connection.abort(this.requestTimeout());
    // The time to connect has passed, but it is connected: from now on only the end of the exchange counts.
    else this.#isConnected = true;
  }

  /**
   * Reports whether the time to connect is over. A later connection (of a redirect or a retry) that the end of the
   * exchange cuts off counts as a request timeout.
   * @type {(now: number) => boolean}
   */
  #isConnectOver(now) {
    return this.#times[Time.CONNECT_AFTER] === 0 || this.#connectBy <= now;
  }
}
