import { typeName } from '../../text/format-value.js';
import { DigitWatch } from '../../text/lost-digits.js';
import { MAX_DEPTH, parseJson } from '../../text/parse-json.js';
import { isObject, isTooDeep } from '../record.js';
import { RowBounds, RowFault } from './table.js';

/** @import { Row } from '../../contracts/step.js' */
/** @import { FeederFormat, Table } from './types.js' */

const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');
const [SPACE, LF, CR, TAB] = Buffer.from(' \n\r\t');
/** Bytes of an item without an end that are examined. */
const MOST_EXAMINED = 16 * 1024 * 1024;

/** @type {FeederFormat} */
export const json = {
  name: 'json',
  about: 'an array of JSON objects',
  extensions: ['.json'],
  options: [],

  index(bytes) {
    const rows = new JsonRows(bytes);
    for (const [from, to] of itemsOf(bytes)) rows.add(from, to);
    return rows.toIndex();
  },

  reader: jsonReader,
};

/**
 * Where the items of an array begin and end. Each of them is JSON or refused by its reader, so only commas and the end
 * of the array are looked for: an array of 1,000,000 objects would take 300 MB.
 * @type {(bytes: Buffer) => Generator<[from: number, to: number]>}
 */
function* itemsOf(bytes) {
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN)
    throw new RowFault('expected an array of objects: [{ … }, { … }]; a file of one object per line is .ndjson', start);
  let at = skipSpace(bytes, start + 1);
  let hasNext = bytes[at] !== CLOSE;
  while (hasNext) {
    const from = at;
    at = endOfItem(bytes, from);
    // The end is missed if the item lacks a bracket, or has one too many: the array up to there shows where.
    if (at === bytes.length) throw faultIn(`[${bytes.toString('utf8', from, from + MOST_EXAMINED)}`, from - 1);
    if (at === from) throw new RowFault(`is not JSON: expected a value, got '${String.fromCharCode(bytes[at])}'`, at);
    yield [from, at];
    hasNext = bytes[at] === COMMA;
    if (hasNext) at = skipSpace(bytes, at + 1);
  }
  const end = skipSpace(bytes, at + 1);
  if (end < bytes.length) throw new RowFault('is not JSON: expected the end of the text', end);
}

/**
 * Finds the comma or the bracket after an item, or the end of the text. Brackets of both kinds are counted as one: the
 * reader of the item refuses those that do not match.
 * @type {(bytes: Buffer, at: number) => number}
 */
function endOfItem(bytes, at) {
  const { length } = bytes;
  for (let depth = 0; at < length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === OPEN || byte === OPEN_OBJECT) depth++;
    else if (depth === 0 && (byte === COMMA || byte === CLOSE)) break;
    else if (byte === CLOSE || byte === CLOSE_OBJECT) depth--;
  }
  return Math.min(at, length);
}

/** Finds the quote that closes a text. @type {(bytes: Buffer, start: number) => number} */
function endOfText(bytes, start) {
  const { length } = bytes;
  let at = start + 1;
  while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** @type {(bytes: Buffer, at: number) => number} */
function skipSpace(bytes, at) {
  while (isSpace(bytes[at])) at++;
  return at;
}

/** Reports whether a byte is white space of JSON (RFC 8259 2). @type {(byte: number) => boolean} */
function isSpace(byte) {
  return byte === SPACE || byte === LF || byte === CR || byte === TAB;
}

/** @type {FeederFormat} */
export const ndjson = {
  name: 'ndjson',
  about: 'a JSON object per line',
  extensions: ['.ndjson', '.jsonl'],
  options: [],

  index(bytes) {
    const rows = new JsonRows(bytes);
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(LF, from);
      const to = end < 0 ? bytes.length : end;
      if (!isBlank(bytes, from, to)) rows.add(from, to);
      from = to + 1;
    }
    return rows.toIndex();
  },

  reader: jsonReader,
};

/** @type {(bytes: Buffer, from: number, to: number) => boolean} */
function isBlank(bytes, from, to) {
  return skipSpace(bytes, from) >= to;
}

/** Rows in the flow are kept as JSON lines: each iteration gets an object of its own. @type {FeederFormat} */
export const rows = { ...ndjson, name: 'rows', about: 'an array of objects in the flow', extensions: [] };

/** Columns that are remembered for messages: each row may have others. */
const MOST_LACKING = 1000;

/** A text or a number: only a long number, or one with an exponent, may lose digits. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.]*(?:e[-+]?\d+)?/gi;
const MAY_LOSE = /[\d.]{15}|\de/i;

/** Collects rows of JSON, checks them, and finds the columns that all of them have. */
class JsonRows {
  #bytes;
  #bounds = new RowBounds();
  /** @type {Set<string> | null} */
  #columns = null;
  /** Offset of the first row. */
  #first = 0;
  /** The offset of the first row without the column. @type {Map<string, number>} */
  #lacking = new Map();
  #digits = new DigitWatch();

  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
  }

  toIndex() {
    return {
      columns: [...(this.#columns ?? [])],
      lacking: Object.fromEntries(this.#lacking),
      bounds: this.#bounds.toArray(),
      delimiter: '',
      ...(this.#digits.lost && { lost: this.#digits.lost }),
    };
  }

  /** @throws {RowFault} there is no row @type {(from: number, to: number) => void} */
  add(from, to) {
    const text = this.#bytes.toString('utf8', from, to);
    const row = parsed(text, from);
    if (!isObject(row)) throw new RowFault(`expected an object, got ${typeName(row)}`, from);
    // A shorter text cannot be that deep
    if (text.length > MAX_DEPTH && isTooDeep(row)) throw new RowFault(`nested deeper than ${MAX_DEPTH} levels`, from);
    if (this.#columns === null) {
      this.#columns = new Set(Object.keys(row));
      this.#first = from;
    }
    for (const column of this.#columns) if (!Object.hasOwn(row, column)) this.#lack(column, from);
    for (const column in row) if (!this.#columns.has(column)) this.#lack(column, this.#first);
    this.#bounds.add(from, to);
    if (!MAY_LOSE.test(text)) return;
    for (const [written] of text.matchAll(TEXT_OR_NUMBER)) {
      if (written.startsWith('"')) continue;
      if (!Number.isFinite(Number(written))) throw new RowFault(`number is out of range: ${written}`, from);
      this.#digits.see(written, from);
    }
  }

  /** Notes a row without a column. @type {(column: string, offset: number) => void} */
  #lack(column, offset) {
    this.#columns?.delete(column);
    if (this.#lacking.size < MOST_LACKING && !this.#lacking.has(column)) this.#lacking.set(column, offset);
  }
}

/** @type {(text: string, offset: number) => any} */
function parsed(text, offset) {
  try {
    return JSON.parse(text);
  } catch {
    throw faultIn(text, offset);
  }
}

/** `offset` is that of the text. @type {(text: string, offset: number) => RowFault} */
function faultIn(text, offset) {
  const { fault } = parseJson(text);
  return new RowFault(`is not JSON: ${fault?.reason}`, offset + Buffer.byteLength(text.slice(0, fault?.offset)));
}

/** Creates a reader of rows, each a new object. @type {(table: Table) => (at: number) => Row} */
function jsonReader({ bytes, bounds }) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (at) => JSON.parse(text.toString('utf8', bounds[2 * at], bounds[2 * at + 1]));
}
