import { InvalidArgumentError, Option } from 'commander';

import { writeMs } from '../../ground/units.js';
import { HAS_AUTHORITY } from '../../http/schemes.js';
import { OPTION_GROUPS, RUN_OPTIONS, rowOf } from '../../run/options/index.js';
import { FILE_NAME, oppositeFlag, readOption, refusalOf } from '../../run/options/row.js';
import { splitUser } from '../../run/options/requests.js';
import { CommonOption, valueIn } from '../program.js';
import { usageError } from '../usage-error.js';
import { argumentParser, secretParser } from './argument-parser.js';

/** @import { Command } from 'commander' */
/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { RunOption } from '../../run/options/types.js' */
/** @import { CommandContext, Flag } from '../types.js' */

/**
 * Adds a flag for every run option that has one, in its group, but those of groups that the command does not have
 * (`without`), and others of these names (`except`).
 * @type {(command: Command, options?: { without?: string[], except?: string[] }) => void}
 */
export function addRunFlags(command, { without = [], except = [] } = {}) {
  for (const { group, rows } of OPTION_GROUPS.filter((one) => !without.includes(one.group))) {
    command.optionsGroup(`${group}:`);
    if (group === 'Connections')
      command.option('--ipv4', 'connect to IPv4 addresses only').option('--ipv6', 'connect to IPv6 addresses only');
    const own = rows.filter(({ flag, name }) => flag && !except.includes(name));
    for (const option of own.flatMap(optionsOf)) command.addOption(option);
  }
  for (const { group, rows } of OPTION_GROUPS)
    for (const option of rows.flatMap(({ parts = [] }) => parts.flatMap(optionsOf)))
      command.optionsGroup(`${group}:`).addOption(option);
}

/**
 * Returns the option of a row, and its opposite, which help and documents do not list. The one without `no-` comes
 * first: otherwise commander sets the default value to true.
 * @type {(row: Flag) => Option[]}
 */
export function optionsOf(row) {
  const [option, flag] = [optionOf(row), oppositeFlag(row)];
  if (flag === undefined) return [option];
  const opposite = new Option(flag, `the opposite of ${option.long}`).hideHelp();
  return option.negate ? [opposite, option] : [option, opposite];
}

/** Adds the flag that names the configuration file. @type {(command: Command) => void} */
export function addConfigFlag(command) {
  command
    .optionsGroup('Results:')
    .option(
      '--config <file>',
      'configuration file to use, instead of the one that is found in this folder or above it',
    );
}

/** Makes the option of a row, whose help names its default and its variable. @type {(row: Flag) => Option} */
function optionOf({ flag = '', about, inHelp, default: value, commandDefault = value, env, ...row }) {
  // A boolean is no news: false, or true of a flag that begins with --no-.
  const hasDefault = commandDefault !== undefined && typeof commandDefault !== 'boolean';
  const shown =
    flag.endsWith(' <time>') && commandDefault > 0 ? writeMs(commandDefault).replace(' ', '') : commandDefault;
  const option = new CommonOption(
    flag,
    `${about}${hasDefault ? ` (default: ${shown})` : ''}${env ? `; or ${env} in the environment` : ''}`,
    inHelp,
  );
  return option.required || option.optional ? withParser(option, row) : option;
}

/** @type {(option: Option, row: Partial<Flag>) => Option} */
function withParser(option, row) {
  // A row with words of its own for a refusal is checked with all options later: commander would add others to them.
  const isCheckedLater = row.refuse !== undefined && !row.repeatable;
  if (isCheckedLater && !row.refuseSecond) return option;
  const parser = refusingSecond(row, isCheckedLater ? String : parserOf(row));
  const hidesArgument = row.isSecret || (row.masked && !row.isQuoted);
  return option.argParser(hidesArgument ? secretParser(option.flags, parser) : parser);
}

/**
 * Refuses a second value that is not the first. The parser of such a row must return the text itself, as those of
 * --start and --watch do: the earlier value is compared with the new text.
 * @type {(row: Pick<RunOption, 'refuseSecond'>, parse: (text: string, earlier?: any) => any) => (text: string,
 *   earlier?: any) => any}
 */
function refusingSecond({ refuseSecond }, parse) {
  if (refuseSecond === undefined) return parse;
  return (text, earlier) => {
    if (earlier !== undefined && earlier !== text) throw new InvalidArgumentError(`${refuseSecond}.`);
    return parse(text, earlier);
  };
}

/**
 * Makes the parser of the argument of a row. That of a repeatable flag gets what it returned for the earlier ones.
 * @type {(row: Partial<RunOption>) => (text: string, earlier?: any) => any}
 */
function parserOf({ read = String, readPart = read, check = () => true, expected = '', ...row }) {
  const { parsed, refuseText, refuse, repeatable, merge } = row;
  // The argument of a row whose value is a text is taken as it is, even if empty: `-u "$NAME"` without the variable.
  if (!repeatable) return argumentParser(parsed === 'string' ? String : read, check, expected, refuseText);
  const refuseOne = (/** @type {string} */ text) => refuse?.([text]);
  const readOne = argumentParser((text) => readPart([text]), check, expected, refuseText, refuseOne);
  if (merge) return (text, earlier) => (earlier === undefined ? readOne(text) : merge(earlier, readOne(text)));
  // Rows without a reader keep the text: thresholds are parsed when the operations are known.
  if (read === String) return (text, earlier = []) => [...earlier, text];
  return (text, earlier) => joined(earlier, readOne(text));
}

/** The values of a flag that is given several times: a list, or an object. @type {(earlier: any, value: any) => any} */
function joined(earlier, value) {
  return Array.isArray(value) ? [...(earlier ?? []), ...value] : { ...earlier, ...value };
}

/**
 * Returns the run options that the command line (options from commander) and the environment set.
 * @type {(options: Record<string, any>, context: Pick<CommandContext, 'env' | 'words'>) => Partial<RunOptions>}
 */
export function runOptionsOf(options, { env, words }) {
  const refusal = explainCredentials(options, env);
  if (refusal !== undefined) throw usageError(refusal);
  // The row of `headers` has no flag: request-flags.js declares --header.
  /** @type {Record<string, any>} */
  const runOptions = options.header ? { headers: options.header } : {};
  for (const row of RUN_OPTIONS) {
    const { name, flag, env: variable } = row;
    const value = flag && valueOf(row, options, words);
    if (value !== undefined) runOptions[name] = value;
    else if (variable && env[variable]) runOptions[name] = checkedVariable(row, variable, env[variable]);
  }
  // The password of the flag is stronger than that of the environment.
  if (options.user?.includes(':')) delete runOptions.password;
  return { ...splitUser(runOptions), ...familyOption(options) };
}

/**
 * Returns what the flags of an option set, and the words after `--`; undefined if nothing does.
 * @type {(row: RunOption, options: Record<string, any>, words: () => string[]) => any}
 */
function valueOf({ flag, parts = [], readWords, merge }, options, words) {
  const flagged = valueIn(options, /** @type {string} */ (flag));
  const own = readWords && words().length > 0 ? readWords(words(), flagged) : flagged;
  const set = parts.map((part) => [part.name, valueIn(options, part.flag)]).filter(([, value]) => value !== undefined);
  if (set.length === 0) return own;
  return own === undefined ? Object.fromEntries(set) : merge?.(own, Object.fromEntries(set));
}

/** @type {(options: Record<string, any>) => { family?: 4 | 6 }} */
function familyOption({ family, ipv4 = false, ipv6 = false }) {
  const families = new Set([...(family === undefined ? [] : [family]), ...(ipv4 ? [4] : []), ...(ipv6 ? [6] : [])]);
  if (families.size > 1) throw usageError('use either IPv4 or IPv6, not both');
  return ipv4 || ipv6 ? { family: ipv4 ? 4 : 6 } : {};
}

/** @type {(row: RunOption, variable: string, text: string) => string} */
function checkedVariable(row, variable, text) {
  if (row.check(readOption(row, text))) return text;
  throw usageError(`${variable} in the environment: ${refusalOf(row, text)}; correct it, or unset it`);
}

const [{ env: USER_VARIABLE = '' }, { env: PASSWORD_VARIABLE = '' }] = ['user', 'password'].map(rowOf);

/**
 * Explains why -p or -u is refused: other tools have requests in flight, virtual users and the file of a body in them.
 * The explanation begins with the flag.
 * @type {(options: Record<string, any>, env: NodeJS.ProcessEnv) => string | undefined}
 */
export function explainCredentials({ user, password }, env) {
  if (password && !user && !env[USER_VARIABLE])
    return '-p is the password of a user: add -u <user>; for requests in flight per connection write --pipelining <n>, for the file of a body -b @file';
  if (password !== undefined && user?.includes(':'))
    return '-u user:password has a password, and -p is another one: use one of them';
  if (/^\d+$/.test(user ?? '') && password === undefined && !env[PASSWORD_VARIABLE])
    return `-u ${user} is a user: for ${user} virtual users write -c ${user}; a user with this name can be set as ${USER_VARIABLE} in the environment`;
  if (FILE_NAME.test(user ?? ''))
    return `-u ${user} is a user, not the file of a body: write -m PUT -b @${user}; a user with this name can be set as ${USER_VARIABLE} in the environment`;
  return undefined;
}

/**
 * Lists the warnings to print before the run. `flows` are as given.
 * @type {(options: Record<string, any>, flows: (string | undefined)[]) => string[]}
 */
export function warningsOf({ user = '', password, proxy, insecure, serve, baseUrl, quiet, ...request }, flows) {
  const visible = `a password on the command line is visible to other users of this machine until the command has read it, and stays in the history of the shell; set ${PASSWORD_VARIABLE} in the environment instead`;
  const unverified = 'TLS certificates are not verified (--insecure): any server can pose as the target';
  const given = [baseUrl, ...flows].filter((text) => text !== undefined);
  const mayUseTls = !serve && (given.length === 0 || given.some((text) => !/^['"]?(http|ws):/.test(text)));
  const inProxy =
    'the password of a proxy on the command line is visible to other users of this machine until the command has read it; set HTTP_PROXY and HTTPS_PROXY in the environment instead';
  return [
    ...(password || user.includes(':') ? [visible] : []),
    ...(/:[^@/]*@/.test(proxy ?? '') ? [inProxy] : []),
    ...(insecure && mayUseTls ? [unverified] : []),
    ...(!quiet && !given.some(isOfOther) && isUntypedJson(request) ? [UNTYPED_JSON] : []),
  ];
}

/** Only HTTP has a type of the body. @type {(url: string) => boolean} */
const isOfOther = (url) => HAS_AUTHORITY.test(url) && !/^(?:https?|file):/i.test(url);

const UNTYPED_JSON = 'the body looks like JSON, and is sent without a Content-Type: add -T json';

/** @type {(request: { body?: unknown, contentType?: string, header?: Record<string, unknown> }) => boolean} */
function isUntypedJson({ body, contentType, header = {} }) {
  const hasType = contentType !== undefined || Object.keys(header).some((name) => /^content-type$/i.test(name));
  if (hasType || typeof body !== 'string' || !/^\s*[[{]/.test(body)) return false;
  try {
    return JSON.parse(body) !== null;
  } catch {
    return false;
  }
}
