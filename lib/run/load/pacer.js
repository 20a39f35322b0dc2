import { availableCores } from '../options/machine.js';

/** @import { Clock } from '../../contracts/clock.js' */
/** @import { Pacing } from '../../contracts/run.js' */
/** @import { Schedule } from '../../contracts/schedule.js' */
/** @import { PacingMemory } from './pacing-thread.js' */

/**
 * @typedef {object} Alarm wakes the event loop shortly before an instant
 * @property {number} leadMs how long before; 0: not before it, Infinity: the event loop never sleeps
 * @property {(at: number, wake: () => void) => () => void} set at: instant of the clock; returns a function that
 *   cancels
 *
 * @typedef {object} Waiting
 * @property {number} at instant of the clock
 * @property {() => void} wake
 */

/** A turn of the event loop that takes at most this many times the shortest one has read no socket. */
const EMPTY_TURNS = 5;
/** Woken lanes are removed from the queue when they are this many, and half of it. */
const MOST_WOKEN = 1000;

/**
 * Wakes lanes at the instants that they wait for, never early. An alarm wakes the event loop shortly before an instant;
 * for the rest the pacer polls: it reads the clock after each turn of the event loop, which serves sockets, timers and
 * signals.
 *
 *     alarm.set(at - leadMs)             at
 *      |------- event loop sleeps -------|-- polls --| wake
 *
 * Instants never decrease from call to call, so a queue and a single alarm suffice.
 */
export class Pacer {
  #clock;
  #alarm;
  /** @type {Waiting[]} */
  #queue = [];
  #first = 0;
  #cancel = () => {};
  /** The last poll that woke no lane; NaN if something else has run since. */
  #polledAt = NaN;
  #shortestTurn = Infinity;
  /** The time in turns of the event loop that did nothing but poll, ms: it is busy then, but has no work. */
  idleMs = 0;

  /**
   * @param {Clock} clock
   * @param {Alarm} alarm
   */
  constructor(clock, alarm) {
    this.#clock = clock;
    this.#alarm = alarm;
  }

  /** Waits until an instant of the clock. @type {(at: number) => Promise<void>} */
  until(at) {
    return new Promise((wake) => {
      const isFirst = this.#queue.push({ at, wake }) - this.#first === 1;
      if (isFirst) this.#wait(this.#clock.now());
      // A turn that reads many sockets can take longer than the time between two instants.
      else this.#wakeDue(this.#clock.now());
    });
  }

  /** Wakes all waiting lanes, because no iteration will start any more. */
  wakeAll() {
    const waiting = this.#queue.slice(this.#first);
    this.#clear();
    for (const { wake } of waiting) wake();
  }

  /** Waits for the first instant. @type {(now: number) => void} */
  #wait(now) {
    const at = this.#queue[this.#first].at - this.#alarm.leadMs;
    this.#cancel = now < at ? this.#alarm.set(at, this.#onAlarm) : this.#clock.afterReads(this.#poll);
  }

  #onAlarm = () => {
    this.#polledAt = NaN;
    const now = this.#clock.now();
    this.#wakeDue(now);
    if (this.#first < this.#queue.length) this.#wait(now);
  };

  #poll = () => {
    const now = this.#clock.now();
    this.#countIdle(now - this.#polledAt);
    this.#polledAt = this.#wakeDue(now) ? NaN : now;
    if (this.#first < this.#queue.length) this.#wait(now);
  };

  /** @type {(now: number) => boolean} whether there were any */
  #wakeDue(now) {
    const first = this.#first;
    while (this.#first < this.#queue.length && this.#queue[this.#first].at <= now) this.#queue[this.#first++].wake();
    const hasWoken = this.#first > first;
    if (hasWoken) this.#removeWoken();
    return hasWoken;
  }

  #removeWoken() {
    if (this.#first === this.#queue.length) this.#clear();
    else if (this.#first > MOST_WOKEN && this.#first > this.#queue.length / 2) {
      this.#queue = this.#queue.slice(this.#first);
      this.#first = 0;
    }
  }

  /** @type {(turnMs: number) => void} of the event loop since the last poll; NaN if there was none */
  #countIdle(turnMs) {
    if (turnMs < this.#shortestTurn) this.#shortestTurn = turnMs;
    if (turnMs <= EMPTY_TURNS * this.#shortestTurn) this.idleMs += turnMs;
  }

  #clear() {
    this.#cancel();
    this.#cancel = () => {};
    this.#queue = [];
    this.#first = 0;
  }
}

/**
 * Chooses how lanes are woken; null in a closed run, which waits for nothing. A thread needs one of the cores for
 * itself where the event loop polls: without one it would take time from the load, or from the service if that runs on
 * this machine.
 * @type {(options: { pacing?: 'auto' | Pacing, workers?: number }, schedule: Pick<Schedule, 'arrived'>, cores?: () =>
 *   number) => Pacing | null}
 */
export function choosePacing({ pacing = 'auto', workers = 1 }, { arrived }, cores = availableCores) {
  if (arrived === null) return null;
  if (pacing !== 'auto') return pacing;
  return cores() > workers ? 'thread' : 'timer';
}

/**
 * @param {Pacing | null} pacing
 * @param {object} context
 * @param {Clock} context.clock
 * @param {PacingMemory | null} [context.memory] of the thread that wakes all load threads; default: starts one
 * @param {number} [context.part] number of the load thread
 * @returns {Promise<{ alarm: Alarm, close: () => Promise<void> | undefined }>}
 * @throws {Error} the thread cannot be started
 */
export async function openAlarm(pacing, { clock, memory, part = 0 }) {
  if (pacing !== 'thread') return { alarm: pacing === 'poll' ? NO_ALARM : timerAlarm(clock), close: () => undefined };
  const { PacingThread, ThreadAlarm } = await import('./pacing-thread.js');
  const thread = memory ? null : await PacingThread.start(1);
  const shared = /** @type {PacingMemory} */ (memory ?? thread?.memory);
  return { alarm: new ThreadAlarm(clock, shared, part), close: () => thread?.close() };
}

/** Timers of Node have a resolution of 1 ms. @type {(clock: Clock) => Alarm} */
export function timerAlarm(clock) {
  return { leadMs: 0, set: (at, wake) => clock.after(wake, Math.max(1, Math.ceil(at - clock.now()))) };
}

/** The event loop never sleeps. @type {Alarm} */
const NO_ALARM = { leadMs: Infinity, set: () => () => {} };
