import { nearest } from '../problems.js';
import { TOKENS } from './tokens/index.js';

/**
 * @import { Problems } from '../problems.js'
 * @import { Scope } from './types.js'
 * @typedef {string | ((scope: Scope) => string)} Template constant text, or what makes the text of an iteration
 */

/**
 * Replaces each token by a mark of lower-case letters and digits, which URL parsing, percent-encoding and JSON
 * leave alone: text is encoded once, as a whole, and {@link compileTemplate} finds the marks again.
 *
 * @param {string} text
 * @param {{ problems: Problems, path: string, isUrl?: boolean }} at a URL may hold no other `#{…}`: it would be a fragment
 * @returns {string}
 */
export function markTokens(text, { problems, path, isUrl = false }) {
  if (!text.includes('#')) return text;
  return text.replace(/#(?:\{(\w+)\}|<(\w+)>)/g, (whole, braced, angled) => {
    const name = braced ?? angled;
    const i = TOKENS.findIndex((token) => token.name === name);
    if (i >= 0) return `${MARK}${i}z`;
    const near = nearest(name, NAMES);
    if (near) problems.add(path, `${whole} is no token, did you mean #{${near}}?`);
    else if (isUrl) problems.add(path, `${whole} is no token, known are ${NAMES.map((n) => `#{${n}}`).join(', ')}`);
    return whole;
  });
}

/**
 * Text with marks becomes a function that joins its pieces; text without them stays a string.
 *
 * @param {string} marked
 * @returns {Template}
 */
export function compileTemplate(marked) {
  const pieces = marked.split(MARKS);
  if (pieces.length === 1) return marked;
  const [head, ...rest] = pieces;
  /** @type {{ value: (scope: Scope) => string, text: string }[]} */
  const parts = [];
  for (let i = 0; i < rest.length; i += 2) {
    parts.push({ value: TOKENS[Number(rest[i])].compile(), text: rest[i + 1] });
  }
  if (parts.length === 1) {
    const [{ value, text }] = parts;
    return (scope) => head + value(scope) + text;
  }
  return (scope) => {
    let text = head;
    for (const part of parts) text += part.value(scope) + part.text;
    return text;
  };
}

/** @type {(template: Template, scope: Scope) => string} */
export function renderTemplate(template, scope) {
  return typeof template === 'string' ? template : template(scope);
}

/** @type {(marked: string) => boolean} */
export function hasMarks(marked) {
  return marked.includes(MARK);
}

/**
 * The text as the user wrote it.
 * @type {(marked: string) => string}
 */
export function unmark(marked) {
  return marked.replace(MARKS, (_, i) => `#{${NAMES[Number(i)]}}`);
}

const NAMES = TOKENS.map((token) => token.name);
const MARK = 'brtoken5f0c7e1d';
const MARKS = new RegExp(`${MARK}(\\d+)z`, 'g');
