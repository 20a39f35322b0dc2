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
