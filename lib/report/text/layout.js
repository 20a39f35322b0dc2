import { styleText } from 'node:util';

import stringWidth from 'string-width';

/**
 * @typedef {'bold' | 'dim' | 'red' | 'green' | 'yellow'} Style
 * @typedef {(style: Style, text: string) => string} Paint
 * @typedef {string | { text: string, style: Style }} Cell
 *
 * @typedef {object} Column
 * @property {string} head
 * @property {boolean} [isText] aligned left; numbers are aligned right
 * @property {number} [from] only in tables at least this wide
 */

const GAP = '  ';
const MIN_WIDTH = 12;

/**
 * @param {boolean} colour
 * @returns {Paint}
 */
export function painter(colour) {
  // the caller has decided whether to use colours
  return (style, text) => (colour ? styleText(style, text, /** @type {any} */ ({ validateStream: false })) : text);
}

/**
 * Lines of a table. Columns that do not fit the width are omitted; then the first column is truncated.
 *
 * @param {Column[]} columns
 * @param {Cell[][]} rows
 * @param {{ width: number, paint: Paint }} options
 * @returns {string[]}
 */
export function table(columns, rows, { width, paint }) {
  const kept = columns.map((_, i) => i).filter((i) => width >= (columns[i].from ?? 0));
  const heads = columns.map(({ head }) => head);
  const widths = columns.map((_, i) => widest([heads, ...rows].map((row) => textOf(row[i]))));
  const excess = kept.reduce((sum, i) => sum + widths[i] + GAP.length, -GAP.length) - width;
  const [first] = kept;
  if (excess > 0) widths[first] = Math.max(stringWidth(heads[first]), MIN_WIDTH, widths[first] - excess);
  const line = (/** @type {Cell[]} */ row) =>
    kept
      .map((i) => {
        const text = cut(textOf(row[i]), widths[i]);
        const padding = ' '.repeat(Math.max(0, widths[i] - stringWidth(text)));
        // paint last: escape sequences have no width
        const cell = row[i];
        const painted = typeof cell === 'string' ? text : paint(cell.style, text);
        return columns[i].isText ? painted + padding : padding + painted;
      })
      .join(GAP)
      .trimEnd();
  return [paint('dim', line(heads)), ...rows.map(line)];
}

/**
 * Text in at most `width` columns of a terminal; `…` marks a truncation.
 *
 * @param {string} text
 * @param {number} width
 */
export function cut(text, width) {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of SEGMENTER.segment(text)) {
    used += stringWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * Text padded on the right to a width of the terminal.
 *
 * @param {string} text
 * @param {number} width
 */
export function padded(text, width) {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)));
}

/**
 * Words in lines, the second and later ones indented.
 *
 * @param {string} text
 * @param {number} indent
 * @param {number} width of a line
 */
export function wrapped(text, indent, width) {
  const room = Math.max(MIN_WIDTH, width - indent);
  /** @type {string[]} */
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last && stringWidth(last) + 1 + stringWidth(word) > room) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

const SEGMENTER = new Intl.Segmenter();

/** Terminal columns of the widest text. A loop, because there may be more texts than a call can have arguments. @type {(texts: string[]) => number} */
function widest(texts) {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0);
}

/** @type {(cell: Cell) => string} */
function textOf(cell) {
  return typeof cell === 'string' ? cell : cell.text;
}
