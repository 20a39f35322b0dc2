import { resolve } from 'node:path';

import { FileRefusal, readRegularFile } from '../../read-file.js';
import { mediaTypeOf } from './media-type.js';

/** @import { BodyContext, BodyTemplate } from './types.js' */

const NOTHING = { contentType: null, content: null };

/**
 * The body `{ file: path }`: the bytes of the file, unchanged, with the media type of its name.
 *
 * @param {Record<string, any>} body
 * @param {BodyContext} context
 * @returns {BodyTemplate}
 */
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
  try {
    return { contentType: mediaTypeOf(file) ?? null, content: readRegularFile(resolve(folder, file), { maxBytes }) };
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    complain('body', error.message);
    return NOTHING;
  }
}
