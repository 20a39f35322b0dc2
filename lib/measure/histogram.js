import { HIGHEST_US, HdrCounts, LOWEST_US } from './hdr-counts.js';
import { decodeHdr, encodeHdr } from './hdr-encoding.js';

/**
 * @typedef {object} HistogramSummary milliseconds; null where nothing was recorded
 * @property {number | null} min
 * @property {number | null} max
 * @property {number} sum
 * @property {number | null} variance
 * @property {number | null} mean
 * @property {number | null} stddev
 * @property {number} count
 * @property {number | null} median
 * @property {number | null} p75
 * @property {number | null} p90
 * @property {number | null} p95
 * @property {number | null} p99
 * @property {number | null} p999
 * @property {number} outOfRange how many were below 1 us or above 1 h, and count as that
 *
 * @typedef {object} HistogramState can be sent to another thread
 * @property {number} count
 * @property {number} us
 * @property {number} ns
 * @property {number} min
 * @property {number} max
 * @property {number} outOfRange
 * @property {Uint8Array} counts
 */

const PERCENTILES = [50, 75, 90, 95, 99, 99.9];

/**
 * Times in milliseconds, kept in an HDR histogram of microseconds (1 us to 1 h, 3 significant digits), beside exact
 * count, sum and extremes. All that is added up is a whole number, so that a sum of parts is the whole, bit for bit, in
 * any order; the variance is that of the slots.
 */
export class Histogram {
  #hdr = new HdrCounts();
  #count = 0;
  /** the sum: whole microseconds, and the nanoseconds that rounding took or gave */
  #us = 0;
  #ns = 0;
  #min = Infinity;
  #max = -Infinity;
  #outOfRange = 0;

  /** @type {(ms: number) => void} */
  update(ms) {
    const us = Math.round(ms * 1000);
    // NaN too is neither above the lowest nor below the highest
    if (us >= LOWEST_US && us <= HIGHEST_US) this.#hdr.record(us);
    else if (!this.#takeOutlier(ms)) return;
    this.#count++;
    this.#us += us;
    this.#ns += Math.round(ms * 1e6 - us * 1000);
    if (ms < this.#min) this.#min = ms;
    if (ms > this.#max) this.#max = ms;
  }

  /** Adds what another one holds. @type {(other: Histogram) => void} */
  add(other) {
    this.#hdr.add(other.#hdr);
    this.#addScalars(other.#scalars());
  }

  /** Adds what was taken of another one. @type {(state: HistogramState) => void} */
  addState({ counts, ...scalars }) {
    this.#hdr.addBytes(counts);
    this.#addScalars(scalars);
  }

  /** What was recorded since it was last taken; that is here no more. @returns {HistogramState} */
  take() {
    const taken = { ...this.#scalars(), counts: this.#hdr.toBytes() };
    if (this.#count > 0) this.#hdr.clear();
    this.#count = this.#us = this.#ns = this.#outOfRange = 0;
    this.#min = Infinity;
    this.#max = -Infinity;
    return taken;
  }

  /** For files: HdrHistogram's V2 compressed encoding, base64; null where there is nothing. @returns {string | null} */
  encoded() {
    return this.#count > 0 ? encodeHdr(this.#hdr) : null;
  }

  /** Adds what a file says: the figures, and the counts as {@link encoded} wrote them. @type {(summary: HistogramSummary, encoded: string | null | undefined) => void} */
  addEncoded({ count, sum, min, max, outOfRange }, encoded) {
    if (!encoded) return;
    this.#hdr.add(decodeHdr(encoded));
    // sums are whole nanoseconds
    const ns = Math.round(sum * 1e6);
    this.#addScalars({
      count,
      us: Math.trunc(ns / 1000),
      ns: ns % 1000,
      min: min ?? Infinity,
      max: max ?? -Infinity,
      outOfRange,
    });
  }

  /** ms, within the extremes; null where there is nothing. @type {(percentile: number) => number | null} */
  valueAt(percentile) {
    if (this.#count === 0) return null;
    const [us] = this.#hdr.valuesAt([percentile], this.#count);
    return this.#within(us);
  }

  /** Values of the slots with how many are at or below each, rising. @returns {{ ms: number, upTo: number }[]} */
  spectrum() {
    /** @type {{ ms: number, upTo: number }[]} */
    const all = [];
    let upTo = 0;
    this.#hdr.forEach((us, times) => all.push({ ms: this.#within(us), upTo: (upTo += times) }));
    return all;
  }

  get count() {
    return this.#count;
  }

  /** ms */
  get sum() {
    return this.#us / 1000 + this.#ns / 1e6;
  }

  /**
   * What the times would have been if one had started every so many ms: a long one hides those that did not start
   * meanwhile (HdrHistogram's correction for coordinated omission).
   *
   * @param {number} intervalMs
   * @returns {Histogram}
   */
  corrected(intervalMs) {
    const corrected = new Histogram();
    corrected.add(this);
    const interval = Math.max(LOWEST_US, Math.round(intervalMs * 1000));
    this.#hdr.forEach((value, times) => {
      for (let missing = Math.round(value) - interval; missing >= interval; missing -= interval)
        corrected.#record(missing, times);
    });
    return corrected;
  }

  /** @returns {HistogramSummary} */
  toJSON() {
    const count = this.#count;
    const some = count > 0;
    const [median, p75, p90, p95, p99, p999] = some
      ? this.#hdr.valuesAt(PERCENTILES, count).map((us) => this.#within(us))
      : PERCENTILES.map(() => null);
    const variance = count > 1 ? this.#variance() : null;
    return {
      min: some ? this.#min : null,
      max: some ? this.#max : null,
      sum: this.sum,
      variance,
      mean: some ? this.sum / count : null,
      stddev: variance === null ? null : Math.sqrt(variance),
      count,
      median,
      p75,
      p90,
      p95,
      p99,
      p999,
      outOfRange: this.#outOfRange,
    };
  }

  /** ms of a slot: no more and no less than what was seen. @type {(us: number) => number} */
  #within(us) {
    return Math.min(this.#max, Math.max(this.#min, us / 1000));
  }

  /** Of the sample: sum of count (value - mean)^2, by n - 1. */
  #variance() {
    let sum = 0;
    this.#hdr.forEach((us, times) => (sum += this.#within(us) * times));
    const mean = sum / this.#count;
    let squares = 0;
    this.#hdr.forEach((us, times) => (squares += times * (this.#within(us) - mean) ** 2));
    return squares / (this.#count - 1);
  }

  /** @type {(us: number, times: number) => void} */
  #record(us, times) {
    this.#hdr.record(us, times);
    this.#count += times;
    this.#us += us * times;
    this.#min = Math.min(this.#min, us / 1000);
  }

  /** Counts it at the edge of the range; what is no number is none. @type {(ms: number) => boolean} */
  #takeOutlier(ms) {
    this.#outOfRange++;
    if (!Number.isFinite(ms)) return false;
    this.#hdr.record(ms < 1 ? LOWEST_US : HIGHEST_US);
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
