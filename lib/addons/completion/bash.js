/** @import { DescribedCommand, DescribedOption, Values } from './completion-script.js' */

/** Completes in bash, from version 3.2 on. @type {(commands: DescribedCommand[]) => string} */
export function bashScript(commands) {
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
  local start=$1 file path extension
  shift
  type compopt &>/dev/null && compopt -o filenames
  while IFS= read -r file; do
    # compgen keeps the tilde
    path=$file
    [[ $file == '~/'* ]] && path=$HOME\${file:1}
    if [[ -d $path || $# == 0 ]]; then
      COMPREPLY+=("$file")
    else
      for extension; do [[ $file == *"$extension" ]] && COMPREPLY+=("$file"); done
    fi
  done < <(compgen -f -- "$start")
}

_bench_rest() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} command=''
  COMPREPLY=()
  # bash splits --format=json at the sign
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  # the name of a command is the first word
  ((COMP_CWORD > 1)) && command=\${COMP_WORDS[1]}
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
    ...(name === '' ? [`      ((COMP_CWORD == 1)) && ${wordsOf(names)}`] : []),
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
    `        ${group.flatMap(({ names }) => names).join(' | ')})`,
    ...(lines === '' ? [] : [`          ${lines}`]),
    '          return',
    '          ;;',
  ]);
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
