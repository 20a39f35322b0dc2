import { createRequire } from 'node:module';

// Imported, not required as the timer below: a bundle has no packages beside it.
import MeasuredMeter from 'measured-core/lib/metrics/Meter.js';

import { count } from '../ground/decimal.js';
import { perSecond } from '../ground/units.js';
import { typeName } from '../text/format-value.js';
import { SERVER_TIMING } from './figures.js';
import { Histogram, recordable } from './histogram.js';

/** @import { HistogramSummary, MeterSummary, MetricSummary, TimerSummary } from '../contracts/summaries.js' */
/** @import { HistogramState } from './histogram.js' */

/**
 * @typedef {'timer' | 'meter' | 'counter' | 'histogram' | 'gauge'} MetricKind
 * @typedef {object} MetricState what a metric recorded, for another thread or machine
 * @property {MetricKind} kind
 * @property {string} name
 * @property {HistogramState} [histogram]
 * @property {number} [count] events of a meter since the last state
 * @property {number} [measured] those of them, or values of a timer, while iterations ran; default: all
 * @property {MeterSummary} [meter] of a finished run
 * @property {number | null} [value] of a counter or gauge: the change since the last state; null: it has no value
 * @property {number} [sources] the change of how many threads have a value; default: that of a finished run
 *
 * @typedef {object} Metric
 * @property {MetricKind} kind
 * @property {any} forHooks
 * @property {(options: SummaryOptions) => MetricSummary} summary
 * @property {() => Omit<MetricState, 'kind' | 'name'>} drain
 * @property {(state: MetricState) => void} addState
 * @property {(ms: number) => void} [time] records a time, of a timer
 * @property {Histogram} [histogram] of a timer
 * @property {() => void} [end] of a timer or meter: stops its clock
 */

/**
 * @typedef {{ withCounts?: boolean, ratedMs?: number }} SummaryOptions ratedMs: the time that rates are per second of;
 *   without it there are none
 */

const requireHere = createRequire(import.meta.url);

const MAX_NAMES = 1000;

/** Names in Server-Timing per thread; a server may send new ones in each response. */
const MOST_SERVED = 50;
/** The metric of all other names. No response has this name: names are tokens (RFC 9110, 5.6.2). */
export const OTHER_SERVED = `${SERVER_TIMING}(other)`;

/** @typedef {{ isOutside: boolean }} Moment isOutside: `before` or `after` runs, whose events are in no rate */

/** @type {Record<MetricKind, (read: (() => unknown) | undefined, moment: Moment) => Metric>} */
const CREATE = {
  timer: createTimerMetric,
  meter: createMeterMetric,
  histogram: createHistogramMetric,
  counter: createCounter,
  gauge: createGauge,
};

/**
 * The metrics of hooks, `all.env.stats.timer('name')` and others, which appear in the final stats: the collection of
 * measured-core. At most 1,000 names, then `other`. The times in Server-Timing of responses are timers among them.
 */
export class UserMetrics {
  /** @type {Map<string, Metric>} */
  #metrics = new Map();
  /** Metrics by the names in Server-Timing. @type {Map<string, Metric>} */
  #served = new Map();
  #timersOfRun;
  /** @type {Moment} */
  #moment = { isOutside: false };

  /**
   * @param {() => Record<string, TimerSummary>} [timersOfRun] what the collection of bench-rest 1 had beside the
   *   metrics of hooks
   */
  constructor(timersOfRun = () => ({})) {
    this.#timersOfRun = timersOfRun;
  }

  /** `all.env.stats` of hooks. */
  forHooks = {
    /** @type {(name: string) => RunningTimer} */
    timer: (name) => this.#forHook(name, 'timer'),
    /** @type {(name: string) => { mark: (count?: number) => void, toJSON: () => MeterSummary }} */
    meter: (name) => this.#forHook(name, 'meter'),
    /** @type {(name: string) => { update: (value: number) => void, toJSON: () => HistogramSummary }} */
    histogram: (name) => this.#forHook(name, 'histogram'),
    /**
     * @type {(name: string) => { inc: (by?: number) => void, dec: (by?: number) => void, reset: (to?: number) => void,
     *   toJSON: () => number }}
     */
    counter: (name) => this.#forHook(name, 'counter'),
    /** @type {(name: string, read: () => number) => { toJSON: () => number | null }} */
    gauge: (name, read) => {
      if (typeof read !== 'function') throw new TypeError('a gauge needs a function that returns its value');
      return this.#forHook(name, 'gauge', read);
    },
    toJSON: () => ({ ...this.#timersOfRun(), ...this.summary() }),
  };

  /** @type {(name: string, kind: MetricKind, read?: () => unknown) => any} */
  #forHook(name, kind, read) {
    const known = this.#metrics.get(name);
    if (known?.kind === kind) return known.forHooks;
    refuse(name, kind, known?.kind);
    return this.#add(name, kind, read).forHooks;
  }

  /**
   * Adds a metric, or that of all further names of its kind if there are too many.
   * @type {(name: string, kind: MetricKind, read?: () => unknown) => Metric}
   */
  #add(name, kind, read) {
    const key = this.#metrics.size < MAX_NAMES ? name : kind === 'timer' ? 'other' : `other ${kind}s`;
    const metric = this.#metrics.get(key) ?? CREATE[kind](read, this.#moment);
    this.#metrics.set(key, metric);
    return metric;
  }

  /** Records a time in Server-Timing, unless hooks have its name. @type {(name: string, ms: number) => void} */
  serverTime(name, ms) {
    const known = this.#served.get(name) ?? this.#serveTimer(name);
    known.time?.(ms);
  }

  /** Finds or adds the timer of a name in Server-Timing. @type {(name: string) => Metric} */
  #serveTimer(name) {
    const hasPlace = this.#served.size < MOST_SERVED;
    const key = hasPlace ? `${SERVER_TIMING}${name}` : OTHER_SERVED;
    const metric = this.#metrics.get(key) ?? this.#add(key, 'timer');
    if (hasPlace) this.#served.set(name, metric);
    return metric;
  }

  /** @type {(isOutside: boolean) => void} */
  setOutside(isOutside) {
    this.#moment.isOutside = isOutside;
  }

  /** Lists the times in Server-Timing. @type {() => { name: string, histogram: Histogram }[]} */
  serverTimes() {
    return [...this.#metrics].flatMap(([key, { histogram }]) =>
      histogram && key.startsWith(SERVER_TIMING) ? [{ name: key.slice(SERVER_TIMING.length), histogram }] : [],
    );
  }

  /** @type {(options?: SummaryOptions) => Record<string, MetricSummary>} */
  summary(options = {}) {
    return Object.fromEntries([...this.#metrics].map(([name, metric]) => [name, metric.summary(options)]));
  }

  /** Returns what was recorded since the last call. @returns {MetricState[]} */
  drain() {
    return [...this.#metrics].map(([name, metric]) => ({ name, kind: metric.kind, ...metric.drain() }));
  }

  /** Adds the states of another thread or run. @type {(states: MetricState[]) => void} */
  addState(states) {
    for (const state of states) {
      const { kind } = state;
      const name = nameOfState(state.name, this.#metrics);
      const known = this.#metrics.get(name);
      // Each thread may have used the name for another kind.
      const metric = known?.kind === kind ? known : this.#add(known ? `${name} (${kind})` : name, kind, () => null);
      metric.addState(state);
    }
  }

  /** Stops the clocks of timers and meters. */
  end() {
    for (const { end } of this.#metrics.values()) end?.();
  }
}

/**
 * Lists the metrics of hooks in a result. A gauge is a counter there: both are a number.
 * @type {(stats: { metrics: Record<string, MetricSummary> }) => { name: string, kind: MetricKind, value: any }[]}
 */
export function userMetricsOf({ metrics }) {
  return Object.entries(metrics).flatMap(([name, value]) => {
    const kind = kindOf(value);
    return kind ? [{ name, kind, value }] : [];
  });
}

/**
 * Programs for 1.2.4 read `stats.step_0`: adds each metric of hooks whose name is not a key of the stats to them.
 * @type {<S extends { metrics: Record<string, MetricSummary> }>(stats: S) => S}
 */
export function withMetricNames(stats) {
  for (const name of Object.keys(stats.metrics)) {
    if (name in stats) continue;
    Object.defineProperty(stats, name, { get: () => stats.metrics[name], enumerable: true, configurable: true });
  }
  return stats;
}

/** Undoes {@link withMetricNames}. @type {<S extends { metrics?: Record<string, MetricSummary> }>(stats: S) => S} */
export function withoutMetricNames(stats) {
  /** @type {any} */
  const copy = { ...stats };
  for (const [name, metric] of Object.entries(stats.metrics ?? {})) if (copy[name] === metric) delete copy[name];
  return copy;
}

/**
 * Returns the metrics of hooks in a result, as rows of a table. `count` is the value of a counter or gauge.
 * @type {(stats: { metrics: Record<string, MetricSummary> }) => { name: string, kind: MetricKind, count: number | null,
 *   rate: number | null, values: HistogramSummary | null }[]}
 */
export function metricRows(stats) {
  return userMetricsOf(stats).map(({ name, kind, value }) => {
    const meter = kind === 'timer' ? value.meter : kind === 'meter' ? value : null;
    const values = kind === 'timer' ? value.histogram : kind === 'histogram' ? value : null;
    return {
      name,
      kind,
      count: (meter ?? values)?.count ?? value,
      rate: meter ? (meter.rate ?? meter.mean) : null,
      values,
    };
  });
}

/**
 * Selects the rows of metrics to list, and describes how many others there are. All metrics of hooks are listed, and
 * the names of Server-Timing with most time: a server chooses them, and may have many.
 * @type {<R extends ReturnType<typeof metricRows>[0]>(rows: R[], most?: number) => { listed: R[], rest: string[] }}
 */
export function listedRows(rows, most = 10) {
  const timeOf = (/** @type {typeof rows[0]} */ row) => (row.count ?? 0) * (row.values?.mean ?? 0);
  const served = rows.filter(({ name }) => name.startsWith(SERVER_TIMING)).sort((a, b) => timeOf(b) - timeOf(a));
  const hidden = new Set(served.slice(most));
  const rest = `and ${count(hidden.size)} more names of Server-Timing with less time`;
  return { listed: rows.filter((row) => !hidden.has(row)), rest: hidden.size > 0 ? [rest] : [] };
}

/** @type {(value: any) => MetricKind | undefined} */
function kindOf(value) {
  if (typeof value === 'number' || value === null) return 'counter';
  if (value?.meter && value.histogram) return 'timer';
  if (value?.currentRate !== undefined) return 'meter';
  return value?.median === undefined ? undefined : 'histogram';
}

/**
 * Returns the name, or that of all others: threads may have other names of Server-Timing, but all together have as many
 * as one.
 * @type {(name: string, metrics: Map<string, Metric>) => string}
 */
function nameOfState(name, metrics) {
  if (!name.startsWith(SERVER_TIMING) || name === OTHER_SERVED || metrics.has(name)) return name;
  const served = [...metrics.keys()].filter((one) => one.startsWith(SERVER_TIMING) && one !== OTHER_SERVED);
  return served.length < MOST_SERVED ? name : OTHER_SERVED;
}

/** @type {(name: unknown, kind: MetricKind, known: MetricKind | undefined) => void} */
function refuse(name, kind, known) {
  if (typeof name !== 'string') throw new TypeError(`the name of a ${kind} is ${typeName(name)}: use a string`);
  if (known) throw new Error(`'${name}' is a ${known} already: use another name for the ${kind}`);
}

/** @type {(read: unknown, moment: Moment) => Metric} */
function createTimerMetric(_read, moment) {
  const histogram = new Histogram();
  const meter = new Meter(moment);
  /** @type {RunningTimer | undefined} */
  let timer;
  return {
    kind: 'timer',
    get forHooks() {
      return (timer ??= createTimer(meter, histogram));
    },
    histogram,
    time(ms) {
      histogram.update(recordable(ms));
      meter.mark();
    },
    summary: (options) => ({
      meter: meter.summary(options),
      histogram: histogram.summary(options.withCounts === true),
    }),
    drain: () => ({ histogram: histogram.drain(), measured: meter.takeMeasured() }),
    addState(state) {
      const added = /** @type {HistogramState} */ (state.histogram);
      histogram.addState(added);
      meter.addState({ ...state, count: added.count });
    },
    end: () => meter.end(),
  };
}

/** @type {(read: unknown, moment: Moment) => Metric} */
function createMeterMetric(_read, moment) {
  const meter = new Meter(moment);
  let fresh = 0;
  return {
    kind: 'meter',
    forHooks: {
      mark(/** @type {unknown} */ count = 1) {
        const events = Math.max(0, finite(count));
        fresh += events;
        meter.markAll(events);
      },
      toJSON: () => meter.toJSON(),
    },
    summary: (options) => meter.summary(options),
    drain() {
      const count = fresh;
      fresh = 0;
      return { count, measured: meter.takeMeasured() };
    },
    addState: (state) => meter.addState(state),
    end: () => meter.end(),
  };
}

/** @type {() => Metric} */
function createHistogramMetric() {
  const histogram = new Histogram();
  return {
    kind: 'histogram',
    forHooks: { update: (/** @type {number} */ value) => histogram.update(value), toJSON: () => histogram.toJSON() },
    summary: ({ withCounts = false }) => histogram.summary(withCounts),
    drain: () => ({ histogram: histogram.drain() }),
    addState: ({ histogram: state }) => histogram.addState(/** @type {HistogramState} */ (state)),
  };
}

/** @type {(read?: () => unknown) => Metric} `read`: only states are added to it, so it has no value of its own */
function createCounter(read) {
  /** @type {number | null} */
  let count = read ? null : 0;
  const counter = {
    inc: (/** @type {unknown} */ by = 1) => void (count = (count ?? 0) + finite(by)),
    dec: (/** @type {unknown} */ by = 1) => void (count = (count ?? 0) - finite(by)),
    reset: (/** @type {unknown} */ to = 0) => void (count = finite(to)),
    toJSON: () => count ?? 0,
  };
  return { kind: 'counter', forHooks: counter, ...createNumber(() => count) };
}

/** @type {(read?: () => unknown) => Metric} */
function createGauge(read = () => null) {
  return { kind: 'gauge', forHooks: { toJSON: () => numberOf(read) }, ...createNumber(read) };
}

/**
 * A number that is added up over threads: each sends how much its own has changed. It has no value if none has.
 * @type {(read: () => unknown) => Pick<Metric, 'summary' | 'drain' | 'addState'>}
 */
function createNumber(read) {
  let added = 0;
  /** Threads and results with a value. */
  let sources = 0;
  /** @type {number | null} */
  let drained = null;
  return {
    summary() {
      const own = numberOf(read);
      return own === null && sources === 0 ? null : (own ?? 0) + added;
    },
    drain() {
      const own = numberOf(read);
      const change = { value: (own ?? 0) - (drained ?? 0), sources: Number(own !== null) - Number(drained !== null) };
      drained = own;
      return change;
    },
    addState(state) {
      added += state.value ?? 0;
      sources += state.sources ?? Number(state.value !== null);
    },
  };
}

/** @type {(value: unknown) => number} */
function finite(value) {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new TypeError(`expected a finite number, got ${typeName(value)}`);
}

/** @type {(read: () => unknown) => number | null} */
function numberOf(read) {
  try {
    const value = read();
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  } catch {
    // A gauge that fails has no value; it is read while results are printed, where no operation can fail.
    return null;
  }
}

/**
 * @typedef {object} RunningTimer
 * @property {() => { end: () => number | null }} start
 * @property {(ms: number) => void} update
 * @property {() => void} end
 * @property {() => { meter: MeterSummary, histogram: object }} toJSON
 */

/** Published types cannot refer to those of measured-core, which has none. @type {any} */
const Base = MeasuredMeter;

/** The moment of a meter whose events are all of iterations. */
const MEASURED = { isOutside: false };

/**
 * A measured-core meter, to which those of other threads and finished runs can be added. Its clock starts with its
 * first event in this thread, so it also counts the events while iterations ran, for a rate as all others.
 */
export class Meter extends Base {
  /** @type {MeterSummary[]} */
  #finished = [];
  #measured = 0;
  #isSum = false;
  #moment;

  /** @param {Moment} [moment] */
  constructor(moment = MEASURED) {
    super();
    this.#moment = moment;
  }

  /** @type {(count?: number) => void} */
  mark(count = 1) {
    super.mark(count);
    if (!this.#moment.isOutside) this.#measured += count;
  }

  /** Marks `count` events at once; measured-core takes 0 for 1. @type {(count: number) => void} */
  markAll(count) {
    if (count > 0) this.mark(count);
  }

  /** Returns the events since the last call while iterations ran. */
  takeMeasured() {
    const measured = this.#measured;
    this.#measured = 0;
    return measured;
  }

  /** @type {(state: Pick<MetricState, 'count' | 'measured' | 'meter'>) => void} */
  addState({ count = 0, measured = count, meter }) {
    const before = this.#measured;
    if (meter) this.addFinished(meter);
    else this.markAll(count);
    this.#measured = before + measured;
    this.#isSum = true;
  }

  /**
   * `rate` is that of the measured time. The clock of this thread says nothing about a sum, so its mean is the rate.
   * @type {(options: SummaryOptions) => MeterSummary}
   */
  summary({ ratedMs }) {
    const own = this.toJSON();
    if (ratedMs === undefined) return own;
    const rate = perSecond(this.#measured, ratedMs);
    return { ...own, ...(this.#isSum && { mean: rate }), rate };
  }

  /** @type {(summary: MeterSummary) => void} */
  addFinished(summary) {
    this.#finished.push(summary);
  }

  /** @type {() => MeterSummary} */
  toJSON() {
    const own = super.toJSON();
    if (this.#finished.length === 0) return own;
    const names = /** @type {(keyof MeterSummary)[]} */ (Object.keys(own));
    return /** @type {MeterSummary} */ (
      Object.fromEntries(names.map((name) => [name, this.#finished.reduce((sum, one) => sum + one[name], own[name])]))
    );
  }
}

/**
 * A measured-core timer on a histogram of ours. It is loaded when a hook creates the first one: it requires a module of
 * Node, which a program that is bundled as an ES module cannot do.
 * @type {(meter: Meter, histogram: { update: (ms: number) => void, toJSON: () => object }) => RunningTimer}
 */
export function createTimer(meter, histogram) {
  const Timer = requireHere('measured-core/lib/metrics/Timer.js');
  return new Timer({ meter, histogram });
}
