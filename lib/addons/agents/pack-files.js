import { basename, dirname, extname, join, resolve, sep } from 'node:path';

import { makeError } from '../../core/ground/errors.js';
import { loadOptional } from '../export/optional-package.js';
import { parseYaml } from '../../core/text/parse-yaml.js';

/** @import { BuildFailure, BuildOptions } from 'esbuild' */

/**
 * @typedef {object} Bundle
 * @property {string} path of the file that the bundle would be: beside the flow, so that paths relative to it stay
 *   the same
 * @property {Uint8Array} code one ES module for Node 20, with a source map
 * @property {string[]} sources absolute paths of the user's own files in it, to which the source map points
 */

const TARGET = 'node20';
/** The agent has its own. */
const EXTERNAL = ['bench-rest', 'bench-rest/*'];
/** Names of CommonJS that an ES module does not have; properties of the global object collide with no declaration. */
const COMMONJS = [
  "import { createRequire as benchRestCreateRequire } from 'node:module';",
  'globalThis.require ??= benchRestCreateRequire(import.meta.url);',
  'globalThis.__filename ??= import.meta.filename;',
  'globalThis.__dirname ??= import.meta.dirname;',
].join(' ');

/** @type {[message: RegExp, cure: string][]} */
const CURES = [
  [/^Could not resolve/, 'install what it imports, or correct the path'],
  [
    /^No loader is configured/,
    'a file that is no code cannot be imported: read it with readFileSync, and add it with --agents-include',
  ],
  [/^/, 'correct it'],
];

/**
 * Bundles a flow that is code, a module or the literal of -e, with all its imports, except bench-rest itself.
 * @throws {Error} E_PACKAGE, E_BUNDLE
 * @type {(flow: { path: string } | { text: string, cwd: string }) => Promise<Bundle>}
 */
export async function bundleCode(flow) {
  const { build } = await loadOptional('esbuild', 'A flow that is code, sent to agents,', () => import('esbuild'));
  const from = 'path' in flow ? flow.path : join(flow.cwd, '-e.cjs');
  const path = join(dirname(from), `${basename(from, extname(from))}.bundle.mjs`);
  /** @type {BuildOptions} */
  const entry =
    'path' in flow
      ? { entryPoints: [flow.path] }
      : { stdin: { contents: `module.exports = (${flow.text}\n)`, resolveDir: flow.cwd, sourcefile: '-e.cjs' } };
  const folder = dirname(from);
  try {
    const { outputFiles = [], metafile } = await build({
      ...entry,
      absWorkingDir: folder,
      outfile: path,
      bundle: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'node',
      target: TARGET,
      external: EXTERNAL,
      banner: { js: COMMONJS },
      sourcemap: 'inline',
      sourcesContent: false,
      keepNames: false,
      logLevel: 'silent',
    });
    const inputs = Object.keys(metafile?.inputs ?? {}).map((name) => resolve(folder, name));
    const sources = inputs.filter((file) => !file.includes(`${sep}node_modules${sep}`) && file !== from);
    return { path, code: outputFiles[0].contents, sources: 'path' in flow ? [from, ...sources] : sources };
  } catch (error) {
    throw bundleError(error, from);
  }
}

/**
 * Explains which module of those that a flow imports by a relative path does not exist, also by import() in a function;
 * null: all of them do. Without esbuild, which is optional, it returns null, and the flow finds out when it runs.
 * @type {(path: string) => Promise<string | null>}
 */
export async function missingImport(path) {
  const esbuild = await import('esbuild').catch(() => null);
  if (esbuild === null) return null;
  const options = { bundle: true, write: false, platform: 'node', target: TARGET, logLevel: 'silent' };
  try {
    await esbuild.build({ .../** @type {BuildOptions} */ (options), entryPoints: [path], packages: 'external' });
    return null;
  } catch (error) {
    const { errors = [] } = /** @type {BuildFailure} */ (error);
    const first = errors.find(({ text }) => text.startsWith('Could not resolve'));
    return first === undefined ? null : /** @type {Error} */ (bundleError({ errors: [first] }, path)).message;
  }
}

/** @type {(error: unknown, from: string) => unknown} */
function bundleError(error, from) {
  const [first] = /** @type {BuildFailure} */ (error).errors ?? [];
  if (first === undefined) return error;
  const { file, line, column } = first.location ?? {};
  const place = file === undefined ? from : `${resolve(dirname(from), file)}:${line}:${Number(column) + 1}`;
  const [, cure] = /** @type {[RegExp, string]} */ (CURES.find(([pattern]) => pattern.test(first.text)));
  return makeError('E_BUNDLE', { path: place, reason: first.text, cure }, { cause: error });
}

/** Fields of a recorded request that are never sent, unless the run has `--har-cookies`, which agents refuse. */
const LEFT_OUT = /^(?:cookie|proxy-authorization)$/i;

/** Removes what is not sent: cookies, and contents of responses. @type {(bytes: Uint8Array) => Promise<Uint8Array>} */
export async function leanRecording(bytes) {
  const text = Buffer.from(bytes).toString();
  const { log, ...others } = await parse(text);
  const entries = log.entries.map((/** @type {any} */ entry) => ({
    ...entry,
    ...(entry?.request && { request: leanRequest(entry.request) }),
    ...(entry?.response && { response: { status: entry.response.status } }),
  }));
  return Buffer.from(JSON.stringify({ ...others, log: { ...log, entries } }));
}

/** @type {(text: string) => Promise<any>} */
async function parse(text) {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return (await parseYaml(text)).value;
  }
}

/** @type {(request: any) => any} */
function leanRequest({ cookies: _cookies, headers, ...request }) {
  if (!Array.isArray(headers)) return { ...request, headers };
  return { ...request, headers: headers.filter(({ name }) => !LEFT_OUT.test(name)) };
}
