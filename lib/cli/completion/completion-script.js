import { METHOD_OF } from '../../flow/properties.js';
import { EXTENSIONS } from '../../flow/source/formats/index.js';
import { RUN_OPTIONS } from '../../run/options/index.js';
import { CONTENT_TYPES } from '../flags/request-flags.js';
import { LISTINGS } from '../list-text.js';
import { createProgram } from '../options.js';
import { RESULT_EXTENSIONS } from '../result/read-result.js';
import { unknownName } from '../usage-error.js';

/** @import { Command, Option } from 'commander' */
/** @import { LoadedCommand } from '../types.js' */

/** @type {Record<string, (commands: DescribedCommand[]) => string>} */
export const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * Returns a script that completes the command line of bench-rest in a shell.
 * @throws {Error} E_USAGE
 * @type {(shell: string, commands: LoadedCommand[]) => string}
 */
export function completionScript(shell, commands) {
  if (!Object.hasOwn(SHELLS, shell)) throw unknownName('shell', shell, Object.keys(SHELLS));
  const program = createProgram({ version: '', commands, env: {}, words: () => [], submit() {} });
  return SHELLS[shell](describeProgram(program, { shells: Object.keys(SHELLS) }));
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

/** The default command comes first. @type {(program: Command, names: { shells: string[] }) => DescribedCommand[]} */
export function describeProgram(program, { shells }) {
  const commandNames = program.commands.map((command) => command.name());
  /** @type {Record<string, Values>} */
  const argumentValues = {
    flow: { extensions: EXTENSIONS },
    source: { extensions: [] },
    other: { extensions: EXTENSIONS },
    result: { extensions: RESULT_EXTENSIONS },
    results: { extensions: RESULT_EXTENSIONS },
    base: { extensions: RESULT_EXTENSIONS },
    new: { extensions: RESULT_EXTENSIONS },
    port: {},
    what: { words: Object.keys(LISTINGS) },
    command: { words: ['run', ...commandNames] },
    shell: { words: shells },
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
  const row = RUN_OPTIONS.find(({ flag = '' }) => flag.split(/[ ,]+/).includes(long));
  const choices = argChoices ?? CHOICES[long] ?? row?.schema?.enum;
  if (Array.isArray(choices))
    return { words: choices.filter((choice) => choice !== null && typeof choice !== 'object').map(String) };
  return /<(file|path)>/.test(flags) ? { extensions: [] } : {};
}

/** Completes in bash, from version 3.2 on. @type {(commands: DescribedCommand[]) => string} */
function bashScript(commands) {
  const [main, ...others] = commands;
  const names = others.map(({ name }) => name);
  return `# bash completion for bench-rest, made by: bench-rest completion bash

# Adds the words that begin with $1.
_bench_rest_words() {
  local start=$1 word
  shift
  for word; do [[ $word == "$start"* ]] && COMPREPLY+=("$word"); done
}

# Adds the folders, and the files with one of the extensions, or all files without one, that begin with $1.
_bench_rest_files() {
  local start=$1 file extension
  shift
  type compopt &>/dev/null && compopt -o filenames
  while IFS= read -r file; do
    if [[ -d $file || $# == 0 ]]; then
      COMPREPLY+=("$file")
    else
      for extension; do [[ $file == *"$extension" ]] && COMPREPLY+=("$file"); done
    fi
  done < <(compgen -f -- "$start")
}

_bench_rest() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command='' i
  COMPREPLY=()
  # bash splits --format=json at the sign
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${patterns(main.options.filter(({ value }) => value !== null))}) ((i++)) ;;
      -*) ;;
      ${names.join(' | ')})
        command=\${COMP_WORDS[i]}
        break
        ;;
      *) break ;;
    esac
  done
  case $command in
${[...others, main].map((command) => bashCommand(command, names)).join('\n')}
  esac
}

complete -F _bench_rest bench-rest
`;
}

/** @type {(command: DescribedCommand, names: string[]) => string} */
function bashCommand({ name, options, values }, names) {
  const withValue = options.filter(({ value }) => value !== null);
  return [
    `    ${name === '' ? '*' : name})`,
    ...(withValue.length > 0 ? ['      case $previous in', ...valueCases(withValue), '      esac'] : []),
    '      if [[ $current == -* ]]; then',
    `        ${wordsOf(options.flatMap((option) => option.names))}`,
    '        return',
    '      fi',
    ...(name === '' ? [`      [[ $i == "$COMP_CWORD" ]] && ${wordsOf(names)}`] : []),
    ...completed(values).map((line) => `      ${line}`),
    '      return',
    '      ;;',
  ].join('\n');
}

/** @type {(options: DescribedOption[]) => string[]} */
function valueCases(options) {
  /** @type {Map<string, DescribedOption[]>} */
  const groups = new Map();
  for (const option of options) {
    const lines = completed(/** @type {Values} */ (option.value)).join('\n');
    groups.set(lines, [...(groups.get(lines) ?? []), option]);
  }
  return [...groups].flatMap(([lines, group]) => [
    `        ${patterns(group)})`,
    ...(lines === '' ? [] : [`          ${lines}`]),
    '          return',
    '          ;;',
  ]);
}

/** @type {(options: DescribedOption[]) => string} */
function patterns(options) {
  return options.flatMap(({ names }) => names).join(' | ');
}

/** @type {(values: Values) => string[]} */
function completed({ words, extensions }) {
  if (words) return [wordsOf(words)];
  if (extensions) return [['_bench_rest_files "$current"', ...extensions].join(' ')];
  return [];
}

/** @type {(words: string[]) => string} */
function wordsOf(words) {
  return `_bench_rest_words "$current" ${words.join(' ')}`;
}

/** Completes in zsh, from version 5 on. @type {(commands: DescribedCommand[]) => string} */
function zshScript(commands) {
  const [main, ...others] = commands;
  const names = others.map(({ name }) => name);
  const withValue = main.options.filter(({ value }) => value !== null).flatMap((option) => option.names);
  return `#compdef bench-rest
# zsh completion for bench-rest, made by: bench-rest completion zsh

_bench-rest_commands() {
  local -a commands=(
${others.map(({ name, about }) => `    ${zshQuoted(`${name}:${escaped(about)}`)}`).join('\n')}
  )
  _describe command commands
}

_bench-rest_first() {
  _alternative 'commands:command:_bench-rest_commands' 'files:flow:${filesOf(main.values)}'
}

_bench-rest() {
  local command='' i
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      (${withValue.join('|')}) ((i++)) ;;
      (-*) ;;
      (${names.join('|')}) command=$words[i]; break ;;
      (*) command=run; break ;;
    esac
  done
  case $command in
${others.map(zshCommand).join('\n')}
    (run)
      _arguments -s -S \\
${specs(main, [`'*:flow:${filesOf(main.values)}'`])}
      ;;
    (*)
      _arguments -s -S \\
${specs(main, [`'*: :_bench-rest_first'`])}
      ;;
  esac
}

if [[ $funcstack[1] == _bench-rest ]]; then
  _bench-rest "$@"
else
  compdef _bench-rest bench-rest
fi
`;
}

/** @type {(command: DescribedCommand) => string} */
function zshCommand(command) {
  const { name, values } = command;
  const action = actionOf(values);
  // The name itself is an argument, too.
  const words = [`'1: :(${name})'`, ...(action ? [`'*:argument:${action}'`] : [])];
  return `    (${name})\n      _arguments -s -S \\\n${specs(command, words)}\n      ;;`;
}

/** @type {(command: DescribedCommand, more: string[]) => string} */
function specs({ options }, more) {
  return [...options.flatMap(optionSpecs), ...more].map((spec) => `        ${spec}`).join(' \\\n');
}

/**
 * Writes an option. `-n` and `--iterations` are one: after one of them the other is not offered, unless it may be
 * repeated.
 * @type {(option: DescribedOption) => string[]}
 */
function optionSpecs({ names, about, value }) {
  const isRepeatable = about.includes('repeatable');
  const exclusion = isRepeatable ? '*' : `(${names.join(' ')})`;
  return names.map((name) => {
    if (value === null) return zshQuoted(`${exclusion}${name}[${escaped(about)}]`);
    // The value follows in the same word or in the next one, behind = if the name is long.
    const sign = name.startsWith('--') ? '=' : '+';
    return zshQuoted(`${exclusion}${name}${sign}[${escaped(about)}]:value:${actionOf(value) || ' '}`);
  });
}

/** @type {(values: Values) => string} */
function actionOf(values) {
  if (values.words) return `(${values.words.join(' ')})`;
  return values.extensions ? filesOf(values) : '';
}

/** @type {(values: Values) => string} */
function filesOf({ extensions = [] }) {
  return extensions.length === 0 ? '_files' : `_files -g "*(${extensions.join('|')})(-.)"`;
}

/** Escapes brackets and colons, which have a meaning in a specification. @type {(text: string) => string} */
function escaped(text) {
  return text.replace(/[[\]:\\]/g, '\\$&');
}

/** @type {(text: string) => string} */
function zshQuoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Completes in fish, from version 3.0 on. @type {(commands: DescribedCommand[]) => string} */
function fishScript(commands) {
  const [main, ...others] = commands;
  const names = others.map(({ name }) => name);
  const inMain = `not __fish_seen_subcommand_from ${names.join(' ')}`;
  const lines = [
    ...others.map(({ name, about }) => line(inMain, `-a ${name} -d ${fishQuoted(about)}`)),
    ...commandLines(main, inMain),
    ...others.flatMap((command) => commandLines(command, `__fish_seen_subcommand_from ${command.name}`)),
  ];
  return `# fish completion for bench-rest, made by: bench-rest completion fish
complete -c bench-rest -f
${lines.join('\n')}
`;
}

/** @type {(command: DescribedCommand, condition: string) => string[]} */
function commandLines({ options, values }, condition) {
  const argumentValues = values.words || values.extensions ? [line(condition, `-a ${candidates(values)}`)] : [];
  return [...argumentValues, ...options.map((option) => line(condition, flags(option)))];
}

/** @type {(condition: string, rest: string) => string} */
function line(condition, rest) {
  return `complete -c bench-rest -n ${fishQuoted(condition)} ${rest}`;
}

/** @type {(option: DescribedOption) => string} */
function flags({ names, about, value }) {
  const keys = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const values = value && (value.words || value.extensions) ? [`-a ${candidates(value)}`] : [];
  return [...keys, ...(value ? ['-x'] : []), ...values, `-d ${fishQuoted(about)}`].join(' ');
}

/** @type {(values: Values) => string} */
function candidates({ words, extensions = [] }) {
  if (words) return fishQuoted(words.join(' '));
  return fishQuoted(
    extensions.length === 0 ? '(__fish_complete_path)' : `(__fish_complete_suffix ${extensions.join(' ')})`,
  );
}

/** @type {(text: string) => string} */
function fishQuoted(text) {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
