/** @import { Fault } from './types.js' */

const SPACE = /[ \t\r\n]*/y;
const PLAIN_END = /["\\\u0000-\u001f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /(?:true|false|null)(?!\w)/y;

/**
 * Parses JSON (RFC 8259). JSON.parse reports a position for few errors and silently keeps the last of duplicate keys,
 * so the text is checked first.
 * @type {(text: string) => { value?: any, fault?: Fault }}
 */
export function parseJson(text) {
  const fault = findFault(text);
  return fault ? { fault } : { value: JSON.parse(text) };
}

/**
 * A recursive descent over the grammar; its functions share the position.
 * @type {(text: string) => Fault | undefined}
 */
// eslint-disable-next-line max-lines-per-function -- one function per rule of the grammar, all on one position
function findFault(text) {
  let at = 0;
  let depth = 0;

  try {
    value();
    if (at < text.length) fail('expected the end of the text', at);
    return undefined;
  } catch (error) {
    if (error instanceof FaultFound) return error.fault;
    throw error;
  }

  function value() {
    match(SPACE);
    const start = at;
    if (text[at] === '{') object();
    else if (text[at] === '[') array();
    else if (match(NUMBER)) {
      if (!Number.isFinite(Number(text.slice(start, at)))) fail('number is out of range', start);
    } else if (!string() && !match(WORD)) {
      fail(unexpected('a value'), at);
    }
    match(SPACE);
  }

  // A loop: one pattern for a whole string overflows the stack of the regular expression at about 10 MB.
  function string() {
    if (text[at] !== '"') return false;
    const start = at++;
    for (;;) {
      PLAIN_END.lastIndex = at;
      const end = PLAIN_END.exec(text);
      if (!end) fail('string is not closed', start);
      at = end.index;
      if (end[0] === '"') break;
      if (!match(ESCAPE)) fail(`${JSON.stringify(end[0])} must be escaped, or is not a JSON escape`, at);
    }
    at++;
    return true;
  }

  function object() {
    enter();
    const keys = new Set();
    while (keys.size > 0 || text[at] !== '}') {
      const start = at;
      if (!string()) fail(unexpected('a key in double quotes'), at);
      const key = JSON.parse(text.slice(start, at));
      if (keys.has(key)) fail(`duplicate key ${JSON.stringify(key)}`, start);
      keys.add(key);
      match(SPACE);
      if (text[at] !== ':') fail(unexpected("':'"), at);
      at++;
      value();
      if (text[at] !== ',') break;
      next();
    }
    leave('}');
  }

  function array() {
    enter();
    let isFirst = true;
    while (!isFirst || text[at] !== ']') {
      isFirst = false;
      value();
      if (text[at] !== ',') break;
      next();
    }
    leave(']');
  }

  function enter() {
    if (++depth > MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH} levels`, at);
    next();
  }

  /** @type {(end: string) => void} */
  function leave(end) {
    if (text[at] !== end) fail(unexpected(`',' or '${end}'`), at);
    at++;
    depth--;
  }

  function next() {
    at++;
    match(SPACE);
  }

  /** @param {RegExp} pattern */
  function match(pattern) {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  }

  /** @param {string} expected */
  function unexpected(expected) {
    if (at >= text.length) return `expected ${expected}, got the end of the text`;
    const hint = text[at] === '/' ? ' (JSON has no comments)' : '';
    return `expected ${expected}, got ${JSON.stringify(text[at])}${hint}`;
  }
}

class FaultFound extends Error {
  /** @param {Fault} fault */
  constructor(fault) {
    super(fault.reason);
    this.fault = fault;
  }
}

/** @type {(reason: string, offset: number) => never} */
function fail(reason, offset) {
  throw new FaultFound({ reason, offset });
}

/**
 * Bytes of the text of a result, and values in it: those of 1,000 operations with ten statuses each are a third of
 * them.
 */
export const MAX_RESULT_BYTES = 64 * 1024 * 1024;
export const MAX_RESULT_VALUES = 500_000;

const [COMMA, BRACKET, BRACE] = [...',[{'].map((one) => one.charCodeAt(0));

/**
 * Parses JSON of another machine, whose values may take a hundred times the memory of its text: `[],` is an array of 16
 * bytes and more.
 * @throws {Error} it may have more values, or is not JSON
 * @type {(bytes: Buffer, mostValues: number) => unknown}
 */
export function parseBounded(bytes, mostValues) {
  if (hasMoreValues(bytes, mostValues)) throw new Error('it has too many values');
  return JSON.parse(bytes.toString());
}

/**
 * Reports whether JSON may have more values than this. Each value follows one of three characters, which are also
 * counted in texts.
 * @type {(bytes: Uint8Array, most: number) => boolean}
 */
export function hasMoreValues(bytes, most) {
  // A value and the character before it have two bytes.
  if (bytes.length <= 2 * most) return false;
  let left = most - 1;
  for (let i = 0; i < bytes.length && left >= 0; i++) {
    const byte = bytes[i];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) left--;
  }
  return left < 0;
}

/**
 * Nesting limit of JSON, YAML and flows. Recursive code, JSON.stringify and structuredClone stay within the stack at
 * this depth.
 */
export const MAX_DEPTH = 500;
