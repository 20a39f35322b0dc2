import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { readTextFile } from '../../../process/read-file.js';

export const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 10_000;
/** `from './x.mjs'`, `import './x.mjs'`, `import('./x.mjs')` and `require('./x.cjs')` */
const RELATIVE_IMPORT = /\b(?:from|import|require)\s*\(?\s*(["'])(\.\.?\/[^"'\n]+)\1/g;
/** `require` and bundlers complete a name like this. */
const ENDINGS = ['', '.js', '.json', '.ts', '/index.js', '/index.ts'];

/**
 * Lists the existing files (absolute paths) that a module imports by relative paths. They are searched in its text: the
 * module is not run.
 * @type {(file: string) => string[]}
 */
export function importsOf(file) {
  const specifiers = [...textOf(file).matchAll(RELATIVE_IMPORT)].map(([, , specifier]) => specifier);
  return specifiers.flatMap((specifier) => {
    const path = resolve(dirname(file), specifier);
    const ending = ENDINGS.find((one) => isFile(path + one));
    return ending === undefined ? [] : [path + ending];
  });
}

/** Lists a module and all files that it imports by relative paths, in any depth. @type {(path: string) => string[]} */
export function sourcesOf(path) {
  const files = new Set([path]);
  // The loop also visits the files that it adds.
  for (const file of files) for (const one of importsOf(file)) if (files.size < MOST_FILES) files.add(one);
  return [...files];
}

/** @type {(path: string) => boolean} */
function isFile(path) {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // A part of the path is a file, not a folder.
    return false;
  }
}

/** @type {(file: string) => string} */
export function textOf(file) {
  return readTextFile(file, { maxBytes: MOST_BYTES });
}
