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
 * @property {keyof typeof PALETTE['light']} [colour]
 * @property {'start' | 'middle' | 'end'} [anchor]
 */

/**
 * @param {string} content
 * @param {TextPlace} place
 * @returns {string} an element
 */
export function text(content, { x, y, size, width, isBold = false, colour = 'text', anchor = 'start' }) {
  const shown = width === undefined ? content : fitted(content, { size, width, isBold });
  return tag(
    'text',
    {
      x,
      y,
      'font-size': size,
      ...fillOf(colour),
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

/** A fill that follows the colour scheme. @type {(colour: keyof typeof PALETTE['light']) => Record<string, string>} */
export function fillOf(colour) {
  return { class: `f-${colour}`, fill: PALETTE.light[colour] };
}

/** A stroke that follows the colour scheme. @type {(colour: keyof typeof PALETTE['light']) => Record<string, string>} */
export function strokeOf(colour) {
  return { class: `s-${colour}`, stroke: PALETTE.light[colour], fill: 'none' };
}

/** Colours on dark ground. Those on light ground are attributes, for programs that read no style sheets. */
export const STYLE = `<style>@media (prefers-color-scheme:dark){${Object.entries(PALETTE.dark)
  .map(([name, colour]) => `.f-${name}{fill:${colour}}.s-${name}{stroke:${colour}}`)
  .join('')}}</style>`;
