import { readdirSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';

import { usageError } from '../usage-error.js';
import { RESULT_EXTENSIONS } from './read-result.js';

/**
 * The results in a folder, by their names; any other path is that of a result.
 *
 * @param {string} path
 * @param {string} cwd
 * @returns {string[]} paths
 * @throws {Error} E_USAGE: the folder has none
 */
export function resultsIn(path, cwd) {
  const folder = resolve(cwd, path);
  const files = filesIn(folder);
  if (files === null) return [path];
  const names = files.filter((name) => RESULT_EXTENSIONS.includes(extname(name).toLowerCase()));
  if (names.length === 0) throw usageError(`${path} has no results: no ${RESULT_EXTENSIONS.join(' or ')} file`);
  return names.sort().map((name) => join(path, name));
}

/** @type {(folder: string) => string[] | null} null: it is no folder, or cannot be read as one, which reading the result reports */
function filesIn(folder) {
  try {
    return statSync(folder).isDirectory() ? readdirSync(folder) : null;
  } catch {
    return null;
  }
}
