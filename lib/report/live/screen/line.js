import { count } from '../../numbers.js';
import { cut, widthOf } from '../../text/layout.js';

/** @import { Glyphs } from '../../terminal.js' */
/** @import { Ink } from './ink.js' */
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
    const shown = cutTo(plain, left, glyphs.ellipsis);
    if (shown === '') continue;
    left -= widthOf(shown);
    text += style === undefined ? shown : ink.paint(style, shown);
  }
  return { text: text + ' '.repeat(Math.max(0, left)), width: Math.max(0, width) };
}

/** @type {(text: string, width: number, ellipsis: string) => string} */
export function cutTo(text, width, ellipsis) {
  return width < ellipsis.length ? '' : cut(text, width, ellipsis);
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
