import { createRequire } from 'node:module';

import { createProblems } from '../../ground/problems.js';
import { RUN_OPTIONS } from './index.js';
import { oppositeFlag, withoutArgument } from './row.js';

/** @import { OwnName, Problem, Problems } from '../../ground/types.js' */
/** @import { Layer, OtherName } from './types.js' */

/** @typedef {'flag' | 'option'} NameKind a flag of the command line, or a run option */

const requireHere = createRequire(import.meta.url);

/**
 * The names that users of other load generators write; read when a name is unknown here. Programs have `words` for
 * something else: words, and options of the request library.
 * @type {() => { names: OtherName[], words: string[] }}
 */
export const otherNames = () => requireHere('./other-names.json');

/** The names of flags of other tools, without those of one letter. @type {() => string[]} */
export function longNames() {
  const flags = otherNames().names.filter(({ only }) => only !== 'option');
  return flags.flatMap(({ names }) => names.split(' ').filter((name) => name.length > 1));
}

/**
 * Explains a name (`connections`, `maxRequests`, or the letter of a flag) that is unknown as a flag or as a run option,
 * and known elsewhere: in another tool, or as the other one of the two. `autocannon's connections is
 * limit here` is such an explanation; undefined if the name is not known.
 * @type {(name: string, kind: NameKind) => string | undefined}
 */
export function explainName(name, kind) {
  const other = otherName(name, kind);
  if (other) return answer(other, written(name, kind), kind);
  const own = ownName(name, kind);
  return own && longName(own) !== name ? `${written(name, kind)} is ${own} here` : undefined;
}

/** The flag for one of another tool. @type {(name: string) => string | undefined} */
export function flagHere(name) {
  const other = otherName(name, 'flag');
  return other && ourName(other, 'flag');
}

/** @type {(name: string, kind: NameKind) => OtherName | undefined} */
function otherName(name, kind) {
  return otherNames().names.find(
    ({ names, only = kind }) => only === kind && names.split(' ').some((one) => isMeant(one, name, kind)),
  );
}

/**
 * Refuses a run option that is unknown, with its name here or the nearest name.
 * @type {(name: string, allowed: string[], report: { path: string, problems: Problems }) => void}
 */
export function refuseOption(name, allowed, { path, problems }) {
  const answer = explainName(name, 'option');
  if (answer) problems.add(path, answer);
  else problems.unknown(path, 'option', name, allowed);
}

/**
 * Does the same for a program, which may keep values of its own among its run options: a name is refused if it names
 * one of ours, and ignored otherwise.
 * @type {(name: string, allowed: string[], report: { path: string, problems: Problems }) => void}
 */
export function refuseUnlessOwn(name, allowed, { path, problems }) {
  const answer = explainName(name, 'option');
  if (answer === undefined) problems.refuseUnlessOwn(path, 'option', name, allowed);
  else if (isWord(name)) problems.ignore(path, answer, answer);
  else problems.add(path, answer);
}

/**
 * Explains a property of an operation that is unknown there: it may be a run option, or that of another tool. A
 * property whose name is not known is returned itself.
 * @type {(own: OwnName) => OwnName}
 */
export function explainProperty(own) {
  if (own.about !== undefined) return own;
  const about = meaningOfProperty(own.path.slice(own.path.lastIndexOf('.') + 1));
  return about === undefined ? own : { ...own, about, reason: `${own.reason}: ${about}` };
}

/** The meaning of a property. It may be a name of the user's own. @type {(name: string) => string | undefined} */
function meaningOfProperty(name) {
  const other = otherName(name, 'option');
  if (other?.property !== undefined) return `write ${other.property}`;
  return explainRunOption(name) ?? (other && !isWord(name) ? answer(other, name, 'option') : undefined);
}

/** Finds a run option by its name, its flag, or another tool's name. @type {(name: string) => string | undefined} */
function explainRunOption(name) {
  if (RUN_OPTIONS.some((row) => row.name === name)) return 'it is a run option: write it in runOptions';
  const ours = ownName(name, 'option');
  if (ours !== undefined) return `it is the run option ${ours} here: write it in runOptions`;
  const other = otherName(name, 'option');
  return other?.option && !isWord(name)
    ? `${answer(other, name, 'option')}, a run option: write it in runOptions`
    : undefined;
}

/** Tells which run option an unknown property of the flow is. @type {(path: string) => string | undefined} */
export function explainMisplaced(path) {
  return explainRunOption(path.slice(path.lastIndexOf('.') + 1));
}

/** Reports whether a name is a word that people use for other things, too. @type {(name: string) => boolean} */
function isWord(name) {
  return otherNames().words.some((word) => isSame(word, name));
}

/** @type {(other: OtherName, name: string, kind: NameKind) => string} */
function answer({ tools, hint, ...other }, name, kind) {
  const ours = ourName(other, kind);
  const also = hint ? `, ${hint}` : '';
  if (tools === undefined) return `there is no ${name}: ${hint}`;
  const subject = tools.includes(',') ? `${name} of ${tools.replace(/, (\w+)$/, ' and $1')}` : `${tools}'s ${name}`;
  return ours === undefined ? `${subject} is not an option here: ${hint}` : `${subject} is ${ours} here${also}`;
}

/** A flag with the name of an option, or vice versa. @type {(name: string, kind: NameKind) => string | undefined} */
function ownName(name, kind) {
  const row = RUN_OPTIONS.find(
    ({ name: option, flag }) => flag && isSame(kind === 'flag' ? option : longName(flag), name),
  );
  return (
    row && ourName({ option: row.name, flag: row.flag?.startsWith('--no-') ? oppositeFlag(row) : undefined }, kind)
  );
}

/** @type {(names: Pick<OtherName, 'option' | 'flag'>, kind: NameKind) => string | undefined} */
function ourName({ option, flag }, kind) {
  if (kind === 'option') return option;
  return flag ?? withoutArgument(RUN_OPTIONS.find(({ name }) => name === option)?.flag);
}

/**
 * Reports whether a name is meant: letters are flags only, and case matters in them.
 * @type {(one: string, name: string, kind: NameKind) => boolean}
 */
function isMeant(one, name, kind) {
  return one.length === 1 || name.length === 1 ? kind === 'flag' && one === name : isSame(one, name);
}

/** Compares names in kebab-case, camelCase and snake_case. @type {(one: string, other: string) => boolean} */
function isSame(one, other) {
  return plain(one) === plain(other);
}

/** @type {(name: string) => string} */
function plain(name) {
  return name.replace(/[-_]/g, '').toLowerCase();
}

/** @type {(flag: string) => string} */
function longName(flag) {
  return flag.replace(/^(-\w, )?--/, '').replace(/ .*/, '');
}

/** @type {(name: string, kind: NameKind) => string} */
function written(name, kind) {
  if (kind === 'option') return name;
  return name.length === 1 ? `-${name}` : `--${name}`;
}

/** Name of the layer that the flags of the command and variables of the environment set. */
export const COMMAND_LINE = 'command line or environment';

const CODES = ['E_RUN_OPTIONS', 'E_FLOW'];
const PATH = /^(?:runOptions\.)?(\w+)(.*)$/s;
/** The index of a value of a flag that is repeated: the command line has none. */
const INDEX = /^\[\d+\]/;

/** The flag of a run option, as problems name it. @type {(name: string) => string | undefined} */
function flagOf(name) {
  return name === 'headers' ? '-H, --header' : withoutArgument(RUN_OPTIONS.find((row) => row.name === name)?.flag);
}

/**
 * Names options by their flags in the problems of options that the command line has set: `-w, --workers` instead of
 * `runOptions.workers`, and of its loads `-c, --concurrency of /items`. An error without such a problem is returned
 * itself.
 * @type {(error: any, layers: Layer[], options?: { hasLoads?: boolean }) => any} hasLoads: the scenarios are loads that
 *   the command line has joined by `+`
 */
export function inWordsOfFlags(error, layers, { hasLoads = false } = {}) {
  if (!CODES.includes(error?.code) || !Array.isArray(error.problems)) return error;
  const { options } = layers.find(({ name }) => name === COMMAND_LINE) ?? { options: {} };
  const problems = createProblems(error.code);
  for (const problem of error.problems)
    problems.add(...((hasLoads ? wordedOfLoad(problem) : null) ?? worded(problem, options)));
  return problems.error() ?? error;
}

/**
 * Rewrites a problem. `options` are those of the command line: others keep their names.
 * @type {(problem: Problem, options: Record<string, unknown>) => [path: string, reason: string]}
 */
function worded({ path, reason, names = [] }, options) {
  const [, option = '', rest = ''] = PATH.exec(path) ?? [];
  const hasFlag = options[option] !== undefined && flagOf(option) !== undefined;
  const known = names.filter((name) => hasFlag || options[name] !== undefined);
  const text = known.reduce((all, name) => all.replace(lastOf(name), shortFlag(name)), reason);
  if (path === 'runOptions' && known.length > 0) return ['command line', text];
  return [hasFlag ? `${flagOf(option)}${rest.replace(INDEX, '')}` : path, text];
}

/** The path of a problem of a load; the name of a load is a path of a URL, so it may have dots. */
const OF_LOAD = /^flow\.scenarios\.(.+?)(?:\.load(?:\.(\w+).*)?|\.(startAfter)|\.main\[.*)?$/s;

/** @type {(problem: Problem) => [path: string, reason: string] | null} null: it is none of a load */
function wordedOfLoad({ path, reason, names = [] }) {
  if (path === 'runOptions' && names.length === 0) return ['command line', reason];
  const [, load, option = '', startAfter] = OF_LOAD.exec(path) ?? [];
  if (load === undefined) return null;
  const flag = startAfter === undefined ? flagOf(option) : '--start-after';
  const text = names.reduce((all, name) => all.replace(lastOf(name), shortFlag(name)), reason);
  return [
    flag === undefined ? `the load ${load}` : `${flag} of ${load}`,
    text.replace(/\b(a|the) scenario(s?)\b/g, '$1 load$2'),
  ];
}

/** Finds the last mention of an option: before it, its name may be a plain word. @type {(name: string) => RegExp} */
function lastOf(name) {
  return new RegExp(`\\b${name}\\b(?!.*\\b${name}\\b)`, 's');
}

/** @type {(name: string) => string} */
function shortFlag(name) {
  return flagOf(name)?.split(', ')[0] ?? name;
}
