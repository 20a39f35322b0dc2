import { makeError } from '../../ground/errors.js';
import { TOKEN_PART } from '../../http/field-values.js';
import { JoinedBytes } from '../../process/body-memory.js';
import { excerptFor } from '../exchange-parts.js';
import { HeadMemo } from './head-memo.js';
import { FOLD, ResponseHead, checkField, startsLikeHttp, statusLineError, withoutSecret } from './head.js';
import { CR, LF, hexValue, latin1, printable } from './octets.js';

/**
 * @typedef {object} ParserOptions
 * @property {number} [maxHeadBytes] of a head, and of the trailers
 * @property {number} [maxFields] of a response
 * @property {HeadMemo} [memo] shared with other parsers
 * @property {() => void} [onFolded] called for each head with a folded field
 *
 * @typedef {object} Expected the response to a request, and which parts of it to keep
 * @property {string} method of the request: a response to HEAD has no body
 * @property {boolean} head
 * @property {boolean} body
 * @property {boolean} [hasReader] the receiver may read the body
 * @property {number} maxBodySize bytes of a body that is kept
 * @property {import('../../process/body-memory.js').BodyAccount} [bodies] counts them
 * @property {Pick<import('../../contracts/response.js').Receiver, 'readsExcerpt' | 'readerOf'>} [receiver]
 */

export const MAX_INTERIM = 20;
const MAX_EXTENSION_BYTES = 16 * 1024;

// The state: what comes next.
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
 * Parses HTTP/1.1 responses from pieces of any size (RFC 9112), strictly: anything that could make one response run
 * into the next is an error. Independent of sockets: call {@link begin}, then {@link feed} until {@link isDone}.
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
  #onFolded;
  /** @type {Expected} */
  #expected = { method: 'GET', head: false, body: false, maxBodySize: 0 };
  /** The beginning of an incomplete line. @type {Buffer | null} */
  #stash = null;
  /** The head arrives in more than one piece. */
  #isSplit = false;
  /** Field lines of the earlier pieces. @type {JoinedBytes | null} */
  #earlier = null;
  /** Bytes of the head, the trailers or a chunk's first line, so far. */
  #lineBytes = 0;
  #fieldCount = 0;
  #interimCount = 0;
  #extensionBytes = 0;
  /** Bytes of the body, or of the chunk, that have not arrived. */
  #remaining = 0;
  /** The body, if it is kept. @type {JoinedBytes | null} */
  #kept = null;
  /** The excerpt of an error, or a stream. @type {import('../../contracts/response.js').BodySink | null} */
  #sink = null;
  #endsByClose = false;
  #hasFoldedTrailer = false;

  head = new ResponseHead();
  bodyBytes = 0;

  /** @param {ParserOptions} [options] */
  constructor({ maxHeadBytes = 64 * 1024, maxFields = 1000, memo = new HeadMemo(), onFolded = () => {} } = {}) {
    this.#maxHeadBytes = maxHeadBytes;
    this.#maxFields = maxFields;
    this.#memo = memo;
    this.#onFolded = onFolded;
  }

  /** Begins with an expected response. Call it after a request was sent. @type {(expected: Expected) => void} */
  begin(expected) {
    this.#expected = expected;
    this.#state = STATUS_LINE;
    this.#stash = null;
    this.#lineBytes = 0;
    this.#fieldCount = 0;
    this.#interimCount = 0;
    this.#extensionBytes = 0;
    this.#endsByClose = false;
    this.bodyBytes = 0;
    if (expected.body) this.#kept = new JoinedBytes(expected.bodies);
  }

  get isDone() {
    return this.#state === DONE;
  }

  get hasHead() {
    return this.#state > FIELDS;
  }

  /** After the response: the connection can be reused. */
  get keepsConnection() {
    return this.head.keepsConnection && !this.#endsByClose;
  }

  /** How much of the body arrived, for a message. */
  get received() {
    return this.#state === BODY
      ? `${this.bodyBytes} of ${this.bodyBytes + this.#remaining} bytes`
      : `${this.bodyBytes} bytes`;
  }

  /** Returns the body; null if it was not to be kept. @type {() => Buffer | null} */
  takeBody() {
    if (this.#kept === null) return null;
    const body = this.#kept.take();
    this.#kept = null;
    return body;
  }

  /** The beginning of the body was kept, of an error. */
  get hasExcerpt() {
    return this.#sink !== null;
  }

  /** The reader of a stream needs no more of it, see BodySink. */
  get isOver() {
    return this.#sink?.isOver === true;
  }

  /** What follows of a stream does not matter: it may end in any way. */
  get isEnded() {
    return this.#sink?.isEnded === true;
  }

  /** Returns the beginning of the body of an error. @type {() => Buffer | null} */
  takeExcerpt() {
    if (this.#sink === null) return null;
    const excerpt = this.#sink.take();
    this.#sink = null;
    return excerpt;
  }

  /** Releases the body of a response that will not be completed. */
  drop() {
    this.#kept?.drop();
    this.#kept = null;
    this.#sink = null;
  }

  /**
   * Parses bytes, which may be overwritten afterwards: the kept parts are copied. Returns where it stopped: less than
   * `to` if unexpected bytes follow the response.
   * @throws {Error} of kind protocol
   * @type {(bytes: Buffer, from: number, to: number) => number}
   */
  feed(bytes, from, to) {
    let at = from;
    while (at < to && this.#state !== DONE) {
      if (this.#state === BODY || this.#state === CHUNK) at = this.#readBody(bytes, at, to);
      else if (this.#state === UNTIL_CLOSE) at = this.#keep(bytes, at, to);
      else if (this.#state === STATUS_LINE && this.#stash === null) at = this.#readHead(bytes, at, to);
      else if (this.#state <= FIELDS) at = this.#readHeadLines(bytes, at, to);
      else at = this.#nextLine(bytes, at, to);
    }
    return at;
  }

  /**
   * Ends the response when the connection ended. Returns the code of the error; null if the response is complete, as a
   * body without a length ends when the connection is closed.
   * @type {(how: 'closed' | 'reset') => string | null}
   */
  end(how) {
    switch (this.#state) {
      case STATUS_LINE:
        return this.#stash === null && this.#interimCount === 0 ? 'E_RESET_BEFORE_HEAD' : 'E_RESET_IN_HEAD';
      case FIELDS:
        return 'E_RESET_IN_HEAD';
      case BODY:
        return 'E_BODY_SHORT';
      case UNTIL_CLOSE:
        if (how === 'reset') return 'E_BODY_SHORT';
        this.#state = DONE;
        return null;
      case DONE:
        return null;
      default:
        return 'E_CHUNK_SHORT';
    }
  }

  /** Reads a head: a known one, or line by line. @type {(bytes: Buffer, from: number, to: number) => number} */
  #readHead(bytes, from, to) {
    const known = this.#memo.find(bytes, from, to);
    if (known) {
      this.head = known.head;
      this.#fieldCount = known.head.fieldCount;
      this.#beginBody();
      return from + known.bytes.length;
    }
    this.head = new ResponseHead();
    this.#earlier = null;
    this.#isSplit = false;
    return this.#readHeadLines(bytes, from, to);
  }

  /**
   * Reads the lines of a head, or of its rest if earlier pieces had its beginning. An empty line after an interim
   * response, and the head of one, leave the state at STATUS_LINE: #readHead reads what follows.
   * @type {(bytes: Buffer, from: number, to: number) => number} where the head ends; `to`: it is incomplete
   */
  #readHeadLines(bytes, from, to) {
    let at = from;
    if (this.#state === STATUS_LINE) {
      at = this.#nextLine(bytes, from, to);
      if (this.#state === STATUS_LINE) {
        this.#isSplit = this.#stash !== null;
        return at;
      }
    }
    const fieldsFrom = at;
    while (at < to && this.#state === FIELDS) at = this.#nextLine(bytes, at, to);
    if (this.#state !== FIELDS) this.#endHead(bytes, fieldsFrom, at, from);
    else {
      this.#isSplit = true;
      (this.#earlier ??= new JoinedBytes()).add(bytes, fieldsFrom, to, this.#maxHeadBytes);
    }
    return at;
  }

  /** @type {(bytes: Buffer, from: number, to: number) => number} where the line ends; `to`: it may be incomplete */
  #nextLine(bytes, from, to) {
    let lf = from;
    while (lf < to && bytes[lf] !== LF) lf++;
    this.#lineBytes += lf - from;
    if (this.#lineBytes > this.#maxHeadBytes) throw makeError('E_HEADERS_TOO_LARGE', { limit: this.#maxHeadBytes });
    if (lf === to) {
      this.#stashLine(bytes, from, to);
      return to;
    }
    this.#lineBytes++;
    const stash = this.#stash;
    this.#stash = null;
    if (stash === null) this.#readLine(bytes, from, lf);
    else {
      const line = Buffer.concat([stash, bytes.subarray(from, lf)]);
      this.#readLine(line, 0, line.length);
    }
    return lf + 1;
  }

  /** Throws if it cannot become a status line. @type {(bytes: Buffer, from: number, to: number) => void} */
  #stashLine(bytes, from, to) {
    const part = Buffer.from(bytes.subarray(from, to));
    const stash = this.#stash === null ? part : Buffer.concat([this.#stash, part]);
    const mayBeEmpty = this.#interimCount > 0 && stash.length === 1 && stash[0] === CR;
    const isStatusLine = this.#state === STATUS_LINE && !mayBeEmpty;
    if (isStatusLine && !startsLikeHttp(stash, 0, stash.length)) throw statusLineError(stash, 0, stash.length);
    this.#stash = stash;
  }

  /** Reads a line, which ends before `lf`, with CR. @type {(line: Buffer, start: number, lf: number) => void} */
  #readLine(line, start, lf) {
    const end = lf - 1;
    if (end < start || line[end] !== CR)
      throw makeError(MALFORMED[this.#state], {
        line: `${printable(line, start, lf, withoutSecret)}, which does not end with CR LF`,
      });
    switch (this.#state) {
      case STATUS_LINE:
        // An empty line after an interim response is tolerated.
        if (start === end && this.#interimCount > 0) break;
        this.head.takeStatusLine(line, start, end);
        if (this.#expected.head) this.head.takeReason(line, start, end);
        this.#state = FIELDS;
        break;
      case FIELDS:
        if (start !== end) {
          this.#countField();
          this.head.takeField(line, start, end);
        } else this.#state = DONE; // the fields have ended: #endHead sets the state that follows
        break;
      case CHUNK_SIZE:
        this.#readChunkSize(line, start, end);
        break;
      case CHUNK_END:
        if (start !== end) throw makeError('E_CHUNK', { line: printable(line, start, end) });
        this.#state = CHUNK_SIZE;
        break;
      case TRAILERS:
        // A trailer must be a well-formed field, but is not used (RFC 9112 7.1.2).
        if (start !== end) {
          this.#countField();
          const isFirst = this.#lineBytes === end - start + 2;
          if (checkField(line, start, end) === FOLD) this.#foldTrailer(isFirst);
        } else this.#state = DONE;
    }
  }

  /** @type {(isFirst: boolean) => void} */
  #foldTrailer(isFirst) {
    if (isFirst) throw makeError('E_FIELD', { line: 'a folded line without a trailer before it' });
    if (!this.#hasFoldedTrailer && !this.head.isFolded) this.#onFolded();
    this.#hasFoldedTrailer = true;
  }

  #countField() {
    if (++this.#fieldCount > this.#maxFields) throw makeError('E_TOO_MANY_FIELDS', { limit: this.#maxFields });
  }

  /**
   * Ends the head, at the empty line after the fields. This piece begins at `from`, its field lines at `fieldsFrom`,
   * and the head ends at `at`.
   * @type {(bytes: Buffer, fieldsFrom: number, at: number, from: number) => void}
   */
  // eslint-disable-next-line complexity -- one condition per fact that decides what is kept
  #endHead(bytes, fieldsFrom, at, from) {
    const { head } = this;
    if (head.statusCode < 200) {
      if (head.statusCode === 101) throw makeError('E_UPGRADE');
      if (++this.#interimCount > MAX_INTERIM) throw makeError('E_1XX_FLOOD', { limit: MAX_INTERIM });
      this.#state = STATUS_LINE;
      this.#lineBytes = 0;
      this.#fieldCount = 0;
      return;
    }
    const unfolded = head.isFolded ? this.#unfold(bytes, fieldsFrom, at) : null;
    head.close();
    head.fieldCount = this.#fieldCount;
    // A folded head is counted each time.
    const isKept = !this.#isSplit && unfolded === null && this.#memo.shouldKeep();
    const { hasSetCookie, hasLocation, hasServerTiming } = head;
    // Middleware reads these fields, and a 401 has a challenge.
    const isForMiddleware = hasSetCookie || hasLocation || hasServerTiming || head.statusCode === 401;
    const isRead = this.#expected.head || this.#expected.body || isForMiddleware || this.#isForSample;
    if (isKept || isRead) head.text = unfolded ?? this.#textOf(bytes, fieldsFrom, at);
    // Later responses of this head may need its reason.
    if (isKept && !this.#expected.head) head.takeReason(bytes, from, bytes.indexOf(CR, from));
    if (isKept) this.#memo.keep(Buffer.from(bytes.subarray(from, at)), head);
    this.#beginBody();
  }

  /** The sample of an error shows the head of its response. */
  get #isForSample() {
    const { statusCode } = this.head;
    return statusCode >= 400 && this.#expected.receiver?.readsExcerpt?.(statusCode) === true;
  }

  /** A body of server-sent events has arrived in part, and nothing reads it as one. */
  get isUnreadEvents() {
    return this.hasHead && !this.isDone && this.#expected.hasReader !== true && this.head.isOfEvents;
  }

  /** @type {(bytes: Buffer, from: number, to: number) => string} */
  #unfold(bytes, from, to) {
    this.#onFolded();
    return this.head.unfold(this.#textOf(bytes, from, to));
  }

  /** The field lines of all pieces. @type {(bytes: Buffer, from: number, to: number) => string} */
  #textOf(bytes, from, to) {
    const last = latin1(bytes, from, to);
    return this.#earlier === null ? last : this.#earlier.take().toString('latin1') + last;
  }

  /** Determines if there is a body, and how it ends (RFC 9112 6.3). */
  #beginBody() {
    const { statusCode, framing } = this.head;
    this.#lineBytes = 0;
    if (this.#expected.hasReader === true) this.#chooseReader(statusCode);
    if (statusCode === 204 || statusCode === 304 || this.#expected.method === 'HEAD') this.#state = DONE;
    else if (framing === 'chunked') this.#state = CHUNK_SIZE;
    else if (framing === 'close') {
      this.#state = UNTIL_CLOSE;
      this.#endsByClose = true;
    } else {
      if (this.#kept !== null && framing > this.#expected.maxBodySize) throw this.#tooLarge();
      this.#remaining = framing;
      this.#state = framing === 0 ? DONE : BODY;
    }
    if (statusCode >= 400 && this.#kept === null) this.#sink = excerptFor(statusCode, this.#expected.receiver);
  }

  /** Asks the receiver for the reader of the body; a body without one is kept. @type {(statusCode: number) => void} */
  #chooseReader(statusCode) {
    this.#sink = this.#expected.receiver?.readerOf?.(statusCode, this.head.fields().toObject()) ?? null;
    if (this.#sink !== null) this.#kept = null;
  }

  /** Reads `1a;name=value` (RFC 9112 7.1). @type {(line: Buffer, start: number, end: number) => void} */
  #readChunkSize(line, start, end) {
    let size = 0;
    let at = start;
    for (; at < end && hexValue(line[at]) >= 0; at++) size = size * 16 + hexValue(line[at]);
    const digits = at - start;
    this.#extensionBytes += end - at;
    const isGood =
      digits > 0 && digits <= 16 && size <= Number.MAX_SAFE_INTEGER && this.#extensionBytes <= MAX_EXTENSION_BYTES;
    if (!isGood || (at < end && !EXTENSIONS.test(latin1(line, at, end))))
      throw makeError('E_CHUNK', { line: printable(line, start, end) });
    this.#remaining = size;
    this.#lineBytes = 0;
    if (size === 0) this.#hasFoldedTrailer = false;
    this.#state = size === 0 ? TRAILERS : CHUNK;
  }

  /** @type {(bytes: Buffer, from: number, to: number) => number} */
  #readBody(bytes, from, to) {
    const until = Math.min(to, from + this.#remaining);
    this.#keep(bytes, from, until);
    this.#remaining -= until - from;
    if (this.#remaining === 0) this.#state = this.#state === BODY ? DONE : CHUNK_END;
    return until;
  }

  /** Returns `to`, where it stopped. @type {(bytes: Buffer, from: number, to: number) => number} */
  #keep(bytes, from, to) {
    this.bodyBytes += to - from;
    if (this.#kept !== null) {
      const { maxBodySize } = this.#expected;
      if (this.bodyBytes > maxBodySize) throw this.#tooLarge();
      const most = this.#state === BODY ? this.bodyBytes + this.#remaining : maxBodySize;
      this.#kept.add(bytes, from, to, most);
    } else if (this.#sink !== null) this.#sink.add(bytes, from, to);
    return to;
  }

  #tooLarge() {
    return makeError('E_BODY_TOO_LARGE', { limit: this.#expected.maxBodySize });
  }
}

/** The code of a malformed line, by state. */
const MALFORMED = ['E_STATUS_LINE', 'E_FIELD', 'E_CHUNK', 'E_CHUNK', 'E_FIELD'];

const QUOTED = '"(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[^\\x00-\\x08\\x0a-\\x1f\\x7f])*"';
/** `;name=value;name="quoted"`, with whitespace only where RFC 9112 7.1.1 allows it */
const EXTENSIONS = new RegExp(`^(?:[ \\t]*;[ \\t]*${TOKEN_PART}(?:[ \\t]*=[ \\t]*(?:${TOKEN_PART}|${QUOTED}))?)*$`);
