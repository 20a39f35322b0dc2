import { maskedJson } from './masked-json.js';

/** @import { Render } from '../types.js' */

/** @type {Render} */
export function render(result) {
  return `${maskedJson(result, 2)}\n`;
}
