import { createUniform } from '../../core/ground/random.js';

/** @import { TokenEntry, TokenUse, ValueContext } from '../../core/flow/tokens/types.js' */

/** @typedef {NonNullable<TokenEntry['value']>} Value */

/**
 * Random values are functions of INDEX, the seed and their place in the flow: the operation, and the token as it is
 * written. A run repeats them exactly, with any number of workers. In `before` and `after` they are those of INDEX 0.
 */

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const RANGE = /^\s*(-?\d{1,16})\s*,\s*(-?\d{1,16})\s*$/;
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Characters from one number: 62^4 is far below 2^32, so all are equally likely. */
const PER_WORD = 4;
const MOST_CHARACTERS = 1000;

/** @type {Value} */
export function uuid(use, context) {
  if (use.argument !== undefined) context.refuse('takes no argument');
  // Numbers of 32 bits repeat among places and runs, four independent ones do not.
  const [first, second, third, fourth] = wordsOf(4, use, context).map((uniform) => wordOf(uniform));
  return ({ index = 0 }) => {
    const b = second(index);
    const c = third(index);
    const version = (b & 0xffff0fff) | 0x4000;
    const variant = (c & 0x3fffffff) | 0x80000000;
    return `${hex(first(index))}-${hex(version, '-')}-${hex(variant, '-')}${hex(fourth(index))}`;
  };
}

/** @type {Value} */
export function randomInt(use, context) {
  const [, from, to] = Array.from(RANGE.exec(use.argument ?? '') ?? [], Number);
  const count = to - from + 1;
  if (!(Number.isSafeInteger(from) && Number.isSafeInteger(to) && Number.isSafeInteger(count) && count > 0))
    context.refuse('needs two whole numbers, the smaller one first: write #{randomInt(1,100)}');
  // A number has 32 random bits, which are too few for a count up to 2^53: the second one adds lower bits.
  const [high, low] = wordsOf(2, use, context);
  return ({ index = 0 }) => {
    const at = Math.floor((high(index) + low(index) / 2 ** 32) * count);
    // A sum just below 1 may be rounded up.
    return from + Math.min(at, count - 1);
  };
}

/** @type {Value} */
export function randomItem(use, context) {
  const items = (use.argument ?? '').split(',').map((item) => item.trim());
  if (items.includes('')) context.refuse('needs texts between commas: write #{randomItem(red,green)}');
  const [uniform] = wordsOf(1, use, context);
  return ({ index = 0 }) => items[Math.floor(uniform(index) * items.length)];
}

/** @type {Value} */
export function randomString(use, context) {
  const length = /^\s*\d{1,4}\s*$/.test(use.argument ?? '') ? Number(use.argument) : 0;
  if (length < 1 || length > MOST_CHARACTERS)
    context.refuse(`needs a length from 1 to ${MOST_CHARACTERS}: write #{randomString(12)}`);
  const words = wordsOf(Math.ceil(Math.min(length, MOST_CHARACTERS) / PER_WORD), use, context);
  return ({ index = 0 }) => {
    let text = '';
    for (const word of words) text += charactersOf(word(index));
    return text.slice(0, length);
  };
}

/** @type {(count: number, use: TokenUse, context: ValueContext) => ReturnType<typeof createUniform>[]} */
function wordsOf(count, { name, member = '', argument = '' }, { seed, where }) {
  return Array.from({ length: count }, (_, i) =>
    createUniform({ seed, place: `${where} ${name} ${member} ${argument} ${i}` }),
  );
}

/** @type {(uniform: (index: number) => number) => (index: number) => number} 32 bits */
function wordOf(uniform) {
  return (index) => uniform(index) * 2 ** 32;
}

/** Formats 32 bits; `between` separates the halves, as in a UUID. @type {(word: number, between?: string) => string} */
function hex(word, between = '') {
  return `${HEX[(word >>> 24) & 255]}${HEX[(word >>> 16) & 255]}${between}${HEX[(word >>> 8) & 255]}${HEX[word & 255]}`;
}

/** Four characters of a number from 0 to below 1. @type {(number: number) => string} */
function charactersOf(number) {
  let rest = Math.floor(number * CHARACTERS.length ** PER_WORD);
  let text = '';
  for (let i = 0; i < PER_WORD; i++) {
    text += CHARACTERS[rest % CHARACTERS.length];
    rest = Math.floor(rest / CHARACTERS.length);
  }
  return text;
}
