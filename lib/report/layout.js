import { styleText } from 'node:util';

/**
 * @typedef {(style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string} Paint
 * @typedef {object} Column
 * @property {string} head
 * @property {boolean} [isText] stands left; numbers stand right
 */

/** @type {(colour: boolean) => Paint} */
export function painter(colour) {
  // whether the stream shows colours was decided by who asks
  return (style, text) => (colour ? styleText(style, text, /** @type {any} */ ({ validateStream: false })) : text);
}

/**
 * Lines of a table; the first text column gives way where the lines are too wide.
 *
 * @param {Column[]} columns
 * @param {string[][]} rows
 * @param {{ width: number, paint: Paint }} look
 * @returns {string[]}
 */
export function table(columns, rows, { width, paint }) {
  const widths = columns.map(({ head }, i) => Math.max(head.length, ...rows.map((row) => row[i].length)));
  const excess = widths.reduce((sum, one) => sum + one + GAP.length, -GAP.length) - width;
  if (excess > 0) widths[0] = Math.max(columns[0].head.length, NARROWEST, widths[0] - excess);
  const line = (/** @type {string[]} */ cells) =>
    cells
      .map((cell, i) => (columns[i].isText ? cut(cell, widths[i]).padEnd(widths[i]) : cell.padStart(widths[i])))
      .join(GAP)
      .trimEnd();
  return [paint('dim', line(columns.map(({ head }) => head))), ...rows.map(line)];
}

/** Text in at most so many characters, with a mark where it goes on. @type {(text: string, width: number) => string} */
export function cut(text, width) {
  return text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
}

/** Words in lines, each behind the indentation. @type {(text: string, indent: number, width: number) => string} */
export function wrapped(text, indent, width) {
  const room = Math.max(NARROWEST, width - indent);
  /** @type {string[]} */
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

const GAP = '  ';
const NARROWEST = 12;
