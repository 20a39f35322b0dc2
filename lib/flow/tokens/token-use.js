import { nearestOrAll } from '../../ground/problems.js';

/** @import { TokenUse } from './types.js' */

/** The types that a token can be converted to: the last word of `#{name:number}`. */
export const CONVERSIONS = /** @type {const} */ (['number', 'text', 'json']);

/** A token in a text: its use is one of the two groups. */
export const TOKEN = /#(?:\{([^{}<>]*)\}|<([^{}<>]*)>)/g;
const BEGINNING = /#[{<]\w/;
const USE = /^(\w+)(?:\.([\w.-]+))?(?:\(([^(){}<>"'`\\\u0000-\u001f\u007f]*)\))?(?::(\w+))?$/;
const FIRST_WORD = /^\w+/;

/**
 * Reads a token as the user wrote it, without its brackets. docs/guide/flows.md documents the grammar:
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

/**
 * Reports whether a text seems to have a token, for places where none is replaced.
 * @type {(text: string) => boolean}
 */
export function hasToken(text) {
  return BEGINNING.test(text);
}

/**
 * Reports whether the text of a regular expression has a token: there, the braces of `#{2}` are a quantifier.
 * @type {(source: string) => boolean}
 */
export function hasTokenInPattern(source) {
  return [...source.matchAll(TOKEN)].some(([, braced, angled]) => /^[A-Za-z_]/.test(braced ?? angled));
}

/**
 * Returns the first word of a token, even of a malformed one; empty if there is none.
 * @type {(source: string) => string}
 */
export function firstWord(source) {
  return FIRST_WORD.exec(source)?.[0] ?? '';
}

/** Explains why a token has no such conversion. @type {(use: TokenUse) => string | undefined} */
export function refuseConversion({ conversion }) {
  if (conversion === undefined || CONVERSIONS.includes(conversion)) return undefined;
  return `has the unknown conversion ${conversion}${nearestOrAll(conversion, CONVERSIONS)}`;
}
