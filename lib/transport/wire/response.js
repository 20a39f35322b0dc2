/**
 * @import { ResponseParser } from './parser.js'
 */

/** A response that `wire` has read. */
export class WireResponse {
  #head;
  /** @type {Record<string, any> | null} */
  #headers = null;

  /** @param {ResponseParser} parser has just read it */
  constructor(parser) {
    this.#head = parser.head;
    this.statusCode = parser.head.statusCode;
    this.bodyBytes = parser.bodyBytes;
    this.body = parser.takeBody();
  }

  /** @type {import('../types.js').Response['request']} */
  request = undefined;

  get statusMessage() {
    return this.#head.reason;
  }

  get httpVersion() {
    return `1.${this.#head.version}`;
  }

  get rawHeaders() {
    return this.#head.rawFields();
  }

  /** Parsed when read. */
  get headers() {
    return (this.#headers ??= this.#head.fields().toObject());
  }

  get setCookies() {
    return this.#head.hasSetCookie ? this.headers['set-cookie'] : null;
  }

  get contentEncoding() {
    return this.#head.hasContentEncoding ? this.headers['content-encoding'] : undefined;
  }
}
