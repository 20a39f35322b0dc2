import { nearest } from '../ground/problems.js';
import { RUN_OPTIONS } from '../run/options/index.js';
import { explainName, flagHere, longNames } from '../run/options/names.js';
import { withoutArgument } from '../run/options/row.js';
import { MASK, isSecretName, maskField, maskText } from '../text/mask.js';
import { INFORMATION_FLAGS } from './commands/index.js';

/** @import { Command, Option } from 'commander' */

/**
 * @typedef {object} Normalized
 * @property {string[]} args flags in camelCase and snake_case are written in kebab-case
 * @property {string | undefined} word the first argument that is no flag: a flow, or the name of a command
 * @property {string[]} problems one for each flag that is unknown, with the right name or what to do instead
 * @property {string[]} explained short flags with a value that one of the problems explains
 */

/** Spellings of our flags in other tools, in kebab-case: accepted as ours. @type {Record<string, string>} */
export const SPELLINGS = {
  headers: 'header',
  cookies: 'cookie',
  data: 'body',
  'post-body': 'body',
  cacert: 'ca',
  'unix-socket': 'socket-path',
  keepalive: 'keep-alive',
  'no-keepalive': 'no-keep-alive',
};
/** Letters from which on `-rate` is `--rate` with a dash too few, not `-r` with a value. */
const SHORTEST_NAME = 3;

/**
 * Walks over the arguments as commander will, which would stop at the first flag that it does not know.
 * @type {(args: string[], program: Command) => Normalized}
 */
export function normalizeArguments(args, program) {
  /** @type {Normalized} */
  const result = { args: [], word: undefined, problems: [], explained: [] };
  let command = program;
  // Neither the value of a flag nor a word after -- asks for help.
  let wantsInformation = false;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    wantsInformation ||= INFORMATION_FLAGS.includes(arg);
    if (arg === '--') {
      result.args.push(...args.slice(i));
      break;
    }
    if (!/^-./.test(arg)) {
      result.args.push(arg);
      // After an unknown flag, an argument may be the value of that flag.
      if (result.word !== undefined || result.problems.length > 0) continue;
      result.word = arg;
      command = program.commands.find((one) => one.name() === arg) ?? program;
      continue;
    }
    const { read, problem } = readArgument(args.slice(i, i + 2), command);
    if (problem !== undefined) result.problems.push(problem);
    result.args.push(...read);
    i += Math.max(read.length - 1, 0);
  }
  const threads = command === program ? refuseThreads(args) : undefined;
  if (threads) {
    result.problems.unshift(threads);
    result.explained.push('-t', '-d');
  }
  return wantsInformation ? { ...result, problems: [] } : result;
}

/** In `-t12 -c400 -d30s` of wrk, -t is a number of threads. @type {(args: string[]) => string | undefined} */
function refuseThreads(args) {
  const [threads, duration, connections] = ['t', 'd', 'c'].map((letter) => valueOfShort(letter, args));
  if (threads === undefined || !/^\d+$/.test(threads)) return undefined;
  // A number without a unit is seconds in wrk, and milliseconds here, where few durations are below 100.
  if (duration !== undefined && /^(\d{1,2}|\d+[smh])$/.test(duration)) {
    const time = /\d$/.test(duration) ? `${duration}s` : duration;
    return `-t ${threads} and -d ${duration} are the threads and the duration of wrk: write -w ${threads} -t ${time}`;
  }
  if (connections === undefined || Number(threads) === 0) return undefined;
  return `-t ${threads}: ${threads}s or ${threads}ms? A time needs a unit; ${threads} threads, as in wrk, are -w ${threads}`;
}

/** @type {(letter: string, args: string[]) => string | undefined} */
function valueOfShort(letter, args) {
  const at = args.findIndex((arg) => arg.startsWith(`-${letter}`));
  if (at < 0 || args.slice(0, at).includes('--')) return undefined;
  return args[at] === `-${letter}` ? args[at + 1] : args[at].slice(2).replace(/^=/, '');
}

/**
 * Reads a flag and its value, the first of the arguments. Nothing is read if there is a problem: commander would find
 * another one in a text that has an answer already.
 * @type {(args: string[], command: Command) => { read: string[], problem?: string }}
 */
function readArgument([arg, next], command) {
  const { text, problem, needsValue } = readFlag(arg, command);
  if (problem) return { read: [], problem };
  if (!needsValue) return { read: [text] };
  return isFlag(next, command)
    ? { read: [], problem: lacksValue(needsValue, next) }
    : { read: next === undefined ? [text] : [text, next] };
}

/** A flag whose value is the next argument. @type {(arg: string | undefined, command: Command) => boolean} */
export function takesNext(arg = '', command) {
  return /^-./.test(arg) && readFlag(arg, command).needsValue !== undefined;
}

/**
 * @typedef {{ text: string, problem?: string, needsValue?: Option }} Flag needsValue: the next argument is its value
 */

/** @type {(arg: string, command: Command) => Flag} */
function readFlag(arg, command) {
  if (INFORMATION_FLAGS.includes(arg)) return { text: arg };
  return arg.startsWith('--') ? readLong(arg, command) : readShort(arg, command);
}

/** @type {(arg: string, command: Command) => Flag} */
function readLong(arg, command) {
  const [, name, value = ''] = /^--([^=]*)(=.*)?$/s.exec(arg) ?? ['', ''];
  const option = longOption(name, command);
  if (!option) return { text: arg, problem: unknown(name, command, '--') };
  if (value !== '' && !option.required && !option.optional)
    return { text: arg, problem: valueOfBoolean(option, value, command) };
  return { text: `${option.long}${value}`, needsValue: option.required && value === '' ? option : undefined };
}

/** @type {(option: Option, value: string, command: Command) => string} */
function valueOfBoolean({ long }, value, command) {
  const other = long?.startsWith('--no-') ? long.slice('--no-'.length) : `no-${long?.slice('--'.length)}`;
  const opposite = value === '=false' ? optionNamed(other, command)?.long : undefined;
  return `${long} takes no value: write ${opposite ?? `${long} alone, or leave it out`}`;
}

/** @type {(arg: string, command: Command) => Flag} */
function readShort(arg, command) {
  const [name] = arg.slice(1).split('=');
  const meant = name.length >= SHORTEST_NAME ? meantLong(arg, name, command) : undefined;
  if (meant !== undefined) return { text: arg, problem: meant };
  // Flags without a value may be written together, and an option with one ends them: `-qc10`, `-qc 10`.
  const letters = [...arg.slice(1)];
  const options = letters.map((letter) => command.options.find(({ short }) => short === `-${letter}`));
  const at = options.findIndex((option) => option === undefined || option.required || option.optional);
  if (at < 0) return { text: arg };
  const option = options[at];
  if (option === undefined)
    return { text: arg, problem: (at > 0 && meaningElsewhere(name, command)) || unknown(letters[at], command) };
  return { text: arg, needsValue: option.required && at === letters.length - 1 ? option : undefined };
}

/** Explains a long name behind one dash. @type {(arg: string, name: string, command: any) => string | undefined} */
function meantLong(arg, name, command) {
  const long = longOption(name, command)?.long;
  return long ? `${arg}: write it with two dashes, ${long}` : meaningElsewhere(name, command);
}

/**
 * A flag in our spelling, also with its value, as in `-c25`; not a value such as `-1`.
 * @type {(arg: string | undefined, command: Command) => boolean}
 */
function isFlag(arg = '', command) {
  const name = /^-[a-z]\d/i.test(arg) ? arg.slice(0, 2) : arg.replace(/=.*$/s, '');
  return command.options.some(({ short, long }) => name !== '' && (name === short || name === long));
}

/**
 * Explains that a flag lacks its value. In other tools some of these flags have none, such as -x of autocannon and -r
 * of ab.
 * @type {(option: Option, next: string) => string}
 */
function lacksValue({ flags, long, argChoices, parseArg }, next) {
  if (argChoices) return `${flags} needs a value: one of ${argChoices.join(', ')}`;
  try {
    parseArg?.(next, undefined);
  } catch (error) {
    const reason = /** @type {Error} */ (error).message.replace(/\.$/, '');
    return `${flags} needs a value, and ${next} is a flag. ${reason}`;
  }
  return `${flags} needs a value, and ${next} is a flag; if it is the value, write ${long}=${next}`;
}

/**
 * Finds the option of a name in kebab-case, camelCase or snake_case, ours or that of another tool.
 * @type {(name: string, command: Command) => Option | undefined}
 */
function longOption(name, command) {
  const kebab = kebabCase(name);
  return optionNamed(name, command) ?? optionNamed(kebab, command) ?? optionNamed(SPELLINGS[kebab], command);
}

/** @type {(name: string) => string} */
export function kebabCase(name) {
  return name
    .replaceAll('_', '-')
    .replace(/(?<=[a-z\d])[A-Z]/g, '-$&')
    .toLowerCase();
}

/** @type {(name: string, command: Command) => Option | undefined} */
function optionNamed(name, command) {
  return command.options.find(({ long }) => long === `--${name}`);
}

/**
 * Explains an unknown flag by the first that fits: what other tools mean by it, a flag of the same name here or of a
 * run, the nearest flag, the nearest name of other tools.
 * @type {(name: string, command: Command, dashes?: '-' | '--') => string}
 */
function unknown(name, command, dashes = '-') {
  const text = meaningElsewhere(name, command);
  if (text) return text;
  if (name.length === 1) return `unknown option '${dashes}${name}'`;
  // --serve-port of a run is --port of the command serve; so are the flags about agents.
  const plain = name.replace(/^(agents|serve)-/, '');
  if (optionNamed(plain, command)) return `unknown option '--${name}', did you mean --${plain}?`;
  if (RUN_FLAGS.includes(`--${name}`))
    return `unknown option '--${name}': it is a flag of a run, and ${command.name()} does not have it`;
  const near = nearest(name, command.options.map(({ long }) => long?.slice(2) ?? '').filter(Boolean));
  if (near) return `unknown option '--${name}', did you mean --${near}?`;
  const other = nearest(name, [...Object.keys(SPELLINGS), ...(optionNamed('concurrency', command) ? longNames() : [])]);
  const own = other && (flagHere(other) ?? withoutArgument(longOption(other, command)?.flags));
  if (own) return `unknown option '--${name}', did you mean ${own}?`;
  const meaning = other && meaningElsewhere(other, command);
  return `unknown option '--${name}'${meaning ? `: ${meaning}` : ''}`;
}

/**
 * Explains a flag of another tool by our run options, which only some commands have.
 * @type {(name: string, command: Command) => string | undefined}
 */
function meaningElsewhere(name, command) {
  return optionNamed('concurrency', command) && explainName(name, 'flag');
}

const HEADER = ['-H', '--header'];
/** The flags with a secret as their value. @type {string[]} */
const SECRET_FLAGS = RUN_OPTIONS.filter(({ isSecret }) => isSecret).flatMap(flagsOf);
/** @type {string[]} */
const RUN_FLAGS = RUN_OPTIONS.flatMap(flagsOf);

/** The short and the long flag of an option. @type {(row: { flag?: string }) => string[]} */
function flagsOf({ flag = '' }) {
  return flag.split(/[ ,]+/).filter((word) => word.startsWith('-'));
}

/**
 * Replaces the arguments of this process where other users see them, as in `ps`, if secrets are among them: passwords,
 * fields and URLs. On Linux and macOS the title of a process is written over its arguments; on other systems it is that
 * of the window alone.
 * @type {(args: string[], process_?: { title: string }) => void}
 */
export function hideArguments(args, process_ = process) {
  const shown = maskedArguments(args);
  if (shown.some((word, i) => word !== args[i])) process_.title = ['bench-rest', ...shown].join(' ');
}

/** The text of a curl command, which may have secrets anywhere. */
const CURL = /^(\s*(?:-e|--evaluate=)?\s*curl\s)[^]+$/;

/** Returns the arguments without the secrets in them. @type {(args: string[]) => string[]} */
export function maskedArguments(args) {
  /** The flag before the argument, if that had no value in it. */
  let before = '';
  return args.map((word) => {
    const { flag, head, value } = isMasked(before) ? { flag: before, head: '', value: word } : splitFlag(word);
    before = value === undefined ? flag : '';
    if (value === undefined || !isMasked(flag)) return maskText(word.replace(CURL, `$1${MASK}`));
    return head + (HEADER.includes(flag) ? maskedHeader(value) : MASK);
  });
}

/** Reports whether a flag, ours or that of another tool, has a secret value. @type {(flag: string) => boolean} */
function isMasked(flag) {
  return [...HEADER, ...SECRET_FLAGS].includes(flag) || isSecretName(flag.replace(/^-+/, ''));
}

/**
 * Splits `--password=x` and `-px`. `flag` is in our spelling, and empty for other words; `head` precedes the value.
 * @type {(word: string) => { flag: string, head: string, value?: string }}
 */
function splitFlag(word) {
  const [, head = '', value] = /^(--[\w-]+=?|-[a-zA-Z]=?)([^]+)?$/.exec(word) ?? [];
  const flag = head.replace(/=$/, '');
  const name = kebabCase(flag.slice('--'.length));
  return { flag: flag.startsWith('--') ? `--${SPELLINGS[name] ?? name}` : flag, head, value };
}

/** @type {(text: string) => string} */
function maskedHeader(text) {
  const colon = text.indexOf(':');
  return colon < 0
    ? maskText(text)
    : `${text.slice(0, colon)}: ${maskField(text.slice(0, colon).trim(), text.slice(colon + 1).trim())}`;
}
