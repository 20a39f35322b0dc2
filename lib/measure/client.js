import { PerformanceObserver, monitorEventLoopDelay, performance } from 'node:perf_hooks';

/**
 * @typedef {object} ClientSummary how the thread that sends fared while iterations ran
 * @property {number} utilization of its event loop, 0 to 1
 * @property {{ mean: number, p99: number, max: number }} delay of its event loop, ms: how late timers were
 * @property {number} cpu ms of the whole process, user and system
 * @property {number} gc ms in which garbage was collected
 */

const RESOLUTION_MS = 10;

/** Watches the client itself: was it the limit? What it says is of the time between `begin` and `end`. */
export function watchClient() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let gc = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) gc += duration;
  });
  let loop = performance.eventLoopUtilization();
  let cpu = process.cpuUsage();
  /** @type {ClientSummary | null} */
  let ended = null;

  return {
    begin() {
      gc = 0;
      delay.reset();
      delay.enable();
      observer.observe({ entryTypes: ['gc'] });
      loop = performance.eventLoopUtilization();
      cpu = process.cpuUsage();
    },

    end() {
      ended ??= summary();
      delay.disable();
      observer.disconnect();
    },

    /** So far, or of the whole once it ended. */
    toJSON: () => ended ?? summary(),
  };

  /** @returns {ClientSummary} */
  function summary() {
    const { user, system } = process.cpuUsage(cpu);
    // what the histogram holds is the time between ticks, in ns
    const ms = (/** @type {number} */ ns) => (delay.count > 0 ? Math.max(0, ns / 1e6 - RESOLUTION_MS) : 0);
    return {
      utilization: performance.eventLoopUtilization(loop).utilization,
      delay: { mean: ms(delay.mean), p99: ms(delay.percentile(99)), max: ms(delay.max) },
      cpu: (user + system) / 1000,
      gc,
    };
  }
}
