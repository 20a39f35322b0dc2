import { nearestOrAll } from '../../ground/problems.js';
import { createUniform } from '../../ground/random.js';
import { typeName } from '../../text/format-value.js';
import { isContainer, isObject } from '../record.js';

/** @import { Problems } from '../../ground/types.js' */
/** @import { RawFlow } from '../types.js' */
/** @import { TokenEntry, TokenUse, ValueContext } from './types.js' */

/** The built-in tokens, in the table TOKENS, and the grammar in which a flow writes tokens (`parseUse`). */

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

/** @type {TokenEntry} */
const uuid = {
  name: 'uuid',
  about: 'a random UUID (RFC 9562, version 4)',

  value(use, context) {
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
  },
};

/** @type {TokenEntry} */
const randomInt = {
  name: 'randomInt',
  about: 'a random whole number, both limits included',
  usage: 'randomInt(1,100)',

  value(use, context) {
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
  },
};

/** @type {TokenEntry} */
const randomItem = {
  name: 'randomItem',
  about: 'a random one of these texts',
  usage: 'randomItem(red,green,blue)',

  value(use, context) {
    const items = (use.argument ?? '').split(',').map((item) => item.trim());
    if (items.includes('')) context.refuse('needs texts between commas: write #{randomItem(red,green)}');
    const [uniform] = wordsOf(1, use, context);
    return ({ index = 0 }) => items[Math.floor(uniform(index) * items.length)];
  },
};

/** @type {TokenEntry} */
const randomString = {
  name: 'randomString',
  about: 'a random text of this many letters and digits, up to 1,000',
  usage: 'randomString(12)',

  value(use, context) {
    const length = /^\s*\d{1,4}\s*$/.test(use.argument ?? '') ? Number(use.argument) : 0;
    if (length < 1 || length > MOST_CHARACTERS)
      context.refuse(`needs a length from 1 to ${MOST_CHARACTERS}: write #{randomString(12)}`);
    const words = wordsOf(Math.ceil(Math.min(length, MOST_CHARACTERS) / PER_WORD), use, context);
    return ({ index = 0 }) => {
      let text = '';
      for (const word of words) text += charactersOf(word(index));
      return text.slice(0, length);
    };
  },
};

export const RANDOM = [uuid, randomInt, randomItem, randomString];

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

/**
 * Tokens with one value for all iterations of a thread. `lib/core/flow/arguments.js` replaces them before the flow is
 * compiled, so `compile` sees only those that it left: malformed ones, and those within the value of another one.
 * @type {(entry: Pick<TokenEntry, 'name' | 'about' | 'usage'>) => TokenEntry}
 */
const constant = (entry) => ({
  ...entry,
  compile({ member, argument }, refuse) {
    const { name, usage = name } = entry;
    const isNamed = usage !== name;
    if (argument !== undefined || (member !== undefined) !== isNamed)
      refuse(isNamed ? `needs a name alone: write #{${usage}}` : 'takes no argument');
    else refuse('is in a value that was put in for another token, where it is not replaced');
    return '';
  },
});

const CONSTANTS = [
  constant({
    name: 'WORKER',
    about: 'the number of the worker that runs the iteration, from 0; 0 without workers, in before and in after',
  }),
  constant({ name: 'SHARD', about: 'the number of the shard, from 1; 1 if the run is not split with --shard' }),
  constant({ name: 'args', usage: 'args.name', about: 'a value of the option args: --arg name=value' }),
  constant({
    name: 'env',
    usage: 'env.NAME',
    about: 'the value of an environment variable, also of those in --env-file; hidden in all output',
  }),
];

/** @type {TokenEntry} */
export const iterationIndex = {
  name: 'INDEX',
  about: 'the number of the iteration, from 0',
  needsIndex: true,
  compile({ member, argument }, refuse) {
    if (member !== undefined || argument !== undefined) refuse('takes no argument');
    return (scope) => String(scope.index);
  },
};

/** Hooks and functions have it as `all.vu`. @type {TokenEntry} */
const virtualUser = {
  name: 'VU',
  about: 'the number of the virtual user, from 0, different in all workers',
  needsIndex: true,
  value({ member, argument }, { refuse }) {
    if (member !== undefined || argument !== undefined) refuse('takes no argument');
    return ({ vu }) => String(vu);
  },
};

/** @type {(entry: Pick<TokenEntry, 'name' | 'about'>, read: () => unknown) => TokenEntry} */
const time = (entry, read) => ({
  ...entry,
  value({ member, argument }, { refuse }) {
    if (member !== undefined || argument !== undefined) refuse('takes no argument');
    return read;
  },
});

export const TIME = [
  time({ name: 'timestampMs', about: 'the time in milliseconds since 1970' }, () => Date.now()),
  time({ name: 'timestamp', about: 'the time in whole seconds since 1970' }, () => Math.floor(Date.now() / 1000)),
  time({ name: 'isoTimestamp', about: 'the time in UTC, such as 2026-01-31T12:00:00.000Z' }, () =>
    new Date().toISOString(),
  ),
];

/** The tokens that a flow can use as `#{name}` or `#<name>`. @type {TokenEntry[]} */
export const TOKENS = [iterationIndex, virtualUser, ...CONSTANTS, ...RANDOM, ...TIME];

const NAME = /^\w+$/;

/** Checks the tokens of a flow. @type {(tokens: Record<string, any>, problems: Problems) => RawFlow['tokens']} */
export function checkTokens(tokens, problems) {
  const valid = Object.entries(tokens).filter(([name, value]) => {
    const reason = refuseName(name) ?? refuseValue(value);
    if (reason) problems.add(`flow.tokens.${name}`, reason);
    return !reason;
  });
  return Object.fromEntries(valid);
}

/** @type {(vars: Record<string, unknown>, tokens: unknown, problems: Problems) => RawFlow['vars']} */
export function checkVariables(vars, tokens, problems) {
  const valid = Object.entries(vars).filter(([name, value]) => {
    const reason =
      refuseName(name) ??
      (isObject(tokens) && Object.hasOwn(/** @type {object} */ (tokens), name)
        ? nameTakenBy(`flow.tokens.${name}`)
        : undefined) ??
      (typeof value === 'function' ? `expected a value, got a function: write it in flow.tokens` : undefined);
    if (reason) problems.add(`flow.vars.${name}`, reason);
    return !reason;
  });
  return Object.fromEntries(valid);
}

/** Explains why a token cannot have a name. @type {(name: string) => string | undefined} */
export function refuseName(name) {
  if (!NAME.test(name)) return 'is not the name of a token: use letters, digits and _';
  const builtIn = TOKENS.find((token) => token.name.toUpperCase() === name.toUpperCase());
  return builtIn && `#{${builtIn.name}} is a built-in token: use another name`;
}

/** Two things of a flow have one name. `other` is the second: `flow.tokens.user`. @type {(other: string) => string} */
export function nameTakenBy(other) {
  return `is the name of ${other}, too: rename one`;
}

/** @type {(value: unknown) => string | undefined} */
function refuseValue(value) {
  return typeof value === 'function'
    ? undefined
    : `expected a function that returns the value of #{…}, got ${typeName(value)}`;
}

/** The types that a token can be converted to: the last word of `#{name:number}`. */
export const CONVERSIONS = /** @type {const} */ (['number', 'text', 'json']);

/** A token in a text: its use is one of the two groups. */
export const TOKEN = /#(?:\{([^{}<>]*)\}|<([^{}<>]*)>)/g;
const BEGINNING = /#[{<]\w/;
const USE = /^(\w+)(?:\.([\w.-]+))?(?:\(([^(){}<>"'`\\\u0000-\u001f\u007f]*)\))?(?::(\w+))?$/;
const FIRST_WORD = /^\w+/;

/**
 * Reads a token as the user wrote it, without its brackets. docs/reference/tokens.md documents the grammar:
 *
 *     use        = name [ "." member ] [ "(" argument ")" ] [ ":" conversion ]
 *     name       = 1*( letter / digit / "_" )
 *     member     = 1*( letter / digit / "_" / "-" / "." )
 *     argument   = any text without ( ) { } < > quotes, backslashes and control characters
 *     conversion = "number" / "text" / "json"
 * @param {string} source
 * @returns {TokenUse | null} null if it is malformed
 */
export function parseUse(source) {
  const match = USE.exec(source);
  if (!match) return null;
  const [, name, member, argument, conversion] = match;
  return { name, member, argument, conversion: /** @type {TokenUse['conversion']} */ (conversion) };
}

/** Reports whether a text seems to have a token, where none is replaced. @type {(text: string) => boolean} */
export function hasToken(text) {
  return BEGINNING.test(text);
}

/** Reports whether a text or key within a value seems to have a token. @type {(value: unknown) => boolean} */
export function holdsToken(value) {
  if (typeof value === 'string') return hasToken(value);
  return isContainer(value) && Object.entries(value).flat().some(holdsToken);
}

/** Reports whether a regular expression has a token; `#{2}` is none. @type {(source: string) => boolean} */
export function hasTokenInPattern(source) {
  return [...source.matchAll(TOKEN)].some(([, braced, angled]) => /^[A-Za-z_]/.test(braced ?? angled));
}

/** The first word of a token, even of a malformed one; empty: it has none. @type {(source: string) => string} */
export function firstWord(source) {
  return FIRST_WORD.exec(source)?.[0] ?? '';
}

/** Explains why a token has no such conversion. @type {(use: TokenUse) => string | undefined} */
export function refuseConversion({ conversion }) {
  if (conversion === undefined || CONVERSIONS.includes(conversion)) return undefined;
  return `has the unknown conversion ${conversion}${nearestOrAll(conversion, CONVERSIONS)}`;
}
