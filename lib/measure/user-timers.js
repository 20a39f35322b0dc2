import { typeName } from '../text/format-value.js';
import { Histogram } from './histogram.js';
import { Meter, createTimer } from './meter.js';
import { resultSchema } from './result-schema.js';

/**
 * @import { HistogramState } from './histogram.js'
 * @import { MeterSummary } from './meter.js'
 *
 * @typedef {{ name: string, histogram: HistogramState, meter?: MeterSummary }} TimerState `meter`: of a finished run
 * @typedef {ReturnType<typeof createUserTimers>} UserTimers
 */

const MAX_NAMES = 1000;
/** timers are keys of the result, next to those of the schema */
const RESERVED = new Set(Object.keys(resultSchema().properties));

/** The timers of hooks, `all.env.stats.timer('name')`, which appear in the final stats. At most 1,000 names, then `other`. */
export function createUserTimers() {
  /** @type {Map<string, ReturnType<typeof createEntry>>} */
  const entries = new Map();

  /** @type {(name: string) => ReturnType<typeof createEntry>} */
  const entryOf = (name) => {
    const key = entries.has(name) || entries.size < MAX_NAMES ? name : 'other';
    const entry = entries.get(key) ?? createEntry();
    entries.set(key, entry);
    return entry;
  };

  return {
    /** @type {(name: string) => ReturnType<typeof createTimer>} */
    timer(name) {
      if (typeof name !== 'string') throw new TypeError(`the name of a timer is ${typeName(name)}: use a string`);
      if (RESERVED.has(name)) throw new Error(`'${name}' is a key of the stats: use another name for the timer`);
      return entryOf(name).timer;
    },
    /** @type {() => Record<string, any>} */
    toJSON: () => Object.fromEntries([...entries].map(([name, { timer }]) => [name, timer.toJSON()])),
    /** The counts for a file. @returns {Record<string, string | null>} */
    encoded: () => Object.fromEntries([...entries].map(([name, { histogram }]) => [name, histogram.encoded()])),
    /** Returns the measurements since the last call. @returns {TimerState[]} */
    drain: () => [...entries].map(([name, { histogram }]) => ({ name, histogram: histogram.drain() })),
    /** Adds the states of another thread or run. @type {(states: TimerState[]) => void} */
    addState(states) {
      for (const { name, histogram: state, meter: finished } of states) {
        const { histogram, meter } = entryOf(name);
        histogram.addState(state);
        if (finished) meter.addFinished(finished);
        else meter.markAll(state.count);
      }
    },
    end() {
      for (const { timer } of entries.values()) timer.end();
    },
  };
}

function createEntry() {
  const histogram = new Histogram();
  const meter = new Meter();
  return { histogram, meter, timer: createTimer(meter, histogram) };
}
