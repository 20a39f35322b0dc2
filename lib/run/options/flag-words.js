import { createProblems } from '../../problems.js';
import { RUN_OPTIONS } from './index.js';

/**
 * @import { Problem } from '../../problems.js'
 * @import { Layer } from './layers.js'
 */

/** Name of the layer that the flags of the command and variables of the environment set. */
export const COMMAND_LINE = 'command line or environment';

const CODES = ['E_RUN_OPTIONS', 'E_FLOW'];
const PATH = /^(?:runOptions\.)?(\w+)(.*)$/s;
/** of a value of a flag that is repeated */
const INDEX = /^\[\d+\]/;
/** options whose problems have another path */
const FLAGS = new Map([
  ...RUN_OPTIONS.map((row) => /** @type {const} */ ([row.name, row.flag?.replace(/ <.*/, '')])),
  ['headers', '-H, --header'],
]);

/**
 * Names options by their flags in the problems of options that the command line has set: `-w, --workers` instead of
 * `runOptions.workers`.
 *
 * @param {any} error
 * @param {Layer[]} layers of the command line
 * @returns {any} an error with other words; the same one if it has no such problem
 */
export function inWordsOfFlags(error, layers) {
  if (!CODES.includes(error?.code) || !Array.isArray(error.problems)) return error;
  const { options } = layers.find(({ name }) => name === COMMAND_LINE) ?? { options: {} };
  const problems = createProblems(error.code);
  for (const problem of error.problems) problems.add(...worded(problem, options));
  try {
    problems.throwIfAny();
  } catch (rewritten) {
    return rewritten;
  }
  return error;
}

/** @type {(problem: Problem, options: Record<string, unknown>) => [path: string, reason: string]} */
function worded({ path, reason, names = [] }, options) {
  const [, option = '', rest = ''] = PATH.exec(path) ?? [];
  const isOfFlag = options[option] !== undefined && FLAGS.get(option) !== undefined;
  const known = names.filter((name) => isOfFlag || options[name] !== undefined);
  const text = known.reduce((all, name) => all.replace(lastOf(name), shortFlag(name)), reason);
  if (path === 'runOptions' && known.length > 0) return ['command line', text];
  return [isOfFlag ? `${FLAGS.get(option)}${rest.replace(INDEX, '')}` : path, text];
}

/** Before it, the name may be a plain word. @type {(name: string) => RegExp} */
function lastOf(name) {
  return new RegExp(`\\b${name}\\b(?!.*\\b${name}\\b)`, 's');
}

/** @type {(name: string) => string} */
function shortFlag(name) {
  return FLAGS.get(name)?.split(', ')[0] ?? name;
}
