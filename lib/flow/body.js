import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { compileTemplate, hasMarks } from './template.js';

/**
 * @import { Operation, Scope } from './types.js'
 *
 * @typedef {object} BodyTemplate
 * @property {string | null} contentType
 * @property {Buffer | null | ((scope: Scope) => string | Buffer)} content encoded once where nothing depends on the iteration
 *
 * @typedef {(text: string, key: string) => string} Mark replaces tokens by marks
 * @typedef {(key: string, reason: string) => void} Complain
 */

/**
 * Makes the body of an operation from whichever of json, body, form and formData it has.
 *
 * @param {Operation} operation
 * @param {Mark} mark
 * @param {Complain} complain
 * @returns {BodyTemplate}
 */
export function compileBody(operation, mark, complain) {
  const { json, body, form, formData } = operation;
  if (json !== undefined && json !== true)
    return { contentType: 'application/json', content: text(jsonText(json, complain), 'json', mark) };
  if (typeof body === 'string') return { contentType: null, content: text(body, 'body', mark) };
  if (body) return { contentType: null, content: Buffer.from(body) };
  if (form !== undefined) {
    const content =
      typeof form === 'string' ? text(form, 'form', mark) : text(encodePairs(form, 'form', mark), 'form', (t) => t);
    return { contentType: 'application/x-www-form-urlencoded', content };
  }
  if (formData) return multipart(formData, mark, complain);
  return { contentType: null, content: null };
}

/**
 * `application/x-www-form-urlencoded` pairs; nested values as `a[b]=c` and `a[0]=d`, as the request library wrote them.
 *
 * @param {Record<string, unknown>} values
 * @param {string} key for messages
 * @param {Mark} mark
 * @returns {string}
 */
export function encodePairs(values, key, mark) {
  /** @type {string[]} */
  const pairs = [];
  /** @type {(name: string, value: unknown) => void} */
  const add = (name, value) => {
    if (value === undefined) return;
    if (typeof value === 'object' && value !== null) {
      for (const [inner, item] of Object.entries(value)) add(`${name}[${inner}]`, item);
    } else {
      pairs.push(
        `${encodeURIComponent(wellFormed(mark(name, key)))}=${encodeURIComponent(wellFormed(mark(String(value ?? ''), key)))}`,
      );
    }
  };
  for (const [name, value] of Object.entries(values)) add(name, value);
  return pairs.join('&');
}

/** A half of a character is none: it becomes U+FFFD. @type {(value: string) => string} */
function wellFormed(value) {
  return Buffer.from(value).toString();
}

/** @type {(source: string, key: string, mark: Mark) => Buffer | ((scope: Scope) => string)} */
function text(source, key, mark) {
  const template = compileTemplate(mark(source, key));
  return typeof template === 'string' ? Buffer.from(template) : template;
}

/** @type {(value: unknown, complain: Complain) => string} */
function jsonText(value, complain) {
  try {
    const written = JSON.stringify(value);
    if (written !== undefined) return written;
    complain('json', `a ${typeof value} has no JSON form`);
  } catch (error) {
    complain('json', /** @type {Error} */ (error).message.split('\n')[0]);
  }
  return 'null';
}

/**
 * `multipart/form-data` (RFC 7578). Names and file names escape quotes and line ends as browsers do
 * (WHATWG HTML, multipart/form-data encoding algorithm).
 *
 * @param {Record<string, any>} formData
 * @param {Mark} mark
 * @param {Complain} complain
 * @returns {BodyTemplate}
 */
function multipart(formData, mark, complain) {
  const boundary = `----bench-rest-${randomBytes(12).toString('hex')}`;
  /** @type {(Buffer | string)[]} marked text, or bytes that are sent as they are */
  const pieces = [];
  for (const [name, values] of Object.entries(formData)) {
    for (const value of Array.isArray(values) ? values : [values]) {
      const part = readPart(value, (reason) => complain(`formData.${name}`, reason));
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
  return { contentType: `multipart/form-data; boundary=${boundary}`, content: join(pieces) };
}

/** @type {(pieces: (Buffer | string)[]) => BodyTemplate['content']} */
function join(pieces) {
  if (!pieces.some((piece) => typeof piece === 'string' && hasMarks(piece))) {
    return Buffer.concat(pieces.map((piece) => Buffer.from(/** @type {Buffer} */ (piece))));
  }
  const templates = pieces.map((piece) => (typeof piece === 'string' ? compileTemplate(piece) : piece));
  return (scope) =>
    Buffer.concat(
      templates.map((part) =>
        Buffer.isBuffer(part) ? part : Buffer.from(typeof part === 'string' ? part : part(scope)),
      ),
    );
}

/**
 * A part is a string, number, Buffer, `{ value, options: { filename, contentType } }`, `{ file: path }` or a file stream.
 *
 * @param {any} part
 * @param {(reason: string) => void} complain
 * @returns {{ content: string | Buffer, filename?: string, contentType?: string } | null}
 */
function readPart(part, complain) {
  if (typeof part === 'string' || typeof part === 'number' || typeof part === 'boolean')
    return { content: String(part) };
  if (part instanceof Uint8Array) return { content: Buffer.from(part) };
  const path = part?.file ?? (typeof part?.pipe === 'function' ? part.path : undefined);
  if (typeof path === 'string') {
    try {
      return {
        content: readFileSync(path).subarray(part.start ?? 0, (part.end ?? Infinity) + 1),
        filename: basename(path),
        contentType: 'application/octet-stream',
        ...options(part),
      };
    } catch (error) {
      complain(`cannot read ${path}: ${/** @type {NodeJS.ErrnoException} */ (error).code}`);
      return null;
    }
  }
  if (part?.value !== undefined) {
    const inner = readPart(part.value, complain);
    return inner && { ...inner, ...options(part) };
  }
  complain('expected a string, a Buffer, { file: path } or { value, options: { filename, contentType } }');
  return null;
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
