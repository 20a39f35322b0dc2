import { styleText } from 'node:util';

import { count } from '../../core/ground/decimal.js';
import { TERMINAL_HEAT, TERMINAL_PALETTE } from '../palette/index.js';
import { forLocale } from '../../core/report/terminal.js';
import { cut, painter, widthOf } from '../../core/report/text/layout.js';

/** @import { Glyphs } from '../../core/report/terminal.js' */
/** @import { Style } from '../../core/report/text/layout.js' */
/** @import { Piece } from './model.js' */
/** @import { Segment } from './terminal.js' */

/** @typedef {{ ink: Ink, glyphs: Glyphs, unicode: boolean }} Look the colors and characters of a terminal */

/** What is longer is cut, what is shorter padded. @type {(pieces: Piece[], width: number, look: Look) => Segment} */
export function segmentOf(pieces, width, { ink, glyphs, unicode }) {
  let left = width;
  let text = '';
  for (const [plain, style] of pieces) {
    const shown = cut(forLocale(plain, unicode), left, glyphs.ellipsis);
    if (shown === '') continue;
    left -= widthOf(shown);
    text += style === undefined ? shown : ink.paint(style, shown);
  }
  return { text: text + ' '.repeat(Math.max(0, left)), width: Math.max(0, width) };
}

/**
 * @typedef {object} Line of a list
 * @property {Piece[]} pieces
 * @property {number} count the things of the list that begin in it, for the number of those without room
 */

/** Puts groups side by side, in lines as needed. @type {(groups: Piece[][], width: number, gap?: string) => Line[]} */
export function inLines(groups, width, gap = '   ') {
  /** @type {Line[]} */
  const lines = [];
  let used = Infinity;
  for (const group of groups) {
    const own = widthOfPieces(group);
    const last = lines[lines.length - 1];
    if (last !== undefined && used + gap.length + own <= width) {
      last.pieces.push([gap], ...group);
      last.count += 1;
      used += gap.length + own;
    } else {
      lines.push({ pieces: [...group], count: 1 });
      used = own;
    }
  }
  return lines;
}

/** @type {(pieces: Piece[]) => number} */
function widthOfPieces(pieces) {
  return pieces.reduce((sum, [text]) => sum + widthOf(text), 0);
}

/** Returns what fits into rows, of which {@link restRows} may need one. @type {<T>(all: T[], room: number) => T[]} */
export function shownOf(all, room) {
  return all.length <= room ? all : all.slice(0, Math.max(0, room - 1));
}

/** A row that counts what has no room, if any. @type {(more: number, width: number, look: Look) => Segment[][]} */
export function restRows(more, width, look) {
  return more > 0 ? [[segmentOf([[`and ${count(more)} more`, 'dim']], width, look)]] : [];
}

/** @type {(text: string, width: number) => string} */
export function alignedRight(text, width) {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text;
}

/** @typedef {Style | 'p50' | 'p95' | 'p99'} InkStyle */

/**
 * @typedef {object} Ink the colors of a terminal
 * @property {(style: InkStyle, text: string) => string} paint
 * @property {string[] | null} heat parameters of SGR for the colors of a heat map, from few to many; null: the terminal
 *   has too few, or no half blocks
 */

/** @type {Record<Exclude<InkStyle, 'bold'>, keyof typeof TERMINAL_PALETTE>} */
const COLORS = {
  dim: 'quiet',
  cyan: 'one',
  red: 'bad',
  green: 'good',
  yellow: 'fair',
  p50: 'one',
  p95: 'two',
  p99: 'three',
};
/** The colors of percentiles in terminals with 16 colors; the other styles are such names already. */
const NAMES = /** @type {const} */ ({ p50: 'cyan', p95: 'blue', p99: 'magenta' });

/** Returns the colors for a number of bits: 1 (none), 4, 8 or 24. @type {(depth: number, unicode: boolean) => Ink} */
export function inkOf(depth, unicode) {
  if (depth < 8) {
    const plain = painter(depth > 1);
    return {
      paint: (style, text) =>
        style in NAMES && depth > 1
          ? styleText(NAMES[/** @type {'p50'} */ (style)], text, { validateStream: false })
          : plain(/** @type {Style} */ (style), text),
      heat: null,
    };
  }
  const parameterOf = depth < 24 ? indexOf : rgbOf;
  const codes = Object.fromEntries(
    Object.entries(COLORS).map(([style, name]) => [style, parameterOf(TERMINAL_PALETTE[name])]),
  );
  return {
    paint: (style, text) =>
      style === 'bold' ? `\u001b[1m${text}\u001b[22m` : `\u001b[38;${codes[style]}m${text}\u001b[39m`,
    heat: unicode ? TERMINAL_HEAT.map(parameterOf) : null,
  };
}

/** @type {(color: string) => number[]} */
function partsOf(color) {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));
}

/** @type {(color: string) => string} */
function rgbOf(color) {
  return `2;${partsOf(color).join(';')}`;
}

/** The levels of red, green and blue in a palette of 256 colors. */
const LEVELS = [0, 95, 135, 175, 215, 255];

/** Finds the nearest of the 6 x 6 x 6 colors that begin at 16 in a palette of 256. @type {(color: string) => string} */
function indexOf(color) {
  const [red, green, blue] = partsOf(color).map((value) => {
    const distances = LEVELS.map((level) => Math.abs(level - value));
    return distances.indexOf(Math.min(...distances));
  });
  return `5;${16 + 36 * red + 6 * green + blue}`;
}
