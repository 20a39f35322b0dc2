import { existsSync, openSync, readSync } from 'node:fs';
import { PerformanceObserver, monitorEventLoopDelay, performance } from 'node:perf_hooks';

import { addStops, countStop, noStop } from '../process/stops.js';

/** @import { SenderSummary, ThreadSummary } from '../contracts/summaries.js' */
/** @import { Stop, Stops } from '../process/stops.js' */

const RESOLUTION_MS = 10;
/** Shorter garbage collections are not counted as stops. */
const PAUSE_MS = 1;

/**
 * Measures the load of the calling thread between `begin` and `end`.
 * @param {object} [options]
 * @param {() => number} [options.idleMs] time so far in which the event loop seemed busy and had no work: it polled a
 *   clock
 * @param {() => number} [options.pollMs] the part of it that took CPU time
 */
export function watchThread({ idleMs = () => 0, pollMs = idleMs } = {}) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let gc = 0;
  let pauses = noStop();
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      gc += duration;
      if (duration >= PAUSE_MS) countStop(pauses, duration);
    }
  });
  let loop = loopTime();
  let cpu = workMs();
  let lastRead = loop;
  /** @type {ThreadSummary | null} */
  let ended = null;

  return {
    /** @param {unknown} [_answered] */
    begin(_answered) {
      gc = 0;
      pauses = noStop();
      ended = null;
      delay.reset();
      delay.enable();
      observer.observe({ entryTypes: ['gc'] });
      loop = lastRead = loopTime();
      cpu = workMs();
    },

    /** Collections of garbage that took a millisecond or more. @returns {Stop} */
    pauses: () => pauses,

    /** Utilization of the event loop since the last call. */
    utilization() {
      const since = lastRead;
      lastRead = loopTime();
      return utilizationOf(since, lastRead);
    },

    end() {
      ended ??= summary();
      delay.disable();
      observer.disconnect();
    },

    /** The load so far; after `end` that of the whole time. */
    toJSON: (/** @type {unknown} */ _options = undefined) => ended ?? summary(),
  };

  /** @type {() => ThreadSummary} */
  function summary() {
    // The histogram holds the time between ticks in ns.
    const ms = (/** @type {number} */ ns) => (delay.count > 0 ? Math.max(0, ns / 1e6 - RESOLUTION_MS) : 0);
    return {
      eventLoopUtilization: utilizationOf(loop, loopTime()),
      eventLoopDelay: { mean: ms(delay.mean), p99: ms(delay.percentile(99)), max: ms(delay.max) },
      cpuTime: workMs() - cpu,
      gcTime: gc,
    };
  }

  function workMs() {
    return cpuMs() - pollMs();
  }

  /** @type {() => LoopTime} */
  function loopTime() {
    const { active, idle } = performance.eventLoopUtilization();
    return { work: active - idleMs(), all: active + idle };
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

/**
 * Like {@link addThreads}, for threads that send requests.
 * @type {(threads: SenderSummary[], options?: { isOneProcess?: boolean }) => SenderSummary}
 */
export function addSenders(threads, options) {
  const stall = { longest: 0, extendedTimeouts: 0 };
  for (const thread of threads) {
    // Results of earlier versions do not have it.
    const { longest, extendedTimeouts } = thread.stall ?? { longest: 0, extendedTimeouts: 0 };
    stall.longest = Math.max(stall.longest, longest);
    stall.extendedTimeouts += extendedTimeouts;
  }
  return { ...addThreads(threads), stall, ...stopsOf(threads, options) };
}

/** Earlier versions have none. @type {(...parameters: Parameters<typeof addSenders>) => { stops?: Stops }} */
function stopsOf(threads, options) {
  const all = threads.flatMap(({ stops }) => stops ?? []);
  return all.length > 0 ? { stops: addStops(all, options) } : {};
}

const SCHEDSTAT = '/proc/thread-self/schedstat';
/** It is opened at the start, so that it can still be read when connections have used up all file descriptors. */
const schedstat = existsSync(SCHEDSTAT) ? openSync(SCHEDSTAT, 'r') : null;
const digits = Buffer.alloc(64);
const SPACE = 32;
const ZERO = 48;

/** CPU time of this thread in ms: from newer versions of Node, or from Linux (the first number of schedstat, ns). */
export function cpuMs() {
  const { threadCpuUsage } = /** @type {any} */ (process);
  if (threadCpuUsage) return sumOf(threadCpuUsage.call(process));
  return schedstat === null ? sumOf(process.cpuUsage()) : schedstatMs(0);
}

/**
 * Returns the ms that this thread was ready to run and had no CPU: other threads used it, or its quota was used up; 0
 * if the system does not count it.
 * @type {() => number}
 */
export function cpuWaitMs() {
  return schedstat === null ? 0 : schedstatMs(1);
}

/** Returns the ms that this thread ran or waited for a CPU: no time of a suspension. @type {() => number} */
export function runnableMs() {
  return cpuMs() + cpuWaitMs();
}

/** A number of schedstat: CPU time, then time on a run queue, both in ns. @type {(position: 0 | 1) => number} */
function schedstatMs(position) {
  const length = readSync(/** @type {number} */ (schedstat), digits, 0, digits.length, 0);
  let at = position === 0 ? 0 : digits.indexOf(SPACE) + 1;
  let ns = 0;
  for (; at < length && digits[at] >= ZERO; at++) ns = ns * 10 + digits[at] - ZERO;
  return ns / 1e6;
}

/** @type {(usage: { user: number, system: number }) => number} */
function sumOf({ user, system }) {
  return (user + system) / 1000;
}
