/**
 * @import { ResponseParser } from './parser.js'
 */

/** A response of `wire`. */
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
