import { pathToFileURL } from 'node:url';

import { lilconfig } from 'lilconfig';

import { makeError } from '../errors.js';
import { jsonFault } from '../flow/formats/json-fault.js';
import { parseYaml } from '../flow/formats/parse-yaml.js';
import { textError } from '../flow/formats/text-error.js';
import { createProblems } from '../problems.js';
import { REPORTERS } from '../report/index.js';
import { RUN_OPTIONS, readOption, refusalOf } from '../run/options.js';
import { show } from '../show.js';

/**
 * @import { RunOptions } from '../run/options.js'
 *
 * @typedef {object} Config
 * @property {string | null} path of the file; null where there is none
 * @property {Partial<RunOptions>} options of runs
 * @property {string} [format]
 * @property {string[]} [output]
 */

const PLACES = [
  'package.json',
  ...['json', 'yaml', 'yml', 'js', 'mjs', 'cjs'].map((extension) => `.bench-restrc.${extension}`),
];

/**
 * The configuration file of this folder, or of the nearest one above: `.bench-restrc.json`, `.yaml` or `.js`, or
 * `bench-rest` in package.json. Its keys are run options, `format` and `output`.
 *
 * @param {string} cwd
 * @returns {Promise<Config>}
 * @throws {Error} E_CONFIG all that is wrong in it
 */
export async function readConfig(cwd) {
  const found = await lilconfig('bench-rest', {
    searchPlaces: PLACES,
    loaders: {
      '.json': readJson,
      '.yaml': readYaml,
      '.yml': readYaml,
      '.js': readModule,
      '.mjs': readModule,
      '.cjs': readModule,
    },
  }).search(cwd);
  if (!found || found.isEmpty) return { path: null, options: {} };
  const { filepath: path, config } = found;
  const problems = createProblems('E_CONFIG');
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    problems.add(path, 'expected an object of options');
  const { format, output, ...options } = problems.list.length > 0 ? /** @type {any} */ ({}) : config;
  const rows = RUN_OPTIONS.filter(({ flag, name }) => flag || name === 'headers');
  for (const [key, value] of Object.entries(options)) {
    const row = rows.find(({ name }) => name === key);
    if (!row) problems.unknown(`${path}: ${key}`, 'option', key, [...rows.map(({ name }) => name), 'format', 'output']);
    else if (!row.check(readOption(row, value))) problems.add(`${path}: ${key}`, refusalOf(row, value));
  }
  const formats = REPORTERS.map(({ name }) => name);
  if (format !== undefined && !formats.includes(format))
    problems.add(`${path}: format`, `expected one of ${formats.join(' ')}, got ${show(format)}`);
  const outputs = output === undefined ? undefined : [output].flat();
  if (outputs?.some((one) => typeof one !== 'string'))
    problems.add(`${path}: output`, 'expected a path, or an array of them');
  problems.throwIfAny();
  return { path, options, format, output: outputs };
}

/** @type {(path: string, text: string) => any} */
function readJson(path, text) {
  const fault = jsonFault(text);
  if (fault) throw misread(path, text, fault);
  return JSON.parse(text);
}

/** @type {(path: string, text: string) => Promise<any>} */
async function readYaml(path, text) {
  const { value, fault } = await parseYaml(text);
  if (fault) throw misread(path, text, fault);
  return value;
}

/** @type {(path: string, text: string, fault: import('../flow/formats/types.js').Fault) => Error} */
function misread(path, text, fault) {
  return makeError('E_CONFIG', { problems: textError(path, text, fault).message });
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
