import { existsSync, openSync, readSync } from 'node:fs';
import { PerformanceObserver, monitorEventLoopDelay, performance } from 'node:perf_hooks';

/**
 * @typedef {object} ThreadSummary how a thread fared while iterations ran
 * @property {number} utilization of its event loop, 0 to 1
 * @property {{ mean: number, p99: number, max: number }} delay of its event loop, ms: how late timers were
 * @property {number} cpu ms of the thread; of the whole process where the system does not tell
 * @property {number} gc ms in which garbage was collected
 */

const RESOLUTION_MS = 10;

/** Watches the thread that calls it: was it the limit? What it says is of the time between `begin` and `end`. */
export function watchThread() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let gc = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gc += duration;
  });
  let loop = performance.eventLoopUtilization();
  let cpu = cpuMs();
  let lately = loop;
  /** @type {ThreadSummary | null} */
  let ended = null;

  return {
    begin() {
      gc = 0;
      ended = null;
      delay.reset();
      delay.enable();
      observer.observe({ entryTypes: ['gc'] });
      loop = lately = performance.eventLoopUtilization();
      cpu = cpuMs();
    },

    /** Of the event loop, since it was last asked for. */
    utilization() {
      const since = lately;
      lately = performance.eventLoopUtilization();
      return performance.eventLoopUtilization(lately, since).utilization;
    },

    end() {
      ended ??= summary();
      delay.disable();
      observer.disconnect();
    },

    /** So far, or of the whole once it ended. */
    toJSON: () => ended ?? summary(),
  };

  /** @returns {ThreadSummary} */
  function summary() {
    // what the histogram holds is the time between ticks, in ns
    const ms = (/** @type {number} */ ns) => (delay.count > 0 ? Math.max(0, ns / 1e6 - RESOLUTION_MS) : 0);
    return {
      utilization: performance.eventLoopUtilization(loop).utilization,
      delay: { mean: ms(delay.mean), p99: ms(delay.percentile(99)), max: ms(delay.max) },
      cpu: cpuMs() - cpu,
      gc,
    };
  }
}

/** Several threads as one: the busiest, and what they used together. @type {(threads: ThreadSummary[]) => ThreadSummary} */
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

const SCHEDSTAT = '/proc/thread-self/schedstat';
/** open from the beginning: when the connections of a run have used up all files, it can still be read */
const schedstat = !('threadCpuUsage' in process) && existsSync(SCHEDSTAT) ? openSync(SCHEDSTAT, 'r') : null;
const digits = Buffer.alloc(64);

/** ms of CPU that this thread has used: newer Nodes say so, and Linux (ns, the first number). */
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
