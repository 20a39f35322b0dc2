import { FileRefusal, readRegularFile } from '../../read-file.js';
import { typeName } from '../../text/format-value.js';
import { isObject } from '../record.js';
import json from './json.js';
import { mediaTypeOf } from './media-type.js';
import { joinPieces } from './pieces.js';
import { textContent } from './text-content.js';

/** @import { BodyContext, BodyEntry, BodyTemplate } from './types.js' */

/** @type {BodyEntry} */
export default {
  name: 'body',
  about: 'request body: text, a Buffer, an array of them, or { file: path }; with json: true any value, sent as JSON',
  type: 'Computed<string | Uint8Array | (string | Uint8Array)[] | { file: string } | object>',
  check: () => true,
  expected: 'a body',
  blank: '',
  schema: {},
  compile,
};

/** @type {(value: unknown, context: BodyContext) => BodyTemplate} */
function compile(value, context) {
  const { mark, complain, isJson } = context;
  if (isJson) return json.compile(value, { ...context, complain: (_, reason) => complain('body', reason) });
  if (typeof value === 'string') return { contentType: null, content: textContent(mark(value, 'body')) };
  if (value instanceof Uint8Array) return { contentType: null, content: Buffer.from(value) };
  if (Array.isArray(value) && value.every(isPiece)) {
    const pieces = value.map((piece) => (typeof piece === 'string' ? mark(piece, 'body') : Buffer.from(piece)));
    return { contentType: null, ...joinPieces(pieces) };
  }
  if (isFile(value)) return { contentType: mediaTypeOf(value.file) ?? null, content: readFile(value.file, context) };
  complain(
    'body',
    `expected a string, a Buffer, an array of them or { file: path } (for an object use json), got ${typeName(value)}`,
  );
  return { contentType: null, content: null };
}

/** @type {(value: unknown) => boolean} */
function isPiece(value) {
  return typeof value === 'string' || value instanceof Uint8Array;
}

/** @type {(value: any) => value is { file: string }} */
function isFile(value) {
  return isObject(value) && typeof value.file === 'string' && Object.keys(value).length === 1;
}

/** The bytes of a file are sent as they are. @type {(path: string, context: BodyContext) => Buffer | null} */
function readFile(path, { complain, maxBytes = Infinity }) {
  try {
    return readRegularFile(path, { maxBytes });
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    complain('body', error.message);
    return null;
  }
}
