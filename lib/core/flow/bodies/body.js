import { typeName } from '../../text/format-value.js';
import { isObject } from '../record.js';
import { fileContent, joinPieces, mediaTypeOf, textContent } from './content.js';
import json from './json.js';

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
  typeOf: (value, { isJson }) => (!isJson && typeof value?.file === 'string' && mediaTypeOf(value.file)) || null,
  compile,
};

/** @type {(value: unknown, context: BodyContext) => BodyTemplate} */
function compile(value, context) {
  const { mark, complain, isJson } = context;
  if (isJson) return json.compile(value, { ...context, complain: (_, reason) => complain('body', reason) });
  if (typeof value === 'string') return { contentType: null, content: textContent(mark(value, 'body')) };
  if (value instanceof Uint8Array) return { contentType: null, content: Buffer.from(value) };
  // A copy has no holes, which every() would skip
  const items = Array.isArray(value) ? [...value] : null;
  if (items?.every(isPiece)) {
    const pieces = items.map((piece) => (typeof piece === 'string' ? mark(piece, 'body') : Buffer.from(piece)));
    return { contentType: null, ...joinPieces(pieces) };
  }
  const { file } = /** @type {{ file?: unknown }} */ (isObject(value) ? value : {});
  if (file !== undefined) return fileContent(/** @type {object} */ (value), context);
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
