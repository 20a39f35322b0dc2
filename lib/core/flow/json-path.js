import { offered } from '../ground/addons.js';

/** @import { Offered } from '../ground/types.js' */
/** @import { JsonPath } from './types.js' */

/** @typedef {string | number} PathStep the name of a property, or the position in an array */

/** Characters of a path. */
const LONGEST = 1000;

/** @type {Offered<(text: string) => JsonPath>[]} */
const [QUERIES] = offered('jsonPaths');

/** @throws {Error} whose message completes "the path …" @type {(text: string) => JsonPath} */
export function compileJsonPath(text) {
  if (text.length > LONGEST) throw new Error(`is longer than ${LONGEST} characters`);
  if (text[0] !== '$') throw new Error(`is no JSONPath, which begins with $${cureOf(text)}`);
  if (text.trimEnd() !== text) throw new Error('has a space or a line end after it');
  const steps = stepsOf(text);
  if (steps) return singular(steps);
  if (!QUERIES) throw new Error('has more than names and positions, which cannot be read here');
  return QUERIES.load()(text);
}

/** Names the path that was meant, if the text can be one without its $. @type {(text: string) => string} */
function cureOf(text) {
  if (!/^[.[]|^[A-Za-z_]\w*(?:[.[]|$)/.test(text)) return '';
  return `: write $${/^[.[]/.test(text) ? '' : '.'}${text}`;
}

const STEP =
  /\.([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|\[(0|-?[1-9]\d{0,14})\]|\['([^'\\\u0000-\u001f]*)'\]|\["([^"\\\u0000-\u001f]*)"\]/y;

/** Null: it is no singular query without blanks and escapes. @type {(text: string) => PathStep[] | null} */
function stepsOf(text) {
  /** @type {PathStep[]} */
  const steps = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text);
    if (!match) return null;
    const [, name, index, single, double] = match;
    steps.push(index === undefined ? (name ?? single ?? double) : Number(index));
  }
  return steps;
}

/** @type {(steps: PathStep[]) => JsonPath} */
function singular(steps) {
  /** @type {JsonPath['first']} */
  const first = (value) => {
    let found = value;
    for (const step of steps) {
      found = child(found, step);
      if (found === undefined) return undefined;
    }
    return found;
  };
  return {
    isSingular: true,
    first,
    all(value) {
      const found = first(value);
      return found === undefined ? [] : [found];
    },
  };
}

/** @type {(value: any, step: PathStep) => unknown} */
function child(value, step) {
  if (typeof value !== 'object' || value === null) return undefined;
  if (typeof step === 'number') return Array.isArray(value) ? value.at(step) : undefined;
  return !Array.isArray(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
