import { constants, gunzipSync, inflateSync } from 'node:zlib';

import { makeError } from '../../../core/ground/errors.js';

/** @import { BodySink } from '../../../core/contracts/response.js' */

/** Whether a message is compressed, and its length in four bytes (gRPC over HTTP/2, Length-Prefixed-Message). */
export const MESSAGE_HEAD = 5;

/**
 * Splits the body of a response into messages as it arrives. A message that arrives in one piece is read in place.
 * @implements {BodySink}
 */
export class MessageSink {
  #encoding;
  #limit;
  #onMessage;
  /** The head of the message that arrives. */
  #head = Buffer.alloc(MESSAGE_HEAD);
  #headBytes = 0;
  /** The message that arrives in several pieces; null: its head is not complete. @type {Buffer | null} */
  #message = null;
  #messageBytes = 0;
  /** Messages so far. */
  count = 0;
  isOver = false;

  /**
   * @param {string} encoding how compressed messages are encoded
   * @param {number} limit bytes of a message
   * @param {(message: Buffer) => void} onMessage gets bytes that are overwritten afterwards
   */
  constructor(encoding, limit, onMessage) {
    this.#encoding = encoding;
    this.#limit = limit;
    this.#onMessage = onMessage;
  }

  /** The end of the connection ends no call: its status is missing. */
  get isEnded() {
    return false;
  }

  /** The response ended within a message. */
  get isCut() {
    return this.#headBytes > 0;
  }

  take() {
    return null;
  }

  /** @type {BodySink['add']} */
  add(bytes, from, to) {
    let at = from;
    while (at < to && !this.isOver) {
      if (this.#message === null) {
        const size = Math.min(MESSAGE_HEAD - this.#headBytes, to - at);
        bytes.copy(this.#head, this.#headBytes, at, at + size);
        at += size;
        this.#headBytes += size;
        if (this.#headBytes < MESSAGE_HEAD) return;
        const length = this.#lengthOf();
        if (to - at >= length) {
          this.#end(bytes.subarray(at, at + length));
          at += length;
          continue;
        }
        this.#message = Buffer.allocUnsafe(length);
        this.#messageBytes = 0;
      }
      const size = Math.min(this.#message.length - this.#messageBytes, to - at);
      bytes.copy(this.#message, this.#messageBytes, at, at + size);
      at += size;
      this.#messageBytes += size;
      if (this.#messageBytes === this.#message.length) this.#end(this.#message);
    }
  }

  #lengthOf() {
    const length = this.#head.readUInt32BE(1);
    if (length > this.#limit) throw makeError('E_GRPC_MESSAGE_TOO_LARGE', { limit: this.#limit });
    return length;
  }

  /** @type {(message: Buffer) => void} */
  #end(message) {
    const [flag] = this.#head;
    this.#headBytes = 0;
    this.#message = null;
    this.count++;
    if (flag > 1) throw makeError('E_GRPC_PROTOCOL', { reason: `a message begins with ${flag}, not with 0 or 1` });
    this.#onMessage(flag === 0 ? message : this.#decompressed(message));
  }

  /** @type {(message: Buffer) => Buffer} */
  #decompressed(message) {
    const decompress = DECOMPRESS[this.#encoding];
    if (decompress === undefined)
      throw makeError('E_GRPC_PROTOCOL', { reason: `a compressed message, and grpc-encoding ${this.#encoding}` });
    try {
      return decompress(message, { maxOutputLength: this.#limit, finishFlush: constants.Z_FINISH });
    } catch (error) {
      const { code, message: reason } = /** @type {NodeJS.ErrnoException} */ (error);
      if (code === 'ERR_BUFFER_TOO_LARGE') throw makeError('E_GRPC_MESSAGE_TOO_LARGE', { limit: this.#limit });
      throw makeError('E_GRPC_PROTOCOL', { reason: `a message that cannot be decompressed: ${reason}` });
    }
  }
}

/** @type {Record<string, (bytes: Buffer, options: import('node:zlib').ZlibOptions) => Buffer>} */
const DECOMPRESS = { gzip: gunzipSync, deflate: inflateSync };

/** What a client accepts, as a field. */
export const ACCEPTED = ['identity', ...Object.keys(DECOMPRESS)].join(',');
