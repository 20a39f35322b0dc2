import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';

import { REPORTERS } from '../../report/formats/index.js';
import { line } from '../../report/formats/ndjson.js';
import { usageError } from '../usage-error.js';
import { identityOf, replaceFile, startFile, targetOf } from './replace-file.js';
import { unwritable } from './unwritable.js';

/**
 * @import { PendingFile } from './replace-file.js'
 *
 * @typedef {{ name: string, extension: string, load: () => Promise<{ render: (value: any, options?: any) => string }> }} FileFormat
 * @typedef {{ name: string, path: string, reporter: FileFormat }} OutputFile `name`: as the user wrote it
 */

/**
 * Opens the output files of a result or a comparison; their extensions select the formats. Paths are checked before the run, so that a
 * wrong one does not lose an hour of measurements.
 *
 * @param {string[]} paths
 * @param {string} cwd
 * @param {object} [options]
 * @param {string[]} [options.sources] URLs and paths that are read, which no file may replace
 * @param {string} [options.role] of the sources, for messages
 * @param {FileFormat[]} [options.formats]
 * @param {unknown} [options.log] path of the log of requests, which no file may replace either
 * @throws {Error} E_USAGE
 */
export function openOutputs(paths, cwd, { sources = [], role = 'the flow itself', formats = REPORTERS, log } = {}) {
  /** @type {OutputFile[]} */
  const files = paths.map((name) => ({ name, path: resolve(cwd, name), reporter: formatOf(name, formats) }));
  const read = sources.map((source) => resolve(cwd, source)).filter((source) => existsSync(source));
  const logs = typeof log === 'string' ? [{ path: resolve(cwd, log) }] : [];
  checkPaths([...logs, ...files], read, role);
  const streamed = files.filter(({ reporter }) => reporter.name === 'ndjson');
  /** by path @type {Map<string, PendingFile>} */
  const started = new Map();
  /** by path, the reason why it could not be written @type {Map<string, string>} */
  const failures = new Map();

  const written = () => files.filter(({ path }) => !failures.has(path)).map(({ name }) => name);

  return {
    /** After {@link write}, the files that were written, as the user named them. @type {() => string[]} */
    written,

    /** Loads the formats: after a long run, files of the package could be missing. @type {() => Promise<unknown>} */
    load: () => Promise.all(files.map(({ reporter }) => reporter.load())),

    /** Writes samples at once, so that they survive a crash. @type {(points: object[]) => void} */
    sample(points) {
      for (const { path } of points.length > 0 ? streamed.filter((file) => !failures.has(file.path)) : [])
        attempt(path, () => append(path, points.map((point) => line('sample', point)).join('')));
    },

    /**
     * Writes all files.
     * @type {(value: object, options: object) => Promise<{ files: string[], failures: string[] }>} `files`: those that
     *   were written, as the user named them; `failures`: those that could not be written, with reasons
     */
    async write(value, options) {
      for (const { path, reporter } of files) {
        const text = await rendered(path, async () => (await reporter.load()).render(value, options));
        attempt(path, () => {
          if (reporter.name !== 'ndjson') return replaceFile(path, text);
          append(path, text);
          return started.get(path)?.commit();
        });
      }
      return {
        files: written(),
        failures: [...failures].map(([path, reason]) => `${path}: ${reason}`),
      };
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

/** @type {(files: { path: string }[], sources: string[], role: string) => void} */
function checkPaths(files, sources, role) {
  const seen = new Map(sources.map((source) => [identityOf(source), source]));
  for (const { path } of files) {
    const identity = checked(path, () => {
      const { path: file, stats } = targetOf(path);
      if (stats?.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' });
      accessSync(stats ? file : dirname(file), constants.W_OK);
      return identityOf(path);
    });
    const other = seen.get(identity);
    if (other !== undefined && sources.includes(other))
      throw usageError(`${path} is ${role}: use another path for the result`);
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
    throw unwritable(path, /** @type {NodeJS.ErrnoException} */ (error));
  }
}

/** @type {(path: string, formats: FileFormat[]) => FileFormat} */
function formatOf(path, formats) {
  const extension = extname(path).toLowerCase();
  const format = formats.find((entry) => entry.extension === extension);
  if (!format)
    throw usageError(
      `-o ${path}: no format has the extension ${extension || '(none)'}; use one of ${[...new Set(formats.map((entry) => entry.extension))].join(' ')}`,
    );
  return format;
}
