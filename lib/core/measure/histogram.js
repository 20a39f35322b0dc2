import { HIGHEST_US, HdrCounts, LOWEST_US, USUAL_US, binWidth, decodeHdr, encodeHdr, totalOf } from './hdr-counts.js';
import { copyOf } from '../text/safe.js';
import { PERCENTILES } from './percentiles.js';

/** @import { HistogramSummary } from '../contracts/summaries.js' */

const LOWEST_MS = LOWEST_US / 1000;
/** The beginning of the highest bin. */
const HIGHEST_MS = (HIGHEST_US - binWidth(HIGHEST_US) + 1) / 1000;
/** The percentiles of the lowest and of the highest bin. */
const EXTREMES = [0, 100];
const RISING = PERCENTILES.map(({ percentile }) => percentile);
const NOT_COUNTS = 'not encoded counts';

/**
 * @typedef {object} HistogramState the content of a histogram, for another thread or machine
 * @property {number} count
 * @property {number} us whole microseconds of the sum
 * @property {number} ns nanoseconds of the sum, the remainder of rounding to microseconds
 * @property {number} min ms; Infinity if nothing was recorded
 * @property {number} max ms; -Infinity if nothing was recorded
 * @property {number} outOfRange
 * @property {Uint8Array} counts {@link HdrCounts#toBytes}
 */

/**
 * Times in milliseconds, kept in an HDR histogram of microseconds (from 1 µs, 3 significant digits), with exact count,
 * sum and extremes. All sums are of whole numbers, so the sum of parts equals the whole bit for bit, in any
 * order. The variance is computed from the bins.
 */
export class Histogram {
  #hdr = new HdrCounts();
  #count = 0;
  /** The sum: whole microseconds, and the nanoseconds lost or gained by rounding. */
  #us = 0;
  #ns = 0;
  #min = Infinity;
  #max = -Infinity;
  #outOfRange = 0;
  /** null: no series has read a point yet. @type {LastPoint | null} */
  #lastPoint = null;

  /** @type {(ms: number) => void} */
  update(ms) {
    const us = Math.round(ms * 1000);
    // NaN fails both comparisons
    if (us >= LOWEST_US && us <= USUAL_US) this.#hdr.record(us);
    else if (!this.#recordUnusual(ms, us)) return;
    this.#count++;
    this.#us += us;
    this.#ns += Math.round(ms * 1e6 - us * 1000);
    if (ms < this.#min) this.#min = ms;
    if (ms > this.#max) this.#max = ms;
  }

  /** @type {(other: Histogram) => void} */
  add(other) {
    this.#hdr.add(other.#hdr);
    this.#addScalars(other.#scalars());
  }

  /**
   * Returns the values since the last call, also those that were drained meanwhile; `max` is that of all values so far.
   * It adds no cost to recording.
   * @type {() => { count: number, max: number, counts: Uint8Array } | null}
   */
  sincePoint() {
    this.#lastPoint ??= new LastPoint();
    const last = this.#lastPoint;
    const count = this.#count - last.count;
    if (count === 0) return null;
    last.count = this.#count;
    return { count, max: Math.max(this.#max, last.drainedMax), counts: this.#hdr.takeSince(last.hdr) };
  }

  /** @type {(state: HistogramState) => void} */
  addState({ counts, ...scalars }) {
    this.#hdr.addBytes(counts);
    this.#addScalars(scalars);
  }

  /** Returns the values recorded since the last call, and clears the histogram. @type {() => HistogramState} */
  drain() {
    const state = this.toState();
    if (this.#count > 0) {
      this.#lastPoint?.drained(this.#count, this.#max, this.#hdr);
      this.#hdr.clear();
    }
    this.#count = this.#us = this.#ns = this.#outOfRange = 0;
    this.#min = Infinity;
    this.#max = -Infinity;
    return state;
  }

  /** @type {() => HistogramState} */
  toState() {
    return { ...this.#scalars(), counts: this.#hdr.toBytes() };
  }

  /** Encodes the counts: HdrHistogram's V2 compressed encoding in base64; null: none. @type {() => string | null} */
  encoded() {
    return this.#count > 0 ? encodeHdr(this.#hdr) : null;
  }

  /**
   * Returns the histogram of a saved result; null: the result has no such times, or not their counts.
   * @throws {Error} the counts cannot be read, or are not as many as the summary says
   * @type {(summary: HistogramSummary | undefined) => Histogram | null}
   */
  static decode(summary) {
    if (summary?.count === 0) return Histogram.#empty(summary.outOfRange);
    return summary?.hdr === undefined ? null : Histogram.of(summary, countsOf(summary.hdr));
  }

  /** Values that are no numbers are counted nowhere else. @type {(outOfRange?: number) => Histogram} */
  static #empty(outOfRange = 0) {
    const histogram = new Histogram();
    histogram.#outOfRange = outOfRange;
    return histogram;
  }

  /**
   * Returns the histogram of a summary and of the counts of {@link HdrCounts#toBytes}.
   * @throws {Error} they are not such counts, or not as many as the summary says
   * @type {(summary: HistogramSummary, counts: Uint8Array) => Histogram}
   */
  static of({ count, sum, min, max, outOfRange }, counts) {
    const total = totalOf(counts);
    if (total !== count) throw new Error(total === null ? NOT_COUNTS : `${total} values, but its summary has ${count}`);
    const histogram = new Histogram();
    histogram.#hdr.addBytes(counts);
    // Sums are whole nanoseconds.
    const ns = Math.round(sum * 1e6);
    histogram.#addScalars({
      count,
      us: Math.trunc(ns / 1000),
      ns: ns % 1000,
      min: min ?? Infinity,
      max: max ?? -Infinity,
      outOfRange,
    });
    return histogram;
  }

  /**
   * Returns the histogram without the values of a part. An extreme that the part has, too, becomes that of the bins
   * that are left; adding the part again gives the whole.
   * @type {(part: Histogram) => Histogram}
   */
  without(part) {
    const rest = new Histogram();
    rest.add(this);
    rest.#hdr.subtract(part.#hdr);
    rest.#count -= part.#count;
    rest.#us -= part.#us;
    rest.#ns -= part.#ns;
    rest.#outOfRange -= part.#outOfRange;
    if (rest.#count <= 0) return Histogram.#empty(Math.max(0, rest.#outOfRange));
    const [lowest, highest] = rest.#hdr.valuesAt(EXTREMES, rest.#count);
    if (part.#min === rest.#min) rest.#min = rest.#within(lowest);
    if (part.#max === rest.#max) rest.#max = rest.#within(highest);
    return rest;
  }

  /** Returns a copy with extremes rounded to bins: after `without` they depend on order. @type {() => Histogram} */
  rounded() {
    const copy = new Histogram();
    copy.add(this);
    if (copy.#count > 0) [copy.#min, copy.#max] = this.#hdr.valuesAt(EXTREMES, this.#count).map((us) => us / 1000);
    return copy;
  }

  /** Returns the value at a percentile (0 to 100), ms; null: none. @type {(percentile: number) => number | null} */
  valueAt(percentile) {
    if (this.#count === 0) return null;
    // This one is exact, unlike the value of a bin.
    if (percentile === 100) return this.#max;
    const [us] = this.#hdr.valuesAt([percentile], this.#count);
    return this.#within(us);
  }

  /** Returns the value of each bin, and how many are at or below it. @type {() => { ms: number, upTo: number }[]} */
  percentileDistribution() {
    /** @type {{ ms: number, upTo: number }[]} */
    const all = [];
    let upTo = 0;
    this.#hdr.forEach((us, times) => all.push({ ms: this.#within(us), upTo: (upTo += times) }));
    return all;
  }

  /** Visits bins that are not empty, in rising order. @type {(visit: (ms: number, times: number) => void) => void} */
  forEach(visit) {
    this.#hdr.forEach((us, times) => visit(this.#within(us), times));
  }

  /** Counts the values that are certainly greater: those in the same bin may be less. @type {(ms: number) => number} */
  countAbove(ms) {
    if (ms < this.#min) return this.#count;
    return ms < this.#max ? this.#hdr.countAbove(Math.min(HIGHEST_US, Math.round(ms * 1000))) : 0;
  }

  get count() {
    return this.#count;
  }

  /** Returns the sum, ms; the same number for the same sum, however it is split into µs and ns. */
  get sum() {
    const carry = Math.floor(this.#ns / 1000);
    return (this.#us + carry) / 1000 + (this.#ns - carry * 1000) / 1e6;
  }

  /**
   * Applies HdrHistogram's correction for coordinated omission: a time longer than the expected interval between two
   * starts hides the iterations that did not start in it, so the times that they would have had are added.
   * @type {(intervalMs: number) => Histogram}
   */
  corrected(intervalMs) {
    const corrected = new Histogram();
    corrected.add(this);
    const interval = Math.max(LOWEST_US, Math.round(intervalMs * 1000));
    this.#hdr.forEach((value, times) => corrected.#addMissing(Math.round(value) - interval, interval, times));
    return corrected;
  }

  /** @type {(withCounts: boolean) => HistogramSummary} withCounts: for a file, or for another machine */
  summary(withCounts) {
    const summary = this.toJSON();
    if (withCounts && this.#count > 0) summary.hdr = encodeHdr(this.#hdr);
    return summary;
  }

  /** With one value, `stddev` is 0 and `variance` null, as in measured-core. @type {() => HistogramSummary} */
  toJSON() {
    const count = this.#count;
    const isEmpty = count === 0;
    const values = isEmpty ? [] : this.#hdr.valuesAt(RISING, count).map((us) => this.#within(us));
    const variance = count > 1 ? this.#variance() : null;
    const summary = /** @type {HistogramSummary} */ ({
      min: isEmpty ? null : this.#min,
      max: isEmpty ? null : this.#max,
      sum: this.sum,
      variance,
      mean: isEmpty ? null : this.sum / count,
      stddev: isEmpty ? null : Math.sqrt(variance ?? 0),
      count,
    });
    for (let i = 0; i < PERCENTILES.length; i++) summary[PERCENTILES[i].key] = values[i] ?? null;
    summary.outOfRange = this.#outOfRange;
    return summary;
  }

  /** A bin in ms, within the exact extremes. @type {(us: number) => number} */
  #within(us) {
    return Math.min(this.#max, Math.max(this.#min, us / 1000));
  }

  /**
   * Sample variance of the bins, in one pass around the mean of the values, which is close to theirs (Chan, Golub,
   * LeVeque 1983: the shifted data algorithm): (sum of d^2 - (sum of d)^2 / n) / (n - 1), where d = value - mean.
   */
  #variance() {
    const mean = this.sum / this.#count;
    // a variable of the callback would be a new object for each bin
    const sums = new Float64Array(2);
    this.#hdr.forEach((us, times) => {
      const distance = this.#within(us) - mean;
      sums[0] += times * distance;
      sums[1] += times * distance ** 2;
    });
    return Math.max(0, sums[1] - sums[0] ** 2 / this.#count) / (this.#count - 1);
  }

  /**
   * Adds the values from the highest one down to the interval, in steps of it; those of one bin at once, as a long time
   * hides millions of short intervals.
   * @type {(highest: number, interval: number, times: number) => void}
   */
  #addMissing(highest, interval, times) {
    for (let us = highest; us >= interval;) {
      const lowest = Math.max(interval, us - (us % binWidth(us)));
      const steps = Math.floor((us - lowest) / interval) + 1;
      this.#hdr.recordWide(us, steps * times);
      this.#count += steps * times;
      this.#us += times * (steps * us - (interval * steps * (steps - 1)) / 2);
      us -= steps * interval;
      this.#min = Math.min(this.#min, (us + interval) / 1000);
    }
  }

  /**
   * Records a value that is rare: one above an hour, or at the edge of the range. It returns false for NaN and
   * Infinity.
   * @type {(ms: number, us: number) => boolean}
   */
  #recordUnusual(ms, us) {
    if (!(us >= LOWEST_US && us <= HIGHEST_US)) this.#outOfRange++;
    if (!Number.isFinite(ms)) return false;
    this.#hdr.recordWide(Math.min(HIGHEST_US, Math.max(LOWEST_US, us)));
    return true;
  }

  #scalars() {
    return {
      count: this.#count,
      us: this.#us,
      ns: this.#ns,
      min: this.#min,
      max: this.#max,
      outOfRange: this.#outOfRange,
    };
  }

  /** @type {(scalars: Omit<HistogramState, 'counts'>) => void} */
  #addScalars({ count, us, ns, min, max, outOfRange }) {
    this.#count += count;
    this.#us += us;
    this.#ns += ns;
    this.#min = Math.min(this.#min, min);
    this.#max = Math.max(this.#max, max);
    this.#outOfRange += outOfRange;
  }
}

/**
 * The values of a histogram at the last point of a series: those that it has beyond them are the next point. A drain
 * subtracts its values on both sides, which keeps the difference.
 */
class LastPoint {
  count = 0;
  hdr = new HdrCounts();
  /** Of all values that were drained since the first point. */
  drainedMax = -Infinity;

  /** @type {(count: number, max: number, hdr: HdrCounts) => void} */
  drained(count, max, hdr) {
    this.count -= count;
    this.drainedMax = Math.max(this.drainedMax, max);
    this.hdr.subtractDrained(hdr);
  }
}

/**
 * Reports whether a result has the counts of its histograms. That of a run that has not ended has none, which nothing
 * but the missing `endedAt` shows if no iteration was recorded.
 * @type {(result: { main: { histogram: HistogramSummary }, endedAt?: string }) => boolean}
 */
export function hasCounts({ main: { histogram }, endedAt }) {
  return histogram.count === 0 ? endedAt !== undefined : histogram.hdr !== undefined;
}

/** A copy of a result, or of a part of it, without the counts that only programs read. @type {<T>(value: T) => T} */
export function withoutCounts(value) {
  return copyOf(value, { change: withoutOwnCounts });
}

/**
 * Leaves out the counts of a histogram (`hdr`), or of a point of the series (`hdrPayload`). A counter of a hook may be
 * named `hdr`, too, but its owner has no count.
 * @type {(part: Record<string, any>) => Record<string, any>}
 */
export function withoutOwnCounts(part) {
  const names = ['hdrPayload', ...(typeof part.count === 'number' ? ['hdr'] : [])];
  const own = names.filter((name) => typeof part[name] === 'string');
  if (own.length === 0) return part;
  return Object.fromEntries(Object.entries(part).filter(([name]) => !own.includes(name)));
}

/** Returns a time as a histogram can have it: at least the lowest value. @type {(ms: number) => number} */
export function recordable(ms) {
  return ms > LOWEST_MS ? ms : LOWEST_MS;
}

/**
 * Decodes the text of {@link Histogram#encoded} to the bytes of {@link HdrCounts#toBytes}.
 * @throws {Error} it is not such an encoding
 * @type {(encoded: string) => Uint8Array}
 */
export function countsOf(encoded) {
  try {
    return decodeHdr(encoded);
  } catch {
    // The error of zlib would not help the user.
    throw new Error(NOT_COUNTS);
  }
}

/**
 * Reports whether a percentile tells on which side of a bound it is, although values beyond the range of bins are among
 * those behind it: they are lower than the lowest bin, or higher than the highest one.
 * @type {(value: number, bound: number) => boolean}
 */
export function isInRange(value, bound) {
  if (value <= LOWEST_MS) return bound > LOWEST_MS;
  return value < HIGHEST_MS || bound < HIGHEST_MS;
}
