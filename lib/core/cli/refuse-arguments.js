import { nearest } from '../ground/problems.js';
import { RUN_OPTIONS } from '../run/options/index.js';
import { explainName, flagHere, longNames } from '../run/options/names.js';
import { flagsOf, withoutArgument } from '../run/options/row.js';
import { COMMANDS, INFORMATION_FLAGS } from './commands/index.js';
import { SPELLINGS, isSwitch } from './program.js';

/** @import { Option } from 'commander' */
/** @import { InvalidValue, Program } from './program.js' */

// The sentences about arguments: this module is loaded when some are refused.

/**
 * Explains what is wrong with the words that a command has read: flags first, then values, and what else is refused
 * later (`also`). Undefined: nothing.
 * @type {(command: Program, words: string[], also: () => string[]) => string | undefined}
 */
export function explainRefusal(command, words, also) {
  const { flags, explained } = refuseFlags(words, command);
  /** @type {(value: InvalidValue) => boolean} */
  const isExplained = ({ declared, text }) => {
    const short = 'short' in declared ? declared.short : undefined;
    const isIn = (/** @type {string} */ word) => word === short || (short && word.endsWith(short.slice(1) + text));
    return explained.some((word) => word === text || isIn(word));
  };
  const invalid = command.invalid.filter((value) => !isExplained(value)).map(({ problem }) => problem);
  if (flags.length + invalid.length === 0) return undefined;
  const values = [...invalid, ...also()];
  const all = [...flags, ...values];
  if (all.length === 1) return all[0];
  return [values.length === 0 ? 'unknown options' : 'invalid options', ...all].join('\n  ');
}

/**
 * Finds the flags that are unknown, lack their value, or mean something else. `explained` are flags whose value has an
 * answer by that, and words that commander took for values.
 * @type {(words: string[], command: Program) => { flags: string[], explained: string[] }}
 */
export function refuseFlags(words, command) {
  const threads = command.parent ? undefined : refuseThreads(words);
  /** @type {{ flags: string[], explained: string[] }} */
  const refused = threads ? { flags: [threads], explained: ['-t', '-d'] } : { flags: [], explained: [] };
  for (let i = 0; i < words.length; i++) {
    const [word, next = ''] = words.slice(i);
    if (!/^-./.test(word) || INFORMATION_FLAGS.includes(word)) continue;
    const option = command.optionBefore(word);
    const lacking = option && isFlag(next, command) ? lacksValue(option, next, command) : undefined;
    const problem = refuseFlag(word, command) ?? lacking;
    if (problem) {
      refused.flags.push(problem);
      refused.explained.push(lacking ? next : word);
    } else if (option) i++;
  }
  return refused;
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

/** @type {(word: string, command: Program) => string | undefined} */
function refuseFlag(word, command) {
  return word.startsWith('--') ? refuseLong(word, command) : refuseShort(word, command);
}

/** @type {(word: string, command: Program) => string | undefined} */
function refuseLong(word, command) {
  const [, name, value] = /^--([^=]*)(=.*)?$/s.exec(word) ?? ['', ''];
  const option = command.optionNamed(name);
  if (!option) return unknownFlag(name, command, '--');
  return value !== undefined && isSwitch(option) ? valueOfSwitch(option, value, command) : undefined;
}

/** @type {(option: Option, value: string, command: Program) => string} */
function valueOfSwitch({ long = '' }, value, command) {
  const other = long.startsWith('--no-') ? long.slice('--no-'.length) : `no-${long.slice('--'.length)}`;
  const opposite = value === '=false' ? command.optionNamed(other)?.long : undefined;
  return `${long} takes no value: write ${opposite ?? `${long} alone, or leave it out`}`;
}

/** Letters from which on `-rate` is `--rate` with a dash too few, not `-r` with a value. */
const SHORTEST_NAME = 3;

/** @type {(word: string, command: Program) => string | undefined} */
function refuseShort(word, command) {
  const [name] = word.slice(1).split('=');
  const meant = name.length >= SHORTEST_NAME ? meantLong(word, name, command) : undefined;
  if (meant !== undefined) return meant;
  const letters = [...word.slice(1)];
  const at = letters.findIndex((letter) => !isSwitch(command.optionOf(`-${letter}`)));
  if (at < 0 || command.optionOf(`-${letters[at]}`)) return undefined;
  return (at > 0 && meaningElsewhere(name, command)) || unknownFlag(letters[at], command);
}

/** A long name behind one dash. @type {(word: string, name: string, command: Program) => string | undefined} */
function meantLong(word, name, command) {
  const long = command.optionNamed(name)?.long;
  return long ? `${word}: write it with two dashes, ${long}` : meaningElsewhere(name, command);
}

/**
 * Reports whether a word is a flag in our spelling, also with its value, as in `-c25`; not a value such as `-1`.
 * @type {(word: string, command: Program) => boolean}
 */
function isFlag(word, command) {
  const name = /^-[a-z]\d/i.test(word) ? word.slice(0, 2) : word.replace(/=.*$/s, '');
  const { short, long } = command.optionOf(name) ?? {};
  return name === short || name === long;
}

/**
 * Explains that a flag lacks its value. In other tools some of these flags have none, such as -x of autocannon and -r
 * of ab.
 * @type {(option: Option, next: string, command: Program) => string}
 */
function lacksValue(option, next, { invalid }) {
  const { flags, long, argChoices } = option;
  if (argChoices) return `${flags} needs a value: one of ${argChoices.join(', ')}`;
  const refused = invalid.find(({ declared, text }) => declared === option && text === next);
  if (refused) return `${flags} needs a value, and ${next} is a flag. ${refused.reason}`;
  return `${flags} needs a value, and ${next} is a flag; if it is the value, write ${long}=${next}`;
}

/**
 * Explains an unknown flag by the first that fits: what other tools mean by it, a flag of the same name here or of a
 * run, the nearest flag, the nearest name of other tools.
 * @type {(name: string, command: Program, dashes?: '-' | '--') => string}
 */
function unknownFlag(name, command, dashes = '-') {
  const text = meaningElsewhere(name, command);
  if (text) return text;
  if (name.length === 1) return `unknown option '${dashes}${name}'`;
  // --serve-port of a run is --port of the command serve; so are flags such as --agents-queue.
  const plain = name.replace(new RegExp(`^(?:${COMMANDS.map((one) => one.name).join('|')})s?-`), '');
  if (command.optionNamed(plain)) return `unknown option '--${name}', did you mean --${plain}?`;
  if (RUN_FLAGS.includes(`--${name}`))
    return `unknown option '--${name}': it is a flag of a run, and ${command.name()} does not have it`;
  const near = nearest(name, command.options.map(({ long }) => long?.slice(2) ?? '').filter(Boolean));
  if (near) return `unknown option '--${name}', did you mean --${near}?`;
  const other = nearest(name, [...Object.keys(SPELLINGS), ...(command.optionNamed('concurrency') ? longNames() : [])]);
  const own = other && (flagHere(other) ?? withoutArgument(command.optionNamed(other)?.flags));
  if (own) return `unknown option '--${name}', did you mean ${own}?`;
  const meaning = other && meaningElsewhere(other, command);
  return `unknown option '--${name}'${meaning ? `: ${meaning}` : ''}`;
}

/**
 * Explains a flag of another tool by our run options, which only some commands have.
 * @type {(name: string, command: Program) => string | undefined}
 */
function meaningElsewhere(name, command) {
  return command.optionNamed('concurrency') && explainName(name, 'flag');
}

/** @type {string[]} */
const RUN_FLAGS = RUN_OPTIONS.flatMap(flagsOf);
