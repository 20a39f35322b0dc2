import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { Command, CommanderError, InvalidArgumentError } from 'commander';

import { offered } from '../ground/addons.js';
import { makeError } from '../ground/errors.js';
import { ascendingExitCodes } from '../ground/exit-codes.js';
import { PHASES } from '../ground/phases.js';
import { nearest } from '../ground/problems.js';
import { RUN_OPTIONS } from '../run/options/index.js';
import { withoutArgument } from '../run/options/row.js';
import { COMPANION_FLAGS } from './flags/companions.js';
import { refuseCredentials } from './flags/run-flags.js';
import { BARE_WORD, VERSION_FLAGS } from './commands/index.js';
import { kebabCase, normalizeArguments, takesNext } from './normalize-arguments.js';
import { unknownName, usageError } from './usage-error.js';

/** @import { CommandContext, CommandRequest, LoadedCommand, Separator } from './types.js' */

/** @typedef {{ text: string }} PrintRequest the text of help or version */

const NARROWEST = 60;
const WRONG_ARGUMENTS = ['commander.missingArgument', 'commander.excessArguments'];

/**
 * Reads the command line with commander, but not as strictly as it does: other spellings of flags are accepted, and all
 * problems are reported together. So the arguments are normalized first, with the flags that the program declares.
 * `args`: without node and script.
 * @throws {Error} E_USAGE
 * @type {(args: string[], options: { version: string, commands: LoadedCommand[], env: NodeJS.ProcessEnv, columns:
 *   number, cwd: () => string }) => CommandRequest | PrintRequest}
 */
export function readArguments(args, { version, commands, env, columns, cwd }) {
  const width = Math.max(columns, NARROWEST);
  // Commander sets text and request while it parses; the words are known just before.
  /** @type {{ printed: string, request?: CommandRequest, words: string[] }} */
  const read = { printed: '', words: [] };
  const program = createProgram({
    version,
    commands,
    env,
    words: () => read.words,
    submit: (request) => (read.request = request),
  });
  const { first, separator, further } = splitAtWord(args, program);
  // Only with the flags of the program can the value of one be told from the name of the command.
  const normalized = normalizeArguments(withImpliedValues(first, { program, cwd }), program);
  const { word, problems: unknown } = normalized;
  const invalid = collectInvalid(program, normalized.explained);
  const { own, words } = splitAtDashes(normalized.args, word, commands);
  read.words = words;
  // Commander calls this when it has read all flags, before it performs the action.
  program.hook('preAction', (_, command) => {
    if (command === program) refuseMisspelledCommand(word, { program, cwd });
    else refuseFlagsBefore(command.name(), own);
    refuseEmpty(command);
    const credentials = command === program ? refuseCredentials(program.opts(), env) : undefined;
    const found = credentials === undefined ? invalid : [...invalid, credentials];
    const isRefused = unknown.length + found.length > 0;
    const problem = problemOf(
      unknown,
      isRefused && command === program ? [...found, ...alsoWrong(program, cwd)] : found,
    );
    if (problem !== undefined) throw usageError(problem);
  });
  printInto(read, program, width);
  // Unknown flags are among the problems already: commander goes on, so that invalid values of other flags are found.
  if (unknown.length > 0)
    for (const command of [program, ...program.commands]) command.allowUnknownOption().allowExcessArguments();
  const isCommand = program.commands.some((command) => command.name() === word);
  /** Names the command, whose help main.js points to. @type {<E>(error: E) => E} */
  const withCommand = (error) => (isCommand ? Object.assign(/** @type {any} */ (error), { command: word }) : error);
  try {
    program.parse(own, { from: 'user' });
  } catch (/** @type {any} */ error) {
    // Commander ends a help and the version by an error, too.
    if (read.printed && unknown.length === 0) return { text: read.printed };
    if (typeof error?.code !== 'string' || !error.code.startsWith('commander.')) throw withCommand(error);
    refuseMisspelledCommand(word, { program, cwd });
    const problem = problemOf(unknown, invalid) ?? `${messageOf(error)}${usageAfter(error.code, word, program)}`;
    throw withCommand(makeError('E_USAGE', { problem }, { cause: error }));
  }
  const request = /** @type {any} */ (read.request);
  return separator === undefined ? request : separator.load().withParts(request, further, program);
}

const requireHere = createRequire(import.meta.url);

/** Reads arguments that are refused. @type {() => typeof import('../flow/source/formats/url.js')} */
const loadUrlFormat = () => requireHere('../flow/source/formats/url.js');

/** @type {Separator[]} */
const SEPARATORS = offered('separators');

/**
 * Splits the arguments at the words of a separator; those after `--` stay with the first ones.
 * @type {(args: string[], program: Command) => { first: string[], separator?: Separator, further: string[][] }}
 */
function splitAtWord(args, program) {
  const dashes = args.indexOf('--');
  const [ours, words] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes)];
  const isWord = (/** @type {number} */ i, /** @type {string} */ word) =>
    ours[i] === word && !takesNext(ours[i - 1], program);
  const separator = SEPARATORS.find(({ word }) => ours.some((_, i) => isWord(i, word)));
  if (separator === undefined) return { first: args, further: [] };
  const places = [...ours.keys()].filter((i) => isWord(i, separator.word));
  const further = places.map((from, i) => ours.slice(from + 1, places[i + 1]));
  return { first: [...ours.slice(0, places[0]), ...words], separator, further };
}

/**
 * Lets commander keep a help and the version in `read`, and throw where it would end the process.
 * @type {(read: { printed: string }, program: Command, width: number) => void}
 */
function printInto(read, program, width) {
  program.on('option:h', () => {
    read.printed = shortHelp(program, width);
    throw new CommanderError(0, 'commander.helpDisplayed', 'help');
  });
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput({
      writeOut: (text) => (read.printed += text),
      writeErr: () => {},
      getOutHelpWidth: () => width,
    });
}

/**
 * Lets commander go on after a value that is invalid, so that all are reported together: the list gets a sentence for
 * each while the arguments are parsed. `explained` are short flags whose value has an answer already, such as `-d30s`.
 * @type {(program: Command, explained: string[]) => string[]}
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
        // commander keeps '' for a value that was refused
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

/**
 * Lists what is refused later, when flow and configuration are read, so that a command line of another tool gets one
 * answer: hosts without a scheme, and a duration as `-d`.
 * @type {(program: Command, cwd: () => string) => string[]}
 */
function alsoWrong(program, cwd) {
  const { progress, iterations, duration, forever } = program.opts();
  const hasEnd = [iterations, duration, forever].some((end) => end !== undefined);
  return [
    ...(progress > 0 && !hasEnd
      ? [`-d ${progress} is the time between progress updates, in ms: to run for ${progress} s write -t ${progress}s`]
      : []),
    ...program.args
      .filter((arg) => !existsSync(resolve(cwd(), arg)))
      .flatMap((arg) => loadUrlFormat().refuseHost(arg) ?? []),
  ];
}

/** @type {(unknown: string[], invalid: string[]) => string | undefined} */
function problemOf(unknown, invalid) {
  const problems = [...unknown, ...invalid];
  if (problems.length < 2) return problems[0];
  return [invalid.length === 0 ? 'unknown options' : 'invalid options', ...problems].join('\n  ');
}

/**
 * Returns the message of commander, in the form of ours: `command-argument value 'x' is invalid for argument 'shell'.`
 * becomes `x is no valid shell.`
 * @type {(error: Error) => string}
 */
function messageOf({ message }) {
  return message
    .replace(/^error: /, '')
    .replace(/^command-argument value '(.*)' is invalid for argument '(\w+)'\./s, '$1 is no valid $2.')
    .replace('\n', ' ')
    .replace(/\.$/, '');
}

/** After too few or too many arguments. @type {(code: string, word: string | undefined, program: Command) => string} */
function usageAfter(code, word, program) {
  if (!WRONG_ARGUMENTS.includes(code)) return '';
  const command = program.commands.find((one) => one.name() === word) ?? program;
  return `; usage: ${command.createHelp().commandUsage(command)}`;
}

/**
 * The arguments of a command, and the words after `--` if they have a meaning of their own.
 * @type {(args: string[], word: string | undefined, commands: LoadedCommand[]) => { own: string[], words: string[] }}
 */
function splitAtDashes(args, word, commands) {
  // commands[0] is `run`, whose name may be left out.
  const { takesWords } = commands.find(({ name }) => name === word) ?? commands[0];
  const at = args.indexOf('--');
  if (!takesWords || at < 0) return { own: args, words: [] };
  return { own: args.slice(0, at), words: args.slice(at + 1) };
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
 * @type {(args: string[], context: { program: Command, cwd: () => string }) => string[]}
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

/** An empty path would be the working folder. @type {(command: Command) => void} */
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
 * @type {(word: string | undefined, context: { program: Command, cwd: () => string }) => void}
 */
function refuseMisspelledCommand(word = '', { program, cwd }) {
  const names = program.commands.map((command) => command.name());
  if (!BARE_WORD.test(word) || names.includes(word) || !nearest(word, names)) return;
  if (!existsSync(resolve(cwd(), word))) throw unknownName('command', word, names);
}

/**
 * Declares the program: arguments, flags and commands. Help and documents are made from it.
 * @type {(context: CommandContext & { version: string, commands: LoadedCommand[] }) => Command}
 */
export function createProgram({ version, commands, ...context }) {
  const program = new Command('bench-rest')
    .description('benchmark REST services with flows')
    .enablePositionalOptions()
    .version(version, VERSION_FLAGS.join(', '), 'print the version')
    .helpOption('--help', 'print all options')
    .helpCommand(false);
  for (const { name, about, declare } of commands) {
    const isDefault = name === 'run';
    const command = isDefault
      ? program
      : program.command(name).description(about).helpOption('-h, --help', 'print this help');
    declare?.(command, context);
  }
  return program.addHelpText('after', helpEnd);
}

/** The most used flags: the short help of -h. */
const COMMON = [
  '--iterations',
  '--concurrency',
  '--duration',
  '--rate',
  '--workers',
  '--warmup',
  '--body',
  '--header',
  '--evaluate',
  '--base-url',
  '--threshold',
  '--output',
  '--debug',
];

/** One page: the most used flags and two examples. @type {(program: Command, width: number) => string} */
function shortHelp(program, width) {
  const help = program.createHelp();
  help.helpWidth = width;
  const options = COMMON.map((long) => program.options.find((option) => option.long === long)).filter(
    (found) => !!found,
  );
  const column = Math.max(...options.map(({ flags }) => flags.length));
  const lines = options.map((option) => help.formatItem(option.flags, column, help.optionDescription(option), help));
  return `Usage: bench-rest [options] <flow file or URL>

${lines.join('\n')}

Examples:
  bench-rest -n 1000 -c 50 http://localhost:8000/
  bench-rest -r 500 -t 30s --threshold 'p95<200ms' ./flow.js

bench-rest --help lists all options, commands and exit codes.
`;
}

export const EXAMPLES = `
Examples:
  bench-rest --serve -n 10k                                   try it: a run against the embedded target
  bench-rest -n 1000 -c 50 http://localhost:8000/             GET a URL
  bench-rest -n 1000 -b '{"a":1}' -T json http://localhost:8000/   POST JSON
  bench-rest -n 1000 -c 50 ./flow.js                          run a flow: .js .mjs .cjs .ts .json .yaml
  bench-rest -r 500 -t 30s -c 100 ./flow.js                   500 iterations per second, regardless of response times
  bench-rest -w auto -W 5s -t 30s -c 200 ./flow.js            all cores, after a warm-up
  bench-rest -n 1000 ./flow.js --base-url http://localhost:3000
  bench-rest -e "{ head: 'http://localhost:8000/' }"          run a flow given on the command line
  bench-rest --debug ./flow.js                                run one iteration and print every exchange
  bench-rest --json -n 10k ./flow.js > result.json            for programs
  bench-rest -t 30s --threshold 'p95<200ms' -o page.html ./flow.js   a test with an HTML report
  bench-rest ab ./old.js ./new.js -n 5000 -c 50               compare two flows: which is faster, is it significant
  bench-rest serve --port 8000                                only the embedded REST target

A flow is an array of operations, or an object with ${PHASES.join(', ')}:
  export default { main: [{ put: '/items/#{INDEX}', json: { name: 'n#{INDEX}' } }, { get: '/items/#{INDEX}' }] };
`;

/** Returns the end of the full help: examples and exit codes. @type {() => string} */
function helpEnd() {
  const rows = ascendingExitCodes().map(({ code, about }) => `${String(code).padStart(5)}  ${about}\n`);
  return `${EXAMPLES}\nExit codes:\n${rows.join('')}`;
}
