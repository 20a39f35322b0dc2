import http from 'node:http';
import https from 'node:https';

import { count } from '../../core/ground/decimal.js';
import { addressOf } from '../../core/http/url-parts.js';
import { JoinedBytes } from '../../core/process/body-memory.js';
import { MOST_IN_ALL, clientOf, fieldsOf } from './recorder.js';
import { fieldsForClient, fieldsForTarget, withoutConnection } from './rewrite.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Duplex } from 'node:stream' */
/** @import { Exchange } from '../import/exchange.js' */
/** @import { Recorder } from './recorder.js' */
/** @import { Fields, Origins } from './rewrite.js' */

export const BAD_GATEWAY = 'HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n';

/** @typedef {{ request: IncomingMessage, socket: Duplex, head: Buffer }} Upgrade */

/**
 * Forwards the handshake of a WebSocket, then its bytes in both directions, and records its messages.
 * @type {(upgrade: Upgrade, context: { origins: Origins, url: URL, path: string, insecure: boolean, recorder: Recorder
 *   }, hold: (one: Duplex) => void) => void}
 */
export function forwardUpgrade({ request, socket, head }, { origins, url, path, insecure, recorder }, hold) {
  hold(socket);
  socket.on('error', () => socket.destroy());
  const startedAt = Date.now();
  const onward = (url.protocol === 'https:' ? https : http).request({
    method: request.method,
    ...addressOf(url),
    path,
    agent: false,
    rejectUnauthorized: !insecure,
    headers: /** @type {any} */ (handshakeFields(request, origins).flat()),
  });
  onward.once('upgrade', (answer, server, first) => {
    hold(server);
    const exchange = { ...exchangeOf(request, answer, { url, origins, startedAt }), messages: [] };
    recorder.add(exchange);
    socket.write(headOf(statusLine(answer), fieldsForClient(fieldsOf(answer), origins)));
    join({ client: socket, server, head, first }, exchange, recorder);
  });
  onward.once('response', (answer) => {
    recorder.add(exchangeOf(request, answer, { url, origins, startedAt }));
    const fields = fieldsForClient(withoutConnection(fieldsOf(answer)), origins);
    socket.write(headOf(statusLine(answer), [...fields, ['Connection', 'close']]));
    answer.pipe(socket);
    answer.once('aborted', () => socket.end());
  });
  onward.once('error', (error) => {
    if (socket.destroyed) return;
    const { code = error.message } = /** @type {NodeJS.ErrnoException} */ (error);
    recorder.lack(`${origins.target.origin} did not answer: ${code}`);
    socket.end(BAD_GATEWAY);
  });
  // The end of the recording destroys the socket: a target that has not answered must not keep its connection.
  socket.once('close', () => onward.destroy());
  onward.end();
}

/** Without extensions, messages are not compressed. @type {(request: IncomingMessage, origins: Origins) => Fields} */
function handshakeFields(request, origins) {
  const fields = withoutConnection(fieldsOf(request)).filter(([name]) => !/^sec-websocket-extensions$/i.test(name));
  const { upgrade = 'websocket' } = request.headers;
  return fieldsForTarget([...fields, ['Connection', 'Upgrade'], ['Upgrade', upgrade]], origins);
}

/** @type {(answer: IncomingMessage) => string} */
function statusLine({ statusCode, statusMessage }) {
  return `HTTP/1.1 ${statusCode} ${statusMessage}`;
}

/** Writes the head of a message as Node read it: latin1. @type {(line: string, fields: Fields) => Buffer} */
export function headOf(line, fields) {
  const lines = [line, ...fields.map(([name, value]) => `${name}: ${value}`), '', ''];
  return Buffer.from(lines.join('\r\n'), 'latin1');
}

/**
 * @type {(request: IncomingMessage, answer: IncomingMessage, context: { url: URL, origins: Origins, startedAt: number
 *   }) => Exchange}
 */
function exchangeOf(request, answer, { url, origins, startedAt }) {
  return {
    startedAt,
    endedAt: Date.now(),
    client: clientOf(request.socket, request.headers),
    request: {
      method: request.method ?? 'GET',
      url: answer.statusCode === 101 ? url.href.replace(/^http/, 'ws') : url.href,
      headers: fieldsForTarget(fieldsOf(request), origins),
      body: Buffer.alloc(0),
    },
    response: { status: answer.statusCode ?? 0, headers: fieldsOf(answer), body: Buffer.alloc(0) },
  };
}

/**
 * Connects both sides of an open WebSocket, and records its messages. `head` and `first` are what arrived together with
 * the request and with its answer: Node has read these bytes, so the sockets do not have them any more.
 * @type {(sockets: { client: Duplex, server: Duplex, head: Buffer, first: Buffer }, exchange: Exchange & { messages:
 *   NonNullable<Exchange['messages']> }, recorder: Recorder) => void}
 */
function join({ client, server, head, first }, { messages }, recorder) {
  let isWhole = true;
  /** @type {(from: 'client' | 'server') => FrameReader} */
  const readerOf = (from) =>
    new FrameReader((data) => {
      if (data !== null && messages.length < MOST_MESSAGES && recorder.reserve(data.length))
        messages.push({ from, at: Date.now(), data });
      else if (isWhole) {
        isWhole = false;
        recorder.lack(LEFT_OUT);
      }
    });
  const readers = { client: readerOf('client'), server: readerOf('server') };
  client.on('data', (bytes) => readers.client.read(bytes));
  server.on('data', (bytes) => readers.server.read(bytes));
  if (head.length > 0) {
    readers.client.read(head);
    server.write(head);
  }
  if (first.length > 0) {
    readers.server.read(first);
    client.write(first);
  }
  pipeBoth(client, server);
}

/** Forwards bytes both ways until a socket closes. @type {(one: Duplex, other: Duplex) => void} */
export function pipeBoth(one, other) {
  one.pipe(other);
  other.pipe(one);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ]) {
    from.on('error', () => to.destroy());
    from.once('close', () => to.destroy());
  }
}

const TEXT = 1;
const CLOSE = 8;
/** The most bytes of a message that is kept. */
const MOST_BYTES = 1024 * 1024;
const MOST_MESSAGES = 10_000;
const LEFT_OUT = `its WebSocket has messages that are left out: above ${MOST_BYTES / 2 ** 20} MiB, or after the first ${count(MOST_MESSAGES)}, or ${MOST_IN_ALL / 2 ** 20} MiB of the recording`;

/** Reads the messages of one direction of a WebSocket without extensions (RFC 6455 5.2). */
export class FrameReader {
  #onMessage;
  /** @type {Buffer} */
  #rest = Buffer.alloc(0);
  /** Bytes that are still to be skipped, of a frame that is too long. */
  #toSkip = 0;
  /** Payloads of the frames of the message so far. */
  #bytes = new JoinedBytes();
  /** Their bytes; Infinity: a frame was skipped, so the message is left out. */
  #size = 0;
  /** The opcode of the first frame of the message: frames that continue it have 0. */
  #opcode = 0;

  /** @param {(data: string | Buffer | null) => void} onMessage null: a message above MOST_BYTES is left out */
  constructor(onMessage) {
    this.#onMessage = onMessage;
  }

  /** @type {(bytes: Buffer) => void} */
  read(bytes) {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.#rest.length > 0) {
      const skipped = Math.min(this.#toSkip, this.#rest.length);
      this.#toSkip -= skipped;
      this.#rest = this.#rest.subarray(skipped);
      const head = this.#toSkip > 0 ? null : frameHeadIn(this.#rest);
      if (head === null) return;
      if (head.length > MOST_BYTES) {
        this.#skip(head);
        continue;
      }
      if (this.#rest.length < head.start + head.length) return;
      this.#frame(head);
    }
  }

  /** @type {(head: FrameHead) => void} */
  #skip({ start, length }) {
    this.#rest = this.#rest.subarray(start);
    this.#toSkip = length;
    this.#bytes.drop();
    this.#size = Infinity;
    this.#onMessage(null);
  }

  /** @type {(head: FrameHead) => void} */
  #frame({ start, length, opcode, isLast, mask }) {
    const payload = Buffer.from(this.#rest.subarray(start, start + length));
    this.#rest = this.#rest.subarray(start + length);
    if (opcode >= CLOSE) return;
    if (mask) for (let i = 0; i < payload.length; i++) payload[i] ^= mask[i & 3];
    if (opcode !== 0) {
      this.#bytes.drop();
      [this.#opcode, this.#size] = [opcode, 0];
    }
    this.#size += length;
    if (this.#size <= MOST_BYTES) this.#bytes.add(payload, 0, length, MOST_BYTES);
    if (!isLast) return;
    const data = this.#bytes.take();
    if (this.#size > MOST_BYTES) this.#onMessage(null);
    else this.#onMessage(this.#opcode === TEXT ? data.toString('utf8') : data);
    this.#size = 0;
  }
}

/**
 * @typedef {object} FrameHead
 * @property {number} start of the payload
 * @property {number} length
 * @property {number} opcode
 * @property {boolean} isLast
 * @property {Buffer | null} mask
 */

/** Null: more bytes are needed. @type {(bytes: Buffer) => FrameHead | null} */
function frameHeadIn(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1] & 0x7f;
  const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
  const isMasked = (bytes[1] & 0x80) !== 0;
  const start = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < start) return null;
  const length =
    lengthBytes === 8 ? Number(bytes.readBigUInt64BE(2)) : lengthBytes === 2 ? bytes.readUInt16BE(2) : short;
  const mask = isMasked ? Buffer.from(bytes.subarray(start - 4, start)) : null;
  return { start, length, opcode: bytes[0] & 0x0f, isLast: (bytes[0] & 0x80) !== 0, mask };
}
