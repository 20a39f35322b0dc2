import { dirname } from 'node:path';

import { createProblems } from '../ground/problems.js';
import { workingFolder } from '../ground/system-errors.js';
import { REPORTERS } from '../report/formats/index.js';
import { RUN_OPTIONS, reachingIn } from '../run/options/index.js';
import { refuseOption } from '../run/options/names.js';
import { RUNS_COMMAND, longFlag, readOption, refusalOf } from '../run/options/row.js';
import { formatValue } from '../text/format-value.js';
import { distrustOf, findConfigFile } from './config-file.js';
import { printMessage } from './output.js';

/** @import { Problems } from '../ground/types.js' */
/** @import { Layer } from '../run/options/types.js' */
/** @import { Config, Io } from './types.js' */

/** Keys of the file beside run options. */
export const OWN_KEYS = ['flow', 'format', 'outputs'];

/**
 * Reads the configuration file that `--config` names, or else that of this folder or of the nearest one above in the
 * project: `.bench-restrc.json`, `.yaml` or `.js`, `.bench-restrc` (YAML or JSON), or `bench-rest` in package.json. Its
 * keys are run options, `flow`, `format` and `outputs`. All problems are in one E_CONFIG.
 * @throws {Error} E_CONFIG with all problems
 * @type {(cwd: string, named?: string) => Promise<Config>}
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
  const { flow, format, outputs, ...options } = /** @type {Record<string, any>} */ (value);
  checkOptions(options, problems);
  checkTrust(options, file, problems);
  checkOwn({ flow, format, outputs }, problems);
  for (const problem of problems.list) problem.path = `${await placeOf(problem.path)}: ${problem.path}`;
  problems.throwIfAny();
  return {
    path,
    options: inFolder(options, dirname(path)),
    flow,
    isNamed,
    format,
    outputs: outputs === undefined ? undefined : [outputs].flat(),
    warnings,
  };
}

/** Reads it for a command, and prints why files are ignored. @type {(io: Io, named?: string) => Promise<Config>} */
export async function openConfig(io, named) {
  const config = await readConfig(workingFolder(io), named);
  for (const warning of config.warnings) await printMessage(io.stderr, warning);
  return config;
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

/**
 * Refuses commands in a file that was found, where code of the project would be refused.
 * @type {(options: Record<string, any>, file: { path: string, isNamed: boolean }, problems: Problems) => void}
 */
function checkTrust(options, { path, isNamed }, problems) {
  const commands = isNamed ? [] : reachingIn(options, RUNS_COMMAND);
  const distrust = commands.length > 0 && distrustOf(path, { isCode: true });
  if (!distrust) return;
  for (const row of commands)
    problems.add(
      row.name,
      `is not run, because it is a command and ${distrust}; write ${longFlag(row)}, or --config ${path}`,
    );
}

/** @type {(options: Record<string, any>, folder: string) => Record<string, any>} */
function inFolder(options, folder) {
  const own = { ...options };
  for (const row of RUN_OPTIONS)
    if (row.inFolder && own[row.name] !== undefined) own[row.name] = row.inFolder(own[row.name], folder);
  return own;
}

/** @type {(own: Record<string, any>, problems: Problems) => void} */
function checkOwn({ flow, format, outputs }, problems) {
  if (flow !== undefined && (typeof flow !== 'string' || flow === ''))
    problems.add('flow', `expected a path or a URL, got ${formatValue(flow)}`);
  const formats = REPORTERS.map(({ name }) => name);
  if (format !== undefined && !formats.includes(format))
    problems.add('format', `expected one of ${formats.join(' ')}, got ${formatValue(format)}`);
  if (outputs !== undefined && [outputs].flat().some((one) => typeof one !== 'string'))
    problems.add('outputs', 'expected a path, or an array of them');
}

/** @type {(config: Pick<Config, 'path' | 'options'>) => Layer} */
export function configLayer({ path, options }) {
  return { name: path ?? 'configuration', options, isWritten: true };
}
