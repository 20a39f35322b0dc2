import { compileTemplate, renderTemplate } from '../template.js';

/**
 * @import { Scope } from '../types.js'
 * @import { MarkPart } from './types.js'
 */

/**
 * Compiles a text in which `*` stands for any characters. The values of its tokens are compared as they are.
 *
 * @param {string} text
 * @param {MarkPart} mark replaces tokens by marks
 * @returns {(value: string, scope: Scope) => string | null} null if the value matches, else the text with its tokens replaced
 */
export function compileWildcards(text, mark) {
  const pieces = mark(text).split('*').map(compileTemplate);
  return (value, scope) => {
    const parts = pieces.map((piece) => renderTemplate(piece, scope));
    return fits(value, parts) ? null : parts.join('*');
  };
}

/** Takes linear time: each part is searched where the previous one ended. @type {(value: string, parts: string[]) => boolean} */
function fits(value, parts) {
  const [first] = parts;
  if (parts.length === 1) return value === first;
  const last = parts[parts.length - 1];
  if (!value.startsWith(first) || !value.endsWith(last) || value.length < first.length + last.length) return false;
  const end = value.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = value.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
