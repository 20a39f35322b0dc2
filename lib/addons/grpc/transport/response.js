/** @import { Response } from '../../../core/contracts/response.js' */
/** @import { CallTask } from '../types.js' */

/**
 * The response to a call: that of HTTP, whose body is the JSON of the message, or of a list of them.
 * @implements {Response}
 */
export class CallResponse {
  #inner;
  #task;
  #messages;
  /** @type {Buffer | null} */
  #body = null;
  /** @type {Response['request']} */
  request = undefined;
  /** @type {Response['reading']} */
  reading = undefined;

  /**
   * @param {Response} inner
   * @param {{ task: CallTask, trailers: string[] | null, isCall: boolean, messages: unknown[] }} parts isCall: a server
   *   of gRPC has answered
   */
  constructor(inner, { task, trailers, isCall, messages }) {
    this.#inner = inner;
    this.#task = task;
    this.#messages = messages;
    this.trailers = trailers;
    this.isCall = isCall;
    this.statusCode = inner.statusCode;
    this.isPlain = inner.isPlain;
    this.bodyBytes = inner.bodyBytes;
    this.excerpt = inner.excerpt;
  }

  /** The message, or a list of them; undefined: none is kept. */
  get value() {
    if (!this.isCall || this.#messages.length === 0) return undefined;
    return this.#task.answersStream ? this.#messages : this.#messages[0];
  }

  get body() {
    if (this.#body !== null) return this.#body;
    if (!this.isCall) return this.#inner.body;
    const { value } = this;
    return value === undefined ? null : (this.#body = Buffer.from(JSON.stringify(value)));
  }

  set body(body) {
    this.#body = body;
  }

  get headers() {
    return this.#inner.headers;
  }

  get setCookies() {
    return this.#inner.setCookies;
  }

  get contentEncoding() {
    return this.#inner.contentEncoding;
  }

  get serverTiming() {
    return this.#inner.serverTiming;
  }

  get statusMessage() {
    return this.#inner.statusMessage;
  }

  get rawHeaders() {
    return this.#inner.rawHeaders;
  }

  get httpVersion() {
    return this.#inner.httpVersion;
  }
}
