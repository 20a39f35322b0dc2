/** Frames of HTTP/2 (RFC 9113 4 and 6). */

import { makeError } from '../../ground/errors.js';
import { addCodes } from '../../http/http2.js';
import { maskText } from '../../text/mask.js';
import { printable } from '../wire/octets.js';

/** @import { TransportTotals } from '../../contracts/connection.js' */
/** @import { Http2Code } from '../../contracts/stats.js' */

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
export const PADDED = 0x8;
export const HAS_PRIORITY = 0x20;

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
  const one = {
    event,
    code: CODES[code] ?? 'UNKNOWN',
    count: 1,
    ...(message !== '' && { message: maskText(message) }),
  };
  totals.http2Codes = addCodes([...(totals.http2Codes ?? []), one]);
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
