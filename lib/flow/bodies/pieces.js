import { compileTemplate, hasMarks } from '../template.js';

/**
 * @import { Scope } from '../types.js'
 * @import { BodyTemplate } from './types.js'
 */

/**
 * Compiles pieces to the content of one body.
 *
 * @param {(Buffer | string)[]} pieces marked text, or bytes that are sent as they are
 * @returns {Pick<BodyTemplate, 'content' | 'copied'>} bytes if no text has tokens
 */
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
