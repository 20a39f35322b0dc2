import { quantile } from '../../../measure/percentiles.js';
import { sparkline } from '../../text/layout.js';
import { lineOf } from './line.js';

/** @import { Look } from './line.js' */
/** @import { Card, Piece } from './model.js' */
/** @import { Segment } from './terminal.js' */

const CARD_ROWS = 6;
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
 * Draws the figures side by side: label, value in large digits, course, and what is known about the whole run.
 * @type {(cards: Card[], width: number, look: Look) => Segment[][]}
 */
export function cardRows(cards, width, look) {
  const own = Math.floor((width + GAP) / cards.length) - GAP;
  const drawn = cards.map((card) => cardOf(card, own, look));
  const rest = width - own * cards.length - GAP * (cards.length - 1);
  return Array.from({ length: CARD_ROWS }, (_, row) =>
    drawn.map((rows, i) => lineOf(rows[row], own + (i === drawn.length - 1 ? rest : GAP), look)),
  );
}

/** @type {(card: Card, width: number, look: Look) => Piece[][]} */
function cardOf({ label, value, unit, note, course, style }, width, { glyphs, unicode }) {
  const large = unicode ? largeOf(value) : null;
  const fits = large !== null && large[0].length + 1 + unit.length <= width;
  /** @type {Piece[][]} */
  const figure = fits
    ? large.map((text, row) =>
        row === 2
          ? [
              [text, 'bold'],
              [` ${unit}`, 'dim'],
            ]
          : [[text, 'bold']],
      )
    : [
        [],
        [
          [value, 'bold'],
          [` ${unit}`, 'dim'],
        ],
        [],
      ];
  const shown = course.slice(-width);
  const drawn = sparkline(shown, { heights: glyphs.heights, columns: width, low: 0, high: highOf(shown) });
  return [[[label, style]], ...figure, [[drawn, style]], [[note, 'dim']]];
}

/** The end of the scale of a course, in medians: a steady one leaves room above, and one peak flattens no others. */
const [LEAST_HIGH, MOST_HIGH] = [1.5, 3];

/** @type {(course: Card['course']) => number} */
function highOf(course) {
  const known = course.flatMap((value) => value ?? []);
  const median = quantile(known, 0.5) ?? 0;
  const most = Math.max(0, ...known);
  return median > 0 ? Math.min(Math.max(most, LEAST_HIGH * median), MOST_HIGH * median) : most;
}

/** @type {(text: string) => string[] | null} null: it has other characters */
function largeOf(text) {
  const digits = Array.from(text, (character) => DIGITS[character]);
  if (digits.some((digit) => digit === undefined)) return null;
  return [0, 1, 2].map((row) => digits.map((digit) => digit[row]).join(' '));
}
