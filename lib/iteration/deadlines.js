import { SuspendedTime } from '../suspended-time.js';
import { Deadline } from './deadline.js';

/**
 * @import { Clock } from '../run/clock.js'
 * @import { ReadDelay } from '../run/load/read-delay.js'
 */

const TICK_MS = 5;
/** a tick that is this late is a standstill; shorter delays are ordinary turns of a busy event loop */
const STANDSTILL_MS = 25;

/**
 * Checks the deadlines of all lanes every 5 ms, with one coarse timer instead of a timer per request.
 *
 * Timers run before sockets are read, so a response that arrived during a standstill of this thread is still unread then.
 * Two rules keep the standstill from being counted as the server's time: a passed deadline interrupts only after
 * sockets have been read once more, and deadlines of exchanges are extended by the length of the standstill.
 */
export class Deadlines {
  #clock;
  /** @type {Set<Deadline>} */
  #all = new Set();
  /** no deadline passes before this instant */
  #nextAt = Infinity;
  #lastTick;
  #readDelay;
  #runnableMs;
  /** at the last tick; null: no lane has a limit @type {number | null} */
  #ranMs = null;
  #suspended = new SuspendedTime();
  #stop;
  /** @type {(() => void) | null} */
  #cancelCheck = null;
  /** the longest in ms, and how many deadlines that passed during one were extended; written only here */
  standstills = { longest: 0, spared: 0 };

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

  /** @returns {Deadline} of a new lane */
  add() {
    const deadline = new Deadline(this);
    this.#all.add(deadline);
    return deadline;
  }

  /** @param {Deadline} deadline of a closed lane */
  remove(deadline) {
    this.#all.delete(deadline);
  }

  /** A wait has begun. @param {number} at when it may have to be interrupted */
  expect(at) {
    if (at < this.#nextAt) this.#nextAt = at;
  }

  /**
   * A lane has a limit: from now on the time in which code ran is recorded, so that a suspension of the process is recognized.
   *
   * @param {number} at
   */
  limit(at) {
    if (Number.isFinite(at)) this.#ranMs ??= this.#runnableMs();
    this.expect(at);
  }

  /** Discards earlier standstills. */
  restart() {
    this.standstills.longest = this.standstills.spared = 0;
    this.#lastTick = this.#clock.now();
  }

  close() {
    this.#stop();
    this.#cancelCheck?.();
  }

  #tick() {
    const now = this.#clock.now();
    this.#readDelay?.tick(now);
    const lateMs = now - this.#lastTick - TICK_MS;
    this.#lastTick = now;
    if (this.#ranMs !== null) this.#postponeLimits(now, lateMs, this.#ranMs);
    if (lateMs >= STANDSTILL_MS) this.#extendAll(now, lateMs);
    if (now < this.#nextAt || this.#cancelCheck) return;
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

  /** @type {(now: number, standstillMs: number) => void} */
  #extendAll(now, standstillMs) {
    this.standstills.longest = Math.max(this.standstills.longest, standstillMs);
    for (const deadline of this.#all) if (deadline.extend(now, standstillMs)) this.standstills.spared++;
  }

  /** @type {(now: number, lateMs: number, ranMs: number) => void} */
  #postponeLimits(now, lateMs, ranMs) {
    this.#ranMs = this.#runnableMs();
    const suspendedMs = this.#suspended.find(lateMs, this.#ranMs - ranMs);
    if (suspendedMs === 0) return;
    for (const deadline of this.#all) deadline.postponeLimit(now, suspendedMs);
  }

  /** What passed since the tick waits for the next one, as reading may have been a standstill. @type {(tick: number) => void} */
  #interruptPassed(tick) {
    this.#cancelCheck = null;
    for (const deadline of this.#all) if (deadline.hasPassed(tick)) deadline.interrupt('timeout', tick);
  }
}
