'use strict';

const { PerformanceObserver, constants, monitorEventLoopDelay, performance } = require('perf_hooks');
const { getHeapStatistics } = require('v8');

/** @import { Context, Recorder } from './index.cjs' */

const RESOLUTION_MS = 20;
/** Listing many resources takes long: the pause after it is this many times as long. */
const REST = 200;

/** Ends the current measurement. @type {() => void} */
let end = () => {};

/**
 * Measures the event loop, garbage collection, heap and active resources of this thread, and sends them every
 * `interval` ms. Counts and `delay` cover the whole time since the beginning, `recent` the last interval.
 * @type {Recorder}
 */
module.exports = function figures({ action, interval }, context) {
  end();
  if (action === 'begin') end = begin(interval, context);
};

/** @type {(interval: number, context: Context) => () => void} */
function begin(interval, { send, guard, losses }) {
  const whole = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const recent = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const gc = { time: 0, count: 0 };
  /** Heap and external memory after the last collection of the whole heap, B. */
  let collected = 0;
  const observer = new PerformanceObserver(
    guard((list) => {
      for (const { duration, detail } of list.getEntries()) {
        gc.time += duration;
        gc.count++;
        if (detail && detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collected = memoryInUse();
      }
    }),
  );
  const loop = performance.eventLoopUtilization();
  const resources = resourceCount();
  whole.enable();
  recent.enable();
  observer.observe({ entryTypes: ['gc'] });
  const sample = guard(() => {
    const { active, idle } = performance.eventLoopUtilization(loop);
    const { used_heap_size: heap, external_memory: external, heap_size_limit: limit } = getHeapStatistics();
    const memory = { heap, external, limit, collected };
    send('figures', {
      ...{ loop: { active, idle }, delay: delayOf(whole), recent: delayOf(recent), gc, memory },
      ...{ resources: resources(), losses: losses() },
    });
    recent.reset();
  });
  const timer = setInterval(sample, interval);
  timer.unref();
  return () => {
    clearInterval(timer);
    sample();
    whole.disable();
    recent.disable();
    observer.disconnect();
  };
}

/** Returns the memory of objects, and of buffers outside the heap, B. @type {() => number} */
function memoryInUse() {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/**
 * Returns the times between the ticks of the timer that Node measures with, without its interval, ms.
 * @type {(histogram: import('perf_hooks').IntervalHistogram) => { mean: number, p99: number, max: number }}
 */
function delayOf(histogram) {
  const ms = (/** @type {number} */ ns) => (histogram.count > 0 ? Math.max(0, ns / 1e6 - RESOLUTION_MS) : 0);
  return { mean: ms(histogram.mean), p99: ms(histogram.percentile(99)), max: ms(histogram.max) };
}

/**
 * Returns a function that counts what keeps the event loop alive: sockets, timers, files.
 * @type {() => () => number}
 */
function resourceCount() {
  let known = 0;
  let nextAt = 0;
  return () => {
    const from = performance.now();
    // Node 16 has no list.
    if (from < nextAt || !process.getActiveResourcesInfo) return known;
    known = process.getActiveResourcesInfo().length;
    const now = performance.now();
    nextAt = now + REST * (now - from);
    return known;
  };
}
