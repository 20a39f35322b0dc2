import { EventBytes } from './event-bytes.js';

/** @import { EventParser, ParserOptions } from './types.js' */

/** The part that all parsers share: the data of an event, and properties that only some kinds of streams set. */
export class DataParser {
  onEvent;
  /** The data of the event; empty unless it is kept. */
  bytes;
  type = 'message';
  lastEventId = '';
  /** @type {number | null} */
  retryMs = null;
  isStopped = false;

  /** @param {ParserOptions} options */
  constructor({ onEvent, ...options }) {
    this.onEvent = onEvent;
    this.bytes = new EventBytes(options);
  }

  get data() {
    return this.bytes.text;
  }

  /** Discards the bytes after the last separator. @type {EventParser['end']} */
  end() {}

  /** @type {EventParser['release']} */
  release() {
    this.bytes.release();
  }
}

/**
 * Takes each piece of a stream as an event, as it arrives.
 *
 * @implements {EventParser}
 */
export class ChunkParser extends DataParser {
  /** @type {EventParser['feed']} */
  feed(bytes, from, to) {
    if (to === from || this.isStopped) return;
    this.bytes.add(bytes, from, to);
    this.onEvent(this);
    this.bytes.clear();
  }
}

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
