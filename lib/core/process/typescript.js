import Module, { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

import { isOwnFile } from '../ground/system-errors.js';

const TYPESCRIPT = /\.[cm]?ts$/i;

let isInstalled = false;

/**
 * Lets this thread import a file in TypeScript: where Node does not strip types, by tsx, if that is installed beside
 * the file. Node remembers a failed import, so it comes first.
 * @type {(path: string) => Promise<boolean>} false if the file needs tsx, which is missing
 */
export async function acceptTypes(path) {
  if (isInstalled || !TYPESCRIPT.test(path) || stripsTypes()) return true;
  const { _extensions: readers } = /** @type {any} */ (Module);
  // tsx started with `--import tsx` reads the files of the main thread alone.
  if (isMainThread && '.ts' in readers) return true;
  const require = createRequire(path);
  const home = packageOf(require);
  if (home === null) return false;
  isInstalled = true;
  // import() needs the file that `exports` of tsx has for ES modules; require.resolve() would find that for CommonJS.
  const { exports } = require(home);
  const api = new URL(exports['./esm/api'].import.default, pathToFileURL(home));
  (await import(api.href)).register();
  registerCommonJs(require, readers);
  return true;
}

/**
 * tsx would compile what this package requires of itself, its own ES modules, and load them a second time.
 * @type {(require: NodeJS.Require, readers: Record<string, Function>) => void}
 */
function registerCommonJs(require, readers) {
  const own = readers['.js'];
  require('tsx/cjs/api').register();
  const typed = readers['.js'];
  /** @type {(module: object, path: string) => void} */
  readers['.js'] = (module, path) => (isOwnFile(path) ? own : typed)(module, path);
}

/** Reports whether Node itself runs TypeScript. @type {() => boolean} */
export function stripsTypes() {
  return Boolean(/** @type {Record<string, unknown>} */ ({ ...process.features }).typescript);
}

/** Finds the package.json of tsx. @type {(require: NodeJS.Require) => string | null} */
function packageOf(require) {
  try {
    return require.resolve('tsx/package.json');
  } catch {
    return null;
  }
}
