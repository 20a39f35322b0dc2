import { makeError } from '../../ground/errors.js';
import { Fields } from '../response-parts.js';
import { readFraming } from '../wire/framing.js';
import { isPlainHead } from '../wire/head.js';
import { checkFields } from './check-fields.js';

/** @import { HeaderBlock } from './hpack-decoder.js' */

/** The head of a response of HTTP/2. It has the properties of that of HTTP/1.1. Equal blocks share one head. */
export class Http2Head {
  #fields;
  /** @type {Fields | null} */
  #byName = null;
  /** HTTP/2 has no reason phrase. */
  reason = '';
  httpVersion = '2.0';
  statusCode = 0;
  hasSetCookie = false;
  hasContentEncoding = false;
  hasServerTiming = false;
  /** @type {boolean} */
  isPlain = false;
  /** The value of Content-Length; null: the response has none. @type {number | null} */
  length = null;

  /**
   * @param {HeaderBlock} block
   * @throws {Error} E_PROTOCOL, E_CONTENT_LENGTH, E_HEADERS_TOO_LARGE, E_TOO_MANY_FIELDS
   */
  constructor({ fields }) {
    const reason = checkFields(fields, false);
    if (reason !== null) throw makeError('E_PROTOCOL', { reason });
    this.#fields = fields;
    /** @type {string | null} */
    let length = null;
    for (let i = 0; i < fields.length; i += 2) {
      const name = fields[i];
      if (name === ':status') this.statusCode = Number(fields[i + 1]);
      else if (name === 'set-cookie') this.hasSetCookie = true;
      else if (name === 'server-timing') this.hasServerTiming = true;
      else if (name === 'content-encoding') this.hasContentEncoding = true;
      else if (name === 'content-length') length = length === null ? fields[i + 1] : `${length},${fields[i + 1]}`;
    }
    if (length !== null) this.length = /** @type {number} */ (readFraming(length, null));
    this.isPlain = isPlainHead(this);
  }

  /** Returns names and values in turn, without the pseudo-field. @type {() => string[]} */
  rawFields() {
    return this.#fields.slice(2);
  }

  /** @type {() => Fields} */
  fields() {
    if (this.#byName !== null) return this.#byName;
    const byName = new Fields();
    const raw = this.#fields;
    for (let i = 2; i < raw.length; i += 2) byName.add(raw[i], raw[i + 1]);
    return (this.#byName = byName);
  }
}
