import { Histogram } from './histogram.js';
import { createTimer } from './meter.js';

/** @typedef {ReturnType<typeof createUserTimers>} UserTimers */

const MOST_NAMES = 1000;
const RESERVED = new Set(['totalElapsed', 'main', 'iterations', 'requests', 'operations', 'errors', 'client', 'verdict']);

/** The timers of hooks, `all.env.stats.timer('name')`, which appear in the final stats. At most 1,000 names, then `other`. */
export function createUserTimers() {
  /** @type {Map<string, ReturnType<typeof createTimer>>} */
  const timers = new Map();
  return {
    /** @type {(name: string) => ReturnType<typeof createTimer>} */
    timer(name) {
      const found = timers.get(name);
      if (found) return found;
      if (RESERVED.has(name)) throw new Error(`'${name}' is a name of the stats: give the timer another`);
      const key = timers.size < MOST_NAMES ? name : 'other';
      const timer = timers.get(key) ?? createTimer(new Histogram());
      timers.set(key, timer);
      return timer;
    },
    /** @type {() => Record<string, any>} */
    toJSON: () => Object.fromEntries([...timers].map(([name, timer]) => [name, timer.toJSON()])),
    end() {
      for (const timer of timers.values()) timer.end();
    },
  };
}
