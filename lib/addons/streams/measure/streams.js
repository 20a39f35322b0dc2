import { nearest } from '../../../core/ground/problems.js';
import { readPercent, readTime } from '../../../core/ground/units.js';
import { Histogram, recordable } from '../../../core/measure/histogram.js';
import { COUNTS, SERIES, TIMES } from '../figures.js';

/** @import { FiguresRecorder, JudgedLimits } from '../../../core/contracts/recorders.js' */
/** @import { GoodputSummary, PointSummary, StreamPoint, StreamSummary } from '../../../core/contracts/summaries.js' */
/** @import { HistogramState } from '../../../core/measure/histogram.js' */
/** @import { Series } from '../../../core/measure/series.js' */
/** @import { EndedStream } from '../types.js' */

/** @typedef {typeof TIMES[number]['key']} StreamTime */
/** @typedef {typeof COUNTS[number]['key']} StreamCount */

/** @typedef {Record<'count' | 'events' | 'bytes', number> & Partial<Record<StreamCount, number>>} StreamCounts */

/**
 * @typedef {object} StreamState the measurements of the streams of an operation, for another thread or machine
 * @property {StreamCounts} counts
 * @property {Partial<Record<StreamTime, HistogramState>>} times
 * @property {GoodputSummary[]} [goodput]
 */

/** @type {() => StreamRecorder} */
export function createRecorder() {
  return new StreamRecorder();
}

/** Measures the streams of an operation. @implements {FiguresRecorder} */
export class StreamRecorder {
  #counts = zeroCounts();
  /** @type {Record<StreamTime, Histogram>} */
  #times = /** @type {any} */ (Object.fromEntries(TIMES.map(({ key }) => [key, new Histogram()])));
  /** @type {Map<string, GoodputSummary>} */
  #goodput = new Map();
  /** @type {GoodputLimits[]} */
  #limits = [];
  /**
   * The conditions of single gaps, which limits of percentiles become. A stream counts the gaps that meet each of them
   * (`gapsWithin`), and stores no gap.
   */
  gapLimits = /** @type {GapLimit[]} */ ([]);

  /** Judges each stream by these limits. Only the first limits count. @type {(all: JudgedLimits[]) => this} */
  withLimits(all) {
    if (this.#limits.length > 0) return this;
    const distinct = new Set(all.map(({ text }) => text));
    const addGapLimit = (/** @type {GapLimit} */ limit) => this.gapLimits.push(limit) - 1;
    this.#limits = [...distinct].map((text) => readGoodput(text, addGapLimit));
    return this;
  }

  /** @type {(ms: number) => void} */
  firstEvent(ms) {
    this.#times.firstEvent.update(recordable(ms));
  }

  /** @type {(ms: number) => void} */
  gap(ms) {
    this.#times.gap.update(recordable(ms));
  }

  /** @type {(stream: EndedStream) => void} */
  ended(stream) {
    const { hasBegun, failed, cancelled = false, meanGap, durationMs } = stream;
    const [counts, times] = [this.#counts, this.#times];
    if (hasBegun) {
      counts.count++;
      counts.events += stream.events;
      counts.bytes += stream.bytes;
      if (stream.counted !== null) counts.counted = (counts.counted ?? 0) + stream.counted;
      if (stream.reconnects > 0) counts.reconnects = (counts.reconnects ?? 0) + stream.reconnects;
    }
    if (!Number.isNaN(meanGap)) times.meanGap.update(recordable(meanGap));
    if (!failed && !Number.isNaN(durationMs)) times.duration.update(recordable(durationMs));
    if (cancelled) return;
    for (const { text, isKept } of this.#limits) {
      const sum = this.#goodputOf(text);
      sum.count++;
      if (!failed && isKept(stream)) sum.good++;
    }
  }

  /** Returns the times since the last call. */
  points() {
    return SERIES.flatMap((of) => {
      const fresh = this.#times[of].sincePoint();
      return fresh ? [{ of, ...fresh }] : [];
    });
  }

  /** Returns the sum of this recorder and others. @type {(others: StreamRecorder[]) => StreamRecorder} */
  with(others) {
    const sum = new StreamRecorder();
    for (const one of [this, ...others]) sum.addState(one.toState());
    return sum;
  }

  /** @type {(options: { withCounts: boolean }) => StreamSummary} */
  summary({ withCounts }) {
    return /** @type {any} */ ({
      ...this.#counts,
      ...Object.fromEntries(TIMES.map(({ key }) => [key, this.#times[key].summary(withCounts)])),
      ...this.#copiedGoodput(),
    });
  }

  /** @type {() => StreamState} */
  toState() {
    return this.#stateWith((histogram) => histogram.toState());
  }

  /** @type {() => StreamState} */
  drain() {
    const state = this.#stateWith((histogram) => histogram.drain());
    this.#counts = zeroCounts();
    this.#goodput = new Map();
    return state;
  }

  /** @type {(state: StreamState) => void} */
  addState({ counts, times, goodput = [] }) {
    for (const { key } of COUNTS) {
      const count = counts[key];
      if (count !== undefined) this.#counts[key] = (this.#counts[key] ?? 0) + count;
    }
    for (const { key } of TIMES) {
      const state = times[key];
      if (state) this.#times[key].addState(state);
    }
    for (const { limits, good, count } of goodput) {
      const sum = this.#goodputOf(limits);
      sum.good += good;
      sum.count += count;
    }
  }

  /** @type {(stateOf: (histogram: Histogram) => HistogramState) => StreamState} */
  #stateWith(stateOf) {
    return {
      counts: { ...this.#counts },
      times: Object.fromEntries(TIMES.map(({ key }) => [key, stateOf(this.#times[key])])),
      ...this.#copiedGoodput(),
    };
  }

  #copiedGoodput() {
    return this.#goodput.size > 0 ? { goodput: [...this.#goodput.values()].map((one) => ({ ...one })) } : {};
  }

  /** @type {(limits: string) => GoodputSummary} */
  #goodputOf(limits) {
    const known = this.#goodput.get(limits);
    if (known) return known;
    const sum = { limits, good: 0, count: 0 };
    this.#goodput.set(limits, sum);
    return sum;
  }
}

/** Returns the counts that all streams have. @type {() => StreamCounts} */
function zeroCounts() {
  const always = COUNTS.filter((row) => !('isOptional' in row));
  return /** @type {StreamCounts} */ (Object.fromEntries(always.map(({ key }) => [key, 0])));
}

/**
 * Returns a function that returns the point of streams at a position. Each event is the first one or ends a gap.
 * @type {(series: Record<string, Series>) => (i: number) => StreamPoint}
 */
export function pointsOf({ firstEvent, gap }) {
  const [first, between] = [firstEvent, gap].map((series) => series.summary().points);
  const rateAt = (/** @type {PointSummary | undefined} */ point) => point?.iterations.completedRate ?? 0;
  return (i) => ({
    eventRate: rateAt(first[i]) + rateAt(between[i]),
    firstEvent: timesAt(first[i]),
    gap: timesAt(between[i]),
  });
}

/** @type {(point: PointSummary | undefined) => StreamPoint['gap']} */
function timesAt(point) {
  const { median = null, p95 = null, p99 = null } = point?.responseTime ?? {};
  return { median, p95, p99 };
}

/**
 * @typedef {(ms: number) => boolean} GapLimit
 *
 * @typedef {(limit: GapLimit) => number} AddGapLimit lets streams count the gaps that meet a condition; returns its
 *   index in `gapsWithin`
 *
 * @typedef {object} GoodputLimits
 * @property {string} text
 * @property {(stream: EndedStream) => boolean} isKept reports whether a stream keeps all limits
 *
 * @typedef {Pick<EndedStream, 'events' | 'gaps' | 'gapsMs' | 'counted' | 'firstEventMs' | 'maxGap' | 'meanGap' |
 *   'durationMs' | 'gapsWithin'>} Measured
 */

/** @type {Record<string, (a: number, b: number) => boolean>} */
const COMPARE = { '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '<': (a, b) => a < b, '>': (a, b) => a > b };

/**
 * The figures of a single stream. Without an event some are NaN, which keeps no limit; without a gap those of gaps are
 * null, which keeps every limit. `gap.mean` is between events, `meanGap` between what the stream counts, as tokens;
 * without `stream.count` it counts its events.
 * @type {Record<string, { isTime: boolean, of: (stream: Measured) => number | null }>}
 */
const FIGURES = {
  firstEvent: { isTime: true, of: ({ firstEventMs }) => firstEventMs },
  'gap.max': { isTime: true, of: ({ gaps, maxGap }) => (gaps > 0 ? maxGap : null) },
  'gap.mean': { isTime: true, of: ({ gaps, gapsMs }) => (gaps > 0 ? gapsMs / gaps : null) },
  meanGap: { isTime: true, of: ({ meanGap }) => (Number.isNaN(meanGap) ? null : meanGap) },
  duration: { isTime: true, of: ({ durationMs }) => durationMs },
  events: { isTime: false, of: ({ events }) => events },
  counted: { isTime: false, of: unitsOf },
  eventRate: { isTime: false, of: ({ events, durationMs }) => (1000 * events) / durationMs },
  countedRate: { isTime: false, of: (stream) => (1000 * unitsOf(stream)) / stream.durationMs },
};
const NAMES = [...Object.keys(FIGURES), 'gap.p99'];

/** @type {(stream: Measured) => number} */
function unitsOf({ counted, events }) {
  return counted ?? events;
}

/** `firstEvent<500ms`: figure, comparison and bound. */
const LIMIT = /^\s*([\w.]+)\s*(<=|>=|<|>)\s*(\S(?:.*\S)?)\s*$/;
/** `gap.p99`, `gap.p99.9`. */
const GAP_PERCENTILE = /^gap\.p(\d{1,2}(?:\.\d+)?)$/;
const NUMBER = /^\d+(\.\d+)?$/;

/**
 * Explains why a text is no list of limits, `firstEvent<500ms, gap.p99<100ms`; undefined if it is one. `at` is the
 * position of the limit, or of its bound.
 * @type {(text: string) => { at: number, reason: string } | undefined}
 */
export function refuseLimits(text) {
  let from = 0;
  for (const part of text.split(',')) {
    const refusal = refuseLimit(part);
    if (refusal !== undefined) return { ...refusal, at: from + refusal.at };
    from += part.length + 1;
  }
  return undefined;
}

/** @type {(part: string) => { at: number, reason: string } | undefined} */
function refuseLimit(part) {
  const at = part.length - part.trimStart().length;
  const [, name = '', , bound = ''] = LIMIT.exec(part) ?? [];
  if (name === '') return { at, reason: "expected a limit of a stream, such as 'firstEvent<500ms'" };
  const isGap = GAP_PERCENTILE.test(name);
  if (!isGap && !Object.hasOwn(FIGURES, name)) {
    const near = nearest(name, NAMES);
    const remedy = near ? `, did you mean ${near}?` : `: use one of ${NAMES.join(' ')}`;
    return { at, reason: `unknown figure ${name} of a stream${remedy}` };
  }
  const isTime = isGap || FIGURES[name].isTime;
  if (isTime ? readTime(bound) >= 0 : NUMBER.test(bound)) return undefined;
  const reason = isTime ? 'expected a time with its unit, such as 200ms or 1.5s' : 'expected a number';
  return { at: part.trimEnd().length - bound.length, reason };
}

/** Reads limits that {@link refuseLimits} accepts. @type {(text: string, addGapLimit: AddGapLimit) => GoodputLimits} */
export function readGoodput(text, addGapLimit) {
  const all = text.split(',').map((part) => limitOf(part, addGapLimit));
  return { text, isKept: (stream) => all.every((isKept) => isKept(stream)) };
}

/** @type {(part: string, addGapLimit: AddGapLimit) => (stream: Measured) => boolean} */
function limitOf(part, addGapLimit) {
  const [, name, operator, bound] = /** @type {RegExpExecArray} */ (LIMIT.exec(part));
  const percentile = GAP_PERCENTILE.exec(name)?.[1];
  if (percentile !== undefined) return gapLimit(readPercent(percentile), operator, readTime(bound), addGapLimit);
  const { isTime, of } = FIGURES[name];
  const limit = isTime ? readTime(bound) : Number(bound);
  return (stream) => {
    const value = of(stream);
    return value === null || COMPARE[operator](value, limit);
  };
}

/**
 * A percentile of gaps is below a bound if that share of the gaps is: `gap.p99<100ms` holds if 99 % of them are below
 * 100 ms, which a stream can count. `gap.p99>100ms` is the opposite of `gap.p99<=100ms`.
 * @type {(share: number, operator: string, bound: number, addGapLimit: AddGapLimit) => (stream: Measured) => boolean}
 */
function gapLimit(share, operator, bound, addGapLimit) {
  const isUpper = operator.startsWith('<');
  const opposite = operator === '>' ? '<=' : '<';
  const isWithin = COMPARE[isUpper ? operator : opposite];
  const at = addGapLimit((ms) => isWithin(ms, bound));
  return ({ gaps, gapsWithin }) => {
    if (gaps < 1) return true;
    // The percentile is the gap of this rank.
    const rank = Math.max(1, Math.ceil(share * gaps - 1e-9));
    return gapsWithin[at] >= rank === isUpper;
  };
}
