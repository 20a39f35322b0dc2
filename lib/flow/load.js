import { lstat, readFile, readdir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { makeError } from '../errors.js';
import { nearest } from '../problems.js';
import { FORMATS } from './formats/index.js';

/** @import { FlowSource } from './formats/types.js' */

const LIMIT_MS = 30_000;
const EXTENSIONS = FORMATS.flatMap(({ extensions }) => extensions);

/**
 * Reads the flow that the command line names: a URL, a file or the text of -e.
 *
 * @param {{ argument: string } | { evaluate: string }} source
 * @param {{ cwd?: string, limitMs?: number }} [options] limitMs: how long a module may take
 * @returns {Promise<{ flow: unknown, from: string }>} from: absolute path, URL or `-e`
 * @throws {Error} E_USAGE, E_NOT_FOUND, E_FLOW_FILE
 */
export async function loadFlow(source, { cwd = process.cwd(), limitMs = LIMIT_MS } = {}) {
  const input =
    'evaluate' in source
      ? { evaluate: source.evaluate, from: '-e', cwd, limitMs }
      : await locate(source.argument, { cwd, limitMs });
  const format = FORMATS.find(({ accepts }) => accepts(input));
  if (!format) throw await refusal(input);
  const text = input.path === undefined ? undefined : await readText(input.path);
  return { flow: await format.read({ ...input, text }), from: input.from };
}

/** @type {(argument: string, options: { cwd: string, limitMs: number }) => Promise<FlowSource>} */
async function locate(argument, options) {
  const path = resolve(options.cwd, argument);
  try {
    const { isDirectory } = await kindOf(path);
    if (isDirectory) throw flowFileError(path, 'is a directory', 'give a file in it');
    return { argument, path, from: path, ...options };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { argument, from: argument, ...options };
  }
}

/** @type {(path: string) => Promise<{ isDirectory: boolean }>} */
async function kindOf(path) {
  try {
    return { isDirectory: (await stat(path)).isDirectory() };
  } catch (error) {
    throw isMissing(error) ? error : unreadable(path, error);
  }
}

/** @type {(error: unknown) => boolean} */
function isMissing(error) {
  return ['ENOENT', 'ENOTDIR'].includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '');
}

/** @type {(input: FlowSource) => Promise<Error>} */
async function refusal({ argument = '', path, cwd }) {
  if (path === undefined) return notFound(resolve(cwd, argument));
  const extension = extname(path);
  const reason = extension ? `no format has the extension ${extension}` : 'has no extension';
  return flowFileError(path, reason, `use one of ${EXTENSIONS.join(' ')}`);
}

/** @type {(path: string) => Promise<Error>} */
async function notFound(path) {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => /** @type {string[]} */ ([]));
  const flows = names.filter((name) => EXTENSIONS.includes(extname(name).toLowerCase()) && name !== basename(path));
  const near = nearest(basename(path), flows);
  const cure = near ? `did you mean ${join(folder, near)}?` : ((await danglingLink(path)) ?? 'check the path');
  return makeError('E_NOT_FOUND', { path, cure });
}

/** @type {(path: string) => Promise<string | undefined>} */
async function danglingLink(path) {
  const isLink = await lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  return isLink ? `it is a link to ${await readlink(path)}, which does not exist` : undefined;
}

/** @type {(path: string) => Promise<string>} */
async function readText(path) {
  const bytes = await readFile(path).catch((error) => {
    throw unreadable(path, error);
  });
  if (isUtf16(bytes)) throw flowFileError(path, 'is UTF-16', 'save it as UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const isLong = /** @type {NodeJS.ErrnoException} */ (error).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw isLong
      ? flowFileError(path, `is too large: ${bytes.length} bytes`, 'write a smaller flow', error)
      : flowFileError(path, 'is not UTF-8', 'save it as UTF-8', error);
  }
}

/** @type {(bytes: Buffer) => boolean} */
function isUtf16(bytes) {
  const [a, b] = bytes;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) || (a !== 0 && b === 0 && bytes.length > 1);
}

/** @type {(path: string, error: unknown) => Error} */
function unreadable(path, error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const isDenied = code === 'EACCES' || code === 'EPERM';
  return isDenied
    ? flowFileError(path, 'no permission to read it', 'check its mode and that of its folder', error)
    : flowFileError(path, message, 'check the file', error);
}

/** @type {(path: string, reason: string, cure: string, cause?: unknown) => Error} */
function flowFileError(path, reason, cure, cause) {
  return makeError('E_FLOW_FILE', { path, reason, cure }, { cause });
}
