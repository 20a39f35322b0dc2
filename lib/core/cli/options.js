import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { CommanderError } from 'commander';

import { offered } from '../ground/addons.js';
import { makeError } from '../ground/errors.js';
import { nearest } from '../ground/problems.js';
import { RUN_OPTIONS } from '../run/options/index.js';
import { withoutArgument } from '../run/options/row.js';
import { COMPANION_FLAGS } from './flags/companions.js';
import { makesUrls } from './flags/request-flags.js';
import { explainCredentials } from './flags/run-flags.js';
import { BARE_WORD } from './named-addons.js';
import { Program, kebabCase } from './program.js';
import { unknownName, usageError } from './usage-error.js';
import { VERSION_FLAGS } from './version.js';

/** @import { OutputConfiguration } from 'commander' */
/** @import { CommandContext, CommandRequest, LoadedCommand, Separator } from './types.js' */

/** @typedef {{ text: string }} PrintRequest the text of help or version */

const NARROWEST = 60;
/** Ends the parsing after a help, as commander does. */
const SHOWN = new CommanderError(0, 'commander.helpDisplayed', 'help');
const ENDS = [SHOWN.code, 'commander.version'];
const WRONG_ARGUMENTS = ['commander.missingArgument', 'commander.excessArguments'];

/**
 * Reads the command line with commander, but reports all problems together. `args`: without node and script.
 * @throws {Error} E_USAGE
 * @type {(args: string[], options: { version: string, commands: LoadedCommand[], env: NodeJS.ProcessEnv, columns:
 *   number, cwd: () => string }) => CommandRequest | PrintRequest}
 */
export function readArguments(args, { version, commands, env, columns, cwd }) {
  const width = Math.max(columns, NARROWEST);
  // Commander sets text, request and command while it parses; the words are known just before.
  /** @type {{ printed: string, request?: CommandRequest, words: string[], command?: Program }} */
  const read = { printed: '', words: [] };
  const program = createProgram({
    version,
    commands,
    env,
    words: () => read.words,
    submit: (request) => (read.request = request),
    output: { writeOut: (text) => (read.printed += text), getOutHelpWidth: () => width },
  });
  program.on('option:h', () => (read.printed = loadHelp().shortHelp(program)));
  program.on('option:help-all', () => (read.printed = loadHelp().wholeHelp(program)));
  const { first, separator, further } = splitAtWord(args, program);
  const { own, words } = splitAtDashes(withImpliedValues(first, { program, cwd }), commands);
  read.words = words;
  const flags = own.includes('--') ? own.slice(0, own.indexOf('--')) : own;
  // -h may be a letter in the name of a flag with one dash
  const asksForHelp = flags.includes('-h') || flags.includes('--help-all');
  /** @type {(command: Program, isRefused?: boolean) => string | undefined} */
  const refusalOf = (command, isRefused) => {
    if (command !== program) return command.refusal(flags.slice(1), { isRefused });
    refuseCredentials(program, env);
    return program.refusal(flags, { isRefused, also: () => alsoWrong(program, cwd) });
  };
  // Commander calls this when it has read all flags, before it performs the action.
  program.hook('preAction', (_, action) => {
    const command = /** @type {Program} */ (action);
    read.command = command;
    if (asksForHelp && read.printed) throw SHOWN;
    if (command === program) refuseMisspelledCommand(program.args[0], { program, cwd });
    else refuseFlagsBefore(command.name(), own);
    refuseEmpty(command);
    const problem = refusalOf(command);
    if (problem !== undefined) throw usageError(problem);
    if (read.printed) throw SHOWN;
  });
  try {
    program.parse(own, { from: 'user' });
  } catch (/** @type {any} */ error) {
    if (!(error instanceof CommanderError)) throw withCommand(error, read.command);
    // Commander ends a help and the version by an error, too.
    if (read.printed && (ENDS.includes(error.code) || asksForHelp)) return { text: read.printed };
    const { command = read.command ?? program } = /** @type {{ command?: Program }} */ (error);
    if (command === program) refuseMisspelledCommand(program.args[0] ?? own[0], { program, cwd });
    else refuseFlagsBefore(command.name(), own);
    const problem = refusalOf(command, true) ?? `${error.message}${usageAfter(error.code, command)}`;
    throw withCommand(makeError('E_USAGE', { problem }, { cause: error }), command);
  }
  const request = /** @type {any} */ (read.request);
  return separator === undefined ? request : separator.load().withParts(request, further, program);
}

/** Names the command in its error: main.js points to its help. @type {(error: Error, command?: Program) => Error} */
function withCommand(error, command) {
  return command?.parent ? Object.assign(error, { command: command.name() }) : error;
}

const requireHere = createRequire(import.meta.url);

/** @type {() => typeof import('./help.js')} */
const loadHelp = () => requireHere('./help.js');

/** Reads arguments that are refused. @type {() => typeof import('../flow/source/formats/url.js')} */
const loadUrlFormat = () => requireHere('../flow/source/formats/url.js');

/** @type {Separator[]} */
const SEPARATORS = offered('separators');

/**
 * Splits the arguments at the words of a separator; those after `--` stay with the first ones.
 * @type {(args: string[], program: Program) => { first: string[], separator?: Separator, further: string[][] }}
 */
function splitAtWord(args, program) {
  const dashes = args.indexOf('--');
  const [ours, words] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes)];
  const isWord = (/** @type {number} */ i, /** @type {string} */ word) =>
    ours[i] === word && program.optionBefore(ours[i - 1]) === undefined;
  const separator = SEPARATORS.find(({ word }) => ours.some((_, i) => isWord(i, word)));
  if (separator === undefined) return { first: args, further: [] };
  const places = [...ours.keys()].filter((i) => isWord(i, separator.word));
  const further = places.map((from, i) => ours.slice(from + 1, places[i + 1]));
  return { first: [...ours.slice(0, places[0]), ...words], separator, further };
}

/**
 * The arguments of a command, and the words after `--` if they have a meaning of their own.
 * @type {(args: string[], commands: LoadedCommand[]) => { own: string[], words: string[] }}
 */
function splitAtDashes(args, commands) {
  // commands[0] is `run`, whose name may be left out.
  const { takesWords } = commands.find(({ name }) => name === args[0]) ?? commands[0];
  const at = args.indexOf('--');
  if (!takesWords || at < 0) return { own: args, words: [] };
  return { own: args.slice(0, at), words: args.slice(at + 1) };
}

/**
 * Lists what is refused later, when flow and configuration are read, so that a command line of another tool gets one
 * answer: hosts without a scheme, and a duration as `-d`.
 * @type {(program: Program, cwd: () => string) => string[]}
 */
function alsoWrong(program, cwd) {
  const { progress, iterations, duration, forever } = program.opts();
  const hasEnd = [iterations, duration, forever].some((end) => end !== undefined);
  const given = [...Object.keys(program.opts()), ...program.invalid.map(({ declared }) => attributeOf(declared))];
  return [
    ...(progress > 0 && !hasEnd
      ? [`-d ${progress} is the time between progress updates, in ms: to run for ${progress} s write -t ${progress}s`]
      : []),
    ...program.args
      .filter((arg) => !arg.startsWith('-') && !given.some(makesUrls) && !existsSync(resolve(cwd(), arg)))
      .flatMap((arg) => loadUrlFormat().refuseHost(arg) ?? []),
  ];
}

/** @type {(declared: Program['invalid'][0]['declared']) => string} */
const attributeOf = (declared) => ('attributeName' in declared ? declared.attributeName() : '');

/** Adds -u and -p to the values that are invalid. @type {(program: Program, env: NodeJS.ProcessEnv) => void} */
function refuseCredentials(program, env) {
  const { user, password } = program.opts();
  const problem = explainCredentials({ user, password }, env);
  const declared = program.optionOf(problem?.slice(0, 2) ?? '');
  if (problem === undefined || declared === undefined) return;
  const text = declared.short === '-p' ? password : user;
  program.invalid.push({ declared, text, reason: problem, problem });
}

/** After too few or too many arguments. @type {(code: string, command: Program) => string} */
function usageAfter(code, command) {
  return WRONG_ARGUMENTS.includes(code) ? `; usage: ${command.createHelp().commandUsage(command)}` : '';
}

/** A word such as `x`, `8080`, `1.5%`: neither a flag nor a URL, nor the name of a file with an extension (`a.js`). */
const PLAIN_WORD = /^(?!localhost$)[\w,%][\w,%-]*(?:\.\d[\w,%]*)*$/;
/** Flags whose value may be left out: they take the next argument only if it can be one; otherwise it is the flow. */
const IMPLIED = [
  ...[...RUN_OPTIONS, ...COMPANION_FLAGS].flatMap(({ flag, expected, implied }) =>
    implied ? [{ flag: withoutArgument(flag), expected, ...implied }] : [],
  ),
];

/**
 * Joins these flags with their value, before words are read as commands.
 * @throws {Error} E_USAGE: a word after such a flag is no value, no command and no file
 * @type {(args: string[], context: { program: Program, cwd: () => string }) => string[]}
 */
function withImpliedValues(args, { program, cwd }) {
  const isOwnArgument = (/** @type {string} */ word) =>
    !PLAIN_WORD.test(word) ||
    program.commands.some((command) => command.name() === word) ||
    existsSync(resolve(cwd(), word));
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const rowAt = (/** @type {number} */ at) =>
    at < end ? IMPLIED.find(({ flag }) => flag === kebabCase(args[at] ?? '')) : undefined;
  const takes = (/** @type {number} */ at) => rowAt(at)?.values.test(args[at + 1] ?? '') ?? false;
  return args.flatMap((arg, i) => {
    // It was joined with the flag before it
    if (takes(i - 1)) return [];
    const row = rowAt(i);
    if (!row) return arg;
    const next = args[i + 1] ?? '';
    if (!takes(i) && !isOwnArgument(next))
      throw usageError(`${row.flag} ${next}: expected ${row.expected}, or nothing; ${next} is no file either`);
    return `${row.flag}=${takes(i) ? next : row.text}`;
  });
}

/** An empty path would be the working folder. @type {(command: Program) => void} */
function refuseEmpty(command) {
  if (command.args.includes('')) throw usageError('an argument is empty: is a variable of the shell not set?');
  const folders = command.options.filter(({ flags }) => flags.endsWith('<folder>'));
  const empty = folders.find((option) => command.getOptionValue(option.attributeName()) === '');
  if (empty) throw usageError(`the argument of option '${empty.flags}' is empty: write . for the working folder`);
}

/** A command would ignore the flags before its name. @type {(name: string, args: string[]) => void} */
function refuseFlagsBefore(name, [first]) {
  if (first === name) return;
  const [flag] = first.split('=');
  throw usageError(`write ${flag} after the name of the command: bench-rest ${name} ${flag}`);
}

/**
 * Refuses what is likely a misspelled command, unless a file has that name: it may be a flow.
 * @type {(word: string | undefined, context: { program: Program, cwd: () => string }) => void}
 */
function refuseMisspelledCommand(word = '', { program, cwd }) {
  const names = program.commands.map((command) => command.name());
  if (!BARE_WORD.test(word) || names.includes(word) || !nearest(word, names)) return;
  if (!existsSync(resolve(cwd(), word))) throw unknownName('command', word, names);
}

/**
 * Declares the program: arguments, flags and commands. Help and documents are made from it.
 * @type {(context: CommandContext & { version: string, commands: LoadedCommand[], output?: OutputConfiguration }) =>
 *   Program}
 */
export function createProgram({ version, commands, output = {}, ...context }) {
  const program = new Program('bench-rest')
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput(output)
    .description('benchmark REST services with flows')
    .enablePositionalOptions()
    .version(version, VERSION_FLAGS.join(', '), 'print the version')
    .helpOption('--help', 'print commands and common options')
    .helpCommand(false);
  for (const { name, about, declare } of commands) {
    const isDefault = name === 'run';
    const command = isDefault
      ? program
      : program.command(name).description(about).helpOption('-h, --help', 'print this help');
    declare?.(command, context);
  }
  return program;
}
