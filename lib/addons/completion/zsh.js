/** @import { DescribedCommand, DescribedOption, Values } from './completion-script.js' */

/** Completes in zsh, from version 5 on. @type {(commands: DescribedCommand[]) => string} */
export function zshScript(commands) {
  const [main, ...others] = commands;
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
  # the name of a command is the first word
  local command=''
  ((CURRENT > 2)) && command=$words[2]
  case $command in
${others.map(zshCommand).join('\n')}
    ('')
      _arguments -s -S \\
${specs(main, [`'*: :_bench-rest_first'`])}
      ;;
    (*)
      _arguments -s -S \\
${specs(main, [`'*:flow:${filesOf(main.values)}'`])}
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

/** `-n` and `--iterations` are one, offered once unless repeatable. @type {(option: DescribedOption) => string[]} */
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
