import { dirname, resolve } from 'node:path';

import { isRecord } from '../flow/record.js';
import { createProblems } from '../problems.js';
import { REPORTERS } from '../report/formats/index.js';
import { refuseOption } from '../run/options/explain-name.js';
import { RUN_OPTIONS } from '../run/options/index.js';
import { readOption, refusalOf } from '../run/options/row.js';
import { mergeStart, refuseStart } from '../run/options/start.js';
import { formatValue } from '../text/format-value.js';
import { findConfigFile } from './config-file.js';
import { distrustOf } from './project.js';

/**
 * @import { Problems } from '../problems.js'
 * @import { Layer } from '../run/options/layers.js'
 * @import { RunOptions } from '../run/options/types.js'
 *
 * @typedef {object} Config
 * @property {string | null} path of the file; null if there is none
 * @property {Partial<RunOptions>} options of runs
 * @property {string} [flow] a URL, or a path that is relative to the file
 * @property {boolean} [isNamed] the user named the file
 * @property {string} [format]
 * @property {string[]} [output]
 * @property {string[]} warnings to print
 */

/** Keys of the file beside run options. */
const OWN_KEYS = ['flow', 'format', 'output'];

/**
 * The configuration file of this folder, or of the nearest one above in the project: `.bench-restrc.json`, `.yaml` or `.js`,
 * `.bench-restrc` (YAML or JSON), or `bench-rest` in package.json. Its keys are run options, `flow`, `format` and `output`.
 *
 * @param {string} cwd
 * @param {string} [named] path of the file of `--config`, instead
 * @returns {Promise<Config>}
 * @throws {Error} E_CONFIG with all problems
 */
export async function readConfig(cwd, named) {
  const { file, warnings } = await findConfigFile(cwd, named);
  if (file === null) return { path: null, options: {}, warnings };
  const { path, value, isNamed, placeOf } = file;
  const problems = createProblems('E_CONFIG');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.add(path, 'expected an object of options');
    problems.throwIfAny();
  }
  const { flow, format, output, ...options } = /** @type {Record<string, any>} */ (value);
  checkOptions(options, problems);
  checkTrust(options, file, problems);
  checkOwn({ flow, format, output }, problems);
  for (const problem of problems.list) problem.path = `${await placeOf(problem.path)}: ${problem.path}`;
  problems.throwIfAny();
  return {
    path,
    options: { ...options, ...startIn(dirname(path), options) },
    flow,
    isNamed,
    format,
    output: output === undefined ? undefined : [output].flat(),
    warnings,
  };
}

/** @type {(options: Record<string, any>, problems: Problems) => void} */
function checkOptions(options, problems) {
  const rows = RUN_OPTIONS.filter(({ flag, name }) => flag || name === 'headers');
  for (const [key, value] of Object.entries(options)) {
    const row = rows.find(({ name }) => name === key);
    if (!row) refuseOption(key, [...rows.map(({ name }) => name), ...OWN_KEYS], { path: key, problems });
    else if (!row.check(readOption(row, value))) problems.add(key, refusalOf(row, value));
  }
}

/** A command that is found, not written by the user, runs where code of the project would. @type {(options: Record<string, any>, file: { path: string, isNamed: boolean }, problems: Problems) => void} */
function checkTrust({ start }, { path, isNamed }, problems) {
  if (start === undefined || isNamed) return;
  const distrust = distrustOf(path, { isCode: true });
  if (distrust)
    problems.add('start', `is not run, because it is a command and ${distrust}; write --start, or --config ${path}`);
}

/** The command of a file runs in the folder of the file. @type {(folder: string, options: Record<string, any>) => Record<string, any>} */
function startIn(folder, { start }) {
  if (refuseStart(start) !== undefined) return {};
  return {
    start: mergeStart(
      { cwd: folder },
      isRecord(start) && start.cwd ? { ...start, cwd: resolve(folder, start.cwd) } : start,
    ),
  };
}

/** @type {(own: Record<string, any>, problems: Problems) => void} */
function checkOwn({ flow, format, output }, problems) {
  if (flow !== undefined && (typeof flow !== 'string' || flow === ''))
    problems.add('flow', `expected a path or a URL, got ${formatValue(flow)}`);
  const formats = REPORTERS.map(({ name }) => name);
  if (format !== undefined && !formats.includes(format))
    problems.add('format', `expected one of ${formats.join(' ')}, got ${formatValue(format)}`);
  if (output !== undefined && [output].flat().some((one) => typeof one !== 'string'))
    problems.add('output', 'expected a path, or an array of them');
}

/**
 * @param {Pick<Config, 'path' | 'options'>} config
 * @returns {Layer} its run options
 */
export function configLayer({ path, options }) {
  return { name: path ?? 'configuration', options };
}
