import { PALETTE } from '../palette.js';
import { xml } from '../xml.js';
import { fitted } from './fit.js';

/**
 * @typedef {object} TextPlace
 * @property {number} x
 * @property {number} y
 * @property {number} size of the font
 * @property {number} [width] the text is shortened to it
 * @property {boolean} [isBold]
 * @property {keyof typeof PALETTE['light']} [color]
 * @property {'start' | 'middle' | 'end'} [anchor]
 */

/**
 * @param {string} content
 * @param {TextPlace} place
 * @returns {string} an element
 */
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
 * An element. Numbers are rounded to a tenth of a pixel.
 *
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {string} [content] of its own
 * @returns {string}
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
