import { createHash } from 'node:crypto';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';

import { hintsAt } from '../../ground/addons.js';
import { makeError } from '../../ground/errors.js';
import { nearest } from '../../ground/problems.js';
import { workingFolder } from '../../ground/system-errors.js';
import { FileRefusal, readRegularFile } from '../../process/read-file.js';
import { withoutPorts } from '../../text/local-ports.js';
import { protocolOfUrl } from '../protocols/index.js';
import { EXTENSIONS, FORMATS, hasFlowExtension } from './formats/index.js';

/** @import { FlowFindings, FlowFormat, FormatSource, FlowInput, RequestProperties } from './types.js' */

/**
 * Where the user says that the flow is: an argument (a URL or a file), several URLs or paths of the base URL, the text
 * of -e (`paths`: the arguments that the command made it of), or the content of standard input.
 *
 * @typedef {{ argument: string } | { urls: string[] } | { evaluate: string, paths?: string[] } | { bytes: Uint8Array,
 *   from: string }} NamedSource
 */

const TIME_LIMIT_MS = 30_000;
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * Reads a flow. `limitMs` is the time limit of a module, `args` are for a flow that is a function. `from` is an
 * absolute path, URLs, `-e` or `standard input`; `folder` that of relative paths in the flow.
 * @throws {Error} E_USAGE, E_FILE_NOT_FOUND, E_FLOW_FILE
 * @type {(source: FlowInput, options?: { cwd?: string, limitMs?: number, args?: Record<string, unknown> }) => Promise<{
 *   flow: unknown, from: string, folder: string } & FlowFindings>}
 */
export async function loadFlow(source, { cwd = workingFolder(process), limitMs = TIME_LIMIT_MS, args = {} } = {}) {
  const input = await inputOf(source, { cwd, limitMs });
  const format = FORMATS.find((one) => accepts(one, input));
  if (!format) throw await refusal(input);
  const text = textOf(input);
  const { read } = await format.load();
  /** @type {FlowFindings} */
  const findings = { isRecording: false, notices: [] };
  const { request, selection } = source;
  const found = await read({ ...input, text, args, selection, findings });
  const flow = request === undefined ? found : withRequest(found, request, input.from);
  const folder = input.path === undefined ? cwd : dirname(input.path);
  return { flow, from: input.from, folder, ...findings };
}

/** @type {(source: FlowInput, options: { cwd: string, limitMs: number }) => Promise<FormatSource> | FormatSource} */
function inputOf(source, options) {
  if ('evaluate' in source) return { evaluate: source.evaluate, from: source.paths?.join(' ') ?? '-e', ...options };
  if ('urls' in source) return { urls: source.urls, from: source.urls.join(' '), ...options };
  if ('bytes' in source) return { bytes: source.bytes, from: source.from, ...options };
  return locate(source.argument, options);
}

/** Undefined for URLs and -e. @type {(source: FormatSource) => string | undefined} */
function textOf({ path, bytes, from }) {
  if (bytes !== undefined) return decode(bytes, from);
  return path === undefined ? undefined : decode(readBytes(path), path);
}

/** @type {(format: FlowFormat, source: FormatSource) => boolean} */
function accepts({ accepts, extensions }, source) {
  return accepts?.(source) || (source.path !== undefined && extensions.includes(source.extension ?? ''));
}

/** @type {(argument: string, options: { cwd: string, limitMs: number }) => Promise<FormatSource>} */
async function locate(argument, options) {
  const path = resolve(options.cwd, argument);
  const name = { extension: extname(argument).toLowerCase(), isFlowName: hasFlowExtension(argument) };
  const stats = await statsOf(path);
  // The argument may still be a URL.
  if (stats === null) return { argument, ...name, from: argument, ...options };
  if (stats.isDirectory()) throw flowFileError(path, 'is a directory', `use a file in it${orPath(argument)}`);
  return { argument, path, ...name, from: path, ...options };
}

/** A long URL is too long for the name of a file. */
const MISSING = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/** Null if there is no such file. @type {(path: string) => Promise<import('node:fs').Stats | null>} */
async function statsOf(path) {
  try {
    return await stat(path);
  } catch (error) {
    if (MISSING.includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) return null;
    throw unreadable(path, error);
  }
}

/** Explains a source that no format accepts. @type {(input: FormatSource) => Promise<Error>} */
async function refusal({ argument = '', path, cwd }) {
  if (path === undefined) return notFound(resolve(cwd, argument), orPath(argument));
  const extension = extname(path);
  const reason = extension ? `no format has the extension ${extension}` : 'has no extension';
  return flowFileError(path, reason, `use one of ${EXTENSIONS.join(' ')}`);
}

/** Tells the remedy for an argument that may be a path of the server. @type {(argument: string) => string} */
function orPath(argument) {
  const isPath = argument.startsWith('/') && !hasFlowExtension(argument);
  return isPath
    ? `; for a path of the server add ${['--base-url', ...hintsAt('path')].join(' or ')}, or set PORT in the environment`
    : '';
}

/** @type {(path: string, orElse: string) => Promise<Error>} */
async function notFound(path, orElse) {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => /** @type {string[]} */ ([]));
  const flows = names.filter((name) => hasFlowExtension(name) && name !== basename(path));
  const near = nearest(basename(path), flows);
  const cure = near ? `did you mean ${join(folder, near)}?` : ((await danglingLink(path)) ?? `check the path${orElse}`);
  return makeError('E_FILE_NOT_FOUND', { what: 'flow file', path, cure });
}

/** @type {(path: string) => Promise<string | undefined>} */
async function danglingLink(path) {
  const isLink = await lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  return isLink ? `it is a link to ${await readlink(path)}, which does not exist` : undefined;
}

/** @type {(bytes: Uint8Array, from: string) => string} */
function decode(bytes, from) {
  if (isUtf16(bytes)) throw flowFileError(from, 'is UTF-16', 'save it as UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw flowFileError(from, 'is not UTF-8', 'save it as UTF-8', error);
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

/** @type {(bytes: Uint8Array) => boolean} */
function isUtf16(bytes) {
  const [a, b] = bytes;
  // A byte order mark; without one, an ASCII character whose second byte is 0.
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

/**
 * Adds the request that the command line describes to a flow that its format read as a URL or several of them; messages
 * name where the flow comes `from`.
 * @throws {Error} E_USAGE if the flow describes its requests itself, or their protocol has no use for an option
 * @type {(flow: unknown, request: RequestProperties, from: string) => unknown}
 */
export function withRequest(flow, request, from) {
  if (typeof flow === 'string') return operationOf(flow, request);
  if (Array.isArray(flow) && flow.every(isText)) return flow.map((url) => operationOf(url, request));
  const urls = /** @type {any} */ (flow)?.oneOf;
  if (Array.isArray(urls) && urls.every(isText)) return { oneOf: urls.map((url) => operationOf(url, request)) };
  const operation = "{ method: 'POST', url: '/items', body: 'text' }";
  throw makeError('E_USAGE', {
    problem: `${from} describes its requests itself: -m, -b, -T, --expect-body and other flags of a request are for a URL; write an operation such as ${operation} in the flow`,
  });
}

/** @type {(url: string, request: RequestProperties) => Record<string, unknown>} */
function operationOf(url, request) {
  return protocolOfUrl(url).fromUrl(url, request);
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return typeof value === 'string';
}

/**
 * Computes SHA-256 (64 hexadecimal digits) of the content of a flow as it was read, with the source text of its hooks:
 * results of the same flow have the same hash, also of a server of this machine that has another port in each run.
 * @type {(flow: unknown) => string}
 */
export function hashFlow(flow) {
  /** @type {unknown[]} */
  const above = [];
  /** @type {(value: any) => string} */
  const write = (value) => {
    if (typeof value === 'function') return `function ${value}`;
    if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString('base64')}`;
    if (value instanceof Date) return `Date ${value.getTime()}`;
    if (value instanceof RegExp || value instanceof URL) return `${value.constructor.name} ${value}`;
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
    if (above.includes(value)) return 'itself';
    above.push(value);
    const text = Array.isArray(value)
      ? `[${value.map(write)}]`
      : `{${Object.keys(value)
          .sort()
          .map((key) => `${JSON.stringify(key)}:${write(value[key])}`)}}`;
    above.pop();
    return text;
  };
  return createHash('sha256')
    .update(withoutPorts(write(flow)))
    .digest('hex');
}
