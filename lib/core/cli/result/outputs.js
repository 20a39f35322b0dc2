import { accessSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, resolve } from 'node:path';

import { makeError } from '../../ground/errors.js';
import { workingFolder } from '../../ground/system-errors.js';
import { outcomeOfResult } from '../../measure/outcome-reasons.js';
import { reasonsOf } from '../../measure/outcome.js';
import { REPORTERS } from '../../report/formats/index.js';
import { pointLine, render as renderJson } from '../../report/formats/json.js';
import { DEFAULT_WIDTH } from '../../report/terminal.js';
import { hasColors, hasUnicode, print, printMessage, terminalColumns } from '../output.js';
import { usageError } from '../usage-error.js';
import { distributionsOf } from './describe-run.js';

/** @import { Reason } from '../../ground/exit-codes.js' */
/** @import { Demands } from '../../measure/outcome.js' */
/** @import { RenderOptions, Reporter, Result } from '../../report/types.js' */
/** @import { OutputOptions, Io, PendingFile, FileFormat } from '../types.js' */

const requireHere = createRequire(import.meta.url);

/** Loaded when the paths are checked: many results have no files. @type {() => typeof import('./replace-file.js')} */
const loadFiles = () => requireHere('./replace-file.js');
/** @type {() => typeof import('./unwritable.js')} */
const loadUnwritable = () => requireHere('./unwritable.js');

/**
 * @typedef {object} PrintContext
 * @property {OutputOptions} options
 * @property {Iterable<Reason>} reasons for an exit code other than 0
 * @property {Outputs} outputs
 */

/**
 * Prints a result that was made from the files `sources`, and writes its files.
 * @type {(result: Result, options: Demands & OutputOptions & { sources: string[] }, io: Io) => Promise<Set<Reason>>}
 */
export async function reportResult(result, { sources, ...options }, io) {
  const outputs = openOutputs(options.outputs, workingFolder(io), { sources, role: 'one of the results' });
  return printResult(result, { options, reasons: reasonsOf(result, options), outputs }, io);
}

/**
 * Writes the files of a result and prints it; returns the reasons, and `notWritten` if it applies. If a file cannot be
 * written, the complete JSON is printed on stdout, or on stderr if stdout fails too, so that no result is lost.
 * @type {(result: Result, context: PrintContext, io: Io) => Promise<Set<Reason>>}
 */
export async function printResult(result, { options, reasons: before, outputs }, io) {
  const { format = 'text', full, latency, quiet, color } = options;
  const reasons = new Set(before);
  const inFiles = renderingOfFiles(result, { full, latency });
  /** @type {RenderOptions} */
  const rendering = {
    ...inFiles,
    color: hasColors(io.stdout, io.env, color),
    width: terminalColumns(io.stdout) ?? DEFAULT_WIDTH,
    unicode: hasUnicode(io.env),
    quiet,
  };
  const { files, failures } = await outputs.write(withOutcome(result, reasons), inFiles);
  if (failures.length > 0) reasons.add('notWritten');
  const whole = withOutcome(result, reasons);
  const reporter = /** @type {Reporter} */ (REPORTERS.find(({ name }) => name === format));
  const { render } = await reporter.load();
  for (const reason of await print(render(whole, { ...rendering, files }), io)) reasons.add(reason);
  // The report for people names them.
  if (format !== 'text' && io.stderr.isTTY && files.length > 0 && !quiet)
    await printMessage(io.stderr, `wrote ${files.join(', ')}`);
  await printFailures(failures, { whole, format }, io);
  return reasons;
}

/** Formats that contain the complete document, so that their output can be read again. */
const COMPLETE = ['json', 'ndjson'];

/**
 * Prints why files could not be written, and the JSON of the document unless its format on stdout has all of it.
 * @type {(failures: string[], printed: { whole: object, format: string }, io: Io) => Promise<void>}
 */
export async function printFailures(failures, { whole, format }, io) {
  const cure = 'the complete result is on stdout, as JSON';
  for (const reason of failures)
    await printMessage(io.stderr, makeError('E_RESULT_NOT_WRITTEN', { reason, cure }).message);
  if (failures.length > 0 && !COMPLETE.includes(format)) await print(renderJson(whole), io);
}

/**
 * How a result looks in a file, which is for later: colors and --quiet are about the terminal.
 * @type {(result: Result, options: Pick<OutputOptions, 'full' | 'latency'>) => RenderOptions}
 */
export function renderingOfFiles(result, { full, latency }) {
  return {
    color: false,
    width: DEFAULT_WIDTH,
    unicode: true,
    quiet: false,
    full,
    fullDistribution: latency,
    distributionOf: distributionsOf(result),
  };
}

/** @type {(result: Result, reasons: Set<Reason>) => Result} */
export function withOutcome(result, reasons) {
  return { ...result, outcome: outcomeOfResult(result, reasons) };
}

/** @typedef {{ name: string, path: string, reporter: FileFormat }} OutputFile `name`: as the user wrote it */

/**
 * Opens the output files of a result or a comparison; their extensions select the formats. Paths are checked before the
 * run, so that a wrong one does not lose an hour of measurements.
 * @param {string[]} paths
 * @param {string} cwd
 * @param {object} [options]
 * @param {string[]} [options.sources] URLs and paths that are read, which no file may replace
 * @param {string} [options.role] of the sources, for messages
 * @param {FileFormat[]} [options.formats]
 * @param {(path: string) => boolean} [options.isOfRun] the run itself writes this file
 * @throws {Error} E_USAGE
 */
export function openOutputs(paths, cwd, options = {}) {
  const { sources = [], role = 'the flow itself', formats = REPORTERS, isOfRun = () => false } = options;
  const files = paths
    .filter((name) => !isOfRun(name))
    .map((name) => ({ name, path: resolve(cwd, name), reporter: formatOf(name, formats) }));
  checkPaths(paths, cwd, { sources, role });
  return new Outputs(files);
}

/**
 * The files of a document, in formats that may differ. Most are written at the end, and before as a whole now and then;
 * one of JSON lines (ndjson) gets each point of the run at once. A file that fails loses no other one.
 */
export class Outputs {
  #files;
  /** The files of JSON lines. */
  #streamed;
  /** By path. @type {Map<string, PendingFile>} */
  #started = new Map();
  /** The reason why a path could not be written. @type {Map<string, string>} */
  #failures = new Map();
  /** The files are being written before the end. @type {Promise<unknown>} */
  #saving = Promise.resolve();

  /** @param {OutputFile[]} files */
  constructor(files) {
    this.#files = files;
    this.#streamed = files.filter(({ reporter }) => reporter.name === 'ndjson');
  }

  /** The files that were written, after {@link write}, as the user named them. */
  get written() {
    return this.#files.filter(({ path }) => !this.#failures.has(path)).map(({ name }) => name);
  }

  /** Loads the formats: after a long run, files of the package could be missing. @returns {Promise<unknown>} */
  load() {
    return Promise.all(this.#files.map(({ reporter }) => reporter.load()));
  }

  /** Writes samples at once, so that they survive a crash. @type {(points: object[]) => void} */
  sample(points) {
    if (points.length === 0) return;
    for (const { path } of this.#streamed)
      this.#attempt(path, () => this.#append(path, points.map((point) => pointLine(point)).join('')));
  }

  /**
   * Writes the files of a run that goes on. One that cannot be written is tried again later. Streams have their points,
   * and only the result at the end.
   * @type {(value: object, options: object) => Promise<unknown>}
   */
  save(value, options) {
    const whole = this.#files.filter((file) => !this.#streamed.includes(file));
    this.#saving = this.#saving.then(() => Promise.all(whole.map((file) => saveFile(file, value, options))));
    return this.#saving;
  }

  /**
   * Writes all files. Returns those that were written, as the user named them, and the reasons of those that could not.
   * @type {(value: object, options: object) => Promise<{ files: string[], failures: string[] }>}
   */
  async write(value, options) {
    await this.#saving;
    for (const { path, reporter } of this.#files) {
      const text = await this.#rendered(path, async () => (await reporter.load()).render(value, options));
      this.#attempt(path, () => {
        if (reporter.name !== 'ndjson') return loadFiles().replaceFile(path, text);
        this.#append(path, text);
        return this.#started.get(path)?.commit();
      });
    }
    const failures = [...this.#failures].map(([path, reason]) => `${path}: ${reason}`);
    return { files: this.written, failures };
  }

  /** A format that throws fails its file. @type {(path: string, render: () => Promise<string>) => Promise<string>} */
  async #rendered(path, render) {
    try {
      return await render();
    } catch (error) {
      this.#failures.set(path, String(/** @type {Error} */ (error).stack));
      return '';
    }
  }

  /** @type {(path: string, text: string) => void} */
  #append(path, text) {
    const pending = this.#started.get(path) ?? loadFiles().startFile(path);
    this.#started.set(path, pending);
    pending.append(text);
  }

  /** A full disk ends no run; a file that failed is not tried again. @type {(path: string, act: () => void) => void} */
  #attempt(path, act) {
    if (this.#failures.has(path)) return;
    try {
      act();
    } catch (error) {
      this.#failures.set(path, /** @type {Error} */ (error).message);
      this.#started.get(path)?.discard();
    }
  }
}

/** @type {(file: OutputFile, value: object, options: object) => Promise<void>} */
async function saveFile({ path, reporter }, value, options) {
  try {
    const { render } = await reporter.load();
    const { replaceFile, targetOf } = loadFiles();
    if (!targetOf(path).isDirect) replaceFile(path, render(value, options));
  } catch {
    // the end of the run reports it
  }
}

/** @type {(paths: string[], cwd: string, options: { sources: string[], role: string }) => void} */
function checkPaths(paths, cwd, { sources: given, role }) {
  if (paths.length === 0) return;
  const { identityOf, targetOf } = loadFiles();
  const sources = given.map((source) => resolve(cwd, source)).filter((source) => existsSync(source));
  const seen = new Map(sources.map((source) => [identityOf(source), source]));
  for (const path of paths.map((name) => resolve(cwd, name))) {
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
    throw loadUnwritable().unwritable(path, /** @type {NodeJS.ErrnoException} */ (error));
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
