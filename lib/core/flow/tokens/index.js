import { offered } from '../../ground/addons.js';
import { nearestOrAll } from '../../ground/problems.js';
import { typeName } from '../../text/format-value.js';
import { isContainer, isObject } from '../record.js';

/** @import { Problems } from '../../ground/types.js' */
/** @import { RawFlow } from '../types.js' */
/** @import { TokenEntry, TokenUse } from './types.js' */

/** The built-in tokens, in the table TOKENS, and the grammar in which a flow writes tokens (`parseUse`). */

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
    about: 'the value of an environment variable, also of those in --dotenv; hidden in all output',
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

/** @type {TokenEntry} */
const round = {
  name: 'ROUND',
  about: 'how often the operation was performed before in this iteration, with repeat, from 0',
  value({ member, argument }, { refuse }) {
    if (member !== undefined || argument !== undefined) refuse('takes no argument');
    return (scope) => String(scope.round ?? 0);
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

/** @type {TokenEntry[]} */
const OFFERED = offered('tokens');

/** The tokens that a flow can use as `#{name}` or `#<name>`. @type {TokenEntry[]} */
export const TOKENS = [iterationIndex, virtualUser, round, ...CONSTANTS, ...OFFERED, ...TIME];

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
