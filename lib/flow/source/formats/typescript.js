import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const TYPESCRIPT = /\.[cm]?ts$/i;

let isInstalled = false;

/**
 * Lets a thread of bench-rest import TypeScript where Node does not strip types and tsx is installed beside the flow.
 * tsx started with `--import tsx` reads the files of the main thread alone.
 *
 * @param {string} path of the flow
 * @returns {Promise<void>}
 */
export async function acceptTypes(path) {
  // a failed import is remembered by Node, so tsx comes first
  if (isInstalled || isMainThread || !TYPESCRIPT.test(path) || stripsTypes()) return;
  const require = createRequire(path);
  const home = packageOf(require);
  if (home === null) return;
  isInstalled = true;
  // import() needs the file of the conditions of a module, which require.resolve() does not find
  const { exports } = require(home);
  const api = new URL(exports['./esm/api'].import.default, pathToFileURL(home));
  (await import(api.href)).register();
  require('tsx/cjs/api').register();
}

/** @type {() => boolean} */
function stripsTypes() {
  return Boolean(/** @type {Record<string, unknown>} */ ({ ...process.features }).typescript);
}

/** The package.json of tsx. @type {(require: NodeJS.Require) => string | null} */
function packageOf(require) {
  try {
    return require.resolve('tsx/package.json');
  } catch {
    return null;
  }
}
