import { METHOD_OF } from '../../core/flow/properties.js';
import { EXTENSIONS } from '../../core/flow/source/formats/index.js';
import { RUN_OPTIONS } from '../../core/run/options/index.js';
import { CONTENT_TYPES } from '../../core/cli/flags/request-flags.js';
import { helpTopics } from '../../core/cli/help.js';
import { LISTINGS } from '../lists/list-text.js';
import { createProgram } from '../../core/cli/options.js';
import { RESULT_EXTENSIONS } from '../saved/read-result.js';
import { usageError } from '../../core/cli/usage-error.js';
import { bashScript } from './bash.js';
import { fishScript } from './fish.js';
import { zshScript } from './zsh.js';

/** @import { Command, Option } from 'commander' */
/** @import { LoadedCommand } from '../../core/cli/types.js' */

/** @type {Record<string, (commands: DescribedCommand[]) => string>} */
export const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * Returns a script that completes the command line of bench-rest in a shell.
 * @throws {Error} E_USAGE
 * @type {(shell: string, commands: LoadedCommand[]) => string}
 */
export function completionScript(shell, commands) {
  if (!Object.hasOwn(SHELLS, shell))
    throw usageError(`unknown shell '${shell}'; use one of ${Object.keys(SHELLS).join(' ')}`);
  const program = createProgram({ version: '', commands, env: {}, words: () => [], submit() {} });
  return SHELLS[shell](describeProgram(program));
}

/**
 * @typedef {object} Values what can be completed: words, files, or nothing
 * @property {string[]} [words]
 * @property {string[]} [extensions] of files; an empty list: any file
 *
 * @typedef {object} DescribedOption
 * @property {string[]} names `-n` and `--iterations`
 * @property {string} about
 * @property {Values | null} value null: the option has none, or one that can be left out
 *
 * @typedef {object} DescribedCommand
 * @property {string} name empty for the default command
 * @property {string} about
 * @property {DescribedOption[]} options
 * @property {Values} values of its arguments
 */

const METHODS = [...new Set(Object.values(METHOD_OF))];

/** Choices of options that their declaration does not have, by the long flag. @type {Record<string, string[]>} */
const CHOICES = { '--method': METHODS, '--content-type': Object.keys(CONTENT_TYPES) };

/** The default command comes first. @type {(program: Command) => DescribedCommand[]} */
export function describeProgram(program) {
  // by the name of the first argument of a command; further ones are completed like it
  /** @type {Record<string, Values>} */
  const argumentValues = {
    flow: { extensions: EXTENSIONS },
    source: { extensions: [] },
    result: { extensions: RESULT_EXTENSIONS },
    results: { extensions: RESULT_EXTENSIONS },
    base: { extensions: RESULT_EXTENSIONS },
    port: {},
    what: { words: Object.keys(LISTINGS) },
    topic: { words: [...new Set(helpTopics(program))] },
    shell: { words: Object.keys(SHELLS) },
  };
  return [program, ...program.commands].map((command) => {
    const [argument] = command.registeredArguments;
    return {
      name: command === program ? '' : command.name(),
      about: command.description(),
      options: [...program.createHelp().visibleOptions(command), ...command.options.filter(({ hidden }) => hidden)].map(
        describeOption,
      ),
      values: argument ? argumentValues[argument.name()] : {},
    };
  });
}

/** @type {(option: Option) => DescribedOption} */
function describeOption(option) {
  const { short, long, description } = option;
  return {
    names: [short, long].flatMap((name) => (name ? [name] : [])),
    about: description,
    value: option.required ? valuesOf(option) : null,
  };
}

/** @type {(option: Option) => Values} */
function valuesOf({ long = '', flags, argChoices }) {
  const row = RUN_OPTIONS.find(({ flag }) => flag?.split(/[ ,]+/).includes(long));
  const choices = argChoices ?? CHOICES[long] ?? row?.schema?.enum;
  if (Array.isArray(choices))
    return { words: choices.filter((choice) => choice !== null && typeof choice !== 'object').map(String) };
  return /<(file|path)>/.test(flags) ? { extensions: [] } : {};
}
