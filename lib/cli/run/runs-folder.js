import { mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { makeError } from '../../errors.js';
import { render } from '../../report/formats/json.js';
import { replaceFile } from '../result/replace-file.js';
import { unwritable } from '../result/unwritable.js';
import { usageError } from '../usage-error.js';

/**
 * @import { Result } from '../../report/types.js'
 *
 * @typedef {ReturnType<typeof openRunsFolder>} RunsFolder
 */

/**
 * Opens the folder for the runs of each side: `A/01.json`, `B/01.json`, … Earlier runs in it would be compared with the
 * new ones, so it has to be empty.
 *
 * @param {string} path
 * @param {{ cwd: string, runs: number, names: readonly string[] }} options names of the sides
 * @throws {Error} E_USAGE
 */
export function openRunsFolder(path, { cwd, runs, names }) {
  const folders = names.map((name) => resolve(cwd, path, name));
  for (const folder of folders) {
    if (openFolder(folder).length > 0) throw usageError(`--save-runs ${path}: it has runs already; use another folder`);
  }
  const digits = String(runs).length;
  return {
    /** why a run could not be saved @type {string | null} */
    failure: null,

    /** Saves a run at once, so that it survives the next one. The first failure is the last attempt. @type {(result: Result, name: string, run: number) => void} */
    save(result, name, run) {
      if (this.failure !== null) return;
      const file = join(folders[names.indexOf(name)], `${String(run + 1).padStart(digits, '0')}.json`);
      try {
        replaceFile(file, render(result));
      } catch (error) {
        const reason = `${file}: ${/** @type {Error} */ (error).message}`;
        this.failure = makeError('E_SAVE', { reason }).message;
      }
    },
  };
}

/** @type {(folder: string) => string[]} the names in it */
function openFolder(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    return readdirSync(folder);
  } catch (error) {
    throw unwritable(folder, /** @type {NodeJS.ErrnoException} */ (error));
  }
}
