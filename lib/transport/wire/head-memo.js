/** @import { ResponseHead } from './head.js' */

const MOST = 4;
const EVERY = 16;

/**
 * Heads that came lately. A server says the same again and again, but for the second in its Date: bytes that are equal
 * mean the same, and comparing them takes a tenth of reading them. One in 16 of those that were not found is kept, so
 * that heads which never come again cost next to nothing.
 */
export class HeadMemo {
  /** @type {{ bytes: Buffer, head: ResponseHead }[]} */
  #known = [];
  #missed = 0;
  #next = 0;

  /**
   * The head that the bytes begin with.
   *
   * @param {Buffer} bytes
   * @param {number} from
   * @param {number} to
   * @returns {{ bytes: Buffer, head: ResponseHead } | null}
   */
  find(bytes, from, to) {
    const known = this.#known;
    for (let i = 0; i < known.length; i++) {
      const end = from + known[i].bytes.length;
      // the last line ends where that of the known one does: most others are told apart by that
      if (end <= to && bytes[end - 3] === 0x0a && known[i].bytes.compare(bytes, from, end) === 0) return known[i];
    }
    return null;
  }

  /** Whether it is time to keep a head again. */
  wantsNext() {
    return this.#missed++ % EVERY === 0;
  }

  /** @type {(bytes: Buffer, head: ResponseHead) => void} bytes are not changed any more */
  keep(bytes, head) {
    this.#known[this.#next] = { bytes, head };
    this.#next = (this.#next + 1) % MOST;
  }
}
