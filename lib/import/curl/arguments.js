import { flagNamed } from './flags.js';

/** @import { CurlRequest } from './flags.js' */
/** @import { ShellCommand } from './shell.js' */

/** @type {(input: string | undefined) => CurlRequest} */
function newRequest(input) {
  return {
    urls: [],
    headers: [],
    data: [],
    form: [],
    cookies: [],
    uploads: [],
    properties: {},
    runOptions: {},
    values: {},
    set: new Set(),
    notes: [],
    input,
  };
}

/** Flags whose values are not repeated. */
const SECRET = /pass|user|login|header|key/;

/**
 * Reads the words of a curl command, without curl itself, as curl does. `--next` begins another request. What has no
 * equivalent is in the notes of its request.
 * @type {(words: string[], command?: Pick<ShellCommand, 'input'>) => CurlRequest[]}
 */
export function readCurlArguments(words, { input } = {}) {
  let request = newRequest(input);
  const all = [request];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === '-:' || word === '--next') {
      request = newRequest(input);
      all.push(request);
    } else if (word === '--') {
      request.urls.push(...words.slice(i + 1));
      break;
    } else if (word.startsWith('--')) i += readLong(word, words[i + 1], request);
    else if (word.startsWith('-') && word !== '-') i += readShort(word, words[i + 1], request);
    else request.urls.push(word);
  }
  return all;
}

/** @type {(word: string, next: string | undefined, request: CurlRequest) => number} the values it has read */
function readLong(word, next, request) {
  const flag = flagNamed(word);
  const positive = !flag && word.startsWith('--no-') ? flagNamed(`--${word.slice('--no-'.length)}`) : undefined;
  if (positive && !positive.hasValue) return 0;
  return apply(flag, word, next, request);
}

/** Reads a cluster, such as -sSLd and its value. @type {typeof readLong} */
function readShort(word, next, request) {
  for (let i = 1; i < word.length; i++) {
    const name = `-${word[i]}`;
    const flag = flagNamed(name);
    if (!flag?.hasValue) {
      apply(flag, name, undefined, request);
      continue;
    }
    const rest = word.slice(i + 1);
    return rest === '' ? apply(flag, name, next, request) : (apply(flag, name, rest, request), 0);
  }
  return 0;
}

/**
 * @type {(flag: ReturnType<typeof flagNamed>, name: string, value: string | undefined, request: CurlRequest) => number}
 */
function apply(flag, name, value, request) {
  if (!flag) {
    request.notes.push(`${name} is not understood`);
    return 0;
  }
  if (flag.hasValue && value === undefined) {
    request.notes.push(`${name} has no value`);
    return 0;
  }
  const shown = flag.hasValue && !SECRET.test(name) ? ` ${value}` : '';
  if (flag.becomes === null) request.notes.push(`${name}${shown} has no equivalent`);
  flag.apply?.(request, value ?? '');
  return flag.hasValue ? 1 : 0;
}
