import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { offered } from '../../../ground/addons.js';
import { makeError } from '../../../ground/errors.js';
import { openFilesError } from '../../../ground/system-errors.js';
import { HOOKS } from '../../../hooks/index.js';
import { readRegularFile } from '../../../process/read-file.js';
import { positionDetails } from '../../../text/code-frame.js';
import { placesIn } from '../../../text/error-text.js';
import { TOKENS } from '../../tokens/index.js';
import { MOST_BYTES, importsOf, textOf } from './imports.js';

/** @import { TextPosition } from '../../../text/types.js' */
/** @import { FlowText } from '../types.js' */

/** Messages of V8 about text that ends too early. */
const UNFINISHED = /^Unexpected end of input|^Unterminated|^missing \) /;

/** @type {FlowText[]} */
const FLOW_TEXTS = offered('flowTexts');

/** @type {(path: string, cause: unknown, text?: string) => Promise<Error>} */
export async function moduleError(path, cause, text = '') {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  const shortage = openFilesError(cause);
  if (shortage) return shortage;
  const known = explained(path, text) ?? missingModule(path, error) ?? unstrippedTypes(error);
  if (known) return flowFileError(path, { ...known, cause });
  const reason = `${error.name}: ${headOf(error.message)}`;
  const cure = mixCure(path, error) ?? nameCure(error);
  const frame = frameOf(path, error);
  if (frame || !(error instanceof SyntaxError)) {
    return flowFileError(`${path}${frame}`, { reason, cure: cure ?? 'correct the flow', cause });
  }
  const place = await syntaxPlace(path, error);
  if (place) {
    const remedy =
      cure ?? (UNFINISHED.test(error.message) ? 'a bracket, a text or a comment is not closed' : undefined);
    return flowFileError(place.file, { ...positionDetails(place.file, reason, place, remedy), cause });
  }
  return flowFileError(path, { reason, cure: cure ?? 'check the modules it imports with node --check', cause });
}

/** @type {(path: string, details: { path?: string, reason: string, cure: string, cause: unknown }) => Error} */
function flowFileError(path, { cause, ...details }) {
  return makeError('E_FLOW_FILE', { path, ...details }, { cause });
}

/**
 * Explains a script of another tool.
 * @type {(path: string, text: string) => ReturnType<NonNullable<FlowText['explain']>>}
 */
function explained(path, text) {
  for (const { explain } of FLOW_TEXTS) {
    const found = explain?.(text, path);
    if (found) return found;
  }
  return undefined;
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

/** The first line; two if the first is a title, such as `failed with 1 error:`. @type {(message: string) => string} */
function headOf(message) {
  const [first, second] = message.split('\n');
  return first.endsWith(':') && second ? `${first} ${second.trim()}` : first;
}

/** @type {(error: Error) => { path?: string, reason: string, cure: string } | undefined} */
function unstrippedTypes(error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  const file = /^Unknown file extension "\.[cm]?ts" for (.+)$/.exec(message)?.[1];
  if (code !== 'ERR_UNKNOWN_FILE_EXTENSION' || file === undefined) return undefined;
  const cure = 'install tsx beside it (npm install -D tsx), use Node 22.18 or newer, or write it as .mjs';
  return { path: file, reason: `Node ${process.version} does not strip types`, cure };
}

/** Explains an undefined name that was meant as a token or a hook. @type {(error: Error) => string | undefined} */
function nameCure({ name, message }) {
  const word = name === 'ReferenceError' ? /^(\w+) is not defined/.exec(message)?.[1] : undefined;
  if (HOOKS.some((hook) => hook.name === word)) return `write the name of the built-in hook as a text: '${word}'`;
  const token = TOKENS.find((one) => one.name.toLowerCase() === word?.toLowerCase());
  return token && `a token has a number sign: write #{${token.name}}, not \${${word}} of a template literal`;
}

/** The file mixes both kinds of modules. @type {(path: string, error: Error) => string | undefined} */
function mixCure(path, { message }) {
  const named = (/** @type {'c' | 'm'} */ kind) => basename(path).replace(/\.[cm]?([jt]s)$/, `.${kind}$1`);
  if (/^(module|exports) is not defined/.test(message)) return `rename it to ${named('c')}, or use export default`;
  if (/^require is not defined/.test(message)) return `use import, or rename it to ${named('c')}`;
  if (/^__(file|dir)name is not defined/.test(message)) return `use import.meta.url, or rename it to ${named('c')}`;
  if (/Unexpected token 'export'|import statement outside a module/.test(message)) {
    return `rename it to ${named('m')}, or use module.exports`;
  }
  return undefined;
}

/** Returns `:3:7` if the flow is in the stack, else nothing. @type {(path: string, error: Error) => string} */
function frameOf(path, { stack }) {
  const place = placesIn(stack).find(({ file }) => file === path);
  return place ? `:${place.line}:${place.column}` : '';
}

/** @typedef {TextPosition & { file: string }} SyntaxPlace */

const CHECK_LIMIT_MS = 10_000;
/** Files to check: the flow and its imports. */
const MOST_FILES = 50;
/** Node writes `FILE:LINE`, the code and a caret before the stack; no caret if the text ends too early. */
const REPORT = /^(.+):(\d+)\r?\n(.*)\r?\n( *)(?:\^|\r?\n\r?\nSyntaxError)/m;
const CODE = /\.[cm]?[jt]s$/;

/**
 * Finds the position of a syntax error, in a module or in the files that it imports by relative paths. An import hides
 * it; `node --check` prints it without running the file.
 * @type {(path: string, error: SyntaxError) => Promise<SyntaxPlace | undefined>}
 */
export async function syntaxPlace(path, { message, stack }) {
  const place = placeIn(stack);
  if (place) return place;
  const files = new Set([path]);
  for (const file of files) {
    const found = await checkSyntax(file, message);
    if (found) return found;
    for (const imported of importsOf(file)) if (CODE.test(imported) && files.size < MOST_FILES) files.add(imported);
  }
  return undefined;
}

/** @type {(report?: string, file?: string) => SyntaxPlace | undefined} */
function placeIn(report = '', file = undefined) {
  const match = REPORT.exec(report);
  if (!match) return undefined;
  const [, name, line, code, indent] = match;
  const path = file ?? (name.startsWith('file:') ? fileURLToPath(name) : name);
  if (code.trim() === '') return endOf(path);
  return { file: path, line: Number(line), column: indent.length + 1, code };
}

/** Returns the end of the last line of a file that is not blank. @type {(file: string) => SyntaxPlace | undefined} */
function endOf(file) {
  const lines = textOf(file)
    .trimEnd()
    .split(/\r\n|\n|\r/);
  const code = lines[lines.length - 1];
  return { file, line: lines.length, column: code.length + 1, code };
}

/**
 * Checks the syntax of a file. Node reads a .js file by the `type` of its package: if it reports another error, the
 * file is checked again as a module.
 * @type {(path: string, message: string) => Promise<SyntaxPlace | undefined>}
 */
async function checkSyntax(path, message) {
  const report = await reportOfNode(['--check', path]);
  if (report.includes(message)) return placeIn(report, path);
  if (!path.endsWith('.js')) return undefined;
  const asModule = await reportOfNode(['--input-type=module', '--check', '-'], path);
  return asModule.includes(message) ? placeIn(asModule, path) : undefined;
}

/** The output of Node about a file: its path, or input. @type {(args: string[], input?: string) => Promise<string>} */
function reportOfNode(args, input) {
  return new Promise((resolveWith) => {
    const child = execFile(process.execPath, args, { timeout: CHECK_LIMIT_MS }, (_, __, stderr) => resolveWith(stderr));
    if (!input) return;
    // EPIPE: Node has exited before it read all of the text.
    const stdin = /** @type {import('node:stream').Writable} */ (child.stdin).on('error', () => {});
    stdin.end(readRegularFile(input, { maxBytes: MOST_BYTES }));
  });
}
