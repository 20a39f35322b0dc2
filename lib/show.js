import { maskText } from './mask.js';

/** characters of a value in a message */
const LONGEST = 100;

/**
 * A value that somebody gave, as a message shows it, short and without secrets: `"5x"`, `-1`, `["30s:x"]`, or its kind.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function show(value) {
  return shortened(maskText(written(value).slice(0, 100 * LONGEST)), LONGEST);
}

/** A text, cut where it is longer. @type {(text: string, longest: number) => string} */
export function shortened(text, longest) {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/**
 * What kind of value it is, where the value itself may be a secret: `a string`, `a Date`, `an array`; `-1` and `true`.
 *
 * @param {any} value
 * @returns {string}
 */
export function kindOf(value) {
  if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
  if (Array.isArray(value)) return 'an array';
  const name = typeof value === 'object' ? nameOf(value) : typeof value;
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/** @type {(value: any) => string} */
function written(value) {
  if (typeof value !== 'string' && !Array.isArray(value) && nameOf(value) !== 'object') return kindOf(value);
  try {
    return JSON.stringify(value) ?? kindOf(value);
  } catch {
    // it holds itself, or what JSON has no words for
    return kindOf(value);
  }
}

/** @type {(value: any) => string} */
function nameOf(value) {
  try {
    const { name } = value.constructor;
    return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'object';
  } catch {
    // no prototype, or one that is none
    return 'object';
  }
}
