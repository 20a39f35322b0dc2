import { makeError } from '../../errors.js';
import { HeadMemo } from './head-memo.js';
import { ResponseHead, checkField, startsLikeHttp } from './head.js';
import { CR, LF, hexValue, latin1, shown } from './octets.js';

/**
 * @typedef {object} ParserOptions
 * @property {number} [maxHeadBytes] of a head, and of the trailers
 * @property {number} [maxFields] of a response
 * @property {HeadMemo} [memo] shared with other parsers
 *
 * @typedef {object} Wanted what somebody will look at
 * @property {string} method of the request: a response to HEAD has no body
 * @property {boolean} head
 * @property {boolean} body
 * @property {number} maxBodySize bytes that are kept of a body
 */

const MOST_INTERIM = 20;
const MOST_EXTENSION_BYTES = 16 * 1024;

// What comes next.
const STATUS_LINE = 0;
const FIELDS = 1;
const CHUNK_SIZE = 2;
const CHUNK_END = 3;
const TRAILERS = 4;
const BODY = 5;
const CHUNK = 6;
const UNTIL_CLOSE = 7;
const DONE = 8;

/**
 * Reads one HTTP/1.1 response after the other from bytes in pieces of any size (RFC 9112), strictly: what could let one
 * response bleed into the next is an error. It knows no socket: {@link begin}, then {@link feed} until it {@link isDone}.
 *
 *     STATUS_LINE -> FIELDS -+-> BODY ------------------------------------+-> DONE
 *          ^           |     +-> CHUNK_SIZE -> CHUNK -> CHUNK_END -+      |
 *          +--- 1xx ---+     |       ^  |                          |      |
 *                            |       +--|--------------------------+      |
 *                            |          +-> TRAILERS ---------------------+
 *                            +-> UNTIL_CLOSE --- end of connection -------+
 */
export class ResponseParser {
  #state = DONE;
  #maxHeadBytes;
  #maxFields;
  #memo;
  /** @type {Wanted} */
  #wanted = { method: 'GET', head: false, body: false, maxBodySize: 0 };
  /** the beginning of a line whose end has not come yet @type {Buffer | null} */
  #stash = null;
  /** the head comes in more than one piece */
  #isSplit = false;
  /** its field lines in the earlier pieces */
  #earlier = '';
  /** of the head, the trailers or a chunk's first line, so far */
  #lineBytes = 0;
  #fieldCount = 0;
  #interimCount = 0;
  #extensionBytes = 0;
  /** bytes of the body, or of the chunk, that are still to come */
  #left = 0;
  /** @type {Buffer[]} */
  #chunks = [];
  #endsByClose = false;

  head = new ResponseHead();
  bodyBytes = 0;

  /** @param {ParserOptions} [options] */
  constructor({ maxHeadBytes = 64 * 1024, maxFields = 1000, memo = new HeadMemo() } = {}) {
    this.#maxHeadBytes = maxHeadBytes;
    this.#maxFields = maxFields;
    this.#memo = memo;
  }

  /** A request went out; its response is next. @type {(wanted: Wanted) => void} */
  begin(wanted) {
    this.#wanted = wanted;
    this.#state = STATUS_LINE;
    this.#stash = null;
    this.#lineBytes = 0;
    this.#fieldCount = 0;
    this.#interimCount = 0;
    this.#extensionBytes = 0;
    this.#endsByClose = false;
    this.bodyBytes = 0;
    if (wanted.body) this.#chunks = [];
  }

  get isDone() {
    return this.#state === DONE;
  }

  /** After the response: the connection can carry another request. */
  get keepsConnection() {
    return this.head.keepsConnection && !this.#endsByClose;
  }

  /** How far the body came, for a message. */
  get received() {
    return this.#state === BODY
      ? `${this.bodyBytes} of ${this.bodyBytes + this.#left} bytes`
      : `${this.bodyBytes} bytes`;
  }

  /** What was kept of the body. @returns {Buffer | null} null if it was not wanted */
  get body() {
    if (!this.#wanted.body) return null;
    return this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
  }

  /**
   * Reads bytes.
   *
   * @param {Buffer} bytes may be used again when this returns: what is kept is copied
   * @param {number} from
   * @param {number} to
   * @returns {number} where it stopped: less than `to` if bytes follow that belong to no request
   * @throws {Error} of kind protocol
   */
  feed(bytes, from, to) {
    let at = from;
    while (at < to && this.#state !== DONE) {
      if (this.#state === BODY || this.#state === CHUNK) at = this.#takeBody(bytes, at, to);
      else if (this.#state === UNTIL_CLOSE) at = this.#keep(bytes, at, to);
      else if (this.#state === STATUS_LINE && this.#stash === null) at = this.#takeHead(bytes, at, to);
      else at = this.#takeLines(bytes, at, to);
    }
    return at;
  }

  /**
   * The connection ended, in order or not.
   *
   * @param {boolean} isClean
   * @returns {string | null} the code of the error that this is; null if the response is complete by it
   */
  end(isClean) {
    switch (this.#state) {
      case STATUS_LINE:
        return this.#stash === null && this.#interimCount === 0 ? 'E_RESET_BEFORE_HEAD' : 'E_RESET_IN_HEAD';
      case FIELDS:
        return 'E_RESET_IN_HEAD';
      case BODY:
        return 'E_BODY_SHORT';
      case UNTIL_CLOSE:
        if (!isClean) return 'E_BODY_SHORT';
        this.#state = DONE;
        return null;
      case DONE:
        return null;
      default:
        return 'E_CHUNK_SHORT';
    }
  }

  /** A head from its beginning: one that is known, or line by line. @type {(bytes: Buffer, from: number, to: number) => number} */
  #takeHead(bytes, from, to) {
    const known = this.#memo.find(bytes, from, to);
    if (known) {
      this.head = known.head;
      this.#beginBody();
      return from + known.bytes.length;
    }
    this.head = new ResponseHead();
    this.#earlier = '';
    this.#isSplit = false;
    return this.#takeLines(bytes, from, to);
  }

  /** Lines as long as lines are expected. @type {(bytes: Buffer, from: number, to: number) => number} */
  #takeLines(bytes, from, to) {
    let at = from;
    let fieldsFrom = from;
    while (at < to && this.#state < BODY) {
      const state = this.#state;
      let lf = at;
      while (lf < to && bytes[lf] !== LF) lf++;
      this.#lineBytes += lf - at;
      if (this.#lineBytes > this.#maxHeadBytes) throw makeError('E_HEAD_TOO_LARGE', { limit: this.#maxHeadBytes });
      if (lf === to) {
        this.#stashLine(bytes, at, to);
        at = to;
        break;
      }
      const line = this.#stash === null ? bytes : Buffer.concat([this.#stash, bytes.subarray(at, lf + 1)]);
      const start = this.#stash === null ? at : 0;
      const end = this.#stash === null ? lf : line.length - 1;
      this.#stash = null;
      this.#lineBytes++;
      at = lf + 1;
      if (end === start || line[end - 1] !== CR)
        throw makeError(MALFORMED[state], { line: `${shown(line, start, end)}, which does not end with CR LF` });
      this.#takeLine(line, start, end - 1);
      if (state === STATUS_LINE) fieldsFrom = at;
      else if (state === FIELDS && this.#state !== FIELDS) {
        this.#endHead(bytes, fieldsFrom, at, from);
        if (this.#state === STATUS_LINE) return at;
      }
    }
    if (this.#state <= FIELDS) this.#isSplit = true;
    if (this.#state === FIELDS) this.#earlier += latin1(bytes, fieldsFrom, to);
    return at;
  }

  /** Keeps the beginning of a line; what cannot become a status line is refused at once. @type {(bytes: Buffer, from: number, to: number) => void} */
  #stashLine(bytes, from, to) {
    const part = Buffer.from(bytes.subarray(from, to));
    const stash = this.#stash === null ? part : Buffer.concat([this.#stash, part]);
    if (this.#state === STATUS_LINE && !startsLikeHttp(stash, 0, stash.length))
      throw makeError('E_STATUS_LINE', { line: shown(stash, 0, stash.length) });
    this.#stash = stash;
  }

  /** One line, without its CR LF. @type {(line: Buffer, start: number, end: number) => void} */
  #takeLine(line, start, end) {
    switch (this.#state) {
      case STATUS_LINE:
        this.head.takeStatusLine(line, start, end);
        this.#state = FIELDS;
        break;
      case FIELDS:
        if (start !== end) {
          this.#countField();
          this.head.takeField(line, start, end);
        } else this.#state = DONE; // #endHead says what follows
        break;
      case CHUNK_SIZE:
        this.#takeChunkSize(line, start, end);
        break;
      case CHUNK_END:
        if (start !== end) throw makeError('E_CHUNK', { line: shown(line, start, end) });
        this.#state = CHUNK_SIZE;
        break;
      case TRAILERS:
        // a trailer is as well-formed as any field, but nothing depends on it (RFC 9112 7.1.2)
        if (start !== end) {
          this.#countField();
          checkField(line, start, end);
        } else this.#state = DONE;
    }
  }

  #countField() {
    if (++this.#fieldCount > this.#maxFields) throw makeError('E_TOO_MANY_FIELDS', { limit: this.#maxFields });
  }

  /**
   * The empty line after the fields.
   *
   * @param {Buffer} bytes
   * @param {number} fieldsFrom where the field lines begin in this piece
   * @param {number} at where the head ends
   * @param {number} from where this piece begins
   */
  #endHead(bytes, fieldsFrom, at, from) {
    const { head } = this;
    if (head.statusCode < 200) {
      if (head.statusCode === 101) throw makeError('E_UPGRADE');
      if (++this.#interimCount > MOST_INTERIM) throw makeError('E_1XX_FLOOD', { limit: MOST_INTERIM });
      this.#state = STATUS_LINE;
      this.#lineBytes = 0;
      this.#fieldCount = 0;
      return;
    }
    head.close();
    const isKept = !this.#isSplit && this.#memo.wantsNext();
    const isRead = this.#wanted.head || this.#wanted.body || head.hasSetCookie || head.hasLocation;
    if (isKept || isRead) head.text = this.#earlier + latin1(bytes, fieldsFrom, at);
    if (isKept) this.#memo.keep(Buffer.from(bytes.subarray(from, at)), head);
    this.#beginBody();
  }

  /** How long the body is, if there is one (RFC 9112 6.3). */
  #beginBody() {
    const { statusCode, framing } = this.head;
    this.#lineBytes = 0;
    if (statusCode === 204 || statusCode === 304 || this.#wanted.method === 'HEAD') this.#state = DONE;
    else if (framing === 'chunked') this.#state = CHUNK_SIZE;
    else if (framing === 'close') {
      this.#state = UNTIL_CLOSE;
      this.#endsByClose = true;
    } else {
      this.#left = framing;
      this.#state = framing === 0 ? DONE : BODY;
    }
  }

  /** `1a;name=value` (RFC 9112 7.1). @type {(line: Buffer, start: number, end: number) => void} */
  #takeChunkSize(line, start, end) {
    let size = 0;
    let at = start;
    for (; at < end && hexValue(line[at]) >= 0; at++) size = size * 16 + hexValue(line[at]);
    const digits = at - start;
    this.#extensionBytes += end - at;
    const isGood =
      digits > 0 && digits <= 16 && size <= Number.MAX_SAFE_INTEGER && this.#extensionBytes <= MOST_EXTENSION_BYTES;
    if (!isGood || (at < end && !EXTENSIONS.test(latin1(line, at, end))))
      throw makeError('E_CHUNK', { line: shown(line, start, end) });
    this.#left = size;
    this.#lineBytes = 0;
    this.#state = size === 0 ? TRAILERS : CHUNK;
  }

  /** @type {(bytes: Buffer, from: number, to: number) => number} */
  #takeBody(bytes, from, to) {
    const until = Math.min(to, from + this.#left);
    this.#keep(bytes, from, until);
    this.#left -= until - from;
    if (this.#left === 0) this.#state = this.#state === BODY ? DONE : CHUNK_END;
    return until;
  }

  /** @type {(bytes: Buffer, from: number, to: number) => number} */
  #keep(bytes, from, to) {
    this.bodyBytes += to - from;
    if (this.#wanted.body) {
      if (this.bodyBytes > this.#wanted.maxBodySize)
        throw makeError('E_BODY_TOO_LARGE', { limit: this.#wanted.maxBodySize });
      const kept = Buffer.allocUnsafe(to - from);
      bytes.copy(kept, 0, from, to);
      this.#chunks.push(kept);
    }
    return to;
  }
}

/** The code of a malformed line, by the state it was expected in. */
const MALFORMED = ['E_STATUS_LINE', 'E_FIELD', 'E_CHUNK', 'E_CHUNK', 'E_FIELD'];

const NAME = "[!#$%&'*+.^_`|~\\w-]+";
const QUOTED = '"(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[^\\x00-\\x08\\x0a-\\x1f\\x7f])*"';
/** `;name=value;name="quoted"`, with whitespace only where RFC 9112 7.1.1 has it */
const EXTENSIONS = new RegExp(`^(?:[ \\t]*;[ \\t]*${NAME}(?:[ \\t]*=[ \\t]*(?:${NAME}|${QUOTED}))?)*$`);
