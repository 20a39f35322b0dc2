/** @import { DescribedCommand, DescribedOption, Values } from './describe-program.js' */

/**
 * Completion for bash, from version 3.2 on.
 *
 * @param {DescribedCommand[]} commands
 * @returns {string}
 */
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
${[...others, main].map((command) => commandCase(command, names)).join('\n')}
  esac
}

complete -F _bench_rest bench-rest
`;
}

/** @type {(command: DescribedCommand, names: string[]) => string} */
function commandCase({ name, options, values }, names) {
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

/** One case for each kind of values. @type {(options: DescribedOption[]) => string[]} */
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
