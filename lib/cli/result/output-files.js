import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';

import { REPORTERS } from '../../report/formats/index.js';
import { line } from '../../report/formats/ndjson.js';
import { usageError } from '../usage-error.js';
import { identityOf, replaceFile, startFile, targetOf } from './replace-file.js';

/**
 * @import { RenderOptions, Reporter, Result } from '../../report/types.js'
 * @import { PendingFile } from './replace-file.js'
 *
 * @typedef {{ path: string, reporter: Reporter }} OutputFile
 */

/**
 * Opens the output files of a result; their extensions select the formats. Paths are checked before the run, so that a
 * wrong one does not lose an hour of measurements.
 *
 * @param {string[]} paths
 * @param {string} cwd
 * @param {{ source?: string }} [options] source: URL or path of the flow, which no result may replace
 * @throws {Error} E_USAGE
 */
export function openOutputs(paths, cwd, { source } = {}) {
  /** @type {OutputFile[]} */
  const files = paths.map((given) => ({ path: resolve(cwd, given), reporter: reporterOf(given) }));
  const flow = source === undefined ? undefined : resolve(cwd, source);
  checkPaths(files, flow !== undefined && existsSync(flow) ? flow : undefined);
  const streamed = files.filter(({ reporter }) => reporter.name === 'ndjson');
  /** by path @type {Map<string, PendingFile>} */
  const started = new Map();
  /** by path, the reason why it could not be written @type {Map<string, string>} */
  const failures = new Map();

  return {
    /** Loads the formats: after a long run, files of the package could be missing. @type {() => Promise<unknown>} */
    load: () => Promise.all(files.map(({ reporter }) => reporter.load())),

    /** Writes samples at once, so that they survive a crash. @type {(points: object[]) => void} */
    sample(points) {
      for (const { path } of points.length > 0 ? streamed.filter((file) => !failures.has(file.path)) : [])
        attempt(path, () => append(path, points.map((point) => line('sample', point)).join('')));
    },

    /** @type {(result: Result, options: RenderOptions) => Promise<string[]>} the files that could not be written, with reasons */
    async write(result, options) {
      for (const { path, reporter } of files) {
        const text = await rendered(path, async () => (await reporter.load()).render(result, options));
        attempt(path, () => {
          if (reporter.name !== 'ndjson') return replaceFile(path, text);
          append(path, text);
          return started.get(path)?.commit();
        });
      }
      return [...failures].map(([path, reason]) => `${path}: ${reason}`);
    },
  };

  /** A fault in one format must not lose the others. @type {(path: string, act: () => Promise<string>) => Promise<string>} */
  async function rendered(path, act) {
    try {
      return await act();
    } catch (error) {
      failures.set(path, String(/** @type {Error} */ (error).stack));
      return '';
    }
  }

  /** @type {(path: string, text: string) => void} */
  function append(path, text) {
    const pending = started.get(path) ?? startFile(path);
    started.set(path, pending);
    pending.append(text);
  }

  /** A full disk does not end a run; the first failure of a file is its last. @type {(path: string, act: () => void) => void} */
  function attempt(path, act) {
    if (failures.has(path)) return;
    try {
      act();
    } catch (error) {
      failures.set(path, /** @type {Error} */ (error).message);
      started.get(path)?.discard();
    }
  }
}

/** @type {(files: OutputFile[], source: string | undefined) => void} */
function checkPaths(files, source) {
  const seen = new Map(source === undefined ? [] : [[identityOf(source), source]]);
  for (const { path } of files) {
    const identity = checked(path, () => {
      const { path: file, stats } = targetOf(path);
      if (stats?.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'it is a directory' });
      accessSync(stats ? file : dirname(file), constants.W_OK);
      return identityOf(path);
    });
    const other = seen.get(identity);
    if (other !== undefined && other === source)
      throw usageError(`${path} is the flow itself: use another path for the result`);
    if (other === path) throw usageError(`${path} is named twice`);
    if (other !== undefined) throw usageError(`${path} and ${other} are the same file`);
    seen.set(identity, path);
  }
}

/** @type {(path: string, act: () => string) => string} */
function checked(path, act) {
  try {
    return act();
  } catch (error) {
    throw usageError(`cannot write to ${path}: ${/** @type {NodeJS.ErrnoException} */ (error).code}`);
  }
}

/** @type {(path: string) => Reporter} */
function reporterOf(path) {
  const extension = extname(path).toLowerCase();
  const reporter = REPORTERS.find((entry) => entry.extension === extension);
  if (!reporter)
    throw usageError(
      `-o ${path}: no format has the extension ${extension || '(none)'}; use one of ${[...new Set(REPORTERS.map((entry) => entry.extension))].join(' ')}`,
    );
  return reporter;
}
