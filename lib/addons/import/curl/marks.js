import { variableName } from '../environment-names.js';
import { token as tokenOf } from '../tokens.js';

/** Characters around the name of a variable, which neither Unicode nor the text of a source has. */
const [OPEN, CLOSE] = ['\ufdd0', '\ufdd1'];
/** In front of blanks at which a shell divides an expansion without quotes. */
const SPLIT = '\ufdd2';
export const MARKS = /[\ufdd0-\ufdd2]/g;
const VARIABLE = /\ufdd0(\w+)\ufdd1/g;
/** In front of the name of a token of the flow: the name of no variable of a shell begins with a digit. */
const FLOW_SIGN = '0';

/**
 * Writes the variables of a word as tokens: `#{env.NAME}`, or `#{name}` of a value that the flow has.
 * @type {(text: string, hasToken?: (name: string) => boolean) => string}
 */
export function withTokens(text, hasToken = () => true) {
  return text.replace(VARIABLE, (_, name) => {
    if (!name.startsWith(FLOW_SIGN)) return tokenOf(`env.${name}`);
    const token = name.slice(FLOW_SIGN.length);
    return tokenOf(hasToken(token) ? token : `env.${variableName(token)}`);
  });
}

/** Writes a variable in a word. @type {(name: string) => string} */
export function variableIn(name) {
  return `${OPEN}${name}${CLOSE}`;
}

/** Writes a token of the flow in a word. @type {(name: string) => string} */
export function tokenIn(name) {
  return variableIn(FLOW_SIGN + name);
}

/** The variable that is a whole word. @type {(word: string) => string | undefined} */
export function variableOf(word) {
  return /^\ufdd0(\w+)\ufdd1$/.exec(word.trim())?.[1];
}

/**
 * Marks the blanks of flags in a variable, `$CURL_OPTS`. Other texts stay whole, as in zsh: quotes are often forgotten.
 * @type {(expansion: string) => string}
 */
export function splittable(expansion) {
  return /^\s*(?:-|curl\s)/.test(expansion) ? expansion.trim().replace(/\s+/g, `${SPLIT}$&`) : expansion;
}

/** @type {(word: string) => string[]} */
export function splitWord(word) {
  return word.split(/\ufdd2\s+/);
}

/** @type {(word: string) => string} */
export function unsplit(word) {
  return word.replaceAll(SPLIT, '');
}

/** Changes the text between the variables. @type {(text: string, change: (part: string) => string) => string} */
export function mapAroundVariables(text, change) {
  return text
    .split(VARIABLE)
    .map((part, i) => (i % 2 === 1 ? variableIn(part) : change(part)))
    .join('');
}

/** @type {(text: string) => boolean} */
export function startsWithVariable(text) {
  return text.startsWith(OPEN);
}

/** Reports whether a text has variables. @type {(text: string) => boolean} */
export function hasMarks(text) {
  return text.includes(OPEN);
}
