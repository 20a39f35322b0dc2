import { Fields } from '../fields.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Request } from '../../flow/types.js'
 * @import { ReceivedMessage } from './inbox.js'
 */

/** The answer of a server to a handshake, as long as the connection lives. */
export class Handshake {
  /** @type {Record<string, any> | null} */
  #headers = null;

  /** @param {IncomingMessage} message */
  constructor({ statusCode = 0, statusMessage = '', rawHeaders, httpVersion, headers }) {
    this.statusCode = statusCode;
    this.statusMessage = statusMessage;
    this.rawHeaders = rawHeaders;
    this.httpVersion = httpVersion;
    this.setCookies = headers['set-cookie'] ?? null;
  }

  /** A copy that may be changed. */
  get headers() {
    this.#headers ??= fieldsOf(this.rawHeaders);
    return { ...this.#headers };
  }
}

/** The response of a WebSocket operation: the status and the fields are those of the handshake. */
export class WebSocketResponse {
  #handshake;
  #received;
  contentEncoding = undefined;
  /** @type {Request | undefined} */
  request = undefined;

  /**
   * @param {Handshake} handshake
   * @param {object} [result]
   * @param {ReceivedMessage[]} [result.messages] those that hooks read
   * @param {{ code: number, reason: string }} [result.close] of the server
   * @param {boolean} [result.isAnswer] of the handshake itself
   */
  constructor(handshake, { messages = [], close, isAnswer = false } = {}) {
    this.#handshake = handshake;
    this.#received = messages;
    this.statusCode = handshake.statusCode;
    this.statusMessage = handshake.statusMessage;
    this.httpVersion = handshake.httpVersion;
    this.setCookies = isAnswer ? handshake.setCookies : null;
    this.close = close;
  }

  get headers() {
    return this.#handshake.headers;
  }

  get rawHeaders() {
    return [...this.#handshake.rawHeaders];
  }

  /** The messages as hooks read them: text, or a Buffer of binary data. */
  get messages() {
    return this.#received.map(({ data, isBinary }) => (isBinary ? data : data.toString()));
  }

  /** All messages, one after the other. */
  get body() {
    const [first, ...more] = this.#received;
    if (first === undefined) return null;
    return more.length === 0 ? first.data : Buffer.concat(this.#received.flatMap(({ data }) => [data, LINE_END]));
  }

  get bodyBytes() {
    return this.#received.reduce((sum, { data }) => sum + data.length, 0);
  }
}

const LINE_END = Buffer.from('\n');

/** @type {(raw: string[]) => Record<string, any>} */
function fieldsOf(raw) {
  const fields = new Fields();
  for (let i = 0; i < raw.length; i += 2) fields.add(raw[i], raw[i + 1]);
  return fields.toObject();
}
