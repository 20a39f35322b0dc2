import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { makeError } from '../ground/errors.js';
import { FileRefusal, readTextFile } from '../process/read-file.js';
import { faultDetails } from '../text/code-frame.js';
import { parseJson } from '../text/parse-json.js';

/** @import { Stats } from 'node:fs' */
/** @import { Fault, FindPositions } from '../text/types.js' */

/**
 * @typedef {object} ConfigFile
 * @property {string} path
 * @property {unknown} value its content; of package.json, that of `bench-rest`
 * @property {boolean} isNamed the user named it with --config, so it is obeyed
 * @property {boolean} isCode it is a module
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
 * Finds the configuration file that the user names, or the nearest one in a folder and its parents, up to the root of
 * the project. One that was found is skipped if another user could have written it: it chooses where requests and
 * passwords are sent. Without `word` in its text it counts as one without keys.
 * @throws {Error} E_CONFIG
 * @type {(cwd: string, named?: string, word?: string) => Promise<{ file: ConfigFile | null, warnings: string[] }>}
 */
export async function findConfigFile(cwd, named, word = '') {
  if (named !== undefined) return { file: await namedFile(resolve(cwd, named), word), warnings: [] };
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
      const file = await readConfigFile(path, { name, isNamed: false, word });
      if (file) return { file, warnings };
    }
    if (folder === root || folder === dirname(folder)) return { file: null, warnings };
  }
}

/** Names in a folder that make it the root of a project. */
const MARKS = ['package.json', '.git'];
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_ALL = 0o002;
const ROOT = 0;

/**
 * Finds the nearest folder with package.json or .git, or else the folder itself (an absolute path). The home folder and
 * those above it are no root of a folder below: some people keep their settings there in git.
 * @type {(folder: string) => string}
 */
export function projectRoot(folder) {
  const home = homes();
  for (let at = folder; ; at = dirname(at)) {
    if (at !== folder && home.has(at)) return folder;
    if (MARKS.some((mark) => existsSync(join(at, mark)))) return at;
    if (at === dirname(at)) return folder;
  }
}

/** Lists the home folder and those above it, as they are named and as they are. @type {() => Set<string>} */
function homes() {
  const home = homedir();
  const all = new Set();
  for (const one of [home, existsSync(home) ? realpathSync(home) : home]) {
    all.add(one);
    for (let at = one; at !== dirname(at); at = dirname(at)) all.add(at);
  }
  return all;
}

/**
 * Explains why a file that was found, not named by the user, is not obeyed: another user could have written it. As for
 * git (`safe.directory`), files of the user and of root are trusted, and after `sudo` those of the user who called it.
 * A folder that others can write to does not matter to data, whose owner they cannot forge; code imports the files
 * beside it. Undefined if it is obeyed, if it does not exist, or if files have no owner (Windows).
 * @type {(path: string, options: { isCode: boolean }) => string | undefined}
 */
export function distrustOf(path, { isCode }) {
  if (process.geteuid === undefined || !existsSync(path)) return undefined;
  const file = realpathSync(path);
  for (const one of new Set([path, file])) {
    const stats = lstatSync(one);
    const reason = otherOwner(one, stats) ?? (stats.isSymbolicLink() ? undefined : otherWriters(one, stats));
    if (reason) return reason;
  }
  if (!isCode) return undefined;
  for (const folder of new Set([dirname(path), dirname(file)])) {
    const stats = statSync(folder);
    const reason = otherOwner(folder, stats) ?? (isWritable(stats) ? `every user can write to ${folder}` : undefined);
    if (reason) return reason;
  }
  return undefined;
}

/** @type {(path: string, stats: Stats) => string | undefined} */
function otherOwner(path, { uid }) {
  const user = /** @type {() => number} */ (process.geteuid)();
  const { SUDO_UID } = process.env;
  if (uid === user || uid === ROOT || (user === ROOT && SUDO_UID === String(uid))) return undefined;
  return `${path} belongs to another user (${uid}, you are ${user})`;
}

/** @type {(path: string, stats: Stats) => string | undefined} */
function otherWriters(path, stats) {
  if (isWritable(stats)) return `every user can write to ${path}`;
  const isWrittenByGroup = (stats.mode & WRITABLE_BY_GROUP) !== 0 && !isOwnGroup(stats.gid);
  return isWrittenByGroup ? `the users of group ${stats.gid} can write to ${path}` : undefined;
}

/** @type {(stats: Stats) => boolean} */
function isWritable({ mode }) {
  return (mode & WRITABLE_BY_ALL) !== 0;
}

/**
 * Reports whether a group is the user's own. Many systems give each user a group without others, and let it write to
 * all files (umask 002).
 * @type {(gid: number) => boolean}
 */
function isOwnGroup(gid) {
  try {
    const { username } = userInfo();
    const groups = readFileSync('/etc/group', 'utf8').split('\n');
    const [name, , , members] = groups.map((line) => line.split(':')).find(([, , id]) => id === String(gid)) ?? [];
    return name === username && (members === '' || members === username);
  } catch {
    // The user has no name, or the system has no such file.
    return false;
  }
}

/** @type {(path: string, distrust: string) => string} */
function skipped(path, distrust) {
  return `${path} is ignored, because ${distrust}; write --config ${path} to use it, or change its owner or mode (chown, chmod go-w)`;
}

/** @type {(path: string, word: string) => Promise<ConfigFile>} */
async function namedFile(path, word) {
  const name = basename(path);
  const extension = extname(name);
  if (!Object.hasOwn(LOADERS, extension))
    throw makeError('E_CONFIG', { problems: `${path}: expected a file with one of ${EXTENSIONS.join(' ')}` });
  const file = await readConfigFile(path, { name, isNamed: true, word });
  if (file) return file;
  const reason = existsSync(path) ? 'has no configuration: write options into it' : 'does not exist; check the path';
  throw makeError('E_CONFIG', { problems: `${path} ${reason}` });
}

/**
 * Reads a configuration file; null if there is none, or if it is empty.
 * @type {(path: string, options: { name: string, isNamed: boolean, word: string }) => Promise<ConfigFile | null>}
 */
async function readConfigFile(path, { name, isNamed, word }) {
  const text = readText(path);
  if (text === null || (text.trim() === '' && name !== PACKAGE)) return null;
  const value = text.includes(word) || name === PACKAGE ? await loadConfig(name, path, text) : {};
  if (value === undefined) return null;
  return { path, value, isNamed, isCode: isModule(name), placeOf: placer(name, path, text) };
}

/** Reports whether a package.json that is not trusted has a configuration. @type {(path: string) => boolean} */
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

/**
 * @type {(name: string, path: string, text: string) => Promise<any>} undefined: package.json without a configuration,
 *   or YAML without a value
 */
async function loadConfig(name, path, text) {
  const value = await LOADERS[extname(name)](path, text);
  return name === PACKAGE ? (value?.['bench-rest'] ?? undefined) : value;
}

/**
 * Returns a function that finds the place of a key in a file. JSON is read as YAML, which contains it.
 * @type {(name: string, path: string, text: string) => ConfigFile['placeOf']}
 */
function placer(name, path, text) {
  if (isModule(name)) return async () => path;
  /** @type {Promise<FindPositions> | undefined} */
  let positions;
  return async (key) => {
    positions ??= import('../text/parse-yaml.js').then(({ yamlPositions }) => yamlPositions(text));
    const [{ line, column }] = (await positions)([[...(name === PACKAGE ? ['bench-rest'] : []), key]]);
    return `${path}:${line}:${column}`;
  };
}

/** Reads a file; null if there is none. @type {(path: string) => string | null} */
function readText(path) {
  try {
    return readTextFile(path, { maxBytes: MOST_BYTES });
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
  const { parseYaml } = await import('../text/parse-yaml.js');
  const { value, fault } = await parseYaml(text);
  if (fault) throw misread(path, text, fault);
  // A file of comments alone has null.
  return value ?? undefined;
}

/** @type {(path: string, text: string, fault: Fault) => Error} */
function misread(path, text, fault) {
  const { path: place, reason, cure } = faultDetails(path, text, fault);
  return makeError('E_CONFIG', { problems: `${place}: ${reason}; ${cure}` });
}

/** @type {(path: string) => Promise<any>} */
async function readModule(path) {
  try {
    const { default: value = null } = await import(pathToFileURL(path).href);
    return value;
  } catch (error) {
    throw makeError('E_CONFIG', { problems: `${path}: ${/** @type {Error} */ (error).message}` }, { cause: error });
  }
}
