import { RUN_OPTIONS } from '../run/options/index.js';
import { maskField, maskText } from '../text/mask.js';

const MASK = '***';
const HEADER = ['-H', '--header'];
/** The flags with a secret as their value. @type {string[]} */
const SECRET_FLAGS = RUN_OPTIONS.filter(({ isSecret, flag }) => isSecret && flag).flatMap(({ flag = '' }) =>
  flag.split(/[ ,]+/).filter((word) => word.startsWith('-')),
);

/**
 * Replaces the arguments of this process where other users see them, as in `ps`, if secrets are among them: passwords,
 * fields and URLs. On Linux and macOS the title of a process is written over its arguments; elsewhere this does nothing
 * of the kind.
 * @type {(args: string[], process_?: { title: string }) => void}
 */
export function hideArguments(args, process_ = process) {
  const shown = maskedArguments(args);
  if (shown.some((word, i) => word !== args[i])) process_.title = ['bench-rest', ...shown].join(' ');
}

/** Returns the arguments without the secrets in them. @type {(args: string[]) => string[]} */
export function maskedArguments(args) {
  return args.map((word, i) => {
    const before = i > 0 ? args[i - 1] : '';
    if (HEADER.includes(before)) return maskedHeader(word);
    if (SECRET_FLAGS.includes(before)) return MASK;
    const [flag, value] = split(word);
    if (value === undefined) return maskText(word);
    if (HEADER.includes(flag.replace(/=$/, ''))) return flag + maskedHeader(value);
    return SECRET_FLAGS.includes(flag.replace(/=$/, '')) ? `${flag}${MASK}` : maskText(word);
  });
}

/** Splits `--password=x` and `-px`. @type {(word: string) => [flag: string, value?: string]} */
function split(word) {
  const [, flag, value] = /^(--[\w-]+=|-[a-zA-Z]=?)([^]+)$/.exec(word) ?? [];
  return flag === undefined ? [word] : [flag, value];
}

/** @type {(text: string) => string} */
function maskedHeader(text) {
  const colon = text.indexOf(':');
  return colon < 0
    ? maskText(text)
    : `${text.slice(0, colon)}: ${maskField(text.slice(0, colon).trim(), text.slice(colon + 1).trim())}`;
}
