/** @import { DescribedCommand, DescribedOption, Values } from './describe-program.js' */

/**
 * Completion for fish, from version 3.0 on.
 *
 * @param {DescribedCommand[]} commands
 * @returns {string}
 */
export function fishScript(commands) {
  const [main, ...others] = commands;
  const names = others.map(({ name }) => name);
  const inMain = `not __fish_seen_subcommand_from ${names.join(' ')}`;
  const lines = [
    ...others.map(({ name, about }) => line(inMain, `-a ${name} -d ${quoted(about)}`)),
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
  const ofArguments = values.words || values.extensions ? [line(condition, `-a ${candidates(values)}`)] : [];
  return [...ofArguments, ...options.map((option) => line(condition, flags(option)))];
}

/** @type {(condition: string, rest: string) => string} */
function line(condition, rest) {
  return `complete -c bench-rest -n ${quoted(condition)} ${rest}`;
}

/** @type {(option: DescribedOption) => string} */
function flags({ names, about, value }) {
  const keys = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const values = value && (value.words || value.extensions) ? [`-a ${candidates(value)}`] : [];
  return [...keys, ...(value ? ['-x'] : []), ...values, `-d ${quoted(about)}`].join(' ');
}

/** @type {(values: Values) => string} */
function candidates({ words, extensions = [] }) {
  if (words) return quoted(words.join(' '));
  return quoted(
    extensions.length === 0 ? '(__fish_complete_path)' : `(__fish_complete_suffix ${extensions.join(' ')})`,
  );
}

/** @type {(text: string) => string} */
function quoted(text) {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
