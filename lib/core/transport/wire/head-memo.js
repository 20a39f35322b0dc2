import { LF } from './octets.js';

/** @import { ResponseHead } from './head.js' */

/**
 * @typedef {object} KnownHead
 * @property {Buffer} bytes
 * @property {Float64Array} words the same, without the last bytes that are no whole word
 * @property {ResponseHead} head
 * @property {number} end bytes of a response with it; -1: only a parser can tell
 */

const MAX_HEADS = 4;
const KEEP_EVERY = 16;

/**
 * Remembers the heads of recent responses. A server sends the same head again and again until the second in its Date
 * changes, and comparing bytes takes a tenth of the time of parsing them (bench/micro/transport/wire/head-memo.js).
 * Only one in 16 of the unknown heads is kept, so that heads which are never repeated cost next to nothing.
 */
export class HeadMemo {
  /** @type {KnownHead[]} */
  #known = [];
  /** Unknown heads so far. */
  #missed = 0;
  /** Where the next head is kept, in place of the oldest. */
  #next = 0;
  /** The buffer of the last call. @type {Buffer | null} */
  #buffer = null;
  /** The words of the same memory. @type {Float64Array} */
  #words = new Float64Array();

  /** Finds a known head at the beginning. @type {(bytes: Buffer, from: number, to: number) => KnownHead | null} */
  find(bytes, from, to) {
    if (bytes !== this.#buffer) this.#view(bytes);
    const known = this.#known;
    for (let i = 0; i < known.length; i++) {
      const end = from + known[i].bytes.length;
      // A cheap check: the last field ends before the final CR LF.
      if (end <= to && bytes[end - 3] === LF && this.#isAt(known[i], bytes, from)) return known[i];
    }
    return null;
  }

  /** @type {(bytes: Buffer, size: number) => ResponseHead | null} */
  findWhole(bytes, size) {
    const known = this.find(bytes, 0, size);
    return known !== null && known.end === size ? known.head : null;
  }

  /** Reports whether an unknown head should be kept; called once per unknown head. @type {() => boolean} */
  shouldKeep() {
    return this.#missed++ % KEEP_EVERY === 0;
  }

  /** Keeps a head, whose bytes do not change any more. @type {(bytes: Buffer, head: ResponseHead) => void} */
  keep(bytes, head) {
    this.#known[this.#next] = { bytes, words: wordsOf(bytes), head, end: endOf(head, bytes.length) };
    this.#next = (this.#next + 1) % MAX_HEADS;
  }

  /** @type {(bytes: Buffer) => void} */
  #view(bytes) {
    this.#buffer = bytes;
    this.#words = wordsOf(bytes);
  }

  /**
   * Compares bytes with a known head. A response that is read alone begins at 0, and is compared in words of 64 bits,
   * four at a time: 35 ns for 150 bytes instead of 75 in words of 32 bits, or by a native call. As numbers, words with
   * the same bits are equal unless they are NaN, which hardly a head has, and words with other bits differ unless they
   * are 0 and -0, whose bytes the parser refuses.
   * @type {(known: KnownHead, bytes: Buffer, from: number) => boolean}
   */
  #isAt(known, bytes, from) {
    const length = known.bytes.length;
    const own = this.#words;
    const { words } = known;
    const count = words.length;
    if (from > 0 || own.length < count) return known.bytes.compare(bytes, from, from + length) === 0;
    let i = 0;
    for (; i + 3 < count; i += 4) {
      const isSame =
        own[i] === words[i] &&
        own[i + 1] === words[i + 1] &&
        own[i + 2] === words[i + 2] &&
        own[i + 3] === words[i + 3];
      if (!isSame) return false;
    }
    for (; i < count; i++) if (own[i] !== words[i]) return false;
    for (i = 8 * count; i < length; i++) if (bytes[i] !== known.bytes[i]) return false;
    return true;
  }
}

/**
 * Returns the bytes of a response with a head of this length; -1 if only a parser can tell: the body of an error may be
 * kept for its sample, and some statuses have no body whatever the fields say.
 * @type {(head: ResponseHead, length: number) => number}
 */
function endOf({ statusCode, framing }, length) {
  const endsAsFramed = statusCode < 400 && statusCode !== 204 && statusCode !== 304;
  return endsAsFramed && typeof framing === 'number' ? length + framing : -1;
}

/** The words of a buffer; none if it is not aligned to eight bytes. @type {(bytes: Buffer) => Float64Array} */
function wordsOf({ buffer, byteOffset, length }) {
  return byteOffset % 8 === 0 ? new Float64Array(buffer, byteOffset, length >> 3) : new Float64Array();
}
