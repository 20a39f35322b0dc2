import { existsSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

import { sourcesOf, textOf } from '../../core/flow/source/formats/imports.js';
import { isCode } from '../../core/flow/source/formats/index.js';
import { grouped } from '../../core/ground/decimal.js';
import { FileRefusal, readRegularFile } from '../../core/process/read-file.js';
import { leanRecording } from '../agents/pack-files.js';
import { usageError } from '../../core/cli/usage-error.js';
import { CONFIG_FILE } from './job.js';

/** A ConfigMap holds 1 MiB, with the names of its files. */
const MAX_BYTES = 1_000_000;
/** A key of a ConfigMap. */
const FILE_NAME = /^[-.\w]{1,253}$/;
/** `from 'x'`, `import 'x'`, `import('x')` and `require('x')`; 'x' without the path of a module in the package */
const PACKAGE_IMPORT = /\b(?:from|import|require)\s*\(?\s*(["'])((?:@[\w.-]+\/)?[\w-][\w.:-]*)(?:\/[\w.:/-]*)?\1/g;

/**
 * Reads the files of the pods, by their names: the flow, what it imports and reads, and those of --include. All of them
 * must be in one folder, as a ConfigMap has no others.
 * @param {string | null} path of the flow; null: it is a URL
 * @param {object} options
 * @param {string[]} options.reads absolute paths of the files that the flow reads
 * @param {string[]} options.include paths
 * @param {string} options.cwd
 * @param {string} [options.image] has the packages that the flow imports
 * @param {boolean} [options.isRecording] the flow is one: what is not sent of it is left out
 * @returns {Promise<Record<string, Buffer>>}
 */
export async function podFiles(path, { reads, include, cwd, image, isRecording }) {
  const own = path === null ? [] : [...(isCode(path) ? modulesOf(path, image) : [path]), ...reads];
  const folder = path === null ? cwd : dirname(path);
  /** @type {Record<string, Buffer>} */
  const contents = {};
  let bytes = 0;
  // Several paths may lead to one file.
  for (const [absolute, given] of new Map([...own, ...include].map((one) => [resolve(cwd, one), one]))) {
    const name = basename(absolute);
    if (dirname(absolute) !== folder)
      throw usageError(`${given} is not in the folder of the flow: a ConfigMap has no folders`);
    if (!FILE_NAME.test(name))
      throw usageError(`${given}: a ConfigMap allows letters, digits, -, _ and . in names of files: rename it`);
    if (name === CONFIG_FILE)
      throw usageError(`${given}: the job has a file of this name, with the options of the command: rename it`);
    contents[name] = isRecording && absolute === path ? await recordingOf(path) : read(absolute, MAX_BYTES);
    bytes += contents[name].length;
    if (bytes > MAX_BYTES)
      throw usageError(
        `the files have more than ${grouped(MAX_BYTES)} bytes, which is all that a ConfigMap holds: build an --image that has them`,
      );
  }
  return contents;
}

/**
 * Lists the modules of a flow that is code. Pods have no packages, unless the image has them.
 * @type {(path: string, image: string | undefined) => string[]}
 */
function modulesOf(path, image) {
  const modules = sourcesOf(path);
  for (const one of image === undefined ? modules : []) {
    const missing = packageIn(one);
    if (missing !== undefined)
      throw usageError(
        `${one} imports the package ${missing}, which the pods do not have: build an --image that has it`,
      );
  }
  return modules;
}

/** Finds a package that a module imports, and that is installed here. @type {(path: string) => string | undefined} */
function packageIn(path) {
  const { resolve: find } = createRequire(path);
  const names = [...textOf(path).matchAll(PACKAGE_IMPORT)].map(([, , name]) => name);
  return names.find((name) => {
    if (isBuiltin(name) || name === 'bench-rest') return false;
    const folders = find.paths(name) ?? [];
    return folders.some((folder) => existsSync(join(folder, name)));
  });
}

/** A recording may be larger than a ConfigMap: most may be responses. @type {(path: string) => Promise<Buffer>} */
async function recordingOf(path) {
  return Buffer.from(await leanRecording(read(path, Infinity)));
}

/** @type {(path: string, maxBytes: number) => Buffer} */
function read(path, maxBytes) {
  try {
    return readRegularFile(path, { maxBytes });
  } catch (error) {
    throw error instanceof FileRefusal ? usageError(error.message) : error;
  }
}
