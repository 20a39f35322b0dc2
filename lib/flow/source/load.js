import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { makeError } from '../../errors.js';
import { nearest } from '../../problems.js';
import { FileRefusal, readRegularFile } from '../../read-file.js';
import { workingFolder } from '../../working-folder.js';
import { EXTENSIONS, hasFlowExtension } from './extensions.js';
import { FORMATS } from './formats/index.js';
import { withRequest } from './with-request.js';

/**
 * @import { RecordingOptions } from './dialects/types.js'
 * @import { FlowFindings, FlowFormat, FlowSource } from './formats/types.js'
 * @import { RequestProperties } from './with-request.js'
 */

const TIME_LIMIT_MS = 30_000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads a flow from a URL, a file or the text of -e.
 *
 * @param {({ argument: string } | { evaluate: string }) & { request?: RequestProperties, recording?: RecordingOptions }} source
 *   request: that of a URL
 * @param {{ cwd?: string, limitMs?: number }} [options] limitMs: time limit of a module
 * @returns {Promise<{ flow: unknown, from: string } & FlowFindings>} from: absolute path, URL or `-e`
 * @throws {Error} E_USAGE, E_NOT_FOUND, E_FLOW_FILE
 */
export async function loadFlow(source, { cwd = workingFolder(process), limitMs = TIME_LIMIT_MS } = {}) {
  const input =
    'evaluate' in source
      ? { evaluate: source.evaluate, from: '-e', cwd, limitMs }
      : await locate(source.argument, { cwd, limitMs });
  const format = FORMATS.find((one) => accepts(one, input));
  if (!format) throw await refusal(input);
  const text = input.path === undefined ? undefined : readText(input.path);
  const { read } = await format.load();
  /** @type {FlowFindings} */
  const findings = { isRecording: false, notices: [] };
  const { request, recording } = source;
  const flow = await read({ ...input, text, recording, findings });
  return { flow: request === undefined ? flow : withRequest(flow, request, input.from), from: input.from, ...findings };
}

/** @type {(format: FlowFormat, source: FlowSource) => boolean} */
function accepts({ accepts, extensions }, source) {
  return accepts?.(source) || (source.path !== undefined && extensions.includes(source.extension ?? ''));
}

/** @type {(argument: string, options: { cwd: string, limitMs: number }) => Promise<FlowSource>} */
async function locate(argument, options) {
  const path = resolve(options.cwd, argument);
  const name = { extension: extname(argument).toLowerCase(), isFlowName: hasFlowExtension(argument) };
  try {
    const { isDirectory } = await statOf(path);
    if (isDirectory) throw flowFileError(path, 'is a directory', 'use a file in it');
    return { argument, path, ...name, from: path, ...options };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { argument, ...name, from: argument, ...options };
  }
}

/** @type {(path: string) => Promise<{ isDirectory: boolean }>} */
async function statOf(path) {
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
  const flows = names.filter((name) => hasFlowExtension(name) && name !== basename(path));
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

/** @type {(path: string) => string} */
function readText(path) {
  const bytes = readBytes(path);
  if (isUtf16(bytes)) throw flowFileError(path, 'is UTF-16', 'save it as UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw flowFileError(path, 'is not UTF-8', 'save it as UTF-8', error);
  }
}

/** @type {(path: string) => Buffer} */
function readBytes(path) {
  try {
    return readRegularFile(path, { maxBytes: MAX_BYTES });
  } catch (error) {
    throw error instanceof FileRefusal ? flowFileError(path, error.reason, error.cure, error) : error;
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
