import { EventBytes } from './event-bytes.js';

/** @import { EventParser, ParserOptions } from './types.js' */

const LF = 0x0a;
const CR = 0x0d;

/**
 * Splits a stream into lines, which end with LF or CR LF. Empty lines keep a connection open and are no events; the
 * last line needs no end.
 *
 * @implements {EventParser}
 */
export class LineParser {
  #onEvent;
  #line;
  /** The last byte of the earlier pieces of the line. */
  #last = 0;
  type = 'message';
  lastEventId = '';
  retryMs = null;
  isStopped = false;

  /** @param {ParserOptions} options */
  constructor({ onEvent, ...options }) {
    this.#onEvent = onEvent;
    this.#line = new EventBytes(options);
  }

  get data() {
    return this.#line.text;
  }

  /** @type {EventParser['feed']} */
  feed(bytes, from, to) {
    let at = from;
    while (at < to && !this.isStopped) {
      let end = at;
      while (end < to && bytes[end] !== LF) end++;
      if (end > at) {
        this.#line.add(bytes, at, end);
        this.#last = bytes[end - 1];
      }
      if (end === to) break;
      this.#endLine();
      at = end + 1;
    }
    this.#line.leavePiece();
  }

  /** @type {EventParser['end']} */
  end() {
    if (!this.isStopped) this.#endLine();
  }

  /** @type {EventParser['release']} */
  release() {
    this.#line.release();
  }

  #endLine() {
    const isEmpty = this.#line.size === 0 || (this.#line.size === 1 && this.#last === CR);
    if (!isEmpty) {
      if (this.#last === CR) this.#line.dropLast();
      this.#onEvent(this);
    }
    this.#line.clear();
    this.#last = 0;
  }
}
