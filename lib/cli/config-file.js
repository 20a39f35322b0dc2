import { homedir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { makeError } from '../errors.js';
import { FileRefusal, readRegularFile } from '../read-file.js';
import { faultDetails } from '../text/code-frame.js';
import { keyPositions } from '../text/key-positions.js';
import { parseJson } from '../text/parse-json.js';
import { parseYaml } from '../text/parse-yaml.js';
import { distrustOf, projectRoot } from './project.js';

/**
 * @import { Fault } from '../text/types.js'
 *
 * @typedef {object} ConfigFile
 * @property {string} path
 * @property {unknown} value its content; of package.json, that of `bench-rest`
 * @property {boolean} isInside it is in the project
 * @property {(key: string) => Promise<string>} placeOf where a key is: `/x/.bench-restrc.yaml:3:1`
 */

const MOST_BYTES = 16 * 1024 * 1024;
const PACKAGE = 'package.json';
/** @type {Record<string, (path: string, text: string) => any>} */
const LOADERS = {
  '.json': readJson,
  '.yaml': readYaml,
  '.yml': readYaml,
  '.js': readModule,
  '.mjs': readModule,
  '.cjs': readModule,
  '': readYaml,
};
const REMEDY = 'move it into the project, or convert it to .bench-restrc.json';
const FILE_NAMES = [PACKAGE, ...Object.keys(LOADERS).map((extension) => `.bench-restrc${extension}`)];

/**
 * Searches a folder and its parents, up to the root or the home folder, for the nearest configuration file. Code runs only
 * inside the project and only from files that no other user can write to; above the project, only data files are read.
 *
 * @param {string} cwd
 * @returns {Promise<{ file: ConfigFile | null, warnings: string[] }>}
 * @throws {Error} E_CONFIG
 */
export async function findConfigFile(cwd) {
  const root = projectRoot(resolve(cwd));
  /** @type {string[]} */
  const warnings = [];
  let isInside = true;
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    for (const name of FILE_NAMES) {
      const path = join(folder, name);
      const text = readText(path);
      if (text === null || (text.trim() === '' && name !== PACKAGE)) continue;
      if (LOADERS[extname(name)] === readModule && !isInside) {
        warnings.push(`${path} is ignored: it is code outside the project ${root}; ${REMEDY}`);
        continue;
      }
      const value = await loadConfig(name, path, text);
      if (value !== undefined) return { file: { path, value, isInside, placeOf: placer(name, path, text) }, warnings };
    }
    if (folder === root) isInside = false;
    if (folder === homedir() || folder === dirname(folder)) return { file: null, warnings };
  }
}

/** @type {(name: string, path: string, text: string) => Promise<any>} undefined: package.json without a configuration */
async function loadConfig(name, path, text) {
  const value = await LOADERS[extname(name)](path, text);
  if (name !== PACKAGE) return value ?? null;
  return value?.['bench-rest'] ?? undefined;
}

/** @type {(name: string, path: string, text: string) => ConfigFile['placeOf']} */
function placer(name, path, text) {
  if (LOADERS[extname(name)] === readModule) return async () => path;
  const positions = () => keyPositions(text, name === PACKAGE ? ['bench-rest'] : []);
  /** @type {ReturnType<typeof positions> | undefined} */
  let found;
  return async (key) => {
    const position = (await (found ??= positions())).get(key);
    return position ? `${path}:${position.line}:${position.column}` : path;
  };
}

/** Null if there is no such file. @type {(path: string) => string | null} */
function readText(path) {
  try {
    return readRegularFile(path, { maxBytes: MOST_BYTES }).toString();
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    if (error.isMissing) return null;
    throw makeError('E_CONFIG', { problems: error.message }, { cause: error });
  }
}

/** @type {(path: string, text: string) => any} */
function readJson(path, text) {
  const { value, fault } = parseJson(text);
  if (fault) throw misread(path, text, fault);
  return value;
}

/** @type {(path: string, text: string) => Promise<any>} */
async function readYaml(path, text) {
  const { value, fault } = await parseYaml(text);
  if (fault) throw misread(path, text, fault);
  return value;
}

/** @type {(path: string, text: string, fault: Fault) => Error} */
function misread(path, text, fault) {
  const { path: place, reason, cure } = faultDetails(path, text, fault);
  return makeError('E_CONFIG', { problems: `${place}: ${reason}; ${cure}` });
}

/** @type {(path: string) => Promise<any>} */
async function readModule(path) {
  const distrust = distrustOf(path);
  if (distrust) {
    const remedy = 'change its owner or mode (chown, chmod o-w), or convert it to .bench-restrc.json';
    throw makeError('E_CONFIG', { problems: `${path}: not run, because it is code and ${distrust}; ${remedy}` });
  }
  try {
    const { default: value } = await import(pathToFileURL(path).href);
    return value;
  } catch (error) {
    throw makeError('E_CONFIG', { problems: `${path}: ${/** @type {Error} */ (error).message}` }, { cause: error });
  }
}
