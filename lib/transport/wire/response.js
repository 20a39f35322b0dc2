import { addField } from '../fields.js';

/**
 * @import { ResponseParser } from './parser.js'
 */

export class WireResponse {
  #head;
  /** @type {Record<string, any> | null} */
  #headers = null;

  /** @param {ResponseParser} parser that has just read it */
  constructor(parser) {
    this.#head = parser.head;
    this.statusCode = parser.head.statusCode;
    this.bodyBytes = parser.bodyBytes;
    this.body = parser.body;
  }

  /** Made when somebody looks. */
  get headers() {
    return (this.#headers ??= readFields(this.#head.text ?? ''));
  }

  get setCookies() {
    return this.#head.hasSetCookie ? this.headers['set-cookie'] : null;
  }

  get contentEncoding() {
    return this.#head.hasContentEncoding ? this.headers['content-encoding'] : undefined;
  }
}

/** @type {(head: string) => Record<string, any>} */
function readFields(head) {
  /** @type {Record<string, any>} */
  const headers = Object.create(null);
  for (const line of head.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) addField(headers, line.slice(0, colon), line.slice(colon + 1));
  }
  return headers;
}
