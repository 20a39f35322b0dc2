import { maskText } from '../../text/mask.js';
import { escapeJson } from '../../text/safe.js';

/** @import { Render } from '../types.js' */

/** @type {Render} */
export function render(result) {
  return `${maskedJson(result, 2)}\n`;
}

/**
 * JSON whose strings hold no secrets and no control characters.
 *
 * @param {object} value
 * @param {number} [indent]
 */
export function maskedJson(value, indent) {
  return escapeJson(JSON.stringify(value, (_key, item) => (typeof item === 'string' ? maskText(item) : item), indent));
}
