/** @import { ResponseHead } from './head.js' */

const MAX_HEADS = 4;
const KEEP_EVERY = 16;

/**
 * Remembers the heads of recent responses. A server sends the same head again and again until the second in its Date
 * changes, and comparing bytes takes a tenth of the time of parsing them (bench/micro/transport/wire/head-memo.js). Only
 * one in 16 of the unknown heads is kept, so that heads which are never repeated cost next to nothing.
 */
export class HeadMemo {
  /** @type {{ bytes: Buffer, head: ResponseHead }[]} */
  #known = [];
  #missed = 0;
  #next = 0;

  /**
   * Finds the known head at the beginning of some bytes.
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
      // cheap check first: the last line ends at the same place
      if (end <= to && bytes[end - 3] === 0x0a && known[i].bytes.compare(bytes, from, end) === 0) return known[i];
    }
    return null;
  }

  /** @returns {boolean} an unknown head should be kept; to be called once per unknown head */
  shouldKeep() {
    return this.#missed++ % KEEP_EVERY === 0;
  }

  /**
   * @param {Buffer} bytes not changed any more
   * @param {ResponseHead} head
   */
  keep(bytes, head) {
    this.#known[this.#next] = { bytes, head };
    this.#next = (this.#next + 1) % MAX_HEADS;
  }
}
