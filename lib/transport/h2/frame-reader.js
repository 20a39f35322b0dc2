import { makeError } from '../../ground/errors.js';
import { startsLikeHttp } from '../wire/head.js';
import { printable } from '../wire/octets.js';
import {
  ACK,
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  FRAME_BYTES,
  FRAME_HEAD,
  HAS_PRIORITY,
  HEADERS,
  PADDED,
  SETTINGS,
  codeOf,
} from './frames.js';

/**
 * @typedef {object} FrameHandler gets the frames of a connection; an error that it throws ends the connection
 * @property {boolean} isOver no more frames are needed
 * @property {(id: number, size: number) => void} onDataFrame a frame with this many bytes under flow control begins
 * @property {(id: number, bytes: Buffer, from: number, to: number) => void} onBody a piece
 * @property {(id: number) => void} onDataEnd the stream has ended
 * @property {(id: number, ends: boolean, bytes: Buffer, from: number, to: number) => void} onBlock a whole block of
 *   fields
 * @property {(type: number, flags: number, id: number, bytes: Buffer, from: number, to: number) => void} onFrame any
 *   other frame, whole
 */

/** @typedef {{ id: number, ends: boolean, parts: Buffer[], size: number }} Block */

/**
 * Reads the frames of an HTTP/2 connection from pieces of any size (RFC 9113 4 and 6). Passes bodies on as they
 * arrive, other frames when they are whole, and the frames of one block of fields together.
 */
export class FrameReader {
  #handler;
  #maxHeadBytes;
  /** The bytes of an incomplete frame. @type {Buffer | null} */
  #rest = null;
  /** Bytes of the current DATA frame that have not arrived, and those of the padding after them. */
  #left = 0;
  #padding = 0;
  #id = 0;
  #ends = false;
  /** The block of fields that the next CONTINUATION frame continues. @type {Block | null} */
  #block = null;
  #isFirst = true;

  /** @param {FrameHandler} handler @param {number} maxHeadBytes of a block of fields */
  constructor(handler, maxHeadBytes) {
    this.#handler = handler;
    this.#maxHeadBytes = maxHeadBytes;
  }

  /** @type {(chunk: Buffer, size: number) => void} */
  read(chunk, size) {
    let bytes = chunk;
    let end = size;
    if (this.#rest !== null) {
      bytes = Buffer.concat([this.#rest, chunk.subarray(0, size)]);
      end = bytes.length;
      this.#rest = null;
    }
    let at = 0;
    while (at < end && !this.#handler.isOver) {
      if (this.#left + this.#padding > 0) at = this.#takeData(bytes, at, end);
      else {
        const next = this.#takeFrame(bytes, at, end);
        if (next === at) break;
        at = next;
      }
    }
    if (at < end && !this.#handler.isOver) this.#rest = Buffer.from(bytes.subarray(at, end));
  }

  /** Reads a frame, and returns its end, or `at`. @type {(bytes: Buffer, at: number, end: number) => number} */
  #takeFrame(bytes, at, end) {
    if (this.#isFirst) checkPreface(bytes, at, end);
    if (end - at < FRAME_HEAD) return at;
    const length = (bytes[at] << 16) | (bytes[at + 1] << 8) | bytes[at + 2];
    const type = bytes[at + 3];
    const flags = bytes[at + 4];
    const id = ((bytes[at + 5] & 0x7f) << 24) | (bytes[at + 6] << 16) | (bytes[at + 7] << 8) | bytes[at + 8];
    this.#isFirst = false;
    if (length > FRAME_BYTES)
      throw connectionError('FRAME_SIZE_ERROR', `a frame of ${length} bytes: at most ${FRAME_BYTES} are allowed`);
    if (this.#block !== null && (type !== CONTINUATION || id !== this.#block.id))
      throw connectionError('PROTOCOL_ERROR', 'another frame within a head');
    const from = at + FRAME_HEAD;
    if (type === DATA) return this.#beginData(bytes, from, end, length, flags, id);
    if (end - from < length) return at;
    if (type === HEADERS) this.#takeHeaders(bytes, from, from + length, flags, id);
    else if (type === CONTINUATION) this.#takeContinuation(bytes, from, from + length, flags);
    else this.#handler.onFrame(type, flags, id, bytes, from, from + length);
    return from + length;
  }

  /** @type {(bytes: Buffer, from: number, end: number, length: number, flags: number, id: number) => number} */
  #beginData(bytes, from, end, length, flags, id) {
    const isPadded = (flags & PADDED) !== 0;
    if (isPadded && length > 0 && end === from) return from - FRAME_HEAD;
    const padding = isPadded ? bytes[from] : 0;
    const prefix = isPadded ? 1 : 0;
    if (prefix > length || prefix + padding > length)
      throw connectionError('PROTOCOL_ERROR', 'padding that is longer than its frame');
    this.#id = id;
    this.#left = length - prefix - padding;
    this.#padding = padding;
    this.#ends = (flags & END_STREAM) !== 0;
    this.#handler.onDataFrame(id, length);
    return this.#takeData(bytes, from + prefix, end);
  }

  /** @type {(bytes: Buffer, from: number, end: number) => number} */
  #takeData(bytes, from, end) {
    const size = Math.min(this.#left, end - from);
    if (size > 0) this.#handler.onBody(this.#id, bytes, from, from + size);
    this.#left -= size;
    const padding = Math.min(this.#padding, end - from - size);
    this.#padding -= padding;
    if (this.#ends && this.#left + this.#padding === 0) {
      this.#ends = false;
      this.#handler.onDataEnd(this.#id);
    }
    return from + size + padding;
  }

  /** @type {(bytes: Buffer, from: number, to: number, flags: number, id: number) => void} */
  #takeHeaders(bytes, from, to, flags, id) {
    const isPadded = (flags & PADDED) !== 0;
    const start = from + (isPadded ? 1 : 0) + ((flags & HAS_PRIORITY) !== 0 ? 5 : 0);
    const end = to - (isPadded && to > from ? bytes[from] : 0);
    if (start > to) throw connectionError('FRAME_SIZE_ERROR', 'a HEADERS frame that is too short');
    if (start > end) throw connectionError('PROTOCOL_ERROR', 'padding that is longer than its frame');
    const ends = (flags & END_STREAM) !== 0;
    if ((flags & END_HEADERS) !== 0) this.#handler.onBlock(id, ends, bytes, start, end);
    else this.#block = { id, ends, parts: [Buffer.from(bytes.subarray(start, end))], size: end - start };
  }

  /** @type {(bytes: Buffer, from: number, to: number, flags: number) => void} */
  #takeContinuation(bytes, from, to, flags) {
    const block = this.#block;
    if (block === null) throw connectionError('PROTOCOL_ERROR', 'CONTINUATION without a head before it');
    block.parts.push(Buffer.from(bytes.subarray(from, to)));
    block.size += to - from;
    // Empty frames count too: each of them costs as much as one with a few bytes.
    if (block.size + FRAME_HEAD * block.parts.length > this.#maxHeadBytes)
      throw connectionError(
        'ENHANCE_YOUR_CALM',
        `a head of more than ${this.#maxHeadBytes} bytes; raise maxHeaderSize`,
      );
    if ((flags & END_HEADERS) === 0) return;
    this.#block = null;
    const whole = Buffer.concat(block.parts);
    this.#handler.onBlock(block.id, block.ends, whole, 0, whole.length);
  }
}

/** It is SETTINGS (RFC 9113 3.4). HTTP/1.1 sends a status. @type {(bytes: Buffer, at: number, end: number) => void} */
function checkPreface(bytes, at, end) {
  if (bytes[at] === HTTP && startsLikeHttp(bytes, at, end))
    throw makeError('E_NO_HTTP2', {
      what: `it answered in HTTP/1.1: ${printable(bytes, at, lineEnd(bytes, at, end))}`,
    });
  if (end - at >= FRAME_HEAD && (bytes[at + 3] !== SETTINGS || (bytes[at + 4] & ACK) !== 0))
    throw makeError('E_NO_HTTP2', { what: `its first bytes are no settings: ${printable(bytes, at, end)}` });
}

/** The letter H. A frame whose length begins with it would be too long. */
const HTTP = 0x48;

/** @type {(bytes: Buffer, at: number, end: number) => number} */
function lineEnd(bytes, at, end) {
  const cr = bytes.indexOf('\r', at);
  return cr < 0 ? end : Math.min(cr, end);
}

/**
 * Creates the error of a server that breaks the protocol. The connection ends with GOAWAY, which has this `code`.
 * @type {(code: string, what: string) => Error}
 */
export function connectionError(code, what) {
  return Object.assign(makeError('E_HTTP2', { what }), { ownCode: code, goAway: codeOf(code) });
}
