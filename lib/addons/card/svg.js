import stringWidth from 'fast-string-width';

import { xml } from '../formats/markup.js';
import { PALETTE } from '../palette/index.js';

/**
 * @typedef {object} TextPosition
 * @property {number} x
 * @property {number} y
 * @property {number} size of the font
 * @property {number} [width] the text is shortened to it
 * @property {boolean} [isBold]
 * @property {keyof typeof PALETTE['light']} [color]
 * @property {'start' | 'middle' | 'end'} [anchor]
 */

/** Writes an element with text, which is escaped. @type {(content: string, place: TextPosition) => string} */
export function text(content, { x, y, size, width, isBold = false, color = 'text', anchor = 'start' }) {
  const shown = width === undefined ? content : fitted(content, { size, width, isBold });
  return tag(
    'text',
    {
      x,
      y,
      'font-size': size,
      ...fillOf(color),
      ...(isBold && { 'font-weight': 700 }),
      ...(anchor !== 'start' && { 'text-anchor': anchor }),
    },
    xml(shown),
  );
}

/**
 * Writes an element with attributes and content, which is SVG already. Numbers have two decimals at most.
 * @type {(name: string, attributes: Record<string, string | number>, content?: string) => string}
 */
export function tag(name, attributes, content) {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${typeof value === 'number' ? Number(value.toFixed(2)) : xml(value)}"`,
  );
  return content === undefined ? `<${name}${written.join('')}/>` : `<${name}${written.join('')}>${content}</${name}>`;
}

/** A fill that follows the color scheme. @type {(color: keyof typeof PALETTE['light']) => Record<string, string>} */
export function fillOf(color) {
  return { class: `f-${color}`, fill: PALETTE.light[color] };
}

/** A stroke that follows the color scheme. @type {(color: keyof typeof PALETTE['light']) => Record<string, string>} */
export function strokeOf(color) {
  return { class: `s-${color}`, stroke: PALETTE.light[color], fill: 'none' };
}

/** Colors on dark ground. Those on light ground are attributes, for programs that read no style sheets. */
export const STYLE = `<style>@media (prefers-color-scheme:dark){${Object.entries(PALETTE.dark)
  .map(([name, color]) => `.f-${name}{fill:${color}}.s-${name}{stroke:${color}}`)
  .join('')}}</style>`;

/**
 * Widths of letters in em, those of the widest common sans-serif font, DejaVu Sans: with others a text is a little
 * shorter. The other letters have `EM`.
 */
const WIDTHS = [
  { letters: /^[ijl|'.,:;!`·]/, em: 0.34 },
  { letters: /^[frtI()[\]{}/\\ -]/, em: 0.42 },
  { letters: /^[mwMW@%—…]/, em: 0.98 },
  { letters: /^[A-Z#&<>=+~√×±✓✗]/, em: 0.78 },
];
const EM = 0.63;
const WIDE_EM = 1.02;
const EMOJI_EM = 1.4;
const BOLD = 1.12;
const SEGMENTER = new Intl.Segmenter();
/** Units of UTF-16 that may be as wide as a letter is high: narrow letters, emoji of several characters. */
const MOST_UNITS = 40;

/**
 * Shortens a text with `…` if it is wider than its place; `size` is that of the font, in pixels as the width. A picture
 * cannot measure its text, so the width is estimated from above.
 * @type {(text: string, place: { size: number, width: number, isBold?: boolean }) => string}
 */
export function fitted(text, { size, width, isBold = false }) {
  const style = { size, isBold };
  // To divide a long text into letters takes seconds, and no line has so many.
  const mostUnits = Math.ceil(width / size) * MOST_UNITS;
  if (text.length <= mostUnits && widthOf(text, style) <= width) return text;
  const room = width - widthOf('…', style);
  let kept = '';
  let used = 0;
  for (const { segment } of SEGMENTER.segment(text.slice(0, mostUnits))) {
    used += widthOf(segment, style);
    if (used > room) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** An estimate in pixels, as `size` is. @type {(text: string, style: { size: number, isBold?: boolean }) => number} */
export function widthOf(text, { size, isBold = false }) {
  let em = 0;
  for (const { segment } of SEGMENTER.segment(text)) em += letterWidth(segment);
  return em * size * (isBold ? BOLD : 1);
}

/** @type {(letter: string) => number} */
function letterWidth(letter) {
  const columns = stringWidth(letter);
  if (columns === 0) return 0;
  if (columns > 1) return /^\p{Extended_Pictographic}|^\p{Regional_Indicator}/u.test(letter) ? EMOJI_EM : WIDE_EM;
  return WIDTHS.find(({ letters }) => letters.test(letter))?.em ?? EM;
}
