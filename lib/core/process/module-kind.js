import nodeModule, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileFunction, constants } from 'node:vm';

import { FileRefusal, readTextFile } from './read-file.js';
import { stripsTypes } from './typescript.js';

/** @typedef {'module' | 'commonjs'} ModuleKind */

const MOST_BYTES = 64 * 1024 * 1024;
const COMMONJS_SCOPE = ['exports', 'require', 'module', '__filename', '__dirname'];
const MODULE_SYNTAX = /Unexpected token 'export'|Cannot use import statement|'import\.meta'|await is only valid/;
/** An import or export that stays when types are stripped: not `import type`, nor `import fs = require('fs')`. */
const TYPED_MODULE = /(?:^|;)[ \t]*(?:import|export)(?!\s+(?:type|interface|declare)\b|\s*\w+\s*=)[\s{*'"]/m;

/**
 * Stands for a CommonJS file where Node expects an ES module: it runs the file and exports its value. For require() of
 * an ES module, Node returns the export that is named `module.exports`.
 */
const COMMONJS_ADAPTER = `
import { runCommonJs } from ${JSON.stringify(import.meta.url)};
const value = runCommonJs(import.meta.url);
export const { runOptions, section } = value ?? {};
export { value as default, value as 'module.exports' };
`;

let isInstalled = false;

/**
 * Lets a `.js` file be either kind of module, and a `.ts` file an ES module, regardless of the `type` of its package.
 * `npm init` writes `"type": "commonjs"`, for which Node refuses `export default`; without a `type` Node reads the file
 * twice and warns. Has no effect if the file's syntax and its package agree.
 * @type {(path: string, source: string) => void}
 */
export function acceptEitherKind(path, source) {
  const kind = kindOf(source, path);
  if (isInstalled || !kind || kind === declaredKind(path)) return;
  isInstalled = true;
  addLoaderHooks({ load }, import.meta.url);
}

/**
 * Adds hooks to the loader of modules of this thread. Before Node 22.15, register() imports the file at `url` in a
 * thread for hooks, which calls its exports `load` and `resolve`; newer versions deprecate it.
 * @type {(hooks: object, url: string) => void}
 */
export function addLoaderHooks(hooks, url) {
  const { registerHooks } = /** @type {{ registerHooks?: (hooks: object) => void }} */ (
    /** @type {unknown} */ (nodeModule)
  );
  if (registerHooks) registerHooks(hooks);
  else nodeModule.register(url);
}

/**
 * A load hook for the user's own files: the syntax of a `.js` or `.ts` file decides its kind.
 * @type {(url: string, context: { format?: string | null }, nextLoad: (url: string, context: object) => any) => any}
 */
export function load(url, context, nextLoad) {
  if (!url.startsWith('file:') || !/\.[jt]s$/.test(url) || url.includes('/node_modules/'))
    return nextLoad(url, context);
  const source = readSource(fileURLToPath(url));
  const format = kindOf(source, url);
  if (!format || format === context.format) return nextLoad(url, context);
  if (url.endsWith('.ts')) return nextLoad(url, { ...context, format: 'module-typescript' });
  return { format: 'module', source: format === 'module' ? source : COMMONJS_ADAPTER, shortCircuit: true };
}

/**
 * Runs a CommonJS file in a package of ES modules and returns its module.exports. Node 24 has no other way: it reads
 * the `type` again for `commonjs`.
 * @type {(url: string) => any}
 */
export function runCommonJs(url) {
  const path = fileURLToPath(url);
  const module = { exports: {} };
  const run = compileFunction(readSource(path).replace(/^#!.*/, ''), COMMONJS_SCOPE, {
    filename: path,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  run.call(module.exports, module.exports, createRequire(url), module, path, dirname(path));
  return module.exports;
}

/** Reads a file; a FIFO is refused, which would block forever. @type {(path: string) => string} */
function readSource(path) {
  return readTextFile(path, { maxBytes: MOST_BYTES, isProgram: true });
}

/** Null: the loader decides, and reports errors. @type {(source: string, path: string) => ModuleKind | null} */
function kindOf(source, path) {
  if (path.endsWith('.ts')) return stripsTypes() && TYPED_MODULE.test(source) ? 'module' : null;
  if (!path.endsWith('.js')) return null;
  try {
    compileFunction(source.replace(/^#!.*/, ''), COMMONJS_SCOPE);
    return 'commonjs';
  } catch (error) {
    return MODULE_SYNTAX.test(/** @type {Error} */ (error).message) ? 'module' : null;
  }
}

/** Returns the `type` of the nearest package.json; null without one. @type {(path: string) => ModuleKind | null} */
function declaredKind(path) {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const type = packageType(join(folder, 'package.json'));
    if (type !== undefined) return type;
    if (folder === dirname(folder)) return null;
  }
}

/** The `type` of a package.json; undefined: no such file. @type {(path: string) => ModuleKind | null | undefined} */
function packageType(path) {
  try {
    const { type } = JSON.parse(readSource(path));
    return type === 'module' || type === 'commonjs' ? type : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    // Node would read the same file next: what cannot be read is reported here
    if (!(error instanceof FileRefusal) || !error.isMissing) throw error;
    return undefined;
  }
}
