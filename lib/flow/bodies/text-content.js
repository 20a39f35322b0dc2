import { compileTemplate } from '../template.js';

/** @import { Scope } from '../types.js' */

/**
 * Compiles marked text to the content of a body.
 *
 * @param {string} marked
 * @returns {Buffer | ((scope: Scope) => string)} bytes if the text has no tokens
 */
export function textContent(marked) {
  const template = compileTemplate(marked);
  return typeof template === 'string' ? Buffer.from(template) : template;
}
