import { existsSync, openSync, readSync } from 'node:fs';
import { PerformanceObserver, monitorEventLoopDelay, performance } from 'node:perf_hooks';

import { addStops, countStop, noStop } from '../process/stops.js';

/** @import { SenderSummary, ThreadSummary } from '../contracts/summaries.js' */
/** @import { Stop } from '../process/stops.js' */

const RESOLUTION_MS = 10;
/** Shorter garbage collections are not counted as stops. */
const PAUSE_MS = 1;

/**
 * Measures the load of the calling thread between `begin` and `end`. For a server in a thread it replaces the watch of
 * a process, whose parameters `begin` and `toJSON` have.
 */
export class ThreadWatch {
  #delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #gcMs = 0;
  #pauses = noStop();
  #observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      this.#gcMs += duration;
      if (duration >= PAUSE_MS) countStop(this.#pauses, duration);
    }
  });
  #idleMs;
  #pollMs;
  #loop;
  #lastRead;
  #cpu;
  /** @type {ThreadSummary | null} */
  #ended = null;

  /**
   * @param {object} [options]
   * @param {() => number} [options.idleMs] time so far in which the event loop seemed busy and had no work: it polled a
   *   clock
   * @param {() => number} [options.pollMs] the part of it that took CPU time
   */
  constructor({ idleMs = () => 0, pollMs = idleMs } = {}) {
    this.#idleMs = idleMs;
    this.#pollMs = pollMs;
    this.#loop = this.#lastRead = this.#loopTime();
    this.#cpu = this.#workMs();
  }

  /** @param {unknown} [_answered] of the watch of a process */
  begin(_answered) {
    this.#gcMs = 0;
    this.#pauses = noStop();
    this.#ended = null;
    this.#delay.reset();
    this.#delay.enable();
    this.#observer.observe({ entryTypes: ['gc'] });
    this.#loop = this.#lastRead = this.#loopTime();
    this.#cpu = this.#workMs();
  }

  /** Collections of garbage that took a millisecond or more. @returns {Stop} */
  get pauses() {
    return this.#pauses;
  }

  /** Utilization of the event loop since the last call. */
  utilization() {
    const since = this.#lastRead;
    this.#lastRead = this.#loopTime();
    return utilizationOf(since, this.#lastRead);
  }

  end() {
    this.#ended ??= this.#summary();
    this.#delay.disable();
    this.#observer.disconnect();
  }

  /** The load so far; after `end` that of the whole time. @param {unknown} [_options] of the watch of a process */
  toJSON(_options) {
    return this.#ended ?? this.#summary();
  }

  /** @type {() => ThreadSummary} */
  #summary() {
    const { count, mean, max } = this.#delay;
    // The histogram holds the time between ticks in ns.
    const ms = (/** @type {number} */ ns) => (count > 0 ? Math.max(0, ns / 1e6 - RESOLUTION_MS) : 0);
    return {
      eventLoopUtilization: utilizationOf(this.#loop, this.#loopTime()),
      eventLoopDelay: { mean: ms(mean), p99: ms(this.#delay.percentile(99)), max: ms(max) },
      cpuTime: this.#workMs() - this.#cpu,
      gcTime: this.#gcMs,
    };
  }

  #workMs() {
    return cpuMs() - this.#pollMs();
  }

  /** @type {() => LoopTime} */
  #loopTime() {
    const { active, idle } = performance.eventLoopUtilization();
    return { work: active - this.#idleMs(), all: active + idle };
  }
}

/** @typedef {{ work: number, all: number }} LoopTime time of an event loop with work, and with or without, ms */

/** @type {(from: LoopTime, to: LoopTime) => number} 0 to 1 */
function utilizationOf(from, to) {
  return to.all > from.all ? Math.min(1, Math.max(0, (to.work - from.work) / (to.all - from.all))) : 0;
}

/** Several threads as one: highest loads, sums of the rest. @type {(threads: ThreadSummary[]) => ThreadSummary} */
export function addThreads(threads) {
  const most = (/** @type {(thread: ThreadSummary) => number} */ of) => Math.max(0, ...threads.map(of));
  const sum = (/** @type {(thread: ThreadSummary) => number} */ of) =>
    threads.reduce((total, thread) => total + of(thread), 0);
  return {
    eventLoopUtilization: most(({ eventLoopUtilization }) => eventLoopUtilization),
    eventLoopDelay: {
      mean: most(({ eventLoopDelay }) => eventLoopDelay.mean),
      p99: most(({ eventLoopDelay }) => eventLoopDelay.p99),
      max: most(({ eventLoopDelay }) => eventLoopDelay.max),
    },
    cpuTime: sum(({ cpuTime }) => cpuTime),
    gcTime: sum(({ gcTime }) => gcTime),
  };
}

/** @type {(threads: SenderSummary[], options?: { isOneProcess?: boolean }) => SenderSummary} */
export function addSenders(threads, options) {
  const stall = { longest: 0, extendedTimeouts: 0 };
  for (const thread of threads) {
    stall.longest = Math.max(stall.longest, thread.stall.longest);
    stall.extendedTimeouts += thread.stall.extendedTimeouts;
  }
  const stops = addStops(
    threads.map((thread) => thread.stops),
    options,
  );
  return { ...addThreads(threads), stall, stops };
}

const SCHEDSTAT = '/proc/thread-self/schedstat';
/** Opened at the start, so that it can still be read when connections have used up all file descriptors. */
const schedstat = existsSync(SCHEDSTAT) ? openSync(SCHEDSTAT, 'r') : null;
const digits = Buffer.alloc(64);
const SPACE = 32;
const ZERO = 48;

/** CPU time of this thread in ms: from newer versions of Node, or from Linux. */
export function cpuMs() {
  const { threadCpuUsage } = /** @type {any} */ (process);
  if (threadCpuUsage) return sumOf(threadCpuUsage.call(process));
  return schedstat === null ? sumOf(process.cpuUsage()) : cpuTimes().ranMs;
}

/**
 * @typedef {object} CpuTimes of this thread so far
 * @property {number} ranMs it ran
 * @property {number} waitedMs it was ready to run and had no CPU: other threads used it, or its quota was used up
 */

/** @type {CpuTimes} */
const times = { ranMs: 0, waitedMs: 0 };

/**
 * Reads both times with one system call, the first two numbers of schedstat, into an object that the next call changes.
 * If the system counts neither, a thread seems to run all the time.
 * @type {() => CpuTimes}
 */
export function cpuTimes() {
  if (schedstat === null) {
    times.ranMs = performance.now();
    return times;
  }
  const length = readSync(schedstat, digits, 0, digits.length, 0);
  times.ranMs = millisecondsAt(0, length);
  times.waitedMs = millisecondsAt(digits.indexOf(SPACE) + 1, length);
  return times;
}

/** Returns the ms that this thread ran or waited for a CPU: no time of a suspension. @type {() => number} */
export function runnableMs() {
  if (schedstat === null) return cpuMs();
  const { ranMs, waitedMs } = cpuTimes();
  return ranMs + waitedMs;
}

/** Reads a number of schedstat, which is in ns. @type {(at: number, length: number) => number} */
function millisecondsAt(at, length) {
  let ns = 0;
  for (; at < length && digits[at] >= ZERO; at++) ns = ns * 10 + digits[at] - ZERO;
  return ns / 1e6;
}

/** @type {(usage: { user: number, system: number }) => number} */
function sumOf({ user, system }) {
  return (user + system) / 1000;
}
