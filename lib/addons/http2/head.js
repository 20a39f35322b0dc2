import { makeError } from '../../core/ground/errors.js';
import { HAS_NO_BODY, isSpace, withoutSpace } from '../../core/http/field-values.js';
import { fieldsOf } from '../../core/transport/exchange-parts.js';
import { readFraming } from '../../core/transport/wire/framing.js';
import { isPlainHead } from '../../core/transport/wire/head.js';
import { FIELD_TEXT, TOKEN, printable } from '../../core/transport/wire/octets.js';

/** @import { Request } from '../../core/contracts/request.js' */
/** @import { Endpoint } from '../../core/http/endpoint.js' */
/** @import { Fields } from '../../core/transport/exchange-parts.js' */
/** @import { HeaderBlock } from './hpack-decoder.js' */
/** @import { HeadParts } from './hpack-encoder.js' */

/** Fields that belong to a connection of HTTP/1.1, not allowed in HTTP/2 (RFC 9113 8.2.2). */
const CONNECTION_FIELDS = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);
const COLON = 0x3a;

/**
 * Checks the fields of a response, or of its trailers: names and values in turn (RFC 9113 8.2 and 8.3). Returns the
 * reason why they are malformed; null if they are not.
 * @type {(fields: string[], options?: { isTrailer?: boolean }) => string | null}
 */
export function checkFields(fields, { isTrailer = false } = {}) {
  let hasStatus = false;
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i];
    const value = fields[i + 1];
    if (name.charCodeAt(0) === COLON) {
      const reason = checkPseudo(name, value, isTrailer || i > 0, hasStatus);
      if (reason !== null) return reason;
      hasStatus = true;
    } else if (!isName(name)) return `the field name ${shown(name)}`;
    else if (!isValue(value)) return `the value of ${name}`;
    else if (CONNECTION_FIELDS.has(name) || (name === 'te' && value !== 'trailers'))
      return `${name}, which belongs to connections of HTTP/1.1`;
  }
  return hasStatus || isTrailer ? null : 'no :status';
}

/**
 * A response has one pseudo-field, before all others.
 * @type {(name: string, value: string, isMisplaced: boolean, hasStatus: boolean) => string | null}
 */
function checkPseudo(name, value, isMisplaced, hasStatus) {
  if (name !== ':status') return `the pseudo-field ${shown(name)}`;
  if (hasStatus) return 'a second :status';
  if (isMisplaced) return 'a misplaced :status';
  return /^[1-9]\d\d$/.test(value) ? null : `:status ${shown(value)}`;
}

/** A token in lower case. @type {(name: string) => boolean} */
function isName(name) {
  for (let i = 0; i < name.length; i++) {
    const octet = name.charCodeAt(i);
    if (TOKEN[octet] === 0 || (octet >= 0x41 && octet <= 0x5a)) return false;
  }
  return name !== '';
}

/** @type {(value: string) => boolean} */
function isValue(value) {
  for (let i = 0; i < value.length; i++) if (FIELD_TEXT[value.charCodeAt(i)] === 0) return false;
  return value === '' || !(isSpace(value.charCodeAt(0)) || isSpace(value.charCodeAt(value.length - 1)));
}

/** @type {(text: string) => string} */
function shown(text) {
  const bytes = Buffer.from(text, 'latin1');
  return `'${printable(bytes, 0, bytes.length)}'`;
}

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
    const reason = checkFields(fields);
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
    return (this.#byName ??= fieldsOf(this.#fields, 2));
  }
}

/**
 * @typedef {object} RequestHead
 * @property {HeadParts} parts the same object for all requests that have them: it is encoded once per connection
 * @property {string[] | null} own fields that no other request has
 * @property {boolean} isFramed one of the fields is the length of the body
 * @property {boolean} closes the connection ends after the response
 */

/** Fields that are not sent; `:authority` replaces Host. */
const DROPPED = new Set([...CONNECTION_FIELDS, 'host']);

/** The most heads, and lists of fields, that are remembered: flows may compute them in each iteration. */
const MOST_KEPT = 1000;

/**
 * Creates a reader of request heads. A list of fields that the iterations of a step share is fitted to HTTP/2 once. It
 * is recognized when it comes again, and only its fields get entries in the table of the server.
 * @type {() => (request: Request) => RequestHead}
 */
export function createHeadReader() {
  /** @type {WeakMap<string[], { endpoint: Endpoint, head: RequestHead }>} */
  const known = new WeakMap();
  /** Parts without fields. @type {Map<string, HeadParts>} */
  const bare = new Map();
  /** The last lists that were not known; a WeakSet costs more, see `createEncoder` of wire. @type {Set<string[]>} */
  const recent = new Set();

  return function headOf({ endpoint, method, fields }) {
    const shared = known.get(fields);
    if (shared !== undefined && shared.endpoint === endpoint && shared.head.parts.method === method) return shared.head;
    const { authority, fitted, isFramed, closes } = fit(fields, endpoint);
    const about = { method, scheme: endpoint.protocol.slice(0, -1), authority };
    if (recent.has(fields)) {
      const head = { parts: { ...about, fields: fitted }, own: null, isFramed, closes };
      known.set(fields, { endpoint, head });
      return head;
    }
    if (recent.size >= MOST_KEPT) recent.clear();
    recent.add(fields);
    return { parts: bareOf(about), own: fitted, isFramed, closes };
  };

  /** @type {(about: Pick<HeadParts, 'method' | 'scheme' | 'authority'>) => HeadParts} */
  function bareOf(about) {
    const key = `${about.method} ${about.scheme} ${about.authority}`;
    const found = bare.get(key);
    if (found !== undefined) return found;
    if (bare.size >= MOST_KEPT) bare.clear();
    const made = { ...about, fields: [] };
    bare.set(key, made);
    return made;
  }
}

/**
 * Returns the fields that no other request has: those with tokens, its cookies and credentials, and the length of its
 * body.
 * @type {(request: Request, head: RequestHead, size: number) => string[] | null}
 */
export function ownFields({ method, extra, body }, { own, isFramed }, size) {
  const needsLength = !isFramed && (body !== null || !HAS_NO_BODY.has(method));
  if (own === null && extra === null && !needsLength) return null;
  const all = own === null ? [] : [...own];
  if (extra !== null) all.push(...extra);
  if (needsLength) all.push('content-length', String(size));
  return all;
}

/**
 * Fits fields that were written for HTTP/1.1 to HTTP/2.
 * @type {(given: string[], endpoint: Endpoint) => { authority: string, fitted: string[], isFramed: boolean, closes:
 *   boolean }}
 */
function fit(given, { host }) {
  const head = { authority: host, fitted: /** @type {string[]} */ ([]), isFramed: false, closes: false };
  for (let i = 0; i < given.length; i += 2) {
    const name = given[i].toLowerCase();
    const value = withoutSpace(given[i + 1]);
    if (name === 'host') head.authority = value;
    else if (name === 'connection') head.closes ||= /\bclose\b/i.test(value);
    if (DROPPED.has(name) || (name === 'te' && value.toLowerCase() !== 'trailers')) continue;
    head.isFramed ||= name === 'content-length';
    head.fitted.push(name, value);
  }
  return head;
}
