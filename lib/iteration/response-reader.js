import { UNCOUNTED } from '../body-memory.js';
import { makeError } from '../errors.js';
import { formatValue } from '../text/format-value.js';

/**
 * @import { BodyAccount } from '../body-memory.js'
 * @import { ParsedJson } from '../flow/checks/types.js'
 * @import { Response } from '../transport/types.js'
 */

/** memory of parsed JSON per byte of its text; measured: records 1.9, a map of numbers 3.8 */
export const JSON_COST = 4;
/** bytes: parsing 16 MiB takes 0.1 to 0.2 s, in which no other request is served */
export const MAX_JSON = 16 * 1024 * 1024;
/** bytes of a body that a message may show */
const SHOWN_BYTES = 1000;

/** A response as checks and captures read it: text and JSON are decoded once, when they are first read. One object serves a lane. */
export class ResponseReader {
  #bodies;
  /** @type {Response | null} */
  #response = null;
  /** @type {BufferEncoding} */
  #encoding = 'utf8';
  /** @type {string | null} */
  #text = null;
  /** @type {ParsedJson | null} */
  #json = null;
  ms = 0;

  /** @param {BodyAccount} [bodies] counts the memory of texts and JSON */
  constructor(bodies = UNCOUNTED) {
    this.#bodies = bodies;
  }

  /**
   * @param {Response | null} response null: releases the last one
   * @param {number} [ms] service time
   * @param {BufferEncoding} [encoding]
   * @returns {this}
   */
  of(response, ms = 0, encoding = 'utf8') {
    this.#response = response;
    this.#encoding = encoding;
    this.#text = null;
    this.#json = null;
    this.ms = ms;
    return this;
  }

  get statusCode() {
    return this.#current.statusCode;
  }

  get headers() {
    return this.#current.headers;
  }

  get body() {
    return this.#current.body;
  }

  get text() {
    if (this.#text === null) {
      const { body } = this;
      if (body !== null) this.#bodies.take(body.length);
      this.#text = body === null ? '' : body.toString(this.#encoding);
    }
    return this.#text;
  }

  /**
   * The value of a header field.
   *
   * @param {string} name in lower case
   * @returns {string | undefined} several ones are joined; undefined if there is none
   */
  header(name) {
    const { headers } = this;
    if (!Object.hasOwn(headers, name)) return undefined;
    const value = headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /**
   * The value of a cookie that the response sets, as it is written.
   *
   * @param {string} name
   * @returns {string | undefined} that of the last one of this name
   */
  cookie(name) {
    const line = this.#current.setCookies?.findLast((one) => one.startsWith(`${name}=`));
    return line
      ?.slice(name.length + 1)
      .split(';', 1)[0]
      .trim();
  }

  /** @throws {Error} E_JSON_TOO_LARGE, E_BODY_MEMORY */
  get json() {
    return (this.#json ??= this.#parse());
  }

  /** @returns {ParsedJson} */
  #parse() {
    const { body } = this;
    if (body === null || body.length === 0) return { value: undefined, fault: 'an empty body' };
    if (body.length > MAX_JSON) throw makeError('E_JSON_TOO_LARGE', { size: body.length, limit: MAX_JSON });
    this.#bodies.take(JSON_COST * body.length);
    try {
      const text = this.#text ?? body.toString(this.#encoding);
      // a byte order mark may be ignored (RFC 8259 8.1), as fetch does
      return { value: JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text), fault: null };
    } catch {
      this.#bodies.free(JSON_COST * body.length);
      return {
        value: undefined,
        fault: `${formatValue(body.toString(this.#encoding, 0, SHOWN_BYTES))}, which is not JSON`,
      };
    }
  }

  get #current() {
    return /** @type {Response} */ (this.#response);
  }
}

/**
 * All that a step has received: the response, or the messages of a WebSocket, each as the body of a response.
 *
 * @param {ResponseReader} received
 * @param {Response} response
 * @param {BodyAccount} bodies
 * @returns {ResponseReader[]}
 */
export function messagesOf(received, response, bodies) {
  if (response.messages === undefined) return [received];
  return response.messages.map((message) =>
    new ResponseReader(bodies).of({ ...response, body: Buffer.from(/** @type {Buffer} */ (message)) }),
  );
}
