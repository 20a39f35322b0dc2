import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { joinOther, kindsTooLate } from './addons.js';
import { makeError } from './errors.js';
import { KINDS_OF_ROWS } from './kinds-of-rows.js';
import { malformedRow } from './malformed-row.js';
import { nearestOrAll } from './problems.js';

/** @import { Facts } from './addons.js' */

// Add-ons of other packages: code that only people choose, on the command line, in a configuration or in a program.

/** The version of the door: lib/core/addon.d.ts and the module `bench-rest/addon`. */
export const DOOR = 1;

const KEYS = ['name', 'about', 'door', 'isExperimental', 'needs', ...KINDS_OF_ROWS];

/** @typedef {{ name: string, path: string, facts: Facts }} JoinedAddon */

/** @type {Map<string, JoinedAddon>} by path */
const joined = new Map();

/** Lists the add-ons of other packages that were joined, in their order. @type {() => JoinedAddon[]} */
export function joinedAddons() {
  return [...joined.values()];
}

/** The module that joins one in other threads: its URL has the path. */
const ROOT = new URL('../../joined-addon.js', import.meta.url).href;

/**
 * Joins an add-on by its name: a package, or a path such as `./my-addon.js`. `folder`: where Node resolves it from. One
 * that was joined before is left as it is.
 * @throws {Error} E_ADDON
 * @type {(name: string, folder: string) => Promise<void>}
 */
export function joinAddon(name, folder) {
  return joinPath(resolved(name, folder), name);
}

/** @type {(path: string, name?: string) => Promise<void>} */
export async function joinPath(path, name = path) {
  if (joined.has(path)) return;
  let exported;
  try {
    const { resolveOwnPackage } = await import('../process/own-package.js');
    resolveOwnPackage(path, readFileSync(path, 'utf8'));
    exported = await import(pathToFileURL(path).href);
  } catch (error) {
    throw refuseThrown(error, { path, name });
  }
  add(exported, { path, name });
}

/** Does the same at once, as a program calls it. @type {(name: string, folder: string) => void} */
export function joinAddonNow(name, folder) {
  const path = resolved(name, folder);
  if (joined.has(path)) return;
  let exported;
  try {
    exported = requireAny(path);
  } catch (error) {
    throw refuseThrown(error, { path, name });
  }
  add(exported, { path, name });
}

const requireAny = createRequire(import.meta.url);

/** @type {(error: any, addon: { path: string, name: string }) => Error} */
function refuseThrown(error, { path, name }) {
  if (error?.code === 'ERR_REQUIRE_ASYNC_MODULE')
    return refused(name, 'waits while it is loaded (await)', 'wait in one of its functions', error);
  return refused(name, `throws while it is loaded: ${error?.message ?? error}`, `look at ${path}`, error);
}

/** @type {(exported: any, addon: { path: string, name: string }) => void} */
function add(exported, { path, name }) {
  const facts = checked(exported?.default ?? exported, name);
  const other = joinedAddons().find((one) => one.name === facts.name);
  if (other) throw refused(name, `has the same name as ${other.path}: ${facts.name}`, 'use one of them');
  const late = kindsTooLate(facts);
  if (late.length > 0)
    throw refused(
      name,
      `offers ${late.join(', ')}, and bench-rest was loaded before`,
      "join it first: import { join } from 'bench-rest/addon', await join('…'), await import('bench-rest')",
    );
  const malformed = malformedRow(facts);
  if (malformed) throw refused(name, malformed.reason, malformed.cure);
  joined.set(path, { name: facts.name, path, facts });
  joinOther(`${ROOT}?${new URLSearchParams({ path })}`, facts);
}

/** @type {(name: string, reason: string, cure: string, cause?: unknown) => Error} */
function refused(name, reason, cure, cause) {
  return makeError('E_ADDON', { name, reason, cure }, { cause });
}

/** Finds the file of an add-on. @type {(name: string, folder: string) => string} */
function resolved(name, folder) {
  if (typeof name !== 'string' || name === '') throw refused(String(name), 'is no text', 'write its name, or its path');
  if (name.startsWith('file:')) return realPath(fileURLToPath(name), name);
  if (/^(?:\.{0,2}[\\/]|[a-z]:[\\/])/i.test(name)) return realPath(resolve(folder, name), name);
  const require = createRequire(join(folder, 'addons.js'));
  try {
    return require.resolve(name);
  } catch (error) {
    const path = importedFrom(name, require.resolve.paths(name) ?? []);
    if (path !== null) return path;
    if (existsSync(resolve(folder, name)))
      throw refused(name, `is no package in ${folder}`, `it is a file: write ./${name}`, error);
    throw refused(name, `is not installed in ${folder}`, `npm install ${name}`, error);
  }
}

/** @type {(path: string, name: string) => string} */
function realPath(path, name) {
  if (!existsSync(path)) throw refused(name, `does not exist: ${path}`, 'check the path');
  const file = realpathSync(path);
  return statSync(file).isDirectory() ? resolved(join(file, 'index.js'), file) : file;
}

/** Finds a file that a package exports for import alone. @type {(name: string, folders: string[]) => string | null} */
function importedFrom(name, folders) {
  const home = folders.map((folder) => join(folder, name, 'package.json')).find((path) => existsSync(path));
  if (home === undefined) return null;
  const { exports: all } = JSON.parse(readFileSync(home, 'utf8'));
  let target = all?.['.'] ?? all;
  while (typeof target === 'object' && target !== null) target = target.import ?? target.node ?? target.default;
  return typeof target === 'string' ? realpathSync(join(dirname(home), target)) : null;
}

/** @type {(facts: any, name: string) => Facts} */
function checked(facts, name) {
  if (typeof facts !== 'object' || facts === null || typeof facts.name !== 'string' || typeof facts.about !== 'string')
    throw refused(name, 'is no add-on of bench-rest', `its default export must be { door: ${DOOR}, name, about, … }`);
  if (facts.door !== DOOR)
    throw refused(
      name,
      `is for version ${facts.door ?? 'none'} of the door, and this bench-rest has version ${DOOR}`,
      Number(facts.door) > DOOR ? 'update bench-rest' : `write door: ${DOOR}, and see what has changed in the guide`,
    );
  for (const key of Object.keys(facts)) {
    if (!KEYS.includes(key)) throw refused(name, `offers ${key}`, `that is unknown${nearestOrAll(key, KEYS)}`);
    if (KINDS_OF_ROWS.includes(key) && !Array.isArray(facts[key]))
      throw refused(name, `has ${key} that is no list`, 'write a list of rows');
  }
  return facts;
}

/** The name of the module of an add-on in the URL of its root. @type {(url: string) => string} */
export function pathInRoot(url) {
  return String(new URL(url).searchParams.get('path'));
}

/** The folder of a file, which a program names by its URL or its path. @type {(file: string | URL) => string} */
export function folderOf(file) {
  return dirname(fileURLToPath(pathOrUrl(file)));
}

/** @type {(file: string | URL) => string | URL} */
function pathOrUrl(file) {
  return String(file).startsWith('file:') ? file : pathToFileURL(String(file));
}
