import { randomUUID } from 'node:crypto';

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
 * @import { Slot } from './slot.js'
 * @import { TokenUse } from './tokens/types.js'
 * @import { ValueList } from './values.js'
 * @typedef {keyof typeof WRITERS} Place where a value of the flow's functions is written: it is encoded for its place
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
 * @param {object} at
 * @param {Problems} at.problems
 * @param {string} at.path
 * @param {Place} [at.place] a URL (`address`) can hold no other `#{…}`: it would be a fragment
 * @param {Pick<ValueList, 'names' | 'slotOf'>} [at.values] the tokens of the flow
 * @returns {string}
 */
export function markTokens(text, { problems, path, place = 'text', values = NO_VALUES }) {
  const isUrl = place === 'address';
  if (!text.includes('#')) return text;
  if (isUrl) refuseBareTokens(text, { problems, path });
  return text.replace(TOKEN, (whole, braced, angled, offset) => {
    const source = braced ?? angled;
    /** @type {(reason: string) => void} */
    const refuse = (reason) => problems.add(path, `${whole} (column ${offset + 1}) ${reason}`);
    const name = FIRST_WORD.exec(source)?.[0] ?? '';
    const slot = values.slotOf(name);
    if (slot && source === name) return slot.mark(place);
    if (slot) {
      refuse(`takes no argument. Write #{${name}}`);
      return whole;
    }
    const entry = TOKENS.find((token) => token.name === name);
    if (!entry) {
      const names = [...TOKENS.map((token) => token.name), ...values.names];
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

/** Of a flow without tokens of its own. @type {Pick<ValueList, 'names' | 'slotOf'>} */
const NO_VALUES = { names: [], slotOf: () => undefined };

/**
 * The mark of a value that is computed for each request.
 *
 * @param {Slot} slot
 * @param {Place} place
 * @returns {string}
 */
export function markSlot({ at, name }, place) {
  return `${MARK}${Buffer.from(name).toString('hex')}s${at}${WRITERS[place].letter}`;
}

/** Removes the quotes around values that JSON.stringify wrote as texts. @type {(json: string) => string} */
export function unquoteValues(json) {
  return json.includes(MARK) ? json.replace(QUOTED_VALUES, '$1') : json;
}

/** Values are written as they are, as in the host of a URL. @type {(marked: string) => string} */
export function asText(marked) {
  return marked.replace(MARKS, (mark, hex, at) => (at === undefined ? mark : `${MARK}${hex}s${at}t`));
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
  if (!hasMarks(marked)) return marked;
  const pieces = marked.split(MARKS);
  /** @type {Template[]} text and tokens in turn */
  const parts = [pieces[0]];
  for (let i = 1; i < pieces.length; i += 4) {
    const [hex, at, letter, text] = pieces.slice(i, i + 4);
    parts.push(at === undefined ? compileToken(sourceOf(hex)) : compileSlot(Number(at), letter), text);
  }
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
export function hasBuiltInTokens(marked) {
  return BUILT_IN.test(marked);
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

/** @type {(at: number, letter: string) => Template} */
function compileSlot(at, letter) {
  const { write } = /** @type {typeof WRITERS['text']} */ (
    Object.values(WRITERS).find((writer) => writer.letter === letter)
  );
  return ({ values }) => write(/** @type {unknown[]} */ (values)[at]);
}

/** @type {(value: any) => string} */
const inUrl = (value) => encodeURIComponent(Buffer.from(String(value)).toString());

/** Escapes quotes and line ends as browsers do. @type {(text: string) => string} */
export function inPart(text) {
  return text.replace(/\r\n|\r|\n/g, '%0D%0A').replace(/"/g, '%22');
}

/** How a value is written into each place. Built-in tokens are written as they are. */
const WRITERS = {
  text: { letter: 't', write: String },
  /** within a text of JSON */
  json: { letter: 'j', write: (/** @type {any} */ value) => JSON.stringify(String(value)).slice(1, -1) },
  /** a value of JSON */
  value: { letter: 'v', write: (/** @type {any} */ value) => JSON.stringify(value) },
  /** a URL as a whole */
  address: { letter: 'a', write: inUrl },
  /** a part of a URL or a form */
  url: { letter: 'u', write: inUrl },
  /** the head of a part of a multipart body */
  part: { letter: 'p', write: (/** @type {any} */ value) => inPart(String(value)) },
};

/** @type {(hex: string) => string} */
function sourceOf(hex) {
  return Buffer.from(hex, 'hex').toString();
}

/** A server cannot know it, so no text that functions and hooks return has marks. */
const MARK = `brtoken${randomUUID().replaceAll('-', '')}`;
/** a built-in token with its source, or a value with the name of its token, its place and its writer */
const MARKS = new RegExp(`${MARK}((?:[0-9a-f]{2})*)(?:z|s(\\d+)([a-z]))`, 'g');
const BUILT_IN = new RegExp(`${MARK}[0-9a-f]+z`);
const QUOTED_VALUES = new RegExp(`"(${MARK}[0-9a-f]*s\\d+v)"`, 'g');
