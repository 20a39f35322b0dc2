import { makeError } from '../../errors.js';

/** @import { Fault } from './types.js' */

const WIDTH = 100;

/**
 * E_FLOW_FILE that points at the place in the text: `/x/flow.json:3:5: …` and the line with a caret.
 *
 * @param {string} path
 * @param {string} text
 * @param {Fault} fault
 */
export function textError(path, text, { offset, reason }) {
  const { line, column, code } = placeOf(text, offset);
  return placedError(path, reason, { line, column, code });
}

/**
 * @param {string} path
 * @param {string} reason
 * @param {{ line: number, column: number, code: string }} place
 * @param {{ cure?: string, cause?: unknown }} [options]
 */
export function placedError(path, reason, { line, column, code }, { cure = 'correct this line', cause } = {}) {
  const details = { path: `${path}:${line}:${column}`, reason, cure: `${cure}:\n${caret(code, column)}` };
  return makeError('E_FLOW_FILE', details, { cause });
}

/** @type {(text: string, offset: number) => { line: number, column: number, code: string }} */
export function placeOf(text, offset) {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/);
  const column = before[before.length - 1].length + 1;
  const start = offset - column + 1;
  const code = text.slice(start, start + column + WIDTH).split(/[\r\n]/, 1)[0];
  return { line: before.length, column, code };
}

/** @type {(code: string, column: number) => string} */
function caret(code, column) {
  const from = Math.max(0, column - WIDTH / 2);
  const shown = code.slice(from, from + WIDTH);
  const indent = shown.slice(0, column - 1 - from).replace(/[^\t]/g, ' ');
  return `  ${shown}\n  ${indent}^`;
}
