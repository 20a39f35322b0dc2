/** Frames of HTTP/2 (RFC 9113 4 and 6), and the reader of those of a server. */

import { makeError } from '../../core/ground/errors.js';
import { addCounts } from '../../core/transport/traffic.js';
import { maskText } from '../../core/text/mask.js';
import { startsLikeHttp } from '../../core/transport/wire/head.js';
import { printable } from '../../core/transport/wire/octets.js';

/** @import { TransportTotals } from '../../core/contracts/connection.js' */
/** @import { Http2Code } from './http2.js' */

export const FRAME_HEAD = 9;
/** The size of frames that both sides accept without a setting. */
export const FRAME_BYTES = 16_384;
export const DEFAULT_WINDOW = 65_535;
export const MAX_WINDOW = 2 ** 31 - 1;
export const MAX_STREAM_ID = 2 ** 31 - 1;

export const DATA = 0;
export const HEADERS = 1;
export const PRIORITY = 2;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PUSH_PROMISE = 5;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

export const END_STREAM = 0x1;
export const ACK = 0x1;
export const END_HEADERS = 0x4;
const PADDED = 0x8;
const HAS_PRIORITY = 0x20;

export const HEADER_TABLE_SIZE = 1;
export const ENABLE_PUSH = 2;
export const MAX_CONCURRENT_STREAMS = 3;
export const INITIAL_WINDOW_SIZE = 4;
export const MAX_FRAME_SIZE = 5;
export const MAX_HEADER_LIST_SIZE = 6;

/** The codes of RST_STREAM and GOAWAY by their number (RFC 9113 7). */
const CODES = [
  ...['NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED'],
  ...['FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM'],
  ...['INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED'],
];

export const NO_ERROR = codeOf('NO_ERROR');
export const PROTOCOL_ERROR = codeOf('PROTOCOL_ERROR');
export const REFUSED_STREAM = codeOf('REFUSED_STREAM');
export const CANCEL = codeOf('CANCEL');
export const COMPRESSION_ERROR = codeOf('COMPRESSION_ERROR');

/** @type {(code: number) => string} */
export function nameOfCode(code) {
  return CODES[code] ?? `0x${code.toString(16)}`;
}

/** Returns the number of a code. @type {(name: string) => number} */
export function codeOf(name) {
  return CODES.indexOf(name);
}

/**
 * Counts why a stream or a connection has ended. Codes without a name, of which there are 2^32, count together.
 * @type {(totals: TransportTotals, event: Http2Code['event'], code: number, message?: string) => void}
 */
export function countCode(totals, event, code, message = CODES[code] === undefined ? nameOfCode(code) : '') {
  const text = message === '' ? {} : { message: maskText(message) };
  const one = { event, code: CODES[code] ?? 'UNKNOWN', count: 1, ...text };
  totals.http2Codes = addCounts([...(totals.http2Codes ?? []), one], ['event', 'code']);
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** Returns the first bytes of a client (RFC 9113 3.4). @type {(settings: [id: number, value: number][]) => Buffer} */
export function preface(settings) {
  const payload = Buffer.alloc(6 * settings.length);
  settings.forEach(([id, value], i) => {
    payload.writeUInt16BE(id, 6 * i);
    payload.writeUInt32BE(value, 6 * i + 2);
  });
  return Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, payload)]);
}

/** @type {(type: number, flags: number, id: number, payload?: Uint8Array) => Buffer} */
export function frame(type, flags, id, payload = NOTHING) {
  const bytes = Buffer.allocUnsafe(FRAME_HEAD + payload.length);
  writeFrameHead(bytes, 0, payload.length, type, flags, id);
  bytes.set(payload, FRAME_HEAD);
  return bytes;
}

const NOTHING = new Uint8Array();

/** Creates a frame whose payload is one number. @type {(type: number, id: number, value: number) => Buffer} */
export function numberFrame(type, id, value) {
  const bytes = Buffer.allocUnsafe(FRAME_HEAD + 4);
  const at = writeFrameHead(bytes, 0, 4, type, 0, id);
  bytes.writeUInt32BE(value, at);
  return bytes;
}

/**
 * Writes the head of a frame, and returns where its payload begins.
 * @type {(out: Buffer, at: number, length: number, type: number, flags: number, id: number) => number}
 */
export function writeFrameHead(out, at, length, type, flags, id) {
  out[at] = length >>> 16;
  out[at + 1] = length >>> 8;
  out[at + 2] = length;
  out[at + 3] = type;
  out[at + 4] = flags;
  out[at + 5] = id >>> 24;
  out[at + 6] = id >>> 16;
  out[at + 7] = id >>> 8;
  out[at + 8] = id;
  return at + FRAME_HEAD;
}

/** @typedef {{ code: number, reason: string }} GoAway why the server ends a connection (RFC 9113 6.8) */

/** Reads GOAWAY, and truncates its debug data. @type {(bytes: Buffer, from: number, to: number) => GoAway} */
export function goAwayOf(bytes, from, to) {
  const code = bytes.readUInt32BE(from + 4);
  const debugData = printable(bytes, from + 8, to);
  return { code, reason: debugData === '' ? nameOfCode(code) : `${nameOfCode(code)}, "${debugData}"` };
}

/** Creates the error of a request whose connection ends. @type {(goAway: GoAway, when: string) => Error} */
export function goAwayError({ code, reason }, when) {
  const ownCode = code === NO_ERROR ? undefined : nameOfCode(code);
  return Object.assign(makeError('E_GOAWAY', { when, reason }), { ownCode });
}

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
    // The octet with the length of the padding has not arrived.
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

/** Checks that SETTINGS comes first (RFC 9113 3.4). @type {(bytes: Buffer, at: number, end: number) => void} */
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

/** Creates an error that ends the connection: GOAWAY with `code`. @type {(code: string, what: string) => Error} */
export function connectionError(code, what) {
  return Object.assign(makeError('E_HTTP2', { what }), { ownCode: code, goAway: codeOf(code) });
}

/** Creates an error that resets one stream with this `code`. @type {(code: string, reason: string) => Error} */
export function streamError(code, reason) {
  return Object.assign(makeError('E_PROTOCOL', { reason }), { goAway: codeOf(code) });
}
