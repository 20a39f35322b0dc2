/** @import { DescribedCommand, DescribedOption, Values } from './completion-script.js' */

/** Completes in fish, from version 3.0 on. @type {(commands: DescribedCommand[]) => string} */
export function fishScript(commands) {
  const [main, ...others] = commands;
  const names = others.map(({ name }) => name);
  const inMain = `not __bench_rest_in ${names.join(' ')}`;
  const lines = [
    ...others.map(({ name, about }) => line('__bench_rest_first', `-a ${name} -d ${fishQuoted(about)}`)),
    ...commandLines(main, inMain),
    ...others.flatMap((command) => commandLines(command, `__bench_rest_in ${command.name}`)),
  ];
  return `# fish completion for bench-rest, made by: bench-rest completion fish

# Reports whether the first word is completed: it may be the name of a command.
function __bench_rest_first
    test (count (commandline -opc)) -eq 1
end

# Reports whether the first word is one of these commands.
function __bench_rest_in
    set -l words (commandline -opc)
    set -q words[2]; and contains -- $words[2] $argv
end

# Prints the folders, and the files whose names end with the pattern $argv[1].
function __bench_rest_files
    set -l start (string replace -r -- '^-[^=]*=' '' (commandline -ct))
    # fish completes files for a command that it does not know
    complete -C "__bench_rest_any $start" | string match -r -- "^.*(?:/|$argv[1])\\$"
end

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
  const pattern = extensions.map((extension) => extension.replace('.', '[.]')).join('|');
  return fishQuoted(`(__bench_rest_files "${pattern}")`);
}

/** @type {(text: string) => string} */
function fishQuoted(text) {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
