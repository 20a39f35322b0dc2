import { EventBytes } from './event-bytes.js';

/** @import { EventParser, ParserOptions } from './types.js' */

/**
 * Takes each piece of a stream as an event, as it arrives.
 *
 * @implements {EventParser}
 */
export class ChunkParser {
  #onEvent;
  #piece;
  type = 'message';
  lastEventId = '';
  retryMs = null;
  isStopped = false;

  /** @param {ParserOptions} options */
  constructor({ onEvent, ...options }) {
    this.#onEvent = onEvent;
    this.#piece = new EventBytes(options);
  }

  get data() {
    return this.#piece.text;
  }

  /** @type {EventParser['feed']} */
  feed(bytes, from, to) {
    if (to === from || this.isStopped) return;
    this.#piece.add(bytes, from, to);
    this.#onEvent(this);
    this.#piece.clear();
  }

  /** @type {EventParser['end']} */
  end() {}

  /** @type {EventParser['release']} */
  release() {
    this.#piece.release();
  }
}
