import { isUtf8 } from 'node:buffer';

import { Document, isScalar, visit } from 'yaml';

/** Columns of a line of JavaScript. */
export const WIDTH = 100;
const STEP = 2;
/** Prettier breaks no line after a shorter key. */
const SHORTEST_BROKEN_KEY = 5;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
/** C0, C1, line separators, and the marks that turn the direction of text, or cannot be seen. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
/** @type {Record<string, string>} */
const NAMED = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Prints a value as a literal of JavaScript in the layout of Prettier: JSON values, undefined members left out, and
 * bytes as a Buffer. The lines after the first one are indented. `indent`: columns of the line on which it begins;
 * `column`: where it begins; `after`: characters that follow it on its last line.
 * @type {(value: unknown, place?: { indent?: number, column?: number, after?: number }) => string}
 */
export function printValue(value, { indent = 0, column = indent, after = 1 } = {}) {
  const flat = flatText(value);
  if (flat !== null && column + flat.length + after <= WIDTH) return flat;
  const inner = ' '.repeat(indent + STEP);
  const close = `\n${' '.repeat(indent)}`;
  const item = { indent: indent + STEP, after: 1 };
  if (value instanceof Uint8Array)
    return `Buffer.from(\n${bytesParts(value)
      .map((part) => `${inner}${part},\n`)
      .join('')}${close.slice(1)})`;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    if (value.every((one) => typeof one === 'number')) return `[\n${filled(value.map(String), inner)}${close}]`;
    return `[\n${value.map((one) => `${inner}${printValue(one, item)},`).join('\n')}${close}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const lines = membersOf(value).map(([key, one]) => `${inner}${printMember(key, one, indent + STEP)},`);
    return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}${close}}`;
  }
  return printText(value);
}

/** A member of an object, such as `get: '/items'`. @type {(key: string, value: unknown, indent: number) => string} */
export function printMember(key, value, indent) {
  const name = printKey(key);
  const column = indent + name.length + 2;
  const text = printValue(value, { indent, column });
  const isLongText = typeof value === 'string' && !text.includes('\n') && column + text.length + 1 > WIDTH;
  return isLongText && name.length >= SHORTEST_BROKEN_KEY
    ? `${name}:\n${' '.repeat(indent + STEP)}${text}`
    : `${name}: ${text}`;
}

/** Prints a value in one line; null if it has several. @type {(value: unknown) => string | null} */
function flatText(value) {
  if (value instanceof Uint8Array) return `Buffer.from(${bytesParts(value).join(', ')})`;
  if (Array.isArray(value)) {
    if (isBroken(value)) return null;
    const items = value.map(flatText);
    return items.includes(null) ? null : `[${items.join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = [];
    for (const [key, one] of membersOf(value)) {
      const text = flatText(one);
      if (text === null) return null;
      members.push(`${printKey(key)}: ${text}`);
    }
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  const text = printText(value);
  return text.includes('\n') ? null : text;
}

/** Prettier breaks an array of several objects with several members each. @type {(items: unknown[]) => boolean} */
function isBroken(items) {
  const areArrays = items.every(Array.isArray);
  return (
    items.length > 1 &&
    (areArrays || items.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))) &&
    items.every((one) => !(one instanceof Uint8Array) && Object.keys(/** @type {object} */ (one)).length > 1)
  );
}

/** @type {(value: object) => [string, unknown][]} */
function membersOf(value) {
  return Object.entries(value).filter(([, one]) => one !== undefined);
}

/** @type {(words: string[], indent: string) => string} */
function filled(words, indent) {
  const lines = [indent];
  for (const word of words) {
    const last = lines[lines.length - 1];
    const text = last === indent ? `${last}${word},` : `${last} ${word},`;
    if (text.length > WIDTH && last !== indent) lines.push(`${indent}${word},`);
    else lines[lines.length - 1] = text;
  }
  return lines.join('\n');
}

/** @type {(bytes: Uint8Array) => string[]} the arguments of Buffer.from */
function bytesParts(bytes) {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  const isText = isUtf8(buffer) && !/[\u0000-\u0008\u000e-\u001f]/.test(text);
  return isText ? [quoted(text)] : [quoted(buffer.toString('base64')), "'base64'"];
}

/** @type {(key: string) => string} */
function printKey(key) {
  if (key === '__proto__') return "['__proto__']";
  return IDENTIFIER.test(key) ? key : quoted(key);
}

/** @type {(value: unknown) => string} */
function printText(value) {
  if (typeof value !== 'string') return String(value);
  const isLines = /[^\n]\n[^]*[^\n]/.test(value) && !/[^\P{Cc}\n\t]/u.test(value);
  return isLines ? template(value) : quoted(value);
}

/** Quotes a text, with the quotes that need fewer escapes. @type {(text: string) => string} */
function quoted(text) {
  const quote = countOf("'", text) > countOf('"', text) ? '"' : "'";
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  return `${quote}${escapeInvisible(escaped)}${quote}`;
}

/** @type {(text: string) => string} */
function template(text) {
  const escaped = text.replace(/[\\`]|\$(?=\{)/g, '\\$&');
  return `\`${escaped.split('\n').map(escapeInvisible).join('\n')}\``;
}

/** @type {(text: string) => string} */
function escapeInvisible(text) {
  const escape = (/** @type {string} */ char) =>
    NAMED[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(UNSAFE, escape).replace(LONE_SURROGATE, escape);
}

/** @type {(char: string, text: string) => number} */
function countOf(char, text) {
  return text.split(char).length - 1;
}

const OPTIONS = /** @type {const} */ ({ version: '1.2', schema: 'core', aliasDuplicateObjects: false });
const LAYOUT = /** @type {const} */ ({ lineWidth: 0, singleQuote: true });

/** Indented: `baseUrl: https://example.com`. @type {(key: string, value: unknown, indent: number) => string[]} */
export function yamlMember(key, value, indent) {
  return indented(linesOf({ [key]: value }), indent);
}

/** Prints an item of a sequence, indented: `- get: /items`. @type {(value: unknown, indent: number) => string[]} */
export function yamlItem(value, indent) {
  return indented(linesOf([value]), indent);
}

/** @type {(value: unknown) => string[]} */
function linesOf(value) {
  const document = new Document(value, OPTIONS);
  visit(document, {
    Scalar(_, node) {
      // A token at the beginning of a plain text would be a comment.
      if (isScalar(node) && typeof node.value === 'string' && /#[{<]/.test(node.value) && !node.value.includes('\n'))
        node.type = 'QUOTE_SINGLE';
    },
  });
  return document.toString(LAYOUT).replace(/\n$/, '').split('\n');
}

/** @type {(lines: string[], indent: number) => string[]} */
function indented(lines, indent) {
  return lines.map((line) => (line === '' ? line : ' '.repeat(indent) + line));
}
