import { isUtf8 } from 'node:buffer';

import { escapeText, isPlainText } from '../draft.js';
import { jsonIn } from '../read-document.js';
import { Leaf } from './leaf.js';
import { fieldOf } from './sources.js';
import { escaped } from './text-values.js';

/** @import { RecordedRequest } from '../../contracts/exchange.js' */
/** @import { RequestPart } from './types.js' */

/**
 * @typedef {RequestPart<Record<string, any>> & { implies: (name: string, value: string) => boolean }} BodyPart implies:
 *   the operation sends this field without being told
 */

/** Levels of JSON that are read as a value. */
const DEEPEST = 100;
/** Pairs in the characters that clients leave as they are: curl -d sends any text with the type of a form. */
const [FORM_NAME, FORM_VALUE] = ['+', '*'].map((times) => `[\\w.~!*'()%+\\-[\\]:;,@/?$]${times}`);
const FORM_TEXT = new RegExp(`^${FORM_NAME}=${FORM_VALUE}(?:&${FORM_NAME}=${FORM_VALUE})*$`);
const FORM = 'application/x-www-form-urlencoded';
const NONE = /** @type {BodyPart} */ ({ leaves: [], written: () => ({}), implies: (name) => name === 'content-type' });

/**
 * Reads the body of a request as the property of an operation that sends it again: `json`, `form`, `formData`, or
 * `body`. `entity` is the collection of its URL.
 * @type {(request: RecordedRequest, entity: string) => BodyPart}
 */
export function readBody(request, entity) {
  const { body } = request;
  if (body.length === 0) return NONE;
  const type = fieldOf(request, 'content-type');
  const text = body.toString('utf8');
  if (!isPlainText(text) || !isUtf8(body))
    return /^multipart\/form-data/i.test(type) ? (multipart(body, type) ?? bytes(body)) : bytes(body);
  if (/[/+]json\b/i.test(type) || (type === '' && /^\s*[[{]/.test(text)))
    return json(text, type, entity) ?? plain(text);
  if (type.toLowerCase().startsWith(FORM)) return form(text) ?? plain(text);
  if (/^multipart\/form-data/i.test(type)) return multipart(body, type) ?? plain(text);
  return plain(text);
}

/** @type {(body: Buffer) => BodyPart} */
function bytes(body) {
  return { leaves: [], written: () => ({ body: new Uint8Array(body) }), implies: () => false };
}

/** @type {(text: string) => BodyPart} */
function plain(text) {
  const leaf = new Leaf({ place: 'text', name: '', label: 'the body', value: text });
  return { leaves: [leaf], written: () => ({ body: leaf.written() }), implies: () => false };
}

/**
 * Null: as a value it would not be sent again as it was, or means something else in a flow.
 * @type {(text: string, type: string, entity: string) => BodyPart | null}
 */
function json(text, type, entity) {
  const value = jsonIn(text);
  if (isDeeper(value, DEEPEST)) return null;
  const isLossy = /\d{16}|__proto__/.test(text) || typeof value === 'boolean' || value === null || value === undefined;
  if (isLossy) return null;
  /** @type {Leaf[]} */
  const leaves = [];
  const isPlainType = type === '' || /^application\/json\s*(?:;\s*charset=utf-8)?$/i.test(type);
  const tree = readTree(value, { path: '$', name: '', entity }, leaves);
  return {
    leaves,
    written: () => ({ json: writeTree(tree) }),
    implies: (name, given) =>
      (name === 'content-type' && isPlainType) || (name === 'accept' && /^(?:application\/json|\*\/\*)/i.test(given)),
  };
}

/** @type {(value: any, most: number) => boolean} */
function isDeeper(value, most) {
  if (typeof value !== 'object' || value === null) return false;
  return most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1));
}

/**
 * Copies a JSON value with a leaf for each text and number.
 * @type {(value: any, at: { path: string, name: string, entity: string }, leaves: Leaf[]) => any}
 */
function readTree(value, { path, name, entity }, leaves) {
  if (typeof value === 'string' || typeof value === 'number') {
    const leaf = new Leaf({ place: 'json', name, entity, label: `${path} of the JSON`, value });
    leaves.push(leaf);
    return leaf;
  }
  if (Array.isArray(value))
    return value.map((item, i) => readTree(item, { path: `${path}[${i}]`, name, entity: name || entity }, leaves));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      escapeText(key),
      readTree(item, { path: `${path}.${key}`, name: key, entity: name || entity }, leaves),
    ]),
  );
}

/** @type {(tree: any) => any} */
function writeTree(tree) {
  if (tree instanceof Leaf) return tree.jsonValue;
  if (Array.isArray(tree)) return tree.map(writeTree);
  if (typeof tree !== 'object' || tree === null) return tree;
  return Object.fromEntries(Object.entries(tree).map(([key, item]) => [key, writeTree(item)]));
}

/** Null: it is no form, or a name occurs twice. @type {(text: string) => BodyPart | null} */
function form(text) {
  if (!FORM_TEXT.test(text)) return null;
  const pairs = [...new URLSearchParams(text)];
  const names = new Set(pairs.map(([name]) => name));
  if (pairs.length === 0 || names.size < pairs.length || names.has('__proto__')) return null;
  const fields = pairs.map(([name, value]) => ({
    name,
    leaf: new Leaf({ place: 'form', name, label: `the form field ${name}`, value }),
  }));
  return {
    leaves: fields.map(({ leaf }) => leaf),
    written: () => ({ form: Object.fromEntries(fields.map(({ name, leaf }) => [escapeText(name), leaf.written()])) }),
    implies: (name) => name === 'content-type',
  };
}

/** multipart/form-data (RFC 7578); null: it is malformed. @type {(body: Buffer, type: string) => BodyPart | null} */
function multipart(body, type) {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return null;
  const text = body.toString('latin1');
  const parts = text.split(new RegExp(`(?:^|\\r\\n)--${escaped(boundary)}(?:--)?[ \\t]*(?:\\r\\n|$)`)).slice(1, -1);
  const read = parts.map(readPart);
  if (read.length === 0 || read.some((part) => part === null)) return null;
  const all = /** @type {FormPart[]} */ (read);
  return {
    leaves: all.flatMap(({ leaf }) => leaf ?? []),
    written: () => ({ formData: writeParts(all) }),
    implies: (name) => name === 'content-type',
  };
}

/** @typedef {{ name: string, filename?: string, contentType?: string, leaf: Leaf | null, content: Buffer }} FormPart */

/** @type {(part: string) => FormPart | null} */
function readPart(part) {
  const end = part.indexOf('\r\n\r\n');
  const head = Buffer.from(part.slice(0, Math.max(0, end)), 'latin1').toString('utf8');
  const name = /content-disposition:[^\r\n]*?[;\s]name="([^"]*)"/i.exec(head)?.[1];
  if (end < 0 || name === undefined || name === '__proto__') return null;
  const filename = /content-disposition:[^\r\n]*?[;\s]filename="([^"]*)"/i.exec(head)?.[1];
  const contentType = /^content-type:\s*([^\r\n]+)/im.exec(head)?.[1].trim();
  const content = Buffer.from(part.slice(end + 4), 'latin1');
  const isText = filename === undefined && isUtf8(content);
  const value = content.toString('utf8');
  const leaf = isText ? new Leaf({ place: 'part', name, label: `the form field ${name}`, value }) : null;
  return { name, filename, contentType, leaf, content };
}

/** @type {(parts: FormPart[]) => Record<string, any>} */
function writeParts(parts) {
  /** @type {Map<string, any[]>} */
  const byName = new Map();
  for (const part of parts) byName.set(part.name, [...(byName.get(part.name) ?? []), writePart(part)]);
  return Object.fromEntries([...byName].map(([name, all]) => [escapeText(name), all.length === 1 ? all[0] : all]));
}

/** @type {(part: FormPart) => any} */
function writePart({ filename, contentType, leaf, content }) {
  const value = leaf?.written() ?? (isUtf8(content) ? escapeText(content.toString('utf8')) : new Uint8Array(content));
  if (filename === undefined && contentType === undefined && typeof value === 'string') return value;
  return {
    value,
    ...(filename !== undefined && { filename: escapeText(filename) }),
    ...(contentType && { contentType }),
  };
}
