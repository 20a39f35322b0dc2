/** @import { DescribedCommand, DescribedOption, Values } from './describe-program.js' */

/**
 * Completion for zsh, from version 5 on.
 *
 * @param {DescribedCommand[]} commands
 * @returns {string}
 */
export function zshScript(commands) {
  const [main, ...others] = commands;
  const names = others.map(({ name }) => name);
  const withValue = main.options.filter(({ value }) => value !== null).flatMap((option) => option.names);
  return `#compdef bench-rest
# zsh completion for bench-rest, made by: bench-rest completion zsh

_bench-rest_commands() {
  local -a commands=(
${others.map(({ name, about }) => `    ${quoted(`${name}:${escaped(about)}`)}`).join('\n')}
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
${others.map(commandCase).join('\n')}
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
function commandCase(command) {
  const { name, values } = command;
  const action = actionOf(values);
  // the name itself is an argument, too
  const words = [`'1: :(${name})'`, ...(action ? [`'*:argument:${action}'`] : [])];
  return `    (${name})\n      _arguments -s -S \\\n${specs(command, words)}\n      ;;`;
}

/** @type {(command: DescribedCommand, more: string[]) => string} */
function specs({ options }, more) {
  return [...options.flatMap(optionSpecs), ...more].map((spec) => `        ${spec}`).join(' \\\n');
}

/** `-n` and `--iterations` are one option: after one of them the other is not offered, unless it may be repeated. @type {(option: DescribedOption) => string[]} */
function optionSpecs({ names, about, value }) {
  const isRepeatable = about.includes('repeatable');
  const isLong = (/** @type {string} */ name) => name.startsWith('--');
  return names.map((name) => {
    const exclusion = isRepeatable ? '*' : `(${names.join(' ')})`;
    const sign = value === null ? '' : isLong(name) ? '=' : '+';
    const ofValue = value === null ? '' : `:value:${actionOf(value) || ' '}`;
    return quoted(`${exclusion}${name}${sign}[${escaped(about)}]${ofValue}`);
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

/** In a specification brackets and colons have a meaning. @type {(text: string) => string} */
function escaped(text) {
  return text.replace(/[[\]:\\]/g, '\\$&');
}

/** @type {(text: string) => string} */
function quoted(text) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
