import { RUN_OPTIONS } from '../run/options/index.js';
import { flagsOf } from '../run/options/row.js';
import { MASK, isSecretName, maskField, maskText } from '../text/mask.js';
import { ourSpelling } from './program.js';

const HEADER = ['-H', '--header'];
/** The flags with a secret as their value. @type {string[]} */
const SECRET_FLAGS = RUN_OPTIONS.filter(({ isSecret }) => isSecret).flatMap(flagsOf);
/**
 * Replaces the arguments of this process where other users see them, as in `ps`, if secrets are among them: passwords,
 * fields and URLs. On Linux and macOS the title of a process is written over its arguments; on other systems it is that
 * of the window alone.
 * @type {(args: string[], process_?: { title: string }) => void}
 */
export function hideArguments(args, process_ = process) {
  const shown = maskedArguments(args);
  if (shown.some((word, i) => word !== args[i])) process_.title = ['bench-rest', ...shown].join(' ');
}

/** The text of a curl command, which may have secrets anywhere. */
const CURL = /^(\s*(?:-e|--evaluate=)?\s*curl\s)[^]+$/;

/** Returns the arguments without the secrets in them. @type {(args: string[]) => string[]} */
export function maskedArguments(args) {
  /** The flag before the argument, if that had no value in it. */
  let before = '';
  return args.map((word) => {
    const { flag, head, value } = isMasked(before) ? { flag: before, head: '', value: word } : splitFlag(word);
    before = value === undefined ? flag : '';
    if (value === undefined || !isMasked(flag)) return maskText(word.replace(CURL, `$1${MASK}`));
    return head + (HEADER.includes(flag) ? maskedHeader(value) : MASK);
  });
}

/** Reports whether a flag, ours or that of another tool, has a secret value. @type {(flag: string) => boolean} */
function isMasked(flag) {
  return [...HEADER, ...SECRET_FLAGS].includes(flag) || isSecretName(flag.replace(/^-+/, ''));
}

/**
 * Splits `--password=x` and `-px`. `flag` is in our spelling, and empty for other words; `head` precedes the value.
 * @type {(word: string) => { flag: string, head: string, value?: string }}
 */
function splitFlag(word) {
  const [, head = '', value] = /^(--[\w-]+=?|-[a-zA-Z]=?)([^]+)?$/.exec(word) ?? [];
  const flag = head.replace(/=$/, '');
  return { flag: flag.startsWith('--') ? ourSpelling(flag) : flag, head, value };
}

/** @type {(text: string) => string} */
function maskedHeader(text) {
  const colon = text.indexOf(':');
  return colon < 0
    ? maskText(text)
    : `${text.slice(0, colon)}: ${maskField(text.slice(0, colon).trim(), text.slice(colon + 1).trim())}`;
}
