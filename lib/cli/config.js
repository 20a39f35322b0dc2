import { homedir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { makeError } from '../errors.js';
import { createProblems } from '../problems.js';
import { FileRefusal, readRegularFile } from '../read-file.js';
import { REPORTERS } from '../report/formats/index.js';
import { refuseOption } from '../run/options/explain-name.js';
import { RUN_OPTIONS } from '../run/options/index.js';
import { readOption, refusalOf } from '../run/options/row.js';
import { formatValue } from '../text/format-value.js';
import { faultDetails } from '../text/code-frame.js';
import { parseJson } from '../text/parse-json.js';
import { parseYaml } from '../text/parse-yaml.js';
import { distrustOf, projectRoot } from './project.js';

/**
 * @import { Layer } from '../run/options/layers.js'
 * @import { RunOptions } from '../run/options/types.js'
 *
 * @typedef {object} Config
 * @property {string | null} path of the file; null if there is none
 * @property {Partial<RunOptions>} options of runs
 * @property {string} [format]
 * @property {string[]} [output]
 * @property {string[]} warnings to print
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
 * The configuration file of this folder, or of the nearest one above: `.bench-restrc.json`, `.yaml` or `.js`,
 * `.bench-restrc` (YAML or JSON), or `bench-rest` in package.json. Its keys are run options, `format` and `output`. Code runs only inside the project
 * and only from files that no other user can write to; above the project, only data files are read.
 *
 * @param {string} cwd
 * @returns {Promise<Config>}
 * @throws {Error} E_CONFIG with all problems
 */
export async function readConfig(cwd) {
  const { path, config, warnings } = await findConfig(cwd);
  if (path === null) return { path, options: {}, warnings };
  const problems = createProblems('E_CONFIG');
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    problems.add(path, 'expected an object of options');
  const { format, output, ...options } = problems.list.length > 0 ? /** @type {any} */ ({}) : config;
  const rows = RUN_OPTIONS.filter(({ flag, name }) => flag || name === 'headers');
  for (const [key, value] of Object.entries(options)) {
    const row = rows.find(({ name }) => name === key);
    if (!row) {
      const names = [...rows.map(({ name }) => name), 'format', 'output'];
      refuseOption(key, names, { path: `${path}: ${key}`, problems });
    } else if (!row.check(readOption(row, value))) problems.add(`${path}: ${key}`, refusalOf(row, value));
  }
  const formats = REPORTERS.map(({ name }) => name);
  if (format !== undefined && !formats.includes(format))
    problems.add(`${path}: format`, `expected one of ${formats.join(' ')}, got ${formatValue(format)}`);
  const outputs = output === undefined ? undefined : [output].flat();
  if (outputs?.some((one) => typeof one !== 'string'))
    problems.add(`${path}: output`, 'expected a path, or an array of them');
  problems.throwIfAny();
  return { path, options, format, output: outputs, warnings };
}

/**
 * @param {Pick<Config, 'path' | 'options'>} config
 * @returns {Layer} its run options
 */
export function configLayer({ path, options }) {
  return { name: path ?? 'configuration', options };
}

/** Searches this folder and its parents, up to the root or the home folder. @type {(cwd: string) => Promise<{ path: string | null, config?: any, warnings: string[] }>} */
async function findConfig(cwd) {
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
      const config = await loadConfig(name, path, text);
      if (config !== undefined) return { path, config, warnings };
    }
    if (folder === root) isInside = false;
    if (folder === homedir() || folder === dirname(folder)) return { path: null, warnings };
  }
}

/** @type {(name: string, path: string, text: string) => Promise<any>} undefined: package.json without a configuration */
async function loadConfig(name, path, text) {
  const value = await LOADERS[extname(name)](path, text);
  if (name !== PACKAGE) return value ?? null;
  return value?.['bench-rest'] ?? undefined;
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

/** @type {(path: string, text: string, fault: import('../text/types.js').Fault) => Error} */
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
