import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { Command, CommanderError, InvalidArgumentError } from 'commander';

import { makeError } from '../errors.js';
import { nearest } from '../problems.js';
import { COMMANDS } from './commands/index.js';
import { BARE_WORD, VERSION_FLAGS } from './first-look.js';
import { helpEnd, shortHelp } from './help.js';
import { normalizeArguments } from './normalize-arguments.js';
import { unknownName, usageError } from './usage-error.js';

/**
 * @import { CommandContext, CommandRequest } from './commands/types.js'
 *
 * @typedef {{ text: string }} PrintRequest the text of help or version
 */

const NARROWEST = 60;
const WRONG_ARGUMENTS = ['commander.missingArgument', 'commander.excessArguments'];

/**
 * Reads the command line.
 *
 * @param {string[]} args without node and script
 * @param {{ version: string, env: NodeJS.ProcessEnv, columns: number, cwd: () => string }} options
 * @returns {CommandRequest | PrintRequest}
 * @throws {Error} E_USAGE
 */
export function readArguments(args, { version, env, columns, cwd }) {
  const width = Math.max(columns, NARROWEST);
  let printed = '';
  /** @type {CommandRequest | undefined} */
  let request;
  /** @type {string[]} */
  let words = [];
  const program = createProgram({
    version,
    env,
    words: () => words,
    submit: (submitted) => (request = submitted),
  });
  const { args: all, word, problems: unknown, explained } = normalizeArguments(args, program);
  const invalid = collectInvalid(program, explained);
  const { own: normalized, ...after } = splitAtDashes(all, word);
  words = after.words;
  program.hook('preAction', (_, command) => {
    if (command === program) checkCommandName(word, { program, cwd });
    else refuseFlagsBefore(command.name(), normalized);
    const problem = problemOf(unknown, invalid);
    if (problem !== undefined) throw usageError(problem);
  });
  program.on('option:h', () => {
    printed = shortHelp(program, width);
    throw new CommanderError(0, 'commander.helpDisplayed', 'help');
  });
  for (const command of [program, ...program.commands]) {
    // an unknown flag is known to be one, and the values of the others are read nevertheless
    if (unknown.length > 0) command.allowUnknownOption().allowExcessArguments();
    command.exitOverride().configureOutput({
      writeOut: (text) => (printed += text),
      writeErr: () => {},
      getOutHelpWidth: () => width,
    });
  }
  const isCommand = program.commands.some((command) => command.name() === word);
  /** Names the command, whose help the user needs. @type {<E>(error: E) => E} */
  const ofCommand = (error) => (isCommand ? Object.assign(/** @type {any} */ (error), { command: word }) : error);
  try {
    program.parse(normalized.map(withDashboardPort), { from: 'user' });
  } catch (/** @type {any} */ error) {
    if (printed && unknown.length === 0) return { text: printed };
    if (typeof error?.code !== 'string' || !error.code.startsWith('commander.')) throw ofCommand(error);
    checkCommandName(word, { program, cwd });
    const problem = problemOf(unknown, invalid) ?? `${messageOf(error)}${usageAfter(error.code, word, program)}`;
    throw ofCommand(makeError('E_USAGE', { problem }, { cause: error }));
  }
  return /** @type {CommandRequest} */ (request);
}

/**
 * Lets commander go on after a value that is invalid, so that all are reported together.
 *
 * @param {Command} program
 * @param {string[]} explained short flags whose value has an answer already
 * @returns {string[]} a sentence for each; filled while the arguments are parsed
 */
function collectInvalid(program, explained) {
  /** @type {string[]} */
  const invalid = [];
  for (const option of [program, ...program.commands].flatMap(({ options }) => options)) {
    const { parseArg, flags, short = '' } = option;
    if (!parseArg) continue;
    let hasFailed = false;
    option.parseArg = (/** @type {string} */ text, /** @type {any} */ earlier) => {
      try {
        return parseArg(text, hasFailed ? undefined : earlier);
      } catch (/** @type {any} */ error) {
        const isInvalid = error instanceof InvalidArgumentError;
        if (!isInvalid && error.code !== 'E_USAGE') throw error;
        hasFailed = true;
        if (explained.includes(short)) return undefined;
        const reason = error.message.replace(/\.$/, '');
        invalid.push(isInvalid ? `option '${flags}' argument '${text}' is invalid. ${reason}` : reason);
        return undefined;
      }
    };
  }
  return invalid;
}

/** @type {(unknown: string[], invalid: string[]) => string | undefined} */
function problemOf(unknown, invalid) {
  const problems = [...unknown, ...invalid];
  if (problems.length < 2) return problems[0];
  return [invalid.length === 0 ? 'unknown options' : 'invalid options', ...problems].join('\n  ');
}

/** The message of commander, in the form of ours. @type {(error: Error) => string} */
function messageOf({ message }) {
  return message
    .replace(/^error: /, '')
    .replace(/^command-argument value '(.*)' is invalid for argument '(\w+)'\./s, '$1 is no valid $2.')
    .replace('\n', ' ')
    .replace(/\.$/, '');
}

/** The arguments of a command, if one is missing or too many. @type {(code: string, word: string | undefined, program: Command) => string} */
function usageAfter(code, word, program) {
  if (!WRONG_ARGUMENTS.includes(code)) return '';
  const command = program.commands.find((one) => one.name() === word) ?? program;
  return `; usage: ${command.createHelp().commandUsage(command)}`;
}

/**
 * The arguments of a command, and the words after `--` if they have a meaning of their own.
 *
 * @type {(args: string[], word: string | undefined) => { own: string[], words: string[] }}
 */
function splitAtDashes(args, word) {
  const { takesWords } = COMMANDS.find(({ name }) => name === word) ?? COMMANDS[0];
  const at = args.indexOf('--');
  if (!takesWords || at < 0) return { own: args, words: [] };
  return { own: args.slice(0, at), words: args.slice(at + 1) };
}

/** `--dashboard` takes a port only if a number follows; otherwise what follows is the flow. @type {(arg: string, i: number, args: string[]) => string} */
function withDashboardPort(arg, i, args) {
  return arg === '--dashboard' && !/^\d+$/.test(args[i + 1] ?? '') ? '--dashboard=0' : arg;
}

/** Flags before the name of a command are those of a run: the command would ignore them. @type {(name: string, args: string[]) => void} */
function refuseFlagsBefore(name, [first]) {
  if (first === name) return;
  const [flag] = first.split('=');
  throw usageError(`write ${flag} after the name of the command: bench-rest ${name} ${flag}`);
}

/** @type {(word: string | undefined, context: { program: Command, cwd: () => string }) => void} */
function checkCommandName(word = '', { program, cwd }) {
  const names = program.commands.map((command) => command.name());
  if (!BARE_WORD.test(word) || names.includes(word) || !nearest(word, names)) return;
  if (!existsSync(resolve(cwd(), word))) throw unknownName('command', word, names);
}

/**
 * Declares the program: arguments, flags and commands. Help and documents are made from it.
 *
 * @param {CommandContext & { version: string }} context
 * @returns {Command}
 */
export function createProgram({ version, ...context }) {
  const program = new Command('bench-rest')
    .description('benchmark REST services with flows')
    .enablePositionalOptions()
    .version(version, VERSION_FLAGS.join(', '), 'print the version')
    .helpOption('--help', 'print all options')
    .helpCommand(false)
    .addHelpText('after', () => helpEnd());
  for (const { name, about, declare } of COMMANDS) {
    const isDefault = name === 'run';
    const command = isDefault
      ? program
      : program.command(name).description(about).helpOption('-h, --help', 'print this help');
    declare(command, context);
  }
  return program;
}
