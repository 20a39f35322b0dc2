/**
 * Counts of whole numbers from 0 to 2^32 - 1 with three significant digits, in the layout of HdrHistogram (Gil Tene):
 * buckets whose width doubles from one to the next, each of 1,024 equal slots, the first of 2,048.
 *
 *     value          0 .. 2047   2048 .. 4095   4096 .. 8191   …
 *     width of slot      1            2              4
 *     bucket b           0            1              2            b = max(0, bits of value - 11)
 *     slot           value >> b, and 1,024 slots less for each bucket after the first
 *
 * A record is a shift and an addition: hdr-histogram-js takes ten times as long (bench/micro/measure/hdr-counts.js).
 */
export class HdrCounts {
  #counts = new Float64Array(SLOTS);

  /** @type {(value: number) => void} */
  record(value) {
    const bucket = Math.max(0, SLOT_SHIFT - Math.clz32(value));
    this.#counts[(bucket << HALF_BITS) + (value >>> bucket)]++;
  }

  /** @type {(other: HdrCounts) => void} */
  add(other) {
    const theirs = other.#counts;
    for (let i = 0; i < SLOTS; i++) this.#counts[i] += theirs[i];
  }

  /**
   * The values below which so many of all lie, each the highest that counts as equal (nearest rank).
   *
   * @param {number[]} percentiles rising, 0 to 100
   * @param {number} count of all values
   * @returns {number[]}
   */
  valuesAt(percentiles, count) {
    const counts = this.#counts;
    let slot = -1;
    let seen = 0;
    return percentiles.map((percentile) => {
      // the rounding of a product such as 99.9 / 100 * 1000 must not ask for one more
      const rank = Math.max(1, Math.ceil((percentile / 100) * count - 1e-6));
      while (seen < rank && slot < SLOTS - 1) seen += counts[++slot];
      return highestOf(slot);
    });
  }
}

const HALF_BITS = 10;
/** bits of a value that fit the first bucket: 11; 32 - 11 */
const SLOT_SHIFT = 21;
const BUCKETS = 22;
const SLOTS = (BUCKETS + 1) << HALF_BITS;

/** @type {(slot: number) => number} */
function highestOf(slot) {
  const bucket = Math.max(0, (slot >>> HALF_BITS) - 1);
  return (slot - (bucket << HALF_BITS) + 1) * 2 ** bucket - 1;
}
