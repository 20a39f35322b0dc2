import { existsSync, openSync, readSync } from 'node:fs';
import { PerformanceObserver, monitorEventLoopDelay, performance } from 'node:perf_hooks';

/**
 * @typedef {object} ThreadSummary load of a thread while iterations ran
 * @property {number} utilization of its event loop, 0 to 1
 * @property {{ mean: number, p99: number, max: number }} delay of its event loop, ms
 * @property {number} cpu ms of the thread; of the whole process if the system does not count threads
 * @property {number} gc ms of garbage collection
 *
 * @typedef {object} Standstills times in which a thread did not serve its event loop
 * @property {number} longest ms
 * @property {number} spared timeouts that expired during standstills and were extended
 *
 * @typedef {ThreadSummary & { standstill: Standstills }} SenderSummary a thread that sends requests
 */

const RESOLUTION_MS = 10;

/** Measures the load of the calling thread between `begin` and `end`. */
export function watchThread() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let gc = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gc += duration;
  });
  let loop = performance.eventLoopUtilization();
  let cpu = cpuMs();
  let lastRead = loop;
  /** @type {ThreadSummary | null} */
  let ended = null;

  return {
    begin() {
      gc = 0;
      ended = null;
      delay.reset();
      delay.enable();
      observer.observe({ entryTypes: ['gc'] });
      loop = lastRead = performance.eventLoopUtilization();
      cpu = cpuMs();
    },

    /** Utilization of the event loop since the last call. */
    utilization() {
      const since = lastRead;
      lastRead = performance.eventLoopUtilization();
      return performance.eventLoopUtilization(lastRead, since).utilization;
    },

    end() {
      ended ??= summary();
      delay.disable();
      observer.disconnect();
    },

    /** The load so far; after `end` that of the whole time. */
    toJSON: () => ended ?? summary(),
  };

  /** @returns {ThreadSummary} */
  function summary() {
    // the histogram holds the time between ticks in ns
    const ms = (/** @type {number} */ ns) => (delay.count > 0 ? Math.max(0, ns / 1e6 - RESOLUTION_MS) : 0);
    return {
      utilization: performance.eventLoopUtilization(loop).utilization,
      delay: { mean: ms(delay.mean), p99: ms(delay.percentile(99)), max: ms(delay.max) },
      cpu: cpuMs() - cpu,
      gc,
    };
  }
}

/**
 * Several threads as one: the highest loads, and the sums of CPU and garbage collection.
 *
 * @param {ThreadSummary[]} threads
 * @returns {ThreadSummary}
 */
export function addThreads(threads) {
  const most = (/** @type {(thread: ThreadSummary) => number} */ of) => Math.max(0, ...threads.map(of));
  const sum = (/** @type {(thread: ThreadSummary) => number} */ of) =>
    threads.reduce((total, thread) => total + of(thread), 0);
  return {
    utilization: most(({ utilization }) => utilization),
    delay: {
      mean: most(({ delay }) => delay.mean),
      p99: most(({ delay }) => delay.p99),
      max: most(({ delay }) => delay.max),
    },
    cpu: sum(({ cpu }) => cpu),
    gc: sum(({ gc }) => gc),
  };
}

/** Like {@link addThreads}, for threads that send requests. @type {(threads: SenderSummary[]) => SenderSummary} */
export function addSenders(threads) {
  const standstill = { longest: 0, spared: 0 };
  for (const thread of threads) {
    // results of earlier versions do not have it
    const { longest, spared } = thread.standstill ?? { longest: 0, spared: 0 };
    standstill.longest = Math.max(standstill.longest, longest);
    standstill.spared += spared;
  }
  return { ...addThreads(threads), standstill };
}

const SCHEDSTAT = '/proc/thread-self/schedstat';
/** opened at the start, so that it can still be read when connections have used up all file descriptors */
const schedstat = !('threadCpuUsage' in process) && existsSync(SCHEDSTAT) ? openSync(SCHEDSTAT, 'r') : null;
const digits = Buffer.alloc(64);

/** CPU time of this thread in ms: from newer versions of Node, or from Linux (the first number of schedstat, ns). */
function cpuMs() {
  const { threadCpuUsage } = /** @type {any} */ (process);
  if (threadCpuUsage) return sumOf(threadCpuUsage.call(process));
  if (schedstat !== null)
    return parseInt(digits.toString('latin1', 0, readSync(schedstat, digits, 0, digits.length, 0)), 10) / 1e6;
  return sumOf(process.cpuUsage());
}

/** @type {(usage: { user: number, system: number }) => number} */
function sumOf({ user, system }) {
  return (user + system) / 1000;
}
