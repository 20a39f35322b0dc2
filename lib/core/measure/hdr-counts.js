import { deflateSync, inflateSync } from 'node:zlib';

import { quantileRank } from './percentiles.js';

/**
 * Counts of whole numbers from 0 to 2^53 - 1 with three significant digits, in the layout of HdrHistogram (Gil Tene):
 * buckets whose width doubles from one to the next, each of 1,024 equal bins, the first of 2,048.
 *
 *     value          0 .. 2047   2048 .. 4095   4096 .. 8191   …
 *     width of bin       1            2              4
 *     bucket b           0            1              2            b = max(0, bits of value - 11)
 *     bin            1,024 * b + (value >> b)
 *
 * Recording is a shift and an addition: 4 ns, hdr-histogram-js needs ten times as long
 * (bench/micro/measure/hdr-counts.js).
 */
export class HdrCounts {
  /** By bin. The array grows with the highest value, as most operations of a long list have none. */
  #counts = NONE;
  /** The bins that have counts are between these two; most runs have few of all bins. */
  #lowest = BINS;
  #highest = -1;

  /** @type {(value: number, times?: number) => void} value: below 2^32 */
  record(value, times = 1) {
    const bucket = Math.max(0, BIN_SHIFT - Math.clz32(value));
    const bin = (bucket << HALF_BITS) + (value >>> bucket);
    if (bin < this.#lowest) this.#lowest = bin;
    if (bin > this.#highest) this.#reach(bin);
    this.#counts[bin] += times;
  }

  /** Records any value. @type {(value: number, times?: number) => void} */
  recordWide(value, times = 1) {
    const bin = binOf(value);
    this.#cover(bin, bin);
    this.#counts[bin] += times;
  }

  /** @type {(other: HdrCounts) => void} */
  add(other) {
    const theirs = other.#counts;
    this.#cover(other.#lowest, other.#highest);
    for (let bin = other.#lowest; bin <= other.#highest; bin++) this.#counts[bin] += theirs[bin];
  }

  /** @type {(part: HdrCounts) => void} */
  subtract(part) {
    const theirs = part.#counts;
    this.#cover(part.#lowest, part.#highest);
    for (let bin = part.#lowest; bin <= part.#highest; bin++)
      this.#counts[bin] = Math.max(0, this.#counts[bin] - theirs[bin]);
  }

  /** Subtracts counts from those of a point: they may become negative. @type {(drained: HdrCounts) => void} */
  subtractDrained(drained) {
    const theirs = drained.#counts;
    this.#cover(drained.#lowest, drained.#highest);
    for (let bin = drained.#lowest; bin <= drained.#highest; bin++) this.#counts[bin] -= theirs[bin];
  }

  clear() {
    this.#counts.fill(0, this.#lowest, this.#highest + 1);
    this.#lowest = BINS;
    this.#highest = -1;
  }

  /** Reports whether there are values that HdrHistogram tools need a higher limit for. */
  get isWide() {
    return this.#counts.subarray(USUAL_BINS, this.#highest + 1).some((count) => count > 0);
  }

  /**
   * Visits the bins with values, in rising order.
   * @type {(visit: (middle: number, count: number) => void) => void} middle: of the bin
   */
  forEach(visit) {
    // Most bins are empty, and a run does this twice per second: a callback for each took a sixth of the CPU of a
    // short run
    const counts = this.#counts;
    for (let bucket = bucketAt(this.#lowest), bin = this.#lowest; bin <= this.#highest; bucket++) {
      const width = 2 ** bucket;
      const first = bucket << HALF_BITS;
      const end = Math.min(this.#highest + 1, first + (2 << HALF_BITS));
      const middle = (width - 1) / 2;
      for (; bin < end; bin++) if (counts[bin] > 0) visit((bin - first) * width + middle, counts[bin]);
    }
  }

  /** Counts the values in bins above that of a value. @type {(value: number) => number} */
  countAbove(value) {
    return this.#counts.subarray(binOf(value) + 1, this.#highest + 1).reduce((sum, count) => sum + count, 0);
  }

  /**
   * Returns percentiles (rising, 0 to 100) by nearest rank, each the highest value of its bin. `count` is that of all
   * values.
   * @type {(percentiles: number[], count: number) => number[]}
   */
  valuesAt(percentiles, count) {
    const counts = this.#counts;
    /** @type {number[]} */
    const values = [];
    let bin = this.#lowest - 1;
    let seen = 0;
    // Not map: V8 optimizes this loop in a callback, and gives that up at every call
    for (const percentile of percentiles) {
      const rank = quantileRank(percentile / 100, count);
      while (seen < rank && bin < this.#highest) seen += counts[++bin];
      values.push(seen > 0 ? highestOf(bin) : -1);
    }
    return values;
  }

  /**
   * Encodes the counts as the payload of HdrHistogram's V2 encoding: ZigZag LEB128 numbers; a negative number skips
   * that many empty bins.
   * @type {() => Uint8Array<ArrayBuffer>}
   */
  toBytes() {
    return this.#encode(null);
  }

  /**
   * Encodes the difference to earlier counts, and sets those to the present ones, so that the next call has what is
   * recorded from now on.
   * @type {(earlier: HdrCounts) => Uint8Array<ArrayBuffer>}
   */
  takeSince(earlier) {
    this.#cover(earlier.#lowest, earlier.#highest);
    earlier.#cover(this.#lowest, this.#highest);
    return this.#encode(earlier.#counts);
  }

  /** @type {(old: Float64Array | null) => Uint8Array<ArrayBuffer>} old: becomes a copy of the counts */
  #encode(old) {
    /** @type {number[]} */
    const bytes = [];
    let empty = this.#lowest;
    const counts = this.#counts;
    for (let bin = this.#lowest; bin <= this.#highest; bin++) {
      const fresh = old === null ? counts[bin] : counts[bin] - old[bin];
      if (fresh === 0) {
        empty++;
        continue;
      }
      if (old !== null) old[bin] = counts[bin];
      if (empty > 0) writeNumber(bytes, 2 * empty - 1);
      empty = 0;
      writeNumber(bytes, 2 * fresh);
    }
    return Uint8Array.from(bytes);
  }

  /** Adds counts of {@link toBytes}; `times` of -1 removes. @type {(bytes: Uint8Array, times?: number) => void} */
  addBytes(bytes, times = 1) {
    let bin = 0;
    for (let at = 0; at < bytes.length;) {
      let number = 0;
      let unit = 1;
      for (;;) {
        const byte = bytes[at++];
        number += (byte & 0x7f) * unit;
        // The condition is also true beyond the end, where the byte is undefined.
        if (!(byte >= 0x80)) break;
        unit *= 0x80;
      }
      if (number % 2 === 1) bin += (number + 1) / 2;
      else {
        this.#cover(bin, bin);
        this.#counts[bin++] += (times * number) / 2;
      }
    }
  }

  /** Makes room for counts of these bins. @type {(lowest: number, highest: number) => void} */
  #cover(lowest, highest) {
    if (lowest < this.#lowest) this.#lowest = lowest;
    if (highest > this.#highest) this.#reach(highest);
  }

  /** @type {(bin: number) => void} bin: above the highest one */
  #reach(bin) {
    this.#highest = bin;
    if (bin < this.#counts.length) return;
    const wider = new Float64Array(Math.min(BINS, Math.max(FIRST_BINS, bin + 1, 2 * this.#counts.length)));
    wider.set(this.#counts);
    this.#counts = wider;
  }
}

/**
 * Adds up counts that {@link HdrCounts#toBytes} returned, of another machine or a file; null: they are not such counts.
 * @type {(bytes: Uint8Array) => number | null}
 */
export function totalOf(bytes) {
  let [total, bin, number, unit] = [0, 0, 0, 1];
  for (const byte of bytes) {
    number += (byte & 0x7f) * unit;
    unit *= 0x80;
    if (byte >= 0x80) continue;
    if (number % 2 === 1) bin += (number + 1) / 2;
    else {
      bin++;
      total += number / 2;
    }
    [number, unit] = [0, 1];
  }
  const isWhole = unit === 1 && bin <= BINS;
  return isWhole && Number.isSafeInteger(total) ? total : null;
}

/** The lowest value with a bin: 1 µs. */
export const LOWEST_US = 1;
/** The highest one: 285 years, or 9 * 10^12 of a histogram of hooks. */
export const HIGHEST_US = Number.MAX_SAFE_INTEGER;
/** The highest value that one shift finds the bin of, 1 h; higher ones are rare. */
export const USUAL_US = 3_600_000_000;

const HALF_BITS = 10;
/** 32 bits less the 11 bits of a value in the first bucket */
const BIN_SHIFT = 21;
const BUCKETS = 43;
/** Bins of the whole range. */
const BINS = (BUCKETS + 1) << HALF_BITS;
/** Bins of values below 2^32. */
const USUAL_BINS = 23 << HALF_BITS;
/** Values below 2^11: 2 ms in µs. */
const FIRST_BINS = 2 << HALF_BITS;
const NONE = new Float64Array(0);

/** Returns the width of the bin of a value. @type {(value: number) => number} */
export function binWidth(value) {
  return 2 ** bucketOf(value);
}

/** @type {(value: number) => number} */
function binOf(value) {
  const bucket = bucketOf(value);
  return (bucket << HALF_BITS) + Math.floor(value / 2 ** bucket);
}

/** @type {(value: number) => number} */
function bucketOf(value) {
  const bits = value < 2 ** 32 ? 32 - Math.clz32(value) : 64 - Math.clz32(value / 2 ** 32);
  return Math.max(0, bits - 11);
}

/** Returns the bucket of a bin. @type {(bin: number) => number} */
function bucketAt(bin) {
  return Math.max(0, (bin >>> HALF_BITS) - 1);
}

/** @type {(bin: number) => number} */
function highestOf(bin) {
  const bucket = bucketAt(bin);
  return (bin - (bucket << HALF_BITS) + 1) * 2 ** bucket - 1;
}

/** LEB128: seven bits per byte, the lowest first. @type {(bytes: number[], number: number) => void} */
function writeNumber(bytes, number) {
  while (number >= 0x80) {
    bytes.push((number % 0x80) | 0x80);
    number = Math.floor(number / 0x80);
  }
  bytes.push(number);
}

/**
 * HdrHistogram's V2 compressed encoding in base64, which HdrHistogram tools in all languages read and write: a cookie
 * and a length, then a deflated header with the ZigZag LEB128 counts.
 */
const COOKIE = 0x1c849303 | 0x10;
const COMPRESSED_COOKIE = 0x1c849304 | 0x10;
const HEADER_BYTES = 40;
const COMPRESSED_HEADER_BYTES = 8;
const DIGITS = 3;
const LOWEST = BigInt(LOWEST_US);
/** A count below 2^53 has 8 bytes. */
const MOST_BYTES = HEADER_BYTES + 8 * BINS;

/** So few bytes are not compressed: a run with one request would have more work with them than with its request. */
const FEW_BYTES = 64;

/** Encodes counts of microseconds. @type {(counts: HdrCounts) => string} */
export function encodeHdr(counts) {
  const payload = counts.toBytes();
  const plain = Buffer.alloc(HEADER_BYTES + payload.length);
  plain.writeUInt32BE(COOKIE, 0);
  plain.writeUInt32BE(payload.length, 4);
  plain.writeUInt32BE(0, 8); // normalizing index offset
  plain.writeUInt32BE(DIGITS, 12);
  plain.writeBigInt64BE(LOWEST, 16);
  plain.writeBigInt64BE(BigInt(counts.isWide ? HIGHEST_US : USUAL_US), 24);
  plain.writeDoubleBE(1, 32); // integer to double conversion ratio
  plain.set(payload, HEADER_BYTES);
  const deflated = plain.length < FEW_BYTES ? stored(plain) : deflateSync(plain);
  const head = Buffer.alloc(COMPRESSED_HEADER_BYTES);
  head.writeUInt32BE(COMPRESSED_COOKIE, 0);
  head.writeUInt32BE(deflated.length, 4);
  return Buffer.concat([head, deflated]).toString('base64');
}

/**
 * Returns bytes in the format of zlib, as one block that is not compressed (RFC 1950, RFC 1951 3.2.4).
 * @type {(bytes: Buffer) => Buffer}
 */
function stored(bytes) {
  const { length } = bytes;
  const block = Buffer.alloc(length + 11);
  block.writeUInt16BE(0x7801, 0);
  block.writeUInt8(1, 2);
  block.writeUInt16LE(length, 3);
  block.writeUInt16LE(0xffff - length, 5);
  block.set(bytes, 7);
  // Adler-32
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  block.writeUInt16BE(high, length + 7);
  block.writeUInt16BE(low, length + 9);
  return block;
}

/**
 * Decodes counts, as {@link HdrCounts#toBytes} returns them.
 * @throws {Error} the text is not such an encoding, or has other limits than ours
 * @type {(text: string) => Uint8Array}
 */
export function decodeHdr(text) {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < COMPRESSED_HEADER_BYTES || bytes.readUInt32BE(0) !== COMPRESSED_COOKIE)
    throw new Error('not an HdrHistogram in V2 compressed encoding');
  const plain = inflateSync(bytes.subarray(COMPRESSED_HEADER_BYTES), { maxOutputLength: MOST_BYTES });
  const isOurs =
    plain.length >= HEADER_BYTES &&
    plain.readUInt32BE(0) === COOKIE &&
    plain.readUInt32BE(12) === DIGITS &&
    plain.readBigInt64BE(16) === LOWEST;
  if (!isOurs) throw new Error('an HdrHistogram with other limits than three digits from 1 µs');
  return plain.subarray(HEADER_BYTES, HEADER_BYTES + plain.readUInt32BE(4));
}
