import { convertible } from './convertible.js';
import { DigitWatch } from './lost-digits.js';

/** @import { Fault, LostDigits } from './types.js' */

/** @typedef {(string | number)[]} Path keys and indexes from the root of a document: `['log', 'entries', 3]` */

/**
 * @typedef {object} Wanted a node of the tree of paths
 * @property {number[]} below numbers of the paths that end at this node or below it
 * @property {Map<string | number, Wanted>} children
 */

const PLAIN_END = /["\\\u0000-\u001f]/g;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /(?:true|false|null)(?!\w)/y;
const LINE_END = /\r\n|\n|\r/g;

/**
 * Parses JSON (RFC 8259). JSON.parse reports a position for few errors and silently keeps the last of duplicate keys,
 * so the text is checked first. `lost`: numbers that have other digits in the value.
 * @type {(text: string) => { value?: any, fault?: Fault, lost?: LostDigits }}
 */
export function parseJson(text) {
  const digits = new DigitWatch();
  const fault = scan(text, { digits });
  return fault ? { fault } : { value: convertible(JSON.parse(text)), ...(digits.lost && { lost: digits.lost }) };
}

/**
 * Finds the lines and columns (from 1) of values in JSON that {@link parseJson} accepts. A path that the document lacks
 * has the position of its nearest part.
 * @type {(text: string, paths: Path[]) => { line: number, column: number }[]}
 */
export function positionsOf(text, paths) {
  /** @type {number[]} */
  const offsets = new Array(paths.length).fill(0);
  scan(text, { root: treeOf(paths), report: (path, offset) => (offsets[path] = offset) });
  const order = offsets.map((_, i) => i).sort((a, b) => offsets[a] - offsets[b]);
  /** @type {{ line: number, column: number }[]} */
  const positions = [];
  let line = 1;
  let start = 0;
  LINE_END.lastIndex = 0;
  let end = LINE_END.exec(text);
  for (const i of order) {
    while (end && end.index < offsets[i]) {
      line++;
      start = LINE_END.lastIndex;
      end = LINE_END.exec(text);
    }
    positions[i] = { line, column: offsets[i] - start + 1 };
  }
  return positions;
}

/** @type {(paths: Path[]) => Wanted} */
function treeOf(paths) {
  /** @type {Wanted} */
  const root = { below: [], children: new Map() };
  paths.forEach((path, i) => {
    let node = root;
    node.below.push(i);
    for (const key of path) {
      const child = node.children.get(key) ?? { below: [], children: new Map() };
      node.children.set(key, child);
      node = child;
      node.below.push(i);
    }
  });
  return root;
}

/**
 * A recursive descent over the grammar; its functions share the position. Reports the offsets of wanted values, those
 * of the parts of a path first.
 * @type {(text: string, options: { root?: Wanted, report?: (path: number, offset: number) => void, digits?:
 *   DigitWatch }) => Fault | undefined}
 */
// eslint-disable-next-line max-lines-per-function -- one function per rule of the grammar, all on one position
function scan(text, { root, report = () => {}, digits }) {
  let at = 0;
  let depth = 0;

  try {
    value(root);
    if (at < text.length) fail('expected the end of the text', at);
    return undefined;
  } catch (error) {
    if (error instanceof FaultFound) return error.fault;
    throw error;
  }

  /** @type {(wanted: Wanted | undefined) => void} */
  function value(wanted) {
    space();
    const start = at;
    if (wanted) for (const path of wanted.below) report(path, start);
    if (text[at] === '{') object(wanted);
    else if (text[at] === '[') array(wanted);
    else if (match(NUMBER)) {
      const written = text.slice(start, at);
      if (!Number.isFinite(Number(written))) fail('number is out of range', start);
      digits?.see(written, start);
    } else if (!string() && !match(WORD)) {
      fail(unexpected('a value'), at);
    }
    space();
  }

  // A loop: one pattern for a whole string overflows the stack of the regular expression at about 10 MB.
  function string() {
    if (text[at] !== '"') return false;
    const start = at++;
    for (;;) {
      PLAIN_END.lastIndex = at;
      if (!PLAIN_END.test(text)) fail('string is not closed', start);
      at = PLAIN_END.lastIndex - 1;
      if (text[at] === '"') break;
      if (!match(ESCAPE)) fail(`${JSON.stringify(text[at])} must be escaped, or is not a JSON escape`, at);
    }
    at++;
    return true;
  }

  /** @type {(wanted: Wanted | undefined) => void} */
  function object(wanted) {
    enter();
    const keys = new Set();
    while (keys.size > 0 || text[at] !== '}') {
      const start = at;
      if (!string()) fail(unexpected('a key in double quotes'), at);
      const written = text.slice(start + 1, at - 1);
      const key = written.includes('\\') ? JSON.parse(`"${written}"`) : written;
      if (keys.has(key)) fail(`duplicate key ${JSON.stringify(key)}`, start);
      keys.add(key);
      space();
      if (text[at] !== ':') fail(unexpected("':'"), at);
      at++;
      value(wanted?.children.get(key));
      if (text[at] !== ',') break;
      next();
    }
    leave('}');
  }

  /** @type {(wanted: Wanted | undefined) => void} */
  function array(wanted) {
    enter();
    for (let index = 0; index > 0 || text[at] !== ']'; index++) {
      value(wanted?.children.get(index));
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
    space();
  }

  // A pattern takes three times as long.
  function space() {
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = text.charCodeAt(++at);
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

/** Nesting limit of JSON, YAML and flows: recursive code, JSON.stringify and structuredClone stay within the stack. */
export const MAX_DEPTH = 500;
