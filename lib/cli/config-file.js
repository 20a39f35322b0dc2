import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
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
 * @property {boolean} isNamed the user named it with --config, so it is obeyed
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
const FILE_NAMES = [PACKAGE, ...Object.keys(LOADERS).map((extension) => `.bench-restrc${extension}`)];
const EXTENSIONS = Object.keys(LOADERS).filter((extension) => extension !== '');

/**
 * The configuration file that the user names, or the nearest one in a folder and its parents, up to the root of the project. One
 * that was found is skipped if another user could have written it: it chooses where requests and passwords are sent.
 *
 * @param {string} cwd
 * @param {string} [named] path of a file, which is obeyed
 * @returns {Promise<{ file: ConfigFile | null, warnings: string[] }>}
 * @throws {Error} E_CONFIG
 */
export async function findConfigFile(cwd, named) {
  if (named !== undefined) return { file: await namedFile(resolve(cwd, named)), warnings: [] };
  const start = resolve(cwd);
  const root = projectRoot(start);
  /** @type {string[]} */
  const warnings = [];
  for (let folder = start; ; folder = dirname(folder)) {
    for (const name of FILE_NAMES) {
      const path = join(folder, name);
      const distrust = distrustOf(path, { isCode: isModule(name) });
      if (distrust !== undefined) {
        if (name !== PACKAGE || configures(path)) warnings.push(skipped(path, distrust));
        continue;
      }
      const file = await readConfigFile(path, { name, isNamed: false });
      if (file) return { file, warnings };
    }
    if (folder === root || folder === dirname(folder)) return { file: null, warnings };
  }
}

/** @type {(path: string, distrust: string) => string} */
function skipped(path, distrust) {
  return `${path} is ignored, because ${distrust}; write --config ${path} to use it, or change its owner or mode (chown, chmod go-w)`;
}

/** @type {(path: string) => Promise<ConfigFile>} */
async function namedFile(path) {
  const name = basename(path);
  const extension = extname(name);
  if (!(extension in LOADERS) && !FILE_NAMES.includes(name))
    throw makeError('E_CONFIG', { problems: `${path}: expected a file with one of ${EXTENSIONS.join(' ')}` });
  const file = await readConfigFile(path, { name, isNamed: true });
  if (file) return file;
  const reason = existsSync(path) ? 'has no configuration: write options into it' : 'does not exist; check the path';
  throw makeError('E_CONFIG', { problems: `${path} ${reason}` });
}

/** Null if there is none, or if it is empty. @type {(path: string, options: { name: string, isNamed: boolean }) => Promise<ConfigFile | null>} */
async function readConfigFile(path, { name, isNamed }) {
  const text = readText(path);
  if (text === null || (text.trim() === '' && name !== PACKAGE)) return null;
  const value = await loadConfig(name, path, text);
  return value === undefined ? null : { path, value, isNamed, placeOf: placer(name, path, text) };
}

/** A package.json that is not obeyed has a configuration. @type {(path: string) => boolean} */
function configures(path) {
  try {
    return JSON.parse(String(readText(path)))['bench-rest'] !== undefined;
  } catch {
    return false;
  }
}

/** @type {(name: string) => boolean} */
function isModule(name) {
  return LOADERS[extname(name)] === readModule;
}

/** @type {(name: string, path: string, text: string) => Promise<any>} undefined: package.json without a configuration */
async function loadConfig(name, path, text) {
  const value = await LOADERS[extname(name)](path, text);
  if (name !== PACKAGE) return value ?? null;
  return value?.['bench-rest'] ?? undefined;
}

/** @type {(name: string, path: string, text: string) => ConfigFile['placeOf']} */
function placer(name, path, text) {
  if (isModule(name)) return async () => path;
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
  try {
    const { default: value } = await import(pathToFileURL(path).href);
    return value;
  } catch (error) {
    throw makeError('E_CONFIG', { problems: `${path}: ${/** @type {Error} */ (error).message}` }, { cause: error });
  }
}
