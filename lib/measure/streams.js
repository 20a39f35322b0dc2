import { nearest } from '../ground/problems.js';
import { readPercent, readTime } from '../ground/units.js';
import { STREAM_COUNTS, STREAM_SERIES, STREAM_TIMES } from './figures.js';
import { Histogram, recordable } from './histogram.js';

/** @import { EndedStream, Goodput } from '../contracts/recorders.js' */
/** @import { GoodputSummary, StreamSummary } from '../contracts/summaries.js' */
/** @import { HistogramState } from './histogram.js' */

/** @typedef {typeof STREAM_TIMES[number]['key']} StreamTime */
/** @typedef {typeof STREAM_COUNTS[number]['key']} StreamCount */

/** @typedef {Record<'count' | 'events' | 'bytes', number> & Partial<Record<StreamCount, number>>} StreamCounts */

/**
 * @typedef {object} StreamState the measurements of the streams of an operation, for another thread or machine
 * @property {StreamCounts} counts
 * @property {Partial<Record<StreamTime, HistogramState>>} times
 * @property {GoodputSummary[]} [goodput]
 */

/** Measures the streams of an operation. */
export class StreamRecorder {
  #counts = zeroCounts();
  /** @type {Record<StreamTime, Histogram>} */
  #times = /** @type {any} */ (Object.fromEntries(STREAM_TIMES.map(({ key }) => [key, new Histogram()])));
  /** @type {Map<string, GoodputSummary>} */
  #goodput = new Map();
  /** @type {GoodputLimits[]} */
  #limits = [];
  /**
   * The conditions of single gaps. A stream counts the gaps that meet each of them (`gapsWithin`), and their share
   * decides on a limit of a percentile: the percentile itself would need all gaps.
   */
  gapLimits = /** @type {((ms: number) => boolean)[]} */ ([]);

  /** Judges each stream by these limits. Only the first limits count. @type {(goodputs: Goodput[]) => this} */
  withLimits(goodputs) {
    if (this.#limits.length > 0) return this;
    const distinct = new Set(goodputs.map(({ limits }) => limits));
    this.#limits = [...distinct].map((limits) => readGoodput(limits, this.gapLimits));
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
    return STREAM_SERIES.flatMap((of) => {
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
      ...Object.fromEntries(STREAM_TIMES.map(({ key }) => [key, this.#times[key].summary(withCounts)])),
      ...(this.#goodput.size > 0 && { goodput: [...this.#goodput.values()].map((one) => ({ ...one })) }),
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
    for (const { key } of STREAM_COUNTS) {
      const count = counts[key];
      if (count !== undefined) this.#counts[key] = (this.#counts[key] ?? 0) + count;
    }
    for (const { key } of STREAM_TIMES) {
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
      times: Object.fromEntries(STREAM_TIMES.map(({ key }) => [key, stateOf(this.#times[key])])),
      ...(this.#goodput.size > 0 && { goodput: [...this.#goodput.values()] }),
    };
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
  const always = STREAM_COUNTS.filter((row) => !('isOptional' in row));
  return /** @type {StreamCounts} */ (Object.fromEntries(always.map(({ key }) => [key, 0])));
}

/**
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
 * null, which keeps every limit. `gap.mean` is between events, `meanGap` between what the stream counts, as tokens.
 * @type {Record<string, { isTime: boolean, of: (stream: Measured) => number | null }>}
 */
const FIGURES = {
  firstEvent: { isTime: true, of: ({ firstEventMs }) => firstEventMs },
  'gap.max': { isTime: true, of: ({ gaps, maxGap }) => (gaps > 0 ? maxGap : null) },
  'gap.mean': { isTime: true, of: ({ gaps, gapsMs }) => (gaps > 0 ? gapsMs / gaps : null) },
  meanGap: { isTime: true, of: ({ meanGap }) => (Number.isNaN(meanGap) ? null : meanGap) },
  duration: { isTime: true, of: ({ durationMs }) => durationMs },
  events: { isTime: false, of: ({ events }) => events },
  counted: { isTime: false, of: ({ counted }) => counted ?? 0 },
  eventRate: { isTime: false, of: ({ events, durationMs }) => (1000 * events) / durationMs },
  countedRate: { isTime: false, of: ({ counted, durationMs }) => (1000 * (counted ?? 0)) / durationMs },
};
const NAMES = [...Object.keys(FIGURES), 'gap.p99'];

const LIMIT = /^\s*([\w.]+)\s*(<=|>=|<|>)\s*(\S(?:.*\S)?)\s*$/;
const GAP_PERCENTILE = /^gap\.p(\d{1,2}(?:\.\d+)?)$/;
const NUMBER = /^\d+(\.\d+)?$/;

/**
 * Explains why a text is no list of limits, `firstEvent<500ms, gap.p99<100ms`; undefined if it is one. `at` is the
 * position of the limit in the text.
 * @type {(text: string) => { at: number, reason: string } | undefined}
 */
export function refuseGoodput(text) {
  let at = 0;
  for (const part of text.split(',')) {
    const reason = reasonAgainst(part);
    if (reason !== undefined) return { at: at + part.length - part.trimStart().length, reason };
    at += part.length + 1;
  }
  return undefined;
}

/** @type {(part: string) => string | undefined} */
function reasonAgainst(part) {
  const [, name = '', , bound = ''] = LIMIT.exec(part) ?? [];
  if (name === '') return "expected a limit of a stream, such as 'firstEvent<500ms'";
  const isGap = GAP_PERCENTILE.test(name);
  if (!isGap && !Object.hasOwn(FIGURES, name)) {
    const near = nearest(name, NAMES);
    return `unknown figure ${name} of a stream${near ? `, did you mean ${near}?` : `: use one of ${NAMES.join(' ')}`}`;
  }
  if (isGap || FIGURES[name].isTime)
    return readTime(bound) >= 0 ? undefined : 'expected a time with its unit, such as 200ms or 1.5s';
  return NUMBER.test(bound) ? undefined : 'expected a number';
}

/**
 * Reads limits that {@link refuseGoodput} accepts. A percentile of gaps adds a limit to `gapLimits`: it is below a
 * bound if as large a share of the gaps is, so a stream needs to keep none of them.
 * @type {(text: string, gapLimits: ((ms: number) => boolean)[]) => GoodputLimits}
 */
export function readGoodput(text, gapLimits) {
  const all = text.split(',').map((part) => limitOf(part, gapLimits));
  return { text, isKept: (stream) => all.every((isKept) => isKept(stream)) };
}

/** @type {(part: string, gapLimits: ((ms: number) => boolean)[]) => (stream: Measured) => boolean} */
function limitOf(part, gapLimits) {
  const [, name, operator, bound] = /** @type {RegExpExecArray} */ (LIMIT.exec(part));
  const percentile = GAP_PERCENTILE.exec(name)?.[1];
  if (percentile !== undefined) return gapLimit(readPercent(percentile), operator, readTime(bound), gapLimits);
  const { isTime, of } = FIGURES[name];
  const most = isTime ? readTime(bound) : Number(bound);
  return (stream) => {
    const value = of(stream);
    return value === null || COMPARE[operator](value, most);
  };
}

/**
 * The percentile is the least gap that as large a share of them does not exceed.
 * @type {(share: number, operator: string, bound: number, gapLimits: ((ms: number) => boolean)[]) => (stream: Measured)
 *   => boolean}
 */
function gapLimit(share, operator, bound, gapLimits) {
  const isUpper = operator.startsWith('<');
  // A percentile is above a bound if too few gaps are up to it: the condition is that of the opposite limit.
  const within = COMPARE[isUpper ? operator : ({ '>': '<=', '>=': '<' }[operator] ?? '<')];
  const at = gapLimits.push((ms) => within(ms, bound)) - 1;
  return ({ gaps, gapsWithin }) => {
    if (gaps < 1) return true;
    return gapsWithin[at] >= Math.max(1, Math.ceil(share * gaps - 1e-9)) === isUpper;
  };
}
