import { kindOf } from '../show.js';
import { Histogram } from './histogram.js';
import { createMeter, createTimer, markAll } from './meter.js';

/**
 * @import { HistogramState } from './histogram.js'
 *
 * @typedef {{ name: string, histogram: HistogramState }} TimerState
 * @typedef {ReturnType<typeof createUserTimers>} UserTimers
 */

const MOST_NAMES = 1000;
const RESERVED = new Set([
  'totalElapsed',
  'main',
  'iterations',
  'requests',
  'operations',
  'errors',
  'client',
  'server',
  'verdict',
  'series',
  'exemplars',
  'warmup',
  'histograms',
  'thresholds',
  'measuredElapsed',
  'schema',
  'run',
  'exit',
]);

/** The timers of hooks, `all.env.stats.timer('name')`, which appear in the final stats. At most 1,000 names, then `other`. */
export function createUserTimers() {
  /** @type {Map<string, ReturnType<typeof createEntry>>} */
  const entries = new Map();

  /** @type {(name: string) => ReturnType<typeof createEntry>} */
  const entryOf = (name) => {
    const key = entries.has(name) || entries.size < MOST_NAMES ? name : 'other';
    const entry = entries.get(key) ?? createEntry();
    entries.set(key, entry);
    return entry;
  };

  return {
    /** @type {(name: string) => ReturnType<typeof createTimer>} */
    timer(name) {
      if (typeof name !== 'string') throw new TypeError(`the name of a timer is ${kindOf(name)}: give it a text`);
      if (RESERVED.has(name)) throw new Error(`'${name}' is a name of the stats: give the timer another`);
      return entryOf(name).timer;
    },
    /** @type {() => Record<string, any>} */
    toJSON: () => Object.fromEntries([...entries].map(([name, { timer }]) => [name, timer.toJSON()])),
    /** For files. @returns {Record<string, string | null>} */
    encoded: () => Object.fromEntries([...entries].map(([name, { histogram }]) => [name, histogram.encoded()])),
    /** What was recorded since it was last taken. @returns {TimerState[]} */
    take: () => [...entries].map(([name, { histogram }]) => ({ name, histogram: histogram.take() })),
    /** Adds what was taken in another thread. @type {(states: TimerState[]) => void} */
    addState(states) {
      for (const { name, histogram: state } of states) {
        const { histogram, meter } = entryOf(name);
        histogram.addState(state);
        markAll(meter, state.count);
      }
    },
    end() {
      for (const { timer } of entries.values()) timer.end();
    },
  };
}

function createEntry() {
  const histogram = new Histogram();
  const meter = createMeter();
  return { histogram, meter, timer: createTimer(meter, histogram) };
}
