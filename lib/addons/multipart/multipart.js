import { basename, resolve } from 'node:path';

import { nearest } from '../../core/ground/problems.js';
import { readOrComplain, readRegularFile } from '../../core/process/read-file.js';
import { anyText, typeName } from '../../core/text/format-value.js';
import { isObject } from '../../core/flow/record.js';
import { joinPieces, mediaTypeOf, newBoundary } from '../../core/flow/bodies/content.js';

/** @import { Complain } from '../../core/ground/types.js' */
/** @import { BodyContext, BodyEntry, BodyTemplate } from '../../core/flow/bodies/types.js' */

const EXPECTED = "an array of parts such as { 'content-type': 'text/plain', body: '…' }";
const KEYS = ['data', 'chunked', 'preambleCRLF', 'postambleCRLF'];

/** @type {BodyEntry} */
export default {
  name: 'multipart',
  about: 'request body, sent as multipart/related: an array of parts, each with its header fields and a body',
  type: 'Computed<({ body: unknown } & Record<string, unknown>)[] | { data: ({ body: unknown } & Record<string, unknown>)[], chunked?: boolean, preambleCRLF?: boolean, postambleCRLF?: boolean }>',
  check: (value) => Array.isArray(value) || Array.isArray(value?.data),
  expected: EXPECTED,
  blank: [],
  schema: { oneOf: [{ type: 'array', items: { type: 'object' } }, { type: 'object' }] },
  compile,
};

/**
 * Builds a multipart body (RFC 2046 5.1, RFC 2387), as the request library does it: the properties of a part are its
 * header fields. A Content-Type of the operation that is multipart too gets the boundary, unless it has one.
 * @type {(multipart: any, context: BodyContext) => BodyTemplate}
 */
function compile(multipart, context) {
  const { mark, complain, boundary: own = newBoundary(), maxBytes = Infinity, folder, givenType = '' } = context;
  const isGiven = /^multipart\//i.test(givenType);
  const givenBoundary = isGiven ? boundaryIn(givenType) : undefined;
  const boundary = givenBoundary ?? own;
  /** @type {(Buffer | string)[]} marked text, or bytes that are sent as they are */
  const pieces = [];
  const { data, preambleCRLF, postambleCRLF, ...others } = Array.isArray(multipart) ? { data: multipart } : multipart;
  refuseUnknown(others, complain);
  if (preambleCRLF) pieces.push('\r\n');
  for (const [i, part] of data.entries()) {
    /** @type {(reason: string) => void} */
    const refuse = (reason) => complain(`multipart[${i}]`, reason);
    if (!isObject(part) || part.body === undefined)
      refuse(`expected ${EXPECTED.replace(/^an array of parts/, 'a part')}`);
    else addPart(pieces, part, { boundary, mark, refuse, maxBytes, folder });
  }
  pieces.push(`--${boundary}--${postambleCRLF ? '\r\n' : ''}`);
  const type = isGiven ? givenType : 'multipart/related';
  return {
    contentType: givenBoundary ? type : `${type}; boundary=${boundary}`,
    overridesHeaders: true,
    ...joinPieces(pieces),
  };
}

/** @type {(others: Record<string, any>, complain: Complain) => void} */
function refuseUnknown(others, complain) {
  const unknown = Object.keys(others).find((key) => !KEYS.includes(key));
  if (unknown === undefined) return;
  const near = nearest(unknown, KEYS);
  complain(`multipart.${unknown}`, `unknown property${near ? `, did you mean ${near}?` : ''}`);
}

/**
 * @type {(pieces: (Buffer | string)[], part: Record<string, any>, context: { boundary: string, mark:
 *   BodyContext['mark'], refuse: (reason: string) => void, maxBytes: number, folder?: string }) => void}
 */
function addPart(pieces, { body, ...fields }, { boundary, mark, refuse, maxBytes, folder }) {
  const part = readPart(body, { complain: (reason) => refuse(`body: ${reason}`), maxBytes, folder });
  if (!part) return;
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${anyText(value)}`);
  if (lines.some((line) => /[\r\n]/.test(line))) refuse('has a line end in a header field');
  const head = lines.map((line) => `${mark(line, 'multipart', 'part')}\r\n`).join('');
  pieces.push(`--${boundary}\r\n${head}\r\n`);
  pieces.push(typeof part.content === 'string' ? mark(part.content, 'multipart') : part.content, '\r\n');
}

/** @type {(contentType: string) => string | undefined} */
function boundaryIn(contentType) {
  const [, quoted, plain] = /boundary=(?:"([^"]*)|([^\s;"]+))/i.exec(contentType) ?? [];
  return quoted || plain;
}

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
const KEYS_OF_PART = ['value', 'file', 'start', 'end', 'options', ...OPTIONS];
const EXPECTED_PART =
  'expected a string, a Buffer, { file: path } or { value: …, options: { filename, contentType } }, or an array of them';

/**
 * Reads the content of a part: a string, number, Buffer or file stream, `{ file: path }`, or `{ value }` of one of
 * these. `filename` and `contentType` stand beside it, or in `options`, as in bench-rest 1. Null if it is invalid.
 * @type {(part: any, context: PartContext) => BodyPart | null}
 */
export function readPart(part, context) {
  if (['string', 'number', 'boolean'].includes(typeof part)) return { content: String(part) };
  if (part instanceof Uint8Array) return { content: Buffer.from(part), contentType: BYTES };
  if (isStream(part))
    return typeof part.path === 'string' ? readFile(part.path, part, context) : refusePart(EXPECTED_PART, context);
  return isObject(part) ? readDescribed(part, context) : refusePart(EXPECTED_PART, context);
}

/** @type {(part: any, context: PartContext) => BodyPart | null} */
function readDescribed(part, context) {
  const unknown = refuseKeys(part);
  if (unknown) return refusePart(unknown, context);
  const content =
    part.file === undefined
      ? readValue(part.value, context)
      : readFile(resolve(context.folder ?? '', part.file), part, context);
  if (!content) return null;
  const { filename, contentType } = { ...part, ...optionsOf(part) };
  // The type of a stream follows from its own file, not from filename, as in bench-rest 1.
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
  return value === undefined || isNested ? refusePart(EXPECTED_PART, context) : readPart(value, context);
}

/** @type {(path: string, range: { start?: number, end?: number }, context: PartContext) => BodyPart | null} */
function readFile(path, { start = 0, end = Infinity }, { maxBytes, complain }) {
  const content = readOrComplain(() => readRegularFile(path, { maxBytes, start, end }), complain);
  return content && { content, filename: basename(path), contentType: mediaTypeOf(path) ?? BYTES };
}

/** @type {(part: Record<string, any>) => string | undefined} */
function refuseKeys(part) {
  const options = optionsOf(part) ?? {};
  if (!isObject(options)) return 'options: expected { filename, contentType }';
  if (part.file !== undefined && typeof part.file !== 'string') return 'file: expected a path';
  if (part.value !== undefined && part.file !== undefined) return 'has value and file: one part has one content';
  return unknownIn(part, KEYS_OF_PART) ?? unknownIn(options, OPTIONS) ?? notText({ ...part, ...options });
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
function refusePart(reason, { complain }) {
  complain(reason);
  return null;
}
