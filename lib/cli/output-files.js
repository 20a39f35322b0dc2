import { accessSync, appendFileSync, constants, existsSync, writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';

import { makeError } from '../errors.js';
import { REPORTERS } from '../report/index.js';
import { line } from '../report/ndjson.js';

/**
 * @import { Look, Reporter, Result } from '../report/types.js'
 *
 * @typedef {{ path: string, reporter: Reporter }} OutputFile
 */

/**
 * The files that a result goes to, each by its extension. Whether they can be written is looked at before the run, so
 * that nobody finds out after an hour that there is no such folder.
 *
 * @param {string[]} paths
 * @param {string} cwd
 * @throws {Error} E_USAGE
 */
export function openOutputs(paths, cwd) {
  /** @type {OutputFile[]} */
  const files = paths.map((given) => ({ path: resolve(cwd, given), reporter: reporterOf(given) }));
  files.forEach(({ path }, i) => {
    if (files.findIndex((file) => file.path === path) !== i) throw usage(`${path} is given twice`);
    try {
      accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    } catch (error) {
      throw usage(`cannot write to ${path}: ${/** @type {NodeJS.ErrnoException} */ (error).code}`);
    }
  });
  const streamed = files.filter(({ reporter }) => reporter.name === 'ndjson');
  /** what an earlier run left there is not gone before this one has something to say */
  const append = (/** @type {string} */ path, /** @type {string} */ text) => {
    (begun.has(path) ? appendFileSync : writeFileSync)(path, text);
    begun.add(path);
  };
  const begun = new Set();
  /** by path, why it could not be written @type {Map<string, string>} */
  const failures = new Map();

  return {
    /** Samples are written as they come: what a crash leaves can be read. @type {(points: object[]) => void} */
    sample(points) {
      for (const { path } of points.length > 0 ? streamed.filter((file) => !failures.has(file.path)) : []) {
        attempt(path, () => append(path, points.map((point) => line('sample', point)).join('')));
      }
    },

    /** @type {(result: Result, look: Look) => Promise<string[]>} what could not be written, and why */
    async write(result, look) {
      for (const { path, reporter } of files) {
        const text = await reporter.render(result, look);
        attempt(path, () => (reporter.name === 'ndjson' ? append(path, text) : writeFileSync(path, text)));
      }
      return [...failures].map(([path, reason]) => `${path}: ${reason}`);
    },
  };

  /** A disk that is full ends no run. @type {(path: string, act: () => void) => void} */
  function attempt(path, act) {
    try {
      act();
    } catch (error) {
      failures.set(path, /** @type {Error} */ (error).message);
    }
  }
}

/** @type {(path: string) => Reporter} */
function reporterOf(path) {
  const extension = extname(path).toLowerCase();
  const reporter = REPORTERS.find((entry) => entry.extension === extension);
  if (!reporter)
    throw usage(
      `-o ${path}: no format has the extension ${extension || 'of nothing'}; use one of ${[...new Set(REPORTERS.map((entry) => entry.extension))].join(' ')}`,
    );
  return reporter;
}

/** @type {(problem: string) => Error} */
function usage(problem) {
  return makeError('E_USAGE', { problem });
}
