import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { readRegularFile } from '../../../read-file.js';
import { MOST_BYTES, importsOf, textOf } from './imports.js';

/**
 * @import { Position } from '../../../text/types.js'
 *
 * @typedef {Position & { file: string }} SyntaxPlace
 */

const CHECK_LIMIT_MS = 10_000;
/** files to check: the flow and what it imports */
const MOST_FILES = 50;
/**
 * Node writes `FILE:LINE`, the code and a caret before the stack of a syntax error; no caret if the text ends too early.
 */
const REPORT = /^(.+):(\d+)\r?\n(.*)\r?\n( *)(?:\^|\r?\n\r?\nSyntaxError)/m;
const CODE = /\.[cm]?[jt]s$/;

/**
 * Finds the position of a syntax error, in a module or in the files that it imports by relative paths. An import hides
 * it; `node --check` prints it without running the file.
 *
 * @param {string} path of the module
 * @param {SyntaxError} error
 * @returns {Promise<SyntaxPlace | undefined>}
 */
export async function syntaxPlace(path, { message, stack }) {
  const place = placeIn(stack);
  if (place) return place;
  const files = new Set([path]);
  for (const file of files) {
    const found = await checkSyntax(file, message);
    if (found) return found;
    for (const imported of importsOf(file)) if (isModule(imported) && files.size < MOST_FILES) files.add(imported);
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

/** The end of the last line of a file that is not blank. @type {(file: string) => SyntaxPlace | undefined} */
function endOf(file) {
  const lines = textOf(file)
    .trimEnd()
    .split(/\r\n|\n|\r/);
  const code = lines[lines.length - 1];
  return { file, line: lines.length, column: code.length + 1, code };
}

/**
 * Node reads a .js file by the `type` of its package: if it reports another error, the file is checked again as a module.
 * @type {(path: string, message: string) => Promise<SyntaxPlace | undefined>}
 */
async function checkSyntax(path, message) {
  const report = await reportOfNode(['--check', path]);
  if (report.includes(message)) return placeIn(report, path);
  if (!path.endsWith('.js')) return undefined;
  const asModule = await reportOfNode(['--input-type=module', '--check', '-'], path);
  return asModule.includes(message) ? placeIn(asModule, path) : undefined;
}

/** The output of Node about a file, given by its path or as input. @type {(args: string[], input?: string) => Promise<string>} */
function reportOfNode(args, input) {
  return new Promise((resolveWith) => {
    const child = execFile(process.execPath, args, { timeout: CHECK_LIMIT_MS }, (_, __, stderr) => resolveWith(stderr));
    if (!input) return;
    const stdin = /** @type {import('node:stream').Writable} */ (child.stdin).on('error', () => {}); // node has read enough
    stdin.end(readRegularFile(input, { maxBytes: MOST_BYTES }));
  });
}

/** @type {(file: string) => boolean} */
function isModule(file) {
  return CODE.test(file);
}
