import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeError } from '../../errors.js';
import { placedError } from './text-error.js';

/** @typedef {{ file: string, line: number, column: number, code: string }} Place */

const CHECK_LIMIT_MS = 10_000;

/**
 * E_FLOW_FILE for what a module threw, with the place in the user's file and not in Node.
 *
 * @param {string} path of the flow
 * @param {unknown} cause
 * @returns {Promise<Error>}
 */
export async function moduleError(path, cause) {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const missing = missingModule(path, error);
  if (missing) return flowFileError(path, { ...missing, cause });
  const reason = `${error.name}: ${error.message.split('\n')[0]}`;
  const cure = mixCure(path, error);
  const frame = frameOf(path, error);
  if (frame || !(error instanceof SyntaxError)) {
    return flowFileError(`${path}${frame}`, { reason, cure: cure ?? 'correct the flow', cause });
  }
  const place = placeIn(error.stack) ?? (await checkSyntax(path));
  if (place) return placedError(place.file, reason, place, { cure, cause });
  return flowFileError(path, { reason, cure: cure ?? 'check the modules it imports with node --check', cause });
}

/** @type {(path: string, details: { reason: string, cure: string, cause: unknown }) => Error} */
function flowFileError(path, { reason, cure, cause }) {
  return makeError('E_FLOW_FILE', { path, reason, cure }, { cause });
}

/** @type {(path: string, error: Error) => { reason: string, cure: string } | undefined} */
function missingModule(path, error) {
  const { code } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return undefined;
  const specifier = /Cannot find (?:package|module) '([^']+)'/.exec(error.message)?.[1];
  if (!specifier) return undefined;
  if (/^([./\\]|[a-z]:|file:)/i.test(specifier)) {
    return { reason: `cannot find ${specifier}`, cure: 'check the path in its import, with the extension' };
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const cure = `install it: cd ${dirname(path)} && npm install ${name}`;
  return { reason: `cannot find package '${name}'`, cure };
}

/** @type {(path: string, error: Error) => string | undefined} */
function mixCure(path, { message }) {
  const stem = basename(path).replace(/\.\w+$/, '');
  if (/^(module|exports) is not defined/.test(message)) return `rename it to ${stem}.cjs, or use export default`;
  if (/^require is not defined/.test(message)) return `use import, or rename it to ${stem}.cjs`;
  if (/^__(file|dir)name is not defined/.test(message)) return `use import.meta.url, or rename it to ${stem}.cjs`;
  if (/Unexpected token 'export'|import statement outside a module/.test(message)) {
    return `rename it to ${stem}.mjs, or use module.exports`;
  }
  return undefined;
}

/**
 * `:3:7` where the flow is in the stack, else nothing.
 * @type {(path: string, error: Error) => string}
 */
function frameOf(path, { stack = '' }) {
  for (const line of stack.split('\n')) {
    if (!/^\s+at /.test(line)) continue;
    for (const name of [pathToFileURL(path).href, path]) {
      const at = line.indexOf(`${name}:`);
      const place = at < 0 ? null : /^:\d+:\d+/.exec(line.slice(at + name.length));
      if (place) return place[0];
    }
  }
  return '';
}

/**
 * Node writes `FILE:LINE`, the code and a caret before the stack of a syntax error.
 * @type {(text?: string) => Place | undefined}
 */
function placeIn(text = '') {
  const match = /^(.+):(\d+)\r?\n(.*)\r?\n( *)\^/m.exec(text);
  if (!match) return undefined;
  const [, name, line, code, indent] = match;
  const file = name.startsWith('file:') ? fileURLToPath(name) : name;
  return { file, line: Number(line), column: indent.length + 1, code };
}

/**
 * An import keeps the place of a syntax error to itself; `node --check` shows it and runs nothing. Node 20 passes a .js
 * whose kind it cannot tell, so that one is read as a module once more.
 * @type {(path: string) => Promise<Place | undefined>}
 */
async function checkSyntax(path) {
  const place = await placeByNode(['--check', path]);
  if (place) return place;
  const asModule = await placeByNode(['--input-type=module', '--check', '-'], path);
  return asModule && { ...asModule, file: path };
}

/** @type {(args: string[], input?: string) => Promise<Place | undefined>} */
function placeByNode(args, input) {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { timeout: CHECK_LIMIT_MS }, (_, __, stderr) =>
      resolve(placeIn(stderr)),
    );
    if (!input) return;
    const stdin = /** @type {import('node:stream').Writable} */ (child.stdin).on('error', () => {}); // it has seen enough
    createReadStream(input).pipe(stdin);
  });
}
