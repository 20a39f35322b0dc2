const [QUOTE, BACKSLASH, COMMA, COLON] = Buffer.from('"\\,:');
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = Buffer.from('{}[]');
const SPACE = 0x20;
const MARK = Buffer.from('\ufeff');

/**
 * Reads the entries of a recording one after the other, from its bytes: the text and the value of a whole document need
 * several times its size. Everything else in it is skipped.
 * @throws {EntryError}
 * @type {(bytes: Buffer) => Generator<{ entry: any, path: string, readAgain: () => any }>}
 */
export function* entriesIn(bytes) {
  const start = bytes.subarray(0, MARK.length).equals(MARK) ? MARK.length : 0;
  const log = memberAt(bytes, startOfObject(bytes, start, 'a HAR recording'), 'log');
  if (log < 0) throw new EntryError('log', 'is missing: this is no HAR recording');
  const entries = memberAt(bytes, startOfObject(bytes, log, 'log'), 'entries');
  if (entries < 0) throw new EntryError('log.entries', 'is missing: this is no HAR recording');
  let at = skipSpace(bytes, entries);
  if (bytes[at] !== OPEN_ARRAY) throw new EntryError('log.entries', 'is no array');
  at = skipSpace(bytes, at + 1);
  for (let i = 0; bytes[at] !== CLOSE_ARRAY; i++) {
    const end = endOfValue(bytes, at);
    const path = `log.entries[${i}]`;
    const own = bytes.subarray(at, end);
    yield { entry: parse(own, path), path, readAgain: () => parse(own, path) };
    at = skipSpace(bytes, end);
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
    else if (bytes[at] !== CLOSE_ARRAY) throw new EntryError(`log.entries[${i + 1}]`, endsEarly(bytes, at));
  }
}

/** A recording that is damaged. */
export class EntryError extends Error {
  /** @param {string} path @param {string} reason */
  constructor(path, reason) {
    super(`${path}: ${reason}`);
  }
}

const TOO_EARLY = 'the file ends too early';

/** @type {(bytes: Buffer, at: number) => string} */
function endsEarly(bytes, at) {
  return at >= bytes.length ? TOO_EARLY : `is not valid JSON at byte ${at + 1}`;
}

/** @type {(bytes: Buffer, path: string) => any} */
function parse(bytes, path) {
  const text = bytes.toString('utf8');
  if (Buffer.byteLength(text) !== bytes.length) throw new EntryError(path, 'is not UTF-8');
  try {
    return JSON.parse(text);
  } catch {
    throw new EntryError(path, 'is not valid JSON');
  }
}

/** @type {(bytes: Buffer, at: number, what: string) => number} */
function startOfObject(bytes, at, what) {
  const start = skipSpace(bytes, at);
  if (bytes[start] !== OPEN_OBJECT) throw new EntryError(what, 'is no object');
  return start;
}

/** Finds the value of a member; -1: there is none. @type {(bytes: Buffer, object: number, name: string) => number} */
function memberAt(bytes, object, name) {
  let at = skipSpace(bytes, object + 1);
  while (bytes[at] === QUOTE) {
    const end = endOfText(bytes, at);
    const key = bytes.toString('utf8', at + 1, end - 1);
    const colon = skipSpace(bytes, end);
    if (bytes[colon] !== COLON) throw new EntryError('log', endsEarly(bytes, colon));
    if (key === name) return colon + 1;
    at = skipSpace(bytes, endOfValue(bytes, skipSpace(bytes, colon + 1)));
    if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1);
  }
  return -1;
}

/** @type {(bytes: Buffer, at: number) => number} */
function skipSpace(bytes, at) {
  let next = at;
  while (bytes[next] <= SPACE) next++;
  return next;
}

/** @type {(bytes: Buffer, at: number) => number} */
function endOfText(bytes, at) {
  for (let end = bytes.indexOf(QUOTE, at + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  throw new EntryError('log', TOO_EARLY);
}

/** @type {(bytes: Buffer, at: number) => number} */
function endOfValue(bytes, at) {
  if (bytes[at] === QUOTE) return endOfText(bytes, at);
  if (bytes[at] !== OPEN_OBJECT && bytes[at] !== OPEN_ARRAY) return endOfScalar(bytes, at);
  let depth = 0;
  for (let next = at; next < bytes.length; next++) {
    const byte = bytes[next];
    if (byte === QUOTE) next = endOfText(bytes, next) - 1;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--;
    if (depth === 0) return next + 1;
  }
  throw new EntryError('log', TOO_EARLY);
}

/** @type {(bytes: Buffer, at: number) => number} */
function endOfScalar(bytes, at) {
  let end = at;
  while (bytes[end] > SPACE && ![COMMA, CLOSE_OBJECT, CLOSE_ARRAY].includes(bytes[end])) end++;
  if (end === at) throw new EntryError('log', endsEarly(bytes, at));
  return end;
}
