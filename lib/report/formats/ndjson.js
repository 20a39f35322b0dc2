import { maskedJson } from './json.js';

/** @import { Render } from '../types.js' */

/** The samples were written during the run. @type {Render} */
export function render(result) {
  return line('result', result);
}

/**
 * A line of the format.
 *
 * @param {'sample' | 'result'} type
 * @param {object} value
 */
export function line(type, value) {
  return `${maskedJson({ type, ...value })}\n`;
}
