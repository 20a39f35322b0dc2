import { performance } from 'node:perf_hooks';

import { SuspendedTime, countStop, noStop } from '../../process/stops.js';

/** @import { Clock } from '../../contracts/clock.js' */
/** @import { CpuTimes } from '../../measure/thread.js' */
/** @import { Stops } from '../../process/stops.js' */

/**
 * @typedef {object} ReadDelaySources
 * @property {Clock} clock
 * @property {(now: number) => number} idleMs time that the event loop has waited for events so far
 * @property {() => CpuTimes} cpuTimes
 */

/** Shorter turns of an event loop are ordinary work, ms. */
const BLOCKED_MS = 10;
/** A shorter wait for a CPU is not counted as a stop, ms. */
const NO_CPU_MS = 1;
/** The waits for a CPU are read again after this time, ms, also if none since the last reading can be a stop. */
const READING_MS = 2;
/** The longest time between two ticks of a thread that runs, ms: their interval, and the delay of its timers. */
const LONGEST_TICK_MS = 8;

/**
 * Computes for each response how long its data has waited at most until this thread read it: since the end of the last
 * wait of the event loop for events, as it had nothing to read before; or, if it has not waited between two turns,
 * since the start of the last turn, when it last looked at its sockets.
 *
 *     turn k-1            turn k
 *      |--- events ---|    |--- events -->|
 *      since                              now      the loop did not wait between the turns
 *                          since          now      it waited
 *
 * A thread that waited for a CPU, or that was suspended, seems to wait for events: the wait for a CPU is added, and a
 * timer that is late reveals the rest. A wait that is too short to be a stop may be missing. A response costs 0.1 us,
 * and a turn of the event loop about 0.8 us (bench/micro/run/load/read-delay.js).
 */
export class ReadDelay {
  #clock;
  #idleMs;
  #cpuTimes;
  #isInTurn = false;
  /** Calls that are expected to end the turn; the last one does. */
  #ends = 0;
  /** The start of the current turn, or of the last one. */
  #turnAt;
  /** The end of the last turn. */
  #endedAt;
  /** Data that is read now cannot have arrived before. */
  #since;
  /** Time so far in which the event loop did not wait, until the current turn. */
  #busyMs = 0;
  #tickAt;
  /** Busy time at the last tick. */
  #tickBusyMs = 0;
  /** Waits for a CPU between turns since the last tick. */
  #waitedSinceTick = 0;
  /** The idle time at the start of the current turn. */
  #idle;
  /** The waits for a CPU, and the time that this thread ran, at their last reading, and the instant of that. */
  #cpuWait;
  #ran;
  /** The time that this thread ran between the last two readings. */
  #ranBetween = 0;
  #cpuReadAt;
  #suspended = new SuspendedTime();
  /** The stops of this thread so far, by their cause; written only here. */
  stops = noStops();

  /** @param {ReadDelaySources} sources */
  constructor({ clock, idleMs, cpuTimes }) {
    this.#clock = clock;
    this.#idleMs = idleMs;
    this.#cpuTimes = cpuTimes;
    this.#turnAt = this.#endedAt = this.#since = this.#tickAt = this.#cpuReadAt = clock.now();
    this.#idle = idleMs(this.#endedAt);
    ({ waitedMs: this.#cpuWait, ranMs: this.#ran } = cpuTimes());
  }

  /** Returns how long an event that is handled now may have waited, ms. @type {(now: number) => number} */
  at(now) {
    if (!this.#isInTurn) this.#beginWithEvent(now);
    return now - this.#since;
  }

  /** Returns the time so far in which the event loop did not wait, ms. @type {(now: number) => number} */
  busyAt(now) {
    if (!this.#isInTurn) this.#beginWithEvent(now);
    return this.#busyMs + now - this.#turnAt;
  }

  /**
   * Notes that the transport has read the first response of a turn. The turn ends when it has handled them all, and not
   * before, if a timer began it.
   * @type {(now: number) => void}
   */
  onRead(now) {
    if (!this.#isInTurn) this.#begin(now);
    this.#ends++;
  }

  /** The transport has handled the responses of a turn, and written the requests that follow. */
  onHandled() {
    this.#end();
  }

  /** The timer of the deadlines of this thread calls it every 5 ms. @type {(now: number) => void} */
  tick(now) {
    this.#tickBusyMs = this.busyAt(now);
    this.#tickAt = now;
    this.#waitedSinceTick = 0;
  }

  restart() {
    this.#readCpuWait(this.#clock.now());
    this.stops = noStops();
  }

  /** Begins a turn with a timer, or with a response that is handled when it is read. @type {(now: number) => void} */
  #beginWithEvent(now) {
    this.#begin(now);
    // Requests are written in immediates that are set while this event is handled. The end of the turn comes after
    // them, as it is set in a microtask.
    queueMicrotask(this.#endLater);
  }

  /** @type {(now: number) => void} */
  #begin(now) {
    this.#isInTurn = true;
    const lastTurnAt = this.#turnAt;
    const idle = this.#idleMs(now);
    const waited = idle - this.#idle;
    const between = now - this.#endedAt;
    // The time between the turns in which the event loop did not wait for events.
    const busy = Math.max(0, between - waited);
    const cpuWait = this.#countCpuWait(now, between);
    this.#waitedSinceTick += cpuWait;
    const suspended = this.#countSuspended(now, this.#busyMs - this.#tickBusyMs + busy + this.#waitedSinceTick);
    // An event may have come while the thread had no CPU, or was suspended, and seemed to wait for it.
    const readableAt = waited > 0 ? now - busy - cpuWait - suspended : lastTurnAt;
    // Data that arrived before the last turn began was read in it.
    this.#since = Math.max(lastTurnAt, readableAt);
    // The thread may have waited for a CPU within its work, or within its wait for events: only the rest has blocked it
    // for certain.
    this.#countBlocked(busy - cpuWait);
    this.#busyMs += busy;
    this.#idle = idle;
    this.#turnAt = now;
  }

  #endLater = () => {
    this.#ends++;
    this.#clock.afterReads(this.#end);
  };

  #end = () => {
    if (--this.#ends > 0) return;
    const now = this.#clock.now();
    const ms = now - this.#turnAt;
    this.#isInTurn = false;
    this.#endedAt = now;
    this.#busyMs += ms;
    this.#countBlocked(ms - this.#countCpuWait(now, ms));
  };

  /**
   * Counts the wait for a CPU in a turn, or between two of them, which ends now and took `periodMs`. A reading is a
   * system call: once per ms, it was 1 to 3 % of the CPU of a plain GET. So it is left out if no wait can be long
   * enough to count as a stop, unless the last one is old: short waits before a long period look like a wait in that.
   * @type {(now: number, periodMs: number) => number} ms; 0 without a reading
   */
  #countCpuWait(now, periodMs) {
    if (periodMs < NO_CPU_MS && now - this.#cpuReadAt < READING_MS) return 0;
    const { noCpu } = this.stops;
    const sinceReading = this.#readCpuWait(now);
    const ms = Math.min(sinceReading, periodMs);
    if (ms >= NO_CPU_MS) countStop(noCpu, ms);
    else noCpu.total += ms;
    // The rest were short waits before this period.
    noCpu.total += sinceReading - ms;
    return ms;
  }

  /** @type {(now: number) => number} ms since the last reading */
  #readCpuWait(now) {
    const { waitedMs, ranMs } = this.#cpuTimes();
    const wait = waitedMs - this.#cpuWait;
    this.#cpuWait = waitedMs;
    this.#ranBetween = ranMs - this.#ran;
    this.#ran = ranMs;
    this.#cpuReadAt = now;
    return wait;
  }

  /**
   * Counts a time in which the event loop was in a turn, and the waits for a CPU were just read: it was blocked, unless
   * the process was suspended in the middle of its work.
   * @type {(ms: number) => void}
   */
  #countBlocked(ms) {
    if (ms < BLOCKED_MS) return;
    const suspended = this.#suspended.find(ms, this.#ranBetween);
    if (suspended > 0) countStop(this.stops.suspended, suspended);
    if (ms - suspended >= BLOCKED_MS) countStop(this.stops.blocked, ms - suspended);
  }

  /**
   * Counts a suspension: the next tick is late, and the thread has not worked, or waited for a CPU, for as long since
   * the last one (`explained`).
   * @type {(now: number, explained: number) => number} ms of the suspension; 0: there was none
   */
  #countSuspended(now, explained) {
    const ms = now - this.#tickAt - explained;
    if (ms < LONGEST_TICK_MS) return 0;
    // A second event before the next tick is no other stop.
    this.#tickAt = now;
    this.#tickBusyMs = this.#busyMs;
    this.#waitedSinceTick = 0;
    countStop(this.stops.suspended, ms);
    return ms;
  }
}

/** Returns how long the event loop of this thread has waited for events so far, ms. @type {() => number} */
export function loopIdleMs() {
  return performance.nodeTiming.idleTime;
}

/** @type {() => Omit<Stops, 'gc'>} */
function noStops() {
  return { blocked: noStop(), noCpu: noStop(), suspended: noStop() };
}
