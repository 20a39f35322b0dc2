import { STREAM_COUNTS, STREAM_SERIES, STREAM_TIMES } from './figures.js';
import { readGoodput } from './goodput.js';
import { Histogram, leastOf } from './histogram.js';

/** @import { EndedStream, Goodput } from '../contracts/recorders.js' */
/** @import { GoodputSummary, StreamSummary } from '../contracts/summaries.js' */
/** @import { GoodputLimits } from './goodput.js' */
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
  /** Limits of single gaps, which a stream counts for percentiles: the percentile itself would need all gaps. */
  gapLimits = /** @type {((ms: number) => boolean)[]} */ ([]);

  /** Judges each stream by these limits from now on. @type {(goodputs: Goodput[]) => this} */
  withLimits(goodputs) {
    if (this.#limits.length > 0) return this;
    const each = new Set(goodputs.map(({ limits }) => limits));
    this.#limits = [...each].map((limits) => readGoodput(limits, this.gapLimits));
    return this;
  }

  /** @type {(ms: number) => void} */
  firstEvent(ms) {
    this.#times.firstEvent.update(leastOf(ms));
  }

  /** @type {(ms: number) => void} */
  gap(ms) {
    this.#times.gap.update(leastOf(ms));
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
    if (!Number.isNaN(meanGap)) times.meanGap.update(leastOf(meanGap));
    if (!failed && !Number.isNaN(durationMs)) times.duration.update(leastOf(durationMs));
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

/** Without those that some streams do not have. @type {() => StreamCounts} */
function zeroCounts() {
  const always = STREAM_COUNTS.filter((row) => !('isOptional' in row));
  return /** @type {StreamCounts} */ (Object.fromEntries(always.map(({ key }) => [key, 0])));
}
