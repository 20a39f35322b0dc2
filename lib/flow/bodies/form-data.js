import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';

import { FileRefusal, readRegularFile } from '../../read-file.js';
import { isRecord } from '../record.js';
import { compileTemplate, hasMarks } from '../template.js';

/**
 * @import { Scope } from '../types.js'
 * @import { BodyContext, BodyEntry, BodyTemplate } from './types.js'
 *
 * @typedef {object} Part of a form: a string, number, Buffer, `{ value, options: { filename, contentType } }`,
 *   `{ file: path }` or a file stream
 * @property {string | Buffer} content
 * @property {string} [filename]
 * @property {string} [contentType]
 */

/** @type {BodyEntry} */
export default {
  name: 'formData',
  about: 'request body, sent as multipart/form-data',
  type: 'Record<string, unknown>',
  check: isRecord,
  expected: 'a plain object',
  schema: { type: 'object' },
  compile,
};

/**
 * Builds `multipart/form-data` (RFC 7578). Names and file names escape quotes and line ends as browsers do
 * (WHATWG HTML, multipart/form-data encoding algorithm).
 * @type {(formData: Record<string, any>, context: BodyContext) => BodyTemplate}
 */
function compile(formData, { mark, complain, maxBytes = Infinity }) {
  const boundary = `----bench-rest-${randomBytes(12).toString('hex')}`;
  /** @type {(Buffer | string)[]} marked text, or bytes that are sent as they are */
  const pieces = [];
  for (const [name, values] of Object.entries(formData)) {
    for (const value of Array.isArray(values) ? values : [values]) {
      const part = readPart(value, (reason) => complain(`formData.${name}`, reason), maxBytes);
      if (!part) continue;
      const file = part.filename === undefined ? '' : `; filename="${escapeName(part.filename)}"`;
      const type = part.contentType ? `Content-Type: ${part.contentType.replace(/[\r\n]/g, ' ')}\r\n` : '';
      pieces.push(
        mark(
          `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${file}\r\n${type}\r\n`,
          'formData',
        ),
      );
      pieces.push(typeof part.content === 'string' ? mark(part.content, 'formData') : part.content, '\r\n');
    }
  }
  pieces.push(`--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, ...join(pieces) };
}

/** @type {(pieces: (Buffer | string)[]) => Pick<BodyTemplate, 'content' | 'copied'>} */
function join(pieces) {
  if (!pieces.some((piece) => typeof piece === 'string' && hasMarks(piece))) {
    return { content: Buffer.concat(pieces.map((piece) => Buffer.from(/** @type {Buffer} */ (piece)))) };
  }
  const copied = pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : 0), 0);
  const templates = pieces.map((piece) => (typeof piece === 'string' ? compileTemplate(piece) : piece));
  /** @type {(scope: Scope) => Buffer} */
  const content = (scope) =>
    Buffer.concat(
      templates.map((part) =>
        Buffer.isBuffer(part) ? part : Buffer.from(typeof part === 'string' ? part : part(scope)),
      ),
    );
  return { content, copied };
}

/**
 * Reads one part; null if it is invalid.
 * @type {(part: any, complain: (reason: string) => void, maxBytes: number) => Part | null}
 */
function readPart(part, complain, maxBytes) {
  if (['string', 'number', 'boolean'].includes(typeof part)) return { content: String(part) };
  if (part instanceof Uint8Array) return { content: Buffer.from(part) };
  const path = part?.file ?? (typeof part?.pipe === 'function' ? part.path : undefined);
  if (typeof path === 'string') return readFilePart(path, part, complain, maxBytes);
  if (part?.value !== undefined) {
    const inner = readPart(part.value, complain, maxBytes);
    return inner && { ...inner, ...options(part) };
  }
  complain('expected a string, a Buffer, { file: path } or { value, options: { filename, contentType } }');
  return null;
}

/** @type {(path: string, part: any, complain: (reason: string) => void, maxBytes: number) => Part | null} */
function readFilePart(path, part, complain, maxBytes) {
  try {
    return {
      content: readRegularFile(path, { maxBytes, start: part.start ?? 0, end: part.end ?? Infinity }),
      filename: basename(path),
      contentType: 'application/octet-stream',
      ...options(part),
    };
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    complain(error.message);
    return null;
  }
}

/** @type {(part: any) => { filename?: string, contentType?: string }} */
function options(part) {
  const { filename, contentType } = part.options ?? {};
  return {
    ...(filename !== undefined && { filename: String(filename) }),
    ...(contentType !== undefined && { contentType: String(contentType) }),
  };
}

/** @type {(name: string) => string} */
function escapeName(name) {
  return name.replace(/\r\n|\r|\n/g, '%0D%0A').replace(/"/g, '%22');
}
