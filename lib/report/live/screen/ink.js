import { styleText } from 'node:util';

import { TERMINAL_HEAT, TERMINAL_PALETTE } from '../../palette.js';
import { painter } from '../../text/layout.js';

/** @import { Style } from '../../text/layout.js' */

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
