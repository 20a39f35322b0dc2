import { extname } from 'node:path';

import { FORMATS } from './formats/index.js';

/** The file extensions of all flow formats, such as `.json`. */
export const EXTENSIONS = FORMATS.flatMap(({ extensions }) => extensions);

const OF_CODE = FORMATS.find(({ name }) => name === 'module')?.extensions ?? [];

/**
 * Reports whether reading a file of this name runs it.
 *
 * @param {string} name
 * @returns {boolean}
 */
export function isCode(name) {
  return OF_CODE.includes(extname(name).toLowerCase());
}

/**
 * Reports whether a name ends with the extension of a flow format, in any case of letters.
 *
 * @param {string} name a path or a file: URL
 * @returns {boolean}
 */
export function hasFlowExtension(name) {
  return EXTENSIONS.includes(extname(name).toLowerCase());
}
