import { HdrCounts } from './hdr-counts.js';

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
 */

const LOWEST_US = 1;
const HIGHEST_US = 3_600_000_000;
const PERCENTILES = [50, 75, 90, 95, 99, 99.9];

/**
 * Times in milliseconds, kept in an HDR histogram of microseconds (1 us to 1 h, 3 significant digits), beside
 * exact count, sum, extremes and variance (Welford 1962). What is outside the range is counted at its edge.
 */
export class Histogram {
  #hdr = new HdrCounts();
  #count = 0;
  #sum = 0;
  #min = Infinity;
  #max = -Infinity;
  #mean = 0;
  #squares = 0;

  /** @type {(ms: number) => void} */
  update(ms) {
    const us = Math.round(ms * 1000);
    this.#hdr.record(us >= LOWEST_US ? (us <= HIGHEST_US ? us : HIGHEST_US) : LOWEST_US);
    const count = ++this.#count;
    this.#sum += ms;
    if (ms < this.#min) this.#min = ms;
    if (ms > this.#max) this.#max = ms;
    const off = ms - this.#mean;
    this.#mean += off / count;
    this.#squares += off * (ms - this.#mean);
  }

  /** Adds what another one holds; exact, in any order. @type {(other: Histogram) => void} */
  add(other) {
    if (other.#count === 0) return;
    this.#hdr.add(other.#hdr);
    const count = this.#count + other.#count;
    const off = other.#mean - this.#mean;
    this.#squares += other.#squares + (off * off * this.#count * other.#count) / count;
    this.#mean += (off * other.#count) / count;
    this.#count = count;
    this.#sum += other.#sum;
    this.#min = Math.min(this.#min, other.#min);
    this.#max = Math.max(this.#max, other.#max);
  }

  get count() {
    return this.#count;
  }

  /** @returns {HistogramSummary} */
  toJSON() {
    const count = this.#count;
    const some = count > 0;
    const variance = count > 1 ? this.#squares / (count - 1) : null;
    const within = (/** @type {number} */ us) => Math.min(this.#max, Math.max(this.#min, us / 1000));
    const [median, p75, p90, p95, p99, p999] = some ? this.#hdr.valuesAt(PERCENTILES, count).map(within) : PERCENTILES.map(() => null);
    return {
      min: some ? this.#min : null,
      max: some ? this.#max : null,
      sum: this.#sum,
      variance,
      mean: some ? this.#sum / count : null,
      stddev: variance === null ? null : Math.sqrt(variance),
      count,
      median,
      p75,
      p90,
      p95,
      p99,
      p999,
    };
  }
}
