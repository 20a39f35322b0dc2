import { quantile } from '../../core/measure/percentiles.js';
import { sparkline } from '../../core/report/text/layout.js';
import { segmentOf } from './line.js';

/** @import { Look } from './line.js' */
/** @import { Card, Piece } from './model.js' */
/** @import { Segment } from './terminal.js' */

/** Rows of figures: the label and large digits, or both in one row. */
export const [LARGE_ROWS, SMALL_ROWS] = [4, 1];
const GAP = 3;

/** Figures of half blocks, three rows high. @type {Record<string, [string, string, string]>} */
const DIGITS = {
  0: ['█▀█', '█ █', '▀▀▀'],
  1: ['▀█ ', ' █ ', '▀▀▀'],
  2: ['▀▀█', '█▀▀', '▀▀▀'],
  3: ['▀▀█', ' ▀█', '▀▀▀'],
  4: ['█ █', '▀▀█', '  ▀'],
  5: ['█▀▀', '▀▀█', '▀▀▀'],
  6: ['█▀▀', '█▀█', '▀▀▀'],
  7: ['▀▀█', '  █', '  ▀'],
  8: ['█▀█', '█▀█', '▀▀▀'],
  9: ['█▀█', '▀▀█', '▀▀▀'],
  '.': [' ', ' ', '▀'],
  ',': [' ', ' ', '█'],
  '-': ['   ', '▀▀▀', '   '],
};

/**
 * Draws the figures side by side: label, and value in large digits, or in the same row if there is only one.
 * @type {(cards: Card[], room: { width: number, height: number }, look: Look) => Segment[][]}
 */
export function figureRows(cards, { width, height }, look) {
  return sideBySide(cards, width, look, (card, cardWidth) =>
    height < LARGE_ROWS
      ? [[[card.label, card.style], [' '], ...withUnit(card.value, card.unit)]]
      : figureOf(card, cardWidth, look),
  );
}

/**
 * Draws the course of each figure below it, and what is known about the whole run.
 * @type {(cards: Card[], width: number, look: Look) => Segment[][]}
 */
export function courseRows(cards, width, look) {
  return sideBySide(cards, width, look, ({ course, note, style }, cardWidth) => {
    const shown = course.slice(-cardWidth);
    const drawn = sparkline(shown, { heights: look.glyphs.heights, columns: cardWidth, low: 0, high: highOf(shown) });
    return [[[drawn, style]], [[note, 'dim']]];
  });
}

/** @type {(cards: Card[], width: number, look: Look, draw: (card: Card, width: number) => Piece[][]) => Segment[][]} */
function sideBySide(cards, width, look, draw) {
  const cardWidth = Math.floor((width + GAP) / cards.length) - GAP;
  const drawn = cards.map((card) => draw(card, cardWidth));
  // The last card has what the division leaves.
  const rest = width - cardWidth * cards.length - GAP * (cards.length - 1);
  return drawn[0].map((_, row) =>
    drawn.map((rows, i) => segmentOf(rows[row], cardWidth + (i === drawn.length - 1 ? rest : GAP), look)),
  );
}

/** The label, and three rows for the value. @type {(card: Card, width: number, look: Look) => Piece[][]} */
function figureOf({ label, value, unit, style }, width, { unicode }) {
  const large = unicode ? largeOf(value) : null;
  const fits = large !== null && large[0].length + 1 + unit.length <= width;
  /** @type {Piece[][]} */
  const figure = fits
    ? [[[large[0], 'bold']], [[large[1], 'bold']], withUnit(large[2], unit)]
    : [[], withUnit(value, unit), []];
  return [[[label, style]], ...figure];
}

/** @type {(text: string, unit: string) => Piece[]} */
function withUnit(text, unit) {
  return [
    [text, 'bold'],
    [` ${unit}`, 'dim'],
  ];
}

/** The end of the scale of a course, in medians: a steady course leaves room above, and one peak flattens no others. */
const [LEAST_HIGH, MOST_HIGH] = [1.5, 3];

/** @type {(course: Card['course']) => number} */
function highOf(course) {
  const known = course.flatMap((value) => value ?? []);
  const median = quantile(known, 0.5) ?? 0;
  const most = Math.max(0, ...known);
  return median > 0 ? Math.min(Math.max(most, LEAST_HIGH * median), MOST_HIGH * median) : most;
}

/** Three rows of large digits; null: the text has other characters. @type {(text: string) => string[] | null} */
function largeOf(text) {
  const digits = Array.from(text, (character) => DIGITS[character]);
  if (digits.some((digit) => digit === undefined)) return null;
  return [0, 1, 2].map((row) => digits.map((digit) => digit[row]).join(' '));
}
