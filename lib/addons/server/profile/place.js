import { isAbsolute, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { shortened } from '../../../core/text/format-value.js';

/** @import { ProfileFunction as Frame } from '../profile.js' */

/**
 * @typedef {object} Call a function as a profiler names it
 * @property {string} name
 * @property {string} [file] a path or a URL
 * @property {number} [line] from 1
 * @property {number} [column] from 1
 */

const LONGEST_NAME = 200;
const LONGEST_FILE = 300;
/** The last folder of packages in a path, and the package: `/srv/node_modules/.pnpm/a@1/node_modules/@b/a/`. */
const PACKAGE =
  /^.*[\\/]node_modules[\\/](?:\.pnpm[\\/][^\\/]+[\\/]node_modules[\\/])?((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;
/** Modules of Node (`evalmachine.<anonymous>` has no file). */
const RUNTIME = /^node:|^evalmachine/;

/**
 * Returns the owner of a function: the code of the service in `folder`, a package, the runtime, or none. Its file
 * is relative to that, so that profiles of two checkouts can be compared.
 * @type {(call: Call, folder: string) => Frame}
 */
export function placeOf({ name, file = '', line, column }, folder) {
  const path = pathOf(file);
  const at = {
    ...(line !== undefined && line > 0 && { line }),
    ...(column !== undefined && column > 0 && { column }),
  };
  if (path === '') return { name: nameOf(name), origin: 'native' };
  const own = nameOf(name);
  const [beginning, found] = PACKAGE.exec(path) ?? [];
  if (beginning !== undefined) {
    const owner = posix(found);
    const rest = posix(path.slice(beginning.length));
    return { name: own, file: fileOf(`${owner}/${rest}`), ...at, origin: 'package', package: fileOf(owner) };
  }
  if (RUNTIME.test(path)) return { name: own, file: fileOf(path), ...at, origin: 'runtime' };
  const inside = isAbsolute(path) ? relative(folder, path) : path;
  return { name: own, file: fileOf(posix(inside)), ...at, origin: 'own' };
}

/** @type {(name: string) => string} */
function nameOf(name) {
  return shortened(name, LONGEST_NAME) || '(anonymous)';
}

/** @type {(path: string) => string} */
function fileOf(path) {
  return shortened(path, LONGEST_FILE);
}

/** @type {(path: string) => string} */
function posix(path) {
  return path.split(sep).join('/');
}

/** The path of a URL; loaders add a query to it. @type {(file: string) => string} */
export function pathOf(file) {
  if (!file.startsWith('file:')) return file;
  try {
    return fileURLToPath(file.replace(/[?#].*$/s, ''));
  } catch {
    return file;
  }
}
