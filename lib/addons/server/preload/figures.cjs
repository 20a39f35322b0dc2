'use strict';

const { PerformanceObserver, constants, monitorEventLoopDelay, performance } = require('perf_hooks');
const { getHeapStatistics } = require('v8');

/** @import { Context, Recorder } from './index.cjs' */

/** The interval of the timer whose delay Node measures. */
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
  const collections = new Collections(guard);
  const loop = performance.eventLoopUtilization();
  const resources = resourceCount();
  whole.enable();
  recent.enable();
  collections.beginInterval();
  const sample = guard(() => {
    const { gc, collected } = collections.endInterval();
    const { active, idle } = performance.eventLoopUtilization(loop);
    const { used_heap_size: heap, external_memory: external, heap_size_limit: limit } = getHeapStatistics();
    const memory = { heap, external, limit, collected };
    send('figures', {
      ...{ loop: { active, idle }, delay: delayOf(whole), recent: delayOf(recent), gc, memory },
      ...{ resources: resources(), losses: losses() },
    });
    collections.beginInterval();
    recent.reset();
  });
  const timer = setInterval(sample, interval);
  timer.unref();
  return () => {
    clearInterval(timer);
    sample();
    whole.disable();
    recent.disable();
    collections.end();
  };
}

/** Node takes 70 us of CPU to report a collection, and a service with a small heap has 600 of them per second. */
const MOST_COLLECTIONS = 50;
/** An object is old after two collections; those that Node reports late may have been before it. */
const OLD = 4;

/**
 * Counts garbage collections. The first minor ones of each interval stand for the others. Those of the whole heap are
 * noticed even when they are not observed, since only they free an old object: then they count with the mean time of
 * the observed ones.
 */
class Collections {
  /** @param {Context['guard']} guard */
  constructor(guard) {
    this.total = { time: 0, count: 0 };
    /** The start of the interval. */
    this.since = 0;
    /** When the observer was disconnected. @type {number | null} */
    this.until = null;
    /** Observed in the interval: those of young objects, and those of the whole heap. */
    this.minor = { time: 0, count: 0 };
    this.major = { time: 0, count: 0 };
    /** Collections of the whole heap that were observed in all intervals. */
    this.observed = { time: 0, count: 0 };
    /** Heap and external memory after the last collection of the whole heap, B. */
    this.collected = 0;
    this.observer = new PerformanceObserver(guard((list) => list.getEntries().forEach(this.add, this)));
    /** Collections since the last `plant`. */
    this.age = 0;
    /**
     * An object that is kept until it is old: the registry reports the collection of the whole heap that frees it.
     * @type {object | null}
     */
    this.oldObject = null;
    // Node 14.5 and older have no such class.
    this.registry = typeof FinalizationRegistry === 'function' && new FinalizationRegistry(guard(() => this.freed()));
    this.plant();
  }

  beginInterval() {
    this.since = performance.now();
    this.until = null;
    this.minor = { time: 0, count: 0 };
    this.major = { time: 0, count: 0 };
    this.observer.observe({ entryTypes: ['gc'] });
  }

  /** @type {(entry: any) => void} */
  add({ duration, detail }) {
    const isMajor = detail && detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
    const kind = isMajor ? this.major : this.minor;
    kind.time += duration;
    kind.count++;
    if (isMajor) {
      this.collected = memoryInUse();
      this.observed.time += duration;
      this.observed.count++;
    }
    this.age++;
    if (this.age >= OLD) this.oldObject = null;
    if (this.until !== null || this.minor.count < MOST_COLLECTIONS) return;
    this.until = performance.now();
    this.observer.disconnect();
  }

  /** Adds the interval to the whole time. @type {() => { gc: { time: number, count: number }, collected: number }} */
  endInterval() {
    const now = performance.now();
    const all = this.until === null ? 1 : (now - this.since) / Math.max(1, this.until - this.since);
    this.total.time += this.major.time + this.minor.time * all;
    this.total.count += this.major.count + Math.round(this.minor.count * all);
    return { gc: this.total, collected: this.collected };
  }

  end() {
    this.observer.disconnect();
  }

  /** Makes the object whose end is noticed. */
  plant() {
    if (!this.registry) return;
    this.age = 0;
    this.oldObject = {};
    this.registry.register(this.oldObject, null);
  }

  freed() {
    this.collected = memoryInUse();
    if (this.until !== null) {
      this.major.time += this.observed.time / Math.max(1, this.observed.count);
      this.major.count++;
    }
    this.plant();
  }
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
