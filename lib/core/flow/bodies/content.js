import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { readOrComplain, readRegularFile } from '../../process/read-file.js';
import { compileTemplate, hasMarks } from '../template.js';

/** @import { Scope } from '../../contracts/step.js' */
/** @import { BodyContext, BodyTemplate } from './types.js' */

/** The boundary between the parts of a multipart body, which no part contains. @type {() => string} */
export function newBoundary() {
  return `bench-rest-${randomBytes(12).toString('hex')}`;
}

/** Compiles a body; without tokens it is bytes. @type {(marked: string) => Buffer | ((scope: Scope) => string)} */
export function textContent(marked) {
  const template = compileTemplate(marked);
  return typeof template === 'string' ? Buffer.from(template) : template;
}

/** Bytes if no text has tokens. @type {(pieces: (Buffer | string)[]) => Pick<BodyTemplate, 'content' | 'copied'>} */
export function joinPieces(pieces) {
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

const NOTHING = { contentType: null, content: null };

/** The body { file: path }. @type {(body: Record<string, any>, context: BodyContext) => BodyTemplate} */
export function fileContent({ file, ...others }, { complain, folder = '', maxBytes = Infinity }) {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    complain('body', `has file and ${unknown}: write { file: path } alone, or send the object with json`);
    return NOTHING;
  }
  if (typeof file !== 'string' || file === '') {
    complain('body', 'file: expected a path');
    return NOTHING;
  }
  const content = readOrComplain(
    () => readRegularFile(resolve(folder, file), { maxBytes }),
    (reason) => complain('body', reason),
  );
  return content === null ? NOTHING : { contentType: mediaTypeOf(file) ?? null, content };
}

/** @type {((name: string) => string | false) | undefined} */
let lookup;

/**
 * Returns the media type of a file by its extension. The table of mime-types is loaded when the first file is named.
 * @type {(name: string) => string | undefined}
 */
export function mediaTypeOf(name) {
  lookup ??= /** @type {typeof import('mime-types')} */ (createRequire(import.meta.url)('mime-types')).lookup;
  return lookup(name) || undefined;
}
