import { DataParser } from './data-parser.js';

/** @import { EventParser } from './types.js' */

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
