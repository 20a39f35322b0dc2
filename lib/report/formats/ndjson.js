import { maskedJson } from './json.js';

/** @import { Render } from '../types.js' */

/** The samples were written during the run. @type {Render} */
export function render(result) {
  return `${maskedJson(result)}\n`;
}

/**
 * The line of an interval.
 * @type {(point: object) => string}
 */
export function pointLine(point) {
  return `${maskedJson({ type: 'sample', ...point })}\n`;
}
