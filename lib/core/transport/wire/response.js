import { ResponseHead } from './head.js';

/** @import { ResponseParser } from './parser.js' */

/**
 * @typedef {Pick<ResponseHead, 'statusCode' | 'isPlain' | 'reason' | 'httpVersion' | 'hasSetCookie' |
 *   'hasContentEncoding' | 'hasServerTiming' | 'rawFields' | 'fields'>} Head of any version of HTTP
 */

const NO_HEAD = new ResponseHead();

export class WireResponse {
  /** @type {Head} */
  #head = NO_HEAD;
  /** @type {Record<string, any> | null} */
  #headers = null;
  statusCode = 0;
  isPlain = false;
  bodyBytes = 0;
  /** @type {Buffer | null} */
  body = null;
  /** @type {Buffer | null} */
  excerpt = null;
  /** @type {import('../../contracts/response.js').Response['request']} */
  request = undefined;

  /** Fetches the response from a parser that has just read it. @type {(parser: ResponseParser) => void} */
  take(parser) {
    this.takeHead(parser.head, parser.bodyBytes);
    this.body = parser.takeBody();
    this.excerpt = parser.takeExcerpt();
  }

  /** @type {(head: Head, bodyBytes: number) => void} */
  takeHead(head, bodyBytes) {
    this.#head = head;
    this.#headers = null;
    this.statusCode = head.statusCode;
    this.isPlain = head.isPlain;
    this.bodyBytes = bodyBytes;
  }

  get statusMessage() {
    return this.#head.reason;
  }

  get httpVersion() {
    return this.#head.httpVersion;
  }

  get rawHeaders() {
    return this.#head.rawFields();
  }

  /** The fields, which are parsed when they are first read. */
  get headers() {
    return (this.#headers ??= this.#head.fields().toObject());
  }

  get setCookies() {
    return this.#head.hasSetCookie ? this.headers['set-cookie'] : null;
  }

  get contentEncoding() {
    return this.#head.hasContentEncoding ? this.headers['content-encoding'] : undefined;
  }

  get serverTiming() {
    return this.#head.hasServerTiming ? this.headers['server-timing'] : undefined;
  }
}
