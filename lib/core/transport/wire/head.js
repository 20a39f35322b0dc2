import { makeError } from '../../ground/errors.js';
import { withoutSpace } from '../../http/field-values.js';
import { OTHER_VERSION } from '../../http/versions.js';
import { isSecretName, maskAll, maskText } from '../../text/mask.js';
import { Fields, KEEP_ALIVE_MARGIN_MS } from '../exchange-parts.js';
import { readFraming } from './framing.js';
import { FIELD_TEXT, SP, TOKEN, digit, hasName, latin1, printable } from './octets.js';

/** @import { Framing } from './framing.js' */

const COLON = 0x3a;
const HTAB = 0x09;
/** The line has no colon of its own. */
export const FOLD = -1;
const HTTP = 'HTTP/1.';

/**
 * The head of a response. The parser feeds it line by line: the status, and the fields for framing and reuse are read
 * at once; of some others it only notes that they are there, and all are parsed from `text` when they are read.
 */
export class ResponseHead {
  /** The minor version of HTTP/1. */
  #version = 1;
  /** @type {string | null} */
  #contentLength = null;
  /** @type {string | null} */
  #transferEncoding = null;
  /** @type {string | null} */
  #connection = null;
  /** @type {string | null} */
  #keepAlive = null;
  /** Fields, parsed when read. @type {Fields | null} */
  #fields = null;

  statusCode = 0;
  /** The reason phrase; empty if it is not needed. */
  reason = '';
  /** Set by the parser, for the limit of fields, which includes trailers. */
  fieldCount = 0;
  hasSetCookie = false;
  hasLocation = false;
  hasContentEncoding = false;
  hasServerTiming = false;
  /** How the body ends, if there is one. @type {Framing} */
  framing = 'close';
  /** The body is one of server-sent events. */
  isOfEvents = false;
  /** A field has several lines: {@link unfold} joins them. */
  isFolded = false;
  /** The connection can be reused (RFC 9112 9.3). */
  keepsConnection = false;
  /** For how long it can be reused. */
  lifetimeMs = Infinity;
  /** See Response. @type {boolean} */
  isPlain = false;
  /** The field lines as received; null if they are not needed. @type {string | null} */
  text = null;

  /** RFC 9112 4 @throws {Error} E_STATUS_LINE @type {(line: Buffer, start: number, end: number) => void} */
  takeStatusLine(line, start, end) {
    const status = digit(line[start + 9]) * 100 + digit(line[start + 10]) * 10 + digit(line[start + 11]);
    const version = digit(line[start + HTTP.length]);
    const isGood =
      end - start >= 12 &&
      startsLikeHttp(line, start, end) &&
      version >= 0 &&
      line[start + 8] === SP &&
      status >= 100 &&
      (end - start === 12 || line[start + 12] === SP) &&
      isFieldText(line, start + 12, end);
    if (!isGood) throw statusLineError(line, start, end);
    this.#version = version;
    this.statusCode = status;
  }

  /** @type {(line: Buffer, start: number, end: number) => void} */
  takeReason(line, start, end) {
    this.reason = latin1(line, Math.min(start + 13, end), end);
  }

  get httpVersion() {
    return `1.${this.#version}`;
  }

  /** @throws {Error} E_FIELD @type {(line: Buffer, start: number, end: number) => void} */
  // eslint-disable-next-line complexity -- one case per length of a name
  takeField(line, start, end) {
    const colon = checkField(line, start, end);
    const value = colon + 1;
    // Few names have the length of one that is read.
    switch (colon - start) {
      case 8:
        if (hasName(line, start, 'location')) this.hasLocation = true;
        break;
      case 10:
        if (hasName(line, start, 'connection')) this.#connection = listed(this.#connection, line, value, end);
        else if (hasName(line, start, 'set-cookie')) this.hasSetCookie = true;
        else if (hasName(line, start, 'keep-alive')) this.#keepAlive = listed(this.#keepAlive, line, value, end);
        break;
      case 12:
        if (hasName(line, start, 'content-type'))
          this.isOfEvents = hasName(line, line[value] === SP ? value + 1 : value, 'text/event-stream');
        break;
      case 13:
        if (hasName(line, start, 'server-timing')) this.hasServerTiming = true;
        break;
      case 14:
        if (hasName(line, start, 'content-length')) this.#contentLength = listed(this.#contentLength, line, value, end);
        break;
      case 16:
        if (hasName(line, start, 'content-encoding')) this.hasContentEncoding = true;
        break;
      case 17:
        if (hasName(line, start, 'transfer-encoding'))
          this.#transferEncoding = listed(this.#transferEncoding, line, value, end);
        break;
      default:
        if (colon === FOLD) this.isFolded = true;
    }
  }

  /** A space replaces each fold (RFC 9112 5.2). @throws {Error} E_FIELD @type {(text: string) => string} */
  unfold(text) {
    if (/^[ \t]/.test(text)) throw makeError('E_FIELD', { line: 'a folded line without a field before it' });
    this.#contentLength = this.#transferEncoding = this.#connection = this.#keepAlive = null;
    const unfolded = text.replace(/[ \t]*\r\n[ \t]+/g, ' ');
    for (const line of unfolded.split('\r\n'))
      if (line !== '') this.takeField(Buffer.from(line, 'latin1'), 0, line.length);
    return unfolded;
  }

  /** Returns names and values in turn; empty if they were not needed. @type {() => string[]} */
  rawFields() {
    return rawFields(this.text ?? '');
  }

  /** Returns the fields; empty if they were not needed. @type {() => Fields} */
  fields() {
    return (this.#fields ??= readFields(this.text ?? ''));
  }

  /** Call it after the last field. @throws {Error} E_FRAMING, E_CONTENT_LENGTH */
  close() {
    this.framing = readFraming(this.#contentLength, this.#transferEncoding);
    const connection = (this.#connection ?? '').toLowerCase();
    // Chunks on HTTP/1.0: the framing may be faulty (RFC 9112 6.1).
    const persists = this.#version > 0 || (lists(connection, 'keep-alive') && this.#transferEncoding === null);
    this.keepsConnection = persists && !lists(connection, 'close');
    this.lifetimeMs = this.#keepAlive === null ? Infinity : lifetime(this.#keepAlive);
    this.isPlain = isPlainHead(this);
  }
}

/**
 * Reports whether a response is plain: see Response.
 * @type {(head: Pick<ResponseHead, 'statusCode' | 'hasSetCookie' | 'hasContentEncoding' | 'hasServerTiming'>) =>
 *   boolean}
 */
export function isPlainHead({ statusCode, hasSetCookie, hasContentEncoding, hasServerTiming }) {
  return statusCode >= 200 && statusCode < 300 && !hasSetCookie && !hasContentEncoding && !hasServerTiming;
}

/**
 * Checks a field line, `name: value` (RFC 9112 5): no space before the colon, only text. Returns where the colon is, or
 * `FOLD` for a line that continues the one before.
 * @throws {Error} E_FIELD
 * @type {(line: Buffer, start: number, end: number) => number}
 */
export function checkField(line, start, end) {
  let colon = start;
  while (colon < end && TOKEN[line[colon]] === 1) colon++;
  if (colon > start && line[colon] === COLON && isFieldText(line, colon + 1, end)) return colon;
  if ((line[start] === SP || line[start] === HTAB) && isFieldText(line, start, end)) return FOLD;
  throw makeError('E_FIELD', { line: printable(line, start, end, withoutSecret) });
}

/** Hides the value of a secret field, else the credentials in the line. @type {(line: string) => string} */
export function withoutSecret(line) {
  const name = /^[^:]*(?=:)/.exec(line)?.[0].trim() ?? '';
  return isSecretName(name) ? `${name}: ${maskAll()}` : maskText(line);
}

/** @type {(text: string) => Fields} */
function readFields(text) {
  const fields = new Fields();
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.add(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}

/** Names and values in turn. @type {(text: string) => string[]} */
function rawFields(text) {
  return text.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon > 0 ? [line.slice(0, colon), withoutSpace(line.slice(colon + 1))] : [];
  });
}

/**
 * Creates the error of bytes that are no status line.
 * @type {(bytes: Buffer, start: number, end: number) => Error}
 */
export function statusLineError(bytes, start, end) {
  const code = OTHER_VERSION?.errorOf(bytes.subarray(start, end));
  if (code !== undefined) return makeError(code);
  return makeError('E_STATUS_LINE', { line: printable(bytes, start, end) });
}

/** Reports whether bytes can begin a status line. @type {(bytes: Buffer, start: number, end: number) => boolean} */
export function startsLikeHttp(bytes, start, end) {
  const length = Math.min(HTTP.length, end - start);
  for (let i = 0; i < length; i++) if (bytes[start + i] !== HTTP.charCodeAt(i)) return false;
  return true;
}

/** @type {(line: Buffer, start: number, end: number) => boolean} */
function isFieldText(line, start, end) {
  for (let i = start; i < end; i++) if (FIELD_TEXT[line[i]] === 0) return false;
  return true;
}

/** @type {(field: string, option: string) => boolean} */
function lists(field, option) {
  return field === option || (field.includes(',') && field.split(',').map(withoutSpace).includes(option));
}

/** RFC 9110 5.3 @type {(before: string | null, line: Buffer, start: number, end: number) => string} */
function listed(before, line, start, end) {
  const value = withoutSpace(latin1(line, start, end));
  return before === null ? value : `${before},${value}`;
}

/** The announced time of a connection: `Keep-Alive: timeout=5`. @type {(field: string) => number} ms */
function lifetime(field) {
  const seconds = /(?:^|[,;\s])timeout=(\d{1,7})(?:$|[,;\s])/i.exec(field)?.[1];
  return seconds === undefined ? Infinity : Math.max(0, Number(seconds) * 1000 - KEEP_ALIVE_MARGIN_MS);
}
