import { tsPlugin } from '@sveltejs/acorn-typescript';
import { Parser } from 'acorn';

import { eraseTypes } from './erase-types.js';

/** @typedef {any} Node a node of the tree that acorn makes */

const TypeScript = Parser.extend(tsPlugin());

const LENIENT = /** @type {const} */ ({
  ecmaVersion: 'latest',
  sourceType: 'module',
  locations: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
});

/**
 * Parses a script of k6: of TypeScript, the tree is that of its JavaScript, with the places of the script.
 * @type {(text: string, path: string, source: { name: string, folder: string }) =>
 *   { program: Node } | { line: number, reason: string }} reason: it is neither, from a line on
 */
export function parseScript(text, path, source) {
  const code = text.replace(/^#!.*/, (found) => ' '.repeat(found.length));
  // Nodes know their script: that shows their lines.
  const options = { ...LENIENT, sourceFile: /** @type {any} */ ({ ...source, code }) };
  // `new List<User>(all)` is a comparison in JavaScript.
  if (!/\.[cm]?ts$/.test(path))
    try {
      return { program: Parser.parse(code, options) };
    } catch {
      // It may be TypeScript by another name, and the parser of both names the fault otherwise.
    }
  try {
    return { program: eraseTypes(TypeScript.parse(code, options)) };
  } catch (error) {
    const { loc, message } = /** @type {any} */ (error);
    return { line: loc?.line ?? 1, reason: message.replace(/ \(\d+:\d+\).*$/s, '') };
  }
}
