import { nearest } from '../problems.js';
import { TOKENS } from './tokens/index.js';

/**
 * Text -> marked text -> template. Grammar of a token (documented in docs/guide/flows.md):
 *
 *     token    = "#{" use "}" / "#<" use ">"
 *     use      = name [ "." member ] [ "(" argument ")" ]
 *     name     = 1*( letter / digit / "_" )
 *     member   = 1*( letter / digit / "_" / "-" / "." )
 *     argument = any text without ( ) { } < > quotes, backslashes and control characters
 *
 * @import { Problems } from '../problems.js'
 * @import { Scope } from './types.js'
 * @import { TokenUse } from './tokens/types.js'
 * @typedef {string | ((scope: Scope) => string)} Template constant text, or a function that renders an iteration's text
 */

const TOKEN = /#(?:\{([^{}<>]*)\}|<([^{}<>]*)>)/g;
const USE = /^(\w+)(?:\.([\w.-]+))?(?:\(([^(){}<>"'`\\\u0000-\u001f\u007f]*)\))?$/;
const FIRST_WORD = /^\w+/;

/**
 * Replaces each token by a mark of lower-case letters and digits, which URL parsing, percent-encoding and JSON keep
 * unchanged: text is encoded once, as a whole, and {@link compileTemplate} finds the marks again.
 *
 * @param {string} text
 * @param {{ problems: Problems, path: string, isUrl?: boolean }} at a URL can hold no other `#{…}`: it would be a fragment
 * @returns {string}
 */
export function markTokens(text, { problems, path, isUrl = false }) {
  if (!text.includes('#')) return text;
  if (isUrl) refuseBareTokens(text, { problems, path });
  return text.replace(TOKEN, (whole, braced, angled, offset) => {
    const source = braced ?? angled;
    /** @type {(reason: string) => void} */
    const refuse = (reason) => problems.add(path, `${whole} (column ${offset + 1}) ${reason}`);
    const name = FIRST_WORD.exec(source)?.[0] ?? '';
    const entry = TOKENS.find((token) => token.name === name);
    if (!entry) {
      const names = TOKENS.map((token) => token.name);
      const near = nearest(name, names);
      if (near) refuse(`is not a token. Did you mean #{${near}}?`);
      else if (isUrl) refuse(`is not a token. Tokens are ${names.map((known) => `#{${known}}`).join(', ')}`);
      return whole;
    }
    const use = parseUse(source);
    if (use) entry.compile(use, refuse);
    else refuse('is malformed. Write #{name}, #{name.member} or #{name(argument)}');
    return use ? `${MARK}${Buffer.from(source).toString('hex')}z` : whole;
  });
}

/**
 * A fragment is never sent: one that is the name of a token was meant as the token.
 * @type {(url: string, at: { problems: Problems, path: string }) => void}
 */
function refuseBareTokens(url, { problems, path }) {
  for (const { 0: whole, 1: name, index } of url.matchAll(/#(\w+)/g)) {
    const token = TOKENS.find((entry) => entry.name === name.toUpperCase());
    if (token) problems.add(path, `${whole} (column ${index + 1}) is not a token. Write #{${token.name}}`);
  }
}

/**
 * Text with marks becomes a function that joins its pieces; text without them stays a string.
 *
 * @param {string} marked
 * @returns {Template}
 */
export function compileTemplate(marked) {
  const pieces = marked.split(MARKS);
  if (pieces.length === 1) return marked;
  /** @type {Template[]} text and tokens in turn */
  const parts = pieces.map((piece, i) => (i % 2 === 0 ? piece : compileToken(sourceOf(piece))));
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  if (parts.length === 3) {
    const [head, value, tail] = /** @type {[string, (scope: Scope) => string, string]} */ (parts);
    return (scope) => head + value(scope) + tail;
  }
  return (scope) => {
    let text = '';
    for (const part of parts) text += typeof part === 'string' ? part : part(scope);
    return text;
  };
}

/** @type {(template: Template, scope: Scope) => string} */
export function renderTemplate(template, scope) {
  return typeof template === 'string' ? template : template(scope);
}

/** @type {(marked: string) => boolean} */
export function hasMarks(marked) {
  return marked.includes(MARK);
}

/**
 * The text as the user wrote it, with `#{…}` for both spellings.
 * @type {(marked: string) => string}
 */
export function unmark(marked) {
  return marked.replace(MARKS, (_, hex) => `#{${sourceOf(hex)}}`);
}

/** @type {(source: string) => TokenUse | null} */
function parseUse(source) {
  const match = USE.exec(source);
  return match && { name: match[1], member: match[2], argument: match[3] };
}

/** A token that {@link markTokens} accepted. @type {(source: string) => Template} */
function compileToken(source) {
  const use = /** @type {TokenUse} */ (parseUse(source));
  const entry = /** @type {typeof TOKENS[number]} */ (TOKENS.find(({ name }) => name === use.name));
  return entry.compile(use, () => {});
}

/** @type {(hex: string) => string} */
function sourceOf(hex) {
  return Buffer.from(hex, 'hex').toString();
}

const MARK = 'brtoken5f0c7e1d';
const MARKS = new RegExp(`${MARK}((?:[0-9a-f]{2})+)z`, 'g');
