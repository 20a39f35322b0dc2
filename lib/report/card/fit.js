import stringWidth from 'string-width';

/** Widths in em of the widest common sans-serif font, DejaVu Sans: with others a text is a little shorter. */
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

/**
 * A text that is not wider than its place, shortened with `…` if needed. A picture cannot measure its text, so the width
 * is estimated from above.
 *
 * @param {string} text
 * @param {{ size: number, width: number, isBold?: boolean }} place `size` of the font and `width`, in pixels
 * @returns {string}
 */
export function fitted(text, { size, width, isBold = false }) {
  const style = { size, isBold };
  if (widthOf(text, style) <= width) return text;
  const room = width - widthOf('…', style);
  let kept = '';
  let used = 0;
  for (const { segment } of SEGMENTER.segment(text)) {
    used += widthOf(segment, style);
    if (used > room) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * The estimated width of a text.
 *
 * @param {string} text
 * @param {{ size: number, isBold?: boolean }} style `size` of the font, in pixels
 * @returns {number} pixels
 */
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
