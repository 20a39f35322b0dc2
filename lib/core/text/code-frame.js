import { isSecretName, maskText } from './mask.js';

/** @import { Fault, TextPosition } from './types.js' */

/** Columns of a long line that a frame prints. */
const WIDTH = 100;
/** Characters of a reason: it may quote a key or token of any length. */
const MAX_REASON = 300;

/** Columns are from 1. @type {(code: string, column: number, indent?: string, width?: number) => string} */
export function codeFrame(code, column, indent = '  ', width = WIDTH) {
  const from = Math.max(0, column - Math.floor(width / 2));
  const visible = maskCode(code).slice(from, from + width);
  const padding = visible.slice(0, column - 1 - from).replace(/[^\t]/g, ' ');
  return `${indent}${visible}\n${indent}${padding}^`;
}

/**
 * Finds the line and column of an offset in UTF-16 units. Lines end with LF, CR or CR LF. `code` is cut 100 characters
 * after the column.
 * @type {(text: string, offset: number) => TextPosition}
 */
export function positionOf(text, offset) {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const column = before[before.length - 1].length + 1;
  const start = offset - column + 1;
  const code = text.slice(start, start + column + WIDTH).split(/[\r\n]/, 1)[0];
  return { line: before.length, column, code };
}

/** A name and : or =, in JavaScript, JSON and YAML. */
const NAMED = /(?<![\w$-])(["'`]?)([\w$-]+)\1\s*(?::|=(?![=>]))\s*/g;
const QUOTED = /(["'`])((?:\\.|(?!\1)[^\\])*)/y;
/** A value of YAML. What looks like code is none. */
const PLAIN = /(?![\w$]+\.[\w$.]*$)()([^\s"'`[{(][^(]*[^\s,;({[(])\s*$/y;

/** A search to the end of the line for each name would take quadratic time. */
const MOST_PLAIN = 1000;

/** Masks the values after names of secrets in a line, so that columns stay. @type {(code: string) => string} */
export function maskCode(code) {
  let shown = '';
  let from = 0;
  for (const { 0: match, 2: name, index } of code.matchAll(NAMED)) {
    const at = index + match.length;
    if (at <= from || !isSecretName(name)) continue;
    const value = matchAt(QUOTED, code, at) ?? (code.length - at < MOST_PLAIN ? matchAt(PLAIN, code, at) : null);
    if (value === null) continue;
    const start = at + value[1].length;
    from = start + value[2].length;
    shown += code.slice(shown.length, start) + '*'.repeat(value[2].length);
  }
  return shown + code.slice(shown.length);
}

/**
 * Masks all secrets of a line, so that columns stay: stars replace everything from the first to the last secret that
 * {@link maskText} finds.
 * @type {(code: string) => string}
 */
export function maskLine(code) {
  const known = maskCode(code);
  const masked = maskText(known);
  if (masked === known) return known;
  const shorter = Math.min(known.length, masked.length);
  let start = 0;
  while (start < shorter && known[start] === masked[start]) start++;
  let after = 0;
  while (after < shorter - start && known.at(-1 - after) === masked.at(-1 - after)) after++;
  const end = known.length - after;
  return known.slice(0, start) + '*'.repeat(end - start) + known.slice(end);
}

/** @type {(pattern: RegExp, text: string, at: number) => RegExpExecArray | null} */
function matchAt(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** @type {(path: string, text: string, fault: Fault) => { path: string, reason: string, cure: string }} */
export function faultDetails(path, text, { offset, reason }) {
  return positionDetails(path, reason, positionOf(text, offset));
}

/**
 * Formats a position in a file for an error message, as {@link faultDetails} does.
 * @type {(path: string, reason: string, position: TextPosition, remedy?: string) => { path: string, reason: string,
 *   cure:
 *   string }}
 */
export function positionDetails(path, reason, { line, column, code }, remedy = 'correct this line') {
  return {
    path: `${path}:${line}:${column}`,
    reason: reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason,
    cure: `${remedy}:\n${codeFrame(code, column)}`,
  };
}
