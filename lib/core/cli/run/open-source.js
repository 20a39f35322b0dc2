import { createReadStream, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { hintsAt } from '../../ground/addons.js';
import { EXTENSIONS, hasFlowExtension, isCode } from '../../flow/source/formats/index.js';
import { accepts as isUrl } from '../../flow/source/formats/url.js';
import { HIGHEST_PORT } from '../../ground/units.js';
import { bringsTarget } from '../../run/options/index.js';
import { distrustOf } from '../config-file.js';
import { usageError } from '../usage-error.js';

/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { FlowInput, RequestProperties } from '../../flow/source/types.js' */
/** @import { Layer } from '../../run/options/types.js' */
/** @import { Config, Io } from '../types.js' */

/**
 * @typedef {object} SourceContext
 * @property {string} cwd
 * @property {Io} io
 * @property {Pick<Config, 'path' | 'options' | 'flow' | 'isNamed'>} config
 * @property {Partial<RunOptions>} runOptions of the command line
 * @property {boolean} [hasServer] the run starts its own target
 * @property {RequestProperties} [request] of the URLs in the source
 */

/**
 * Decides what the flow of a run is: that which the command line names, the flow of the configuration file, or the root
 * of the embedded target. Reads it if it is a stream. `layers` has the base URL of PORT, if a path needs it.
 * @throws {Error} E_USAGE
 * @type {(given: FlowInput | null, context: SourceContext) => Promise<{ source: FlowInput, layers: Layer[] }>}
 */
export async function openSource(given, context) {
  const { source, layers } = await findSource(given, context);
  return { source: { ...source, ...(context.request && { request: context.request }) }, layers };
}

/** @type {typeof openSource} */
async function findSource(given, { hasServer = false, ...rest }) {
  const { config, runOptions } = rest;
  const context = { ...rest, hasServer: hasServer || bringsTarget({ ...config.options, ...runOptions }) };
  const named = given ?? sourceWithout(context);
  const source = 'argument' in named ? { ...named, argument: withExtension(named.argument, context.cwd) } : named;
  if ('argument' in source) {
    if (isStream(source.argument)) return { source: await readStream(source.argument, context.io), layers: [] };
    if (isServerPath(source.argument, context.cwd)) return withBase({ urls: [source.argument] }, source, context);
  }
  // Loads that the command line has joined by `+`: a flow that was written from their URLs.
  if ('paths' in source && source.paths)
    return { source, layers: withBase({ urls: source.paths }, source, context).layers };
  if (!('urls' in source)) return { source, layers: [] };
  const [first, ...others] = source.urls;
  if (first === 'run') throw usageError(`leave out run, the default command: bench-rest ${others.join(' ')}`);
  const file = source.urls.find((one) => isFile(one, context.cwd));
  if (file !== undefined)
    throw usageError(`${file} is a file; several arguments must be URLs, a flow file is the only argument`);
  return withBase(source, source, context);
}

/** Completes a name: `./flow` is `./flow.js`, if no other file fits. @type {(name: string, cwd: string) => string} */
function withExtension(name, cwd) {
  if (/[/\\]$/.test(name) || isFile(name, cwd)) return name;
  const fitting = EXTENSIONS.map((extension) => name + extension).filter((path) => isFile(path, cwd));
  if (fitting.length > 1) throw usageError(`${name} can be ${fitting.join(' or ')}: write the name with its extension`);
  return fitting[0] ?? name;
}

/** Returns the flow of a command line that names none. @type {(context: SourceContext) => FlowInput} */
function sourceWithout({ config, hasServer }) {
  if (config.flow !== undefined && config.path !== null) return { argument: flowOf(config, config.flow, config.path) };
  if (hasServer) return { urls: ['/'] };
  throw usageError(
    `a flow is missing; try: ${['bench-rest http://localhost:8000/', ...hintsAt('no flow')].join(' or ')}`,
  );
}

/** A URL, or else an absolute path. @type {(config: SourceContext['config'], flow: string, path: string) => string} */
function flowOf({ isNamed = false }, flow, path) {
  const folder = dirname(path);
  const name = { argument: flow, from: flow, isFlowName: hasFlowExtension(flow), cwd: folder, limitMs: 0 };
  if (isUrl(name) || isServerPath(flow, folder)) return flow;
  const file = withExtension(resolve(folder, flow), folder);
  if (isNamed || !isCode(file) || !isFile(file, folder)) return file;
  const distrust = distrustOf(path, { isCode: true }) ?? distrustOf(file, { isCode: true });
  if (distrust) throw usageError(`${file} is not run, because it is code and ${distrust}; pass it as an argument`);
  return file;
}

/**
 * Reports whether an argument is a path of the server: one such as `/tmp` may be a folder here, but no file.
 * @type {(argument: string, cwd: string) => boolean}
 */
function isServerPath(argument, cwd) {
  return argument.startsWith('/') && !isFile(argument, cwd);
}

/** @type {(argument: string, cwd: string) => boolean} */
function isFile(argument, cwd) {
  try {
    return statSync(resolve(cwd, argument), { throwIfNoEntry: false })?.isDirectory() === false;
  } catch (error) {
    // A long URL is no file; the loader refuses a file that cannot be read, with the reason.
    return /** @type {NodeJS.ErrnoException} */ (error).code !== 'ENAMETOOLONG';
  }
}

/**
 * Adds the base URL of paths, if only PORT has it. `given` is the source as it is without any base URL: the loader
 * explains then why it is neither a URL nor a file.
 * @type {(source: { urls: string[] }, given: FlowInput, context: SourceContext) => { source: FlowInput, layers:
 *   Layer[] }}
 */
function withBase(source, given, { config, runOptions, hasServer, io: { env } }) {
  const path = source.urls.find((url) => url.startsWith('/'));
  const hasBase = hasServer || (runOptions.baseUrl ?? config.options.baseUrl) !== undefined;
  if (path === undefined || hasBase) return { source, layers: [] };
  const { PORT } = env;
  if (!PORT && source.urls.length > 1)
    throw usageError(
      `${path} is neither a URL nor a file; for a path of the server add ${['--base-url', ...hintsAt('path')].join(' or ')}; the file of a result is that of -o`,
    );
  if (!PORT) return { source: given, layers: [] };
  if (!/^\d+$/.test(PORT) || Number(PORT) < 1 || Number(PORT) > HIGHEST_PORT)
    throw usageError(`PORT in the environment is not a port: ${PORT}; correct it, or add --base-url`);
  return { source, layers: [{ name: 'PORT in the environment', options: { baseUrl: `http://localhost:${PORT}` } }] };
}

const STDIN = ['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0'];
/** The path that a shell passes for <(…). */
const DESCRIPTOR = /^\/(dev|proc\/self)\/fd\/\d+$/;
const MIB = 2 ** 20;
const MOST_BYTES = 64 * MIB;

/**
 * Reports whether an argument is standard input, or another stream that a shell has opened. It can be read once, so the
 * command reads it for all threads.
 * @type {(argument: string) => boolean}
 */
export function isStream(argument) {
  if (STDIN.includes(argument)) return true;
  return DESCRIPTOR.test(argument) && statSync(argument, { throwIfNoEntry: false })?.isFIFO() === true;
}

/**
 * Reads a stream, an argument for which {@link isStream} holds, to its end.
 * @throws {Error} E_USAGE if it is a terminal, or too long
 * @type {(argument: string, io: Pick<Io, 'stdin'>, most?: number) => Promise<{ bytes: Uint8Array, from: string }>}
 */
export async function readStream(argument, io, most = MOST_BYTES) {
  const isStdin = STDIN.includes(argument);
  if (isStdin && io.stdin.isTTY)
    throw usageError(
      'standard input is a terminal: pipe a flow into it, as in  cat flow.yaml | bench-rest -  or name a file',
    );
  const from = isStdin ? 'standard input' : argument;
  const chunks = [];
  let length = 0;
  for await (const chunk of isStdin ? io.stdin : createReadStream(argument)) {
    length += chunk.length;
    if (length > most)
      throw usageError(`${from} has more than ${most / MIB} MiB: save it to a file, and pass its path`);
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), from };
}
