import { JsonRows, jsonReader } from './json-rows.js';
import { RowFault } from './row-fault.js';

/** @import { FeederFormat } from './types.js' */

const [QUOTE, BACKSLASH, COMMA, OPEN, CLOSE, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\,[]{}');

/** @type {FeederFormat} */
export default {
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
 * Where the items of an array begin and end. Each of them is JSON or refused by its reader, so only commas and the end of
 * the array are looked for: an array of 1,000,000 objects would take 300 MB.
 *
 * @param {Buffer} bytes
 * @returns {Generator<[from: number, to: number]>}
 */
function* itemsOf(bytes) {
  let at = skipSpace(bytes, 0);
  if (bytes[at] !== OPEN)
    throw new RowFault('expected an array of objects: [{ … }, { … }]; a file of one object per line is .ndjson', at);
  at = skipSpace(bytes, at + 1);
  let isFirst = true;
  while (!isFirst || bytes[at] !== CLOSE) {
    isFirst = false;
    const from = at;
    at = endOfItem(bytes, at);
    if (at === bytes.length) throw new RowFault("is not JSON: expected ',' or ']', got the end of the text", at);
    yield [from, at];
    if (bytes[at] === CLOSE) break;
    at = skipSpace(bytes, at + 1);
  }
  const end = skipSpace(bytes, at + 1);
  if (end < bytes.length) throw new RowFault('is not JSON: expected the end of the text', end);
}

/** The comma or the bracket after an item; the end of the text if there is none. @type {(bytes: Buffer, at: number) => number} */
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

/** @type {(bytes: Buffer, start: number) => number} */
function endOfText(bytes, start) {
  const { length } = bytes;
  let at = start + 1;
  while (at < length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** @type {(bytes: Buffer, at: number) => number} */
function skipSpace(bytes, at) {
  while (at < bytes.length && bytes[at] <= 32) at++;
  return at;
}
