import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { isClosedOff } from '../../../core/process/confinement.js';
import { pathInFlow } from '../draft.js';
import { jsonIn } from '../read-document.js';

/** @import { ImportOptions } from '../import.js' */

/** Reads a message in JSON, or several in turn; undefined: it is none. @type {(text: string) => unknown} */
export function messageIn(text) {
  if (text.trim() === '') return {};
  return jsonIn(text) ?? jsonIn(`[${text.trim().replace(/\}\s*\{/g, '},{')}]`);
}

/**
 * Writes `proto`, with files that are named relative to one of the folders of imports.
 * @type {(files: string[], include: string[], options: ImportOptions) => { proto?: unknown }}
 */
export function protoOf(files, include, options) {
  if (files.length === 0) return {};
  const exists = (/** @type {string} */ path) => {
    const whole = resolve(options.folder, path);
    return !isClosedOff(whole) && existsSync(whole);
  };
  const found = files.map((name) => {
    const paths = include.map((folder) => join(folder, name));
    return exists(name) ? name : (paths.find(exists) ?? paths[0] ?? name);
  });
  const [file, folders] = [found, include].map((paths) => {
    const own = paths.map((path) => pathInFlow(path, options));
    return own.length === 1 ? own[0] : own;
  });
  return { proto: include.length === 0 ? file : { file, include: folders } };
}
