import { basename, resolve } from 'node:path';

import { nearest } from '../../problems.js';
import { typeName } from '../../text/format-value.js';
import { FileRefusal, readRegularFile } from '../../read-file.js';
import { isObject } from '../record.js';
import { mediaTypeOf } from './media-type.js';

/**
 * @typedef {object} BodyPart of a multipart body
 * @property {string | Buffer} content
 * @property {string} [filename]
 * @property {string} [contentType] given, or that of the file name
 *
 * @typedef {object} PartContext
 * @property {(reason: string) => void} complain
 * @property {number} maxBytes of a file
 * @property {string} [folder] of relative paths; default: the working directory
 */

const BYTES = 'application/octet-stream';
const OPTIONS = ['filename', 'contentType', 'knownLength'];
const KEYS = ['value', 'file', 'start', 'end', 'options', ...OPTIONS];
const EXPECTED =
  'expected a string, a Buffer, { file: path } or { value: …, options: { filename, contentType } }, or an array of them';

/**
 * Reads the content of a part: a string, number, Buffer or file stream, `{ file: path }`, or `{ value }` of one of these.
 * `filename` and `contentType` stand beside it, or in `options`, as in bench-rest 1.
 *
 * @param {any} part
 * @param {PartContext} context
 * @returns {BodyPart | null} null if it is invalid
 */
export function readPart(part, context) {
  if (['string', 'number', 'boolean'].includes(typeof part)) return { content: String(part) };
  if (part instanceof Uint8Array) return { content: Buffer.from(part), contentType: BYTES };
  if (isStream(part))
    return typeof part.path === 'string' ? readFile(part.path, part, context) : refuse(EXPECTED, context);
  return isObject(part) ? readDescribed(part, context) : refuse(EXPECTED, context);
}

/** @type {(part: any, context: PartContext) => BodyPart | null} */
function readDescribed(part, context) {
  const unknown = refuseKeys(part);
  if (unknown) return refuse(unknown, context);
  const content =
    part.file === undefined
      ? readValue(part.value, context)
      : readFile(resolve(context.folder ?? '', part.file), part, context);
  if (!content) return null;
  const { filename, contentType } = { ...part, ...optionsOf(part) };
  // the name of a stream's file comes first, as in bench-rest 1
  const named = filename === undefined || isStream(part.value) ? undefined : mediaTypeOf(String(filename));
  const type = contentType ?? named;
  return {
    ...content,
    ...(filename !== undefined && { filename: String(filename) }),
    ...(type !== undefined && { contentType: String(type) }),
  };
}

/** The name of a file may stand alone. @type {(part: any) => any} */
function optionsOf({ options }) {
  return typeof options === 'string' ? { filename: options } : options;
}

/** @type {(value: any) => boolean} */
function isStream(value) {
  return typeof value?.pipe === 'function';
}

/** @type {(value: any, context: PartContext) => BodyPart | null} */
function readValue(value, context) {
  const isNested = isObject(value) && !isStream(value) && !(value instanceof Uint8Array) && value.file === undefined;
  return value === undefined || isNested ? refuse(EXPECTED, context) : readPart(value, context);
}

/** @type {(path: string, range: { start?: number, end?: number }, context: PartContext) => BodyPart | null} */
function readFile(path, { start = 0, end = Infinity }, context) {
  try {
    return {
      content: readRegularFile(path, { maxBytes: context.maxBytes, start, end }),
      filename: basename(path),
      contentType: mediaTypeOf(path) ?? BYTES,
    };
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return refuse(error.message, context);
  }
}

/** @type {(part: Record<string, any>) => string | undefined} */
function refuseKeys(part) {
  const options = optionsOf(part) ?? {};
  if (!isObject(options)) return 'options: expected { filename, contentType }';
  if (part.file !== undefined && typeof part.file !== 'string') return 'file: expected a path';
  if (part.value !== undefined && part.file !== undefined) return 'has value and file: one part has one content';
  return unknownIn(part, KEYS) ?? unknownIn(options, OPTIONS) ?? notText({ ...part, ...options });
}

/** @type {(given: Record<string, any>) => string | undefined} */
function notText(given) {
  const key = OPTIONS.find((name) => !['undefined', 'string', 'number'].includes(typeof given[name]));
  return key && `${key}: expected a text, got ${typeName(given[key])}`;
}

/** @type {(object: object, known: string[]) => string | undefined} */
function unknownIn(object, known) {
  const unknown = Object.keys(object).find((key) => !known.includes(key));
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, known);
  return `unknown property ${unknown}${near ? `, did you mean ${near}?` : `: a part has ${known.join(', ')}`}`;
}

/** @type {(reason: string, context: PartContext) => null} */
function refuse(reason, { complain }) {
  complain(reason);
  return null;
}
