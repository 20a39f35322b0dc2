import { maskText } from './mask.js';

/** Characters of a value in a message. */
const LONGEST = 100;
/** Bytes of a body that a message may show. */
export const SHOWN_BYTES = 1000;

/** It is short and has no secrets. @type {(value: unknown, longest?: number) => string} */
export function formatValue(value, longest = LONGEST) {
  return shortened(maskText(written(value).slice(0, 100 * LONGEST)), longest);
}

/** Makes a text of any value: `String` throws without a function `toString`. @type {(value: unknown) => string} */
export function anyText(value) {
  try {
    return String(value);
  } catch {
    return typeName(value);
  }
}

/** Writes objects and arrays as JSON, other values as they are. @type {(value: any) => string} */
export function textOf(value) {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

/** Begins a text with a capital letter; one of a file may be empty. @type {(text: string) => string} */
export function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Cuts a text to a number of characters. @type {(text: string, longest: number) => string} */
export function shortened(text, longest) {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** `count`: how many there are. @type {(texts: string[], most: number, count?: number) => string} */
export function listOf(texts, most, count = texts.length) {
  return `${texts.slice(0, most).join(', ')}${count > Math.min(most, texts.length) ? ', …' : ''}`;
}

/** Joins names in a sentence: `a, b and c`. @type {(names: readonly string[]) => string} */
export function listed(names) {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : names.join();
}

/** Names the type of a value that may be a secret, or prints a number or a boolean. @type {(value: any) => string} */
export function typeName(value) {
  if (value === null || ['number', 'boolean', 'undefined'].includes(typeof value)) return String(value);
  if (value === '') return 'an empty string';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  const name = typeof value === 'object' ? nameOf(value) : typeof value;
  return `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name}`;
}

/** @type {(value: any) => string} */
function written(value) {
  if (typeof value !== 'string' && !Array.isArray(value) && nameOf(value) !== 'object') return typeName(value);
  try {
    return JSON.stringify(value, (_key, one) => (typeof one === 'string' ? masked(one) : one)) ?? typeName(value);
  } catch {
    // The value is cyclic, or cannot be written as JSON.
    return typeName(value);
  }
}

/** Masks before quotes are escaped: a text may itself be JSON with secrets. @type {(text: string) => string} */
function masked(text) {
  return maskText(text.slice(0, 100 * LONGEST));
}

/** @type {(value: any) => string} */
function nameOf(value) {
  try {
    const { name } = value.constructor;
    return typeof name === 'string' && name !== '' && name !== 'Object' ? name : 'object';
  } catch {
    // It has no prototype, or a constructor that throws.
    return 'object';
  }
}

const NARROWEST = 12;

/**
 * Breaks a text into lines between its words. A word that is too long gets a line of its own. `indent`: columns before
 * each line but the first; `width`: columns of a line; `widthOf`: columns of a text.
 * @param {string} text
 * @param {number} indent
 * @param {number} width
 * @param {(text: string) => number} [widthOf]
 */
export function wrapped(text, indent, width, widthOf = ({ length }) => length) {
  const room = Math.max(NARROWEST, width - indent);
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last && widthOf(last) + 1 + widthOf(word) > room) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}
