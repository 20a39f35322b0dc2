import { DataParser } from './data-parser.js';

/** @import { EventParser } from './types.js' */

const LF = 0x0a;
const CR = 0x0d;

/**
 * Splits a stream into lines, which end with LF or CR LF. Empty lines keep a connection open and are no events; the
 * last line needs no end.
 *
 * @implements {EventParser}
 */
export class LineParser extends DataParser {
  /** The last byte of the earlier pieces of the line. */
  #last = 0;

  /** @type {EventParser['feed']} */
  feed(bytes, from, to) {
    let at = from;
    while (at < to && !this.isStopped) {
      let end = at;
      while (end < to && bytes[end] !== LF) end++;
      if (end > at) {
        this.bytes.add(bytes, at, end);
        this.#last = bytes[end - 1];
      }
      if (end === to) break;
      this.#endLine();
      at = end + 1;
    }
    this.bytes.leavePiece();
  }

  /** @type {EventParser['end']} */
  end() {
    if (!this.isStopped) this.#endLine();
  }

  #endLine() {
    const isEmpty = this.bytes.size === 0 || (this.bytes.size === 1 && this.#last === CR);
    if (!isEmpty) {
      if (this.#last === CR) this.bytes.dropLast();
      this.onEvent(this);
    }
    this.bytes.clear();
    this.#last = 0;
  }
}
