import { shortened } from './format-value.js';
import { maskText } from './mask.js';

// C0, DEL and C1 controls, line separators, and the marks that turn the direction of text (Unicode TR 36).
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const MAX_NAMES = 1000;
/** @type {Record<string, string>} */
const NAMED = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Masks secrets and escapes control characters for a line of a report or terminal. @type {(text: string) => string} */
export function safe(text) {
  return escapeText(maskText(text));
}

/** Does the same for a text of several lines, which stay lines. @type {(text: string) => string} */
export function safeLines(text) {
  return maskText(text).split('\n').map(escapeText).join('\n');
}

/** `change` may replace an object before it. @type {<T>(value: T, longest?: number, change?: ChangePart) => T} */
export function safeCopy(value, longest = Infinity, change) {
  // Keys that were made safe: the same few occur again and again.
  /** @type {Map<string, string>} */
  const names = new Map();
  const nameOf = (/** @type {string} */ key) => {
    const name = names.get(key) ?? safe(key);
    if (names.size < MAX_NAMES) names.set(key, name);
    return name;
  };
  return copyOf(value, { change, nameOf, textOf: (text) => shortened(safe(text), longest) });
}

/** @typedef {(part: Record<string, any>) => Record<string, any>} ChangePart */

/**
 * Copies a JSON value. `change` may replace an object before it is copied.
 * @type {<T>(value: T, options: { change?: ChangePart, nameOf?: (key: string) => string, textOf?: (text: string) =>
 *   string }) => T}
 */
export function copyOf(value, { change = same, nameOf = same, textOf = same }) {
  return copied(value);

  /** @type {(value: any) => any} */
  function copied(value) {
    if (typeof value === 'string') return textOf(value);
    if (Array.isArray(value)) return value.map(copied);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(change(value)).map(([key, item]) => [nameOf(key), copied(item)]));
  }
}

/** @type {<T>(value: T) => T} */
function same(value) {
  return value;
}

/** Escapes what moves the cursor or hides text; the result has one line. @type {(text: string) => string} */
export function escapeText(text) {
  return text.replace(UNSAFE, (char) => NAMED[char] ?? escaped(char.charCodeAt(0)));
}

/** Escapes the same characters in a JSON document, which keeps its value. @type {(json: string) => string} */
export function escapeJson(json) {
  return json.replace(UNSAFE, (char) =>
    char === '\n' ? char : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** @type {(code: number) => string} */
function escaped(code) {
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Writes a text as a field of CSV (RFC 4180). An apostrophe keeps spreadsheets from reading it as a formula, also one
 * that begins with a tab, which is escaped already (`\t`).
 * @type {(value: string) => string}
 */
export function csvText(value) {
  const text = value.replace(/^[=+\-@\t\\]/, "'$&");
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
