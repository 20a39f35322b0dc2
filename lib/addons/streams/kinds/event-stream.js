import { DataParser } from './data-parser.js';
import { EventBytes } from './event-bytes.js';

/** @import { EventParser, ParserOptions } from './types.js' */

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const COLON = 0x3a;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
/** All of the byte order mark was read, or there is none. */
const READ = 3;

// The part of a line that comes next.
const NAME = 0;
const AFTER_COLON = 1;
const VALUE = 2;
/** The rest of a comment, or of a field that has no meaning. */
const IGNORED = 3;

const LONGEST_NAME = 5;

/**
 * Parses Server-Sent Events from pieces of any size, as the WHATWG HTML standard says (9.2.6). Lines are split as
 * bytes: UTF-8 keeps the bytes of line ends, colons and spaces for these characters, and only whole values are decoded.
 *
 *     NAME --- ':' ---> AFTER_COLON --- ' ' ---> VALUE
 *       +-- ':' first, or another name --> IGNORED
 *
 * @implements {EventParser}
 */
export class EventStreamParser extends DataParser {
  #state = NAME;
  /** Bytes of the byte order mark that were read. */
  #mark = 0;
  #isAfterCr = false;
  /** Nothing of the line was read. */
  #isEmpty = true;
  #name = '';
  /** Lines of data of the event. */
  #lines = 0;
  /** The beginning of the value of another field than data. */
  #value;
  #eventType = '';
  #eventId = '';

  /** @param {ParserOptions} options */
  constructor({ lastEventId = '', ...options }) {
    super(options);
    this.#eventId = this.lastEventId = lastEventId;
    this.#value = new EventBytes({ ...options, keeps: true });
  }

  /** @type {EventParser['feed']} */
  feed(bytes, from, to) {
    let at = this.#mark < READ ? this.#takeMark(bytes, from, to) : from;
    while (at < to && !this.isStopped) {
      if (this.#isAfterCr) {
        this.#isAfterCr = false;
        if (bytes[at] === LF) {
          at++;
          continue;
        }
      }
      let end = at;
      while (end < to && bytes[end] !== LF && bytes[end] !== CR) end++;
      if (end > at) this.#takePart(bytes, at, end);
      if (end === to) break;
      this.#isAfterCr = bytes[end] === CR;
      at = end + 1;
      this.#endLine();
    }
    this.bytes.leavePiece();
    this.#value.leavePiece();
  }

  /** @type {EventParser['release']} */
  release() {
    super.release();
    this.#value.release();
  }

  /** @type {(bytes: Buffer, from: number, to: number) => number} */
  #takeMark(bytes, from, to) {
    let at = from;
    while (at < to && this.#mark < READ) {
      if (bytes[at] !== BYTE_ORDER_MARK[this.#mark]) {
        // The bytes that were read begin a field name without a meaning.
        if (this.#mark > 0) this.#ignoreLine();
        this.#mark = READ;
        break;
      }
      this.#mark++;
      at++;
    }
    return at;
  }

  #ignoreLine() {
    this.#isEmpty = false;
    this.#state = IGNORED;
  }

  /** Reads the part of a line that is in this piece. @type {(bytes: Buffer, from: number, to: number) => void} */
  #takePart(bytes, from, to) {
    this.#isEmpty = false;
    let at = from;
    if (this.#state === NAME) at = this.#takeName(bytes, from, to);
    if (this.#state === AFTER_COLON && at < to) {
      if (bytes[at] === SPACE) at++;
      this.#state = VALUE;
    }
    if (this.#state !== VALUE || at === to) return;
    if (this.#name === 'data') this.bytes.add(bytes, at, to);
    else this.#value.add(bytes, at, to);
  }

  /** @type {(bytes: Buffer, from: number, to: number) => number} */
  #takeName(bytes, from, to) {
    let at = from;
    const most = Math.min(to, from + LONGEST_NAME + 1 - this.#name.length);
    while (at < most && bytes[at] !== COLON) at++;
    if (at === to) {
      this.#name += bytes.toString('latin1', from, at);
      return at;
    }
    if (bytes[at] !== COLON) {
      this.#state = IGNORED;
      return at;
    }
    if (this.#name === '' && isData(bytes, from, at)) this.#name = 'data';
    else this.#name += bytes.toString('latin1', from, at);
    this.#beginValue();
    return at + 1;
  }

  #beginValue() {
    switch (this.#name) {
      case 'data':
        if (this.#lines++ > 0) this.bytes.addLineFeed();
        this.#state = AFTER_COLON;
        break;
      case 'event':
      case 'id':
      case 'retry':
        this.#state = AFTER_COLON;
        break;
      default:
        this.#state = IGNORED;
    }
  }

  #endLine() {
    if (this.#isEmpty) {
      this.#dispatch();
      return;
    }
    // A line without a colon is a name with an empty value.
    if (this.#state === NAME) this.#beginValue();
    if (this.#state !== IGNORED && this.#name !== 'data') this.#takeField(this.#value.take());
    this.#state = NAME;
    this.#name = '';
    this.#isEmpty = true;
  }

  /** @type {(value: string) => void} */
  #takeField(value) {
    if (this.#name === 'event') this.#eventType = value;
    else if (this.#name === 'id') {
      if (!value.includes('\0')) this.#eventId = value;
    } else if (/^\d+$/.test(value)) this.retryMs = Number(value);
  }

  #dispatch() {
    this.lastEventId = this.#eventId;
    if (this.#lines > 0) {
      this.type = this.#eventType === '' ? 'message' : this.#eventType;
      this.onEvent(this);
    }
    this.#lines = 0;
    this.#eventType = '';
    this.bytes.clear();
  }
}

/** Recognizes the usual name without a text. @type {(bytes: Buffer, from: number, to: number) => boolean} */
function isData(bytes, from, to) {
  return (
    to - from === 4 &&
    bytes[from] === 0x64 &&
    bytes[from + 1] === 0x61 &&
    bytes[from + 2] === 0x74 &&
    bytes[from + 3] === 0x61
  );
}
