import { styleText } from 'node:util';

import { count } from '../../../ground/decimal.js';
import { TERMINAL_HEAT, TERMINAL_PALETTE } from '../../palette.js';
import { cut, widthOf, painter } from '../../text/layout.js';

/** @import { Glyphs } from '../../terminal.js' */
/** @import { Style } from '../../text/layout.js' */
/** @import { Piece } from './model.js' */
/** @import { Segment } from './terminal.js' */

/** @typedef {{ ink: Ink, glyphs: Glyphs, unicode: boolean }} Look of a screen */

/**
 * Makes a segment of exactly this width: what is longer is cut, what is shorter is padded.
 * @type {(pieces: Piece[], width: number, look: Pick<Look, 'ink' | 'glyphs'>) => Segment}
 */
export function lineOf(pieces, width, { ink, glyphs }) {
  let left = width;
  let text = '';
  for (const [plain, style] of pieces) {
    const shown = cut(plain, left, glyphs.ellipsis);
    if (shown === '') continue;
    left -= widthOf(shown);
    text += style === undefined ? shown : ink.paint(style, shown);
  }
  return { text: text + ' '.repeat(Math.max(0, left)), width: Math.max(0, width) };
}

/** @typedef {{ pieces: Piece[], count: number }} Line count: how many things begin in it */

/**
 * Puts groups of pieces side by side, in as many lines as they need.
 * @type {(groups: Piece[][], width: number, gap?: string) => Line[]}
 */
export function flow(groups, width, gap = '   ') {
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

/** Returns as many as fit beside {@link restRows}. @type {<T>(all: T[], room: number) => T[]} */
export function shownOf(all, room) {
  return all.length <= room ? all : all.slice(0, Math.max(0, room - 1));
}

/** Counts the things without room, if any. @type {(more: number, width: number, look: Look) => Segment[][]} */
export function restRows(more, width, look) {
  return more > 0 ? [[lineOf([[`and ${count(more)} more`, 'dim']], width, look)]] : [];
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
 *   has too few
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
/** The same for terminals with 16 colors. */
const NAMES = /** @type {const} */ ({ p50: 'cyan', p95: 'blue', p99: 'magenta' });

/** Returns the colors for a number of bits: 1 (none), 4, 8 or 24. @type {(depth: number) => Ink} */
export function inkOf(depth) {
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
    heat: TERMINAL_HEAT.map(parameterOf),
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

/** The levels of the cube of 256 colors. */
const LEVELS = [0, 95, 135, 175, 215, 255];

/** Finds the nearest color of the cube. @type {(color: string) => string} */
function indexOf(color) {
  const [red, green, blue] = partsOf(color).map((value) => {
    const distances = LEVELS.map((level) => Math.abs(level - value));
    return distances.indexOf(Math.min(...distances));
  });
  return `5;${16 + 36 * red + 6 * green + blue}`;
}
