import { randomUUID } from 'node:crypto';

import { makeError } from '../ground/errors.js';
import { Names } from './names.js';
import { TOKEN, TOKENS, firstWord, parseUse, refuseConversion } from './tokens/index.js';
import { converterOf, letterOf, writerOf } from './written-value.js';

/** @import { Template, NameSource } from './types.js' */
/** @import { Scope } from '../contracts/step.js' */
/** @import { Problems } from '../ground/types.js' */
/** @import { TokenUse } from './tokens/types.js' */
/** @import { Placeholder } from './placeholder.js' */
/** @import { ValueList } from './values.js' */
/** @import { ValuePlace } from './written-value.js' */

/**
 * @typedef {object} MarkContext
 * @property {Problems} problems
 * @property {string} path
 * @property {ValuePlace} [place] a URL (`address`) can hold no other `#{…}`: it would be a fragment
 * @property {Names} [names] default: the built-in tokens
 * @property {boolean} [hooksMayReplace] before-hooks get the text, and may replace what is no token
 * @property {boolean} [isNew] the text is of an operation that 1.2.4 did not have, so an unknown token is a mistake
 * @property {Pick<ValueList, 'where' | 'placeholderOf' | 'addVariable'>} [values] of the operation: gets the functions
 *   that return values of tokens
 */

/**
 * Replaces each token by a mark of lower-case letters and digits, which URL parsing, percent-encoding and JSON keep
 * unchanged: text is encoded once, as a whole, and {@link compileTemplate} finds the marks again. A mark is the word
 * MARK, the hexadecimal digits of the token's source, its kind (see KINDS), and the letter of the place that its value
 * is encoded for (see `written-value.js`).
 * @type {(text: string, context: MarkContext) => string}
 */
export function markTokens(text, context) {
  const { problems, path, place = 'text' } = context;
  if (!text.includes('#')) return text;
  if (place === 'address') refuseBareTokens(text, context);
  return text.replace(TOKEN, (whole, braced, angled, offset) => {
    const isValue = place === 'json' && isJsonValue(text, offset, offset + whole.length);
    const mark = markUse(braced ?? angled, isValue ? 'value' : place, context, (reason) =>
      problems.add(path, `${whole} (column ${offset + 1}) ${reason}`),
    );
    return mark ?? whole;
  });
}

/** Lists the first words of all that looks like a token in a text. @type {(text: string) => string[]} */
export function wordsIn(text) {
  return Array.from(text.matchAll(TOKEN), ([, braced, angled]) => firstWord(braced ?? angled));
}

/**
 * Returns the mark of a token; null: it stays as it is written, or was refused.
 * @type {(source: string, place: ValuePlace, context: MarkContext, refuse: (reason: string) => void) => string | null}
 */
function markUse(source, place, context, refuse) {
  const { names = new Names(), values = NO_VALUES, problems, path } = context;
  const word = firstWord(source.trim());
  const known = names.find(word);
  const use = parseUse(source);
  if (!known) {
    readUnknown({ source, word, use, place }, names, context, refuse);
    return null;
  }
  const notHere = names.refuse(word);
  if (notHere && source === OLD_TOKEN) {
    // Flows for 1.2.4 may have it in `before` and `after`: there it is text.
    const what = place === 'address' ? 'begins a fragment of the URL, which is not sent' : 'is sent as it is written';
    problems.ignore(path, notHere, `${notHere}; #{${source}} ${what}`);
    return null;
  }
  if (notHere) problems.add(path, notHere);
  const malformed = use ? refuseConversion(use) : malformation(source);
  if (malformed) refuse(malformed);
  return use && !notHere && !malformed ? markKnown(source, use, place, known, values, refuse) : null;
}

/**
 * Refuses a text that was probably meant as a token, and otherwise leaves it as text, which it was for 1.2.4.
 * @type {(unknown: { source: string, word: string, use: TokenUse | null, place: ValuePlace }, names: Names, context:
 *   Pick<MarkContext, 'problems' | 'path' | 'isNew' | 'hooksMayReplace'>, refuse: (reason: string) => void) => void}
 */
function readUnknown({ source, word, use, place }, names, context, refuse) {
  const { problems, path, isNew = false, hooksMayReplace = false } = context;
  const inner = use && innerToken(use, names);
  const isMeant = use !== null && !hooksMayReplace && (isNew || place === 'address' || !names.areOnlyBuiltIn);
  if (inner) refuse(`is not a token. Did you mean #{${inner}}?`);
  else if (isMeant || names.isMiswritten(word, { hooksMayReplace })) refuse(names.explain(word, path));
  // Other text, such as #{a b}, is not even similar.
  else if (use)
    problems.ignore(
      path,
      `#{${source}} ${names.explain(word, path)}`,
      place === 'address'
        ? `#{${source}} is for a hook to replace`
        : `#{${source}} is sent as it is written${hooksMayReplace ? ', unless a hook replaces it' : ''}`,
    );
}

/** The one token of 1.2.4, which did not replace it in `before` and `after`: in a URL it begins a fragment there. */
const OLD_TOKEN = 'INDEX';

/** `users.name` of `data.users.name`. @type {(use: TokenUse, names: Names) => string | undefined} */
function innerToken({ member = '' }, names) {
  return names.find(firstWord(member)) && member;
}

/**
 * @type {(source: string, use: TokenUse, place: ValuePlace, known: NameSource, values:
 *   NonNullable<MarkContext['values']>, refuse: (reason: string) => void) => string | null}
 */
function markKnown(source, use, place, known, values, refuse) {
  const meaning = known.read(use, refuse, values.where);
  if (meaning?.kind === 'value') return values.placeholderOf(use, meaning)?.mark(place, use) ?? null;
  if (meaning === null) return null;
  if (meaning.kind === 'variable') values.addVariable(use.name);
  // Without a conversion, a built-in text is the same in every place.
  const isPlain = meaning.kind === 'text' && use.conversion === undefined;
  return `${MARK}${hexOf(source)}${KINDS[meaning.kind]}${letterOf(isPlain ? 'text' : place)}`;
}

/** @type {(source: string) => string} */
function malformation(source) {
  const trimmed = source.trim();
  return trimmed !== source && parseUse(trimmed)
    ? `has spaces within its brackets: write #{${trimmed}}`
    : 'is malformed. Write #{name}, #{name.member} or #{name(argument)}';
}

/** The source of a mark: built-in text, a variable, or the placeholder in `scope.values` with its number, as `s0`. */
const KINDS = { text: 'z', variable: 'v', value: 's' };
const ANY_KIND = `(?:${KINDS.text}|${KINDS.variable}|${KINDS.value}\\d+)`;

/** @type {Pick<ValueList, 'where' | 'placeholderOf' | 'addVariable'>} */
const NO_VALUES = { where: '', placeholderOf: () => undefined, addVariable() {} };

/**
 * Finds the first text in a URL that looks like a token, and is none: it would be a fragment, which is never sent. The
 * token of 1.2.4 is left out, as it has no value in `before` and `after`.
 * @type {(url: string) => string | undefined}
 */
export function leftToken(url) {
  if (!url.includes('#')) return undefined;
  const uses = Array.from(url.matchAll(TOKEN), ([whole, braced, angled]) => ({ whole, source: braced ?? angled }));
  return uses.find(({ source }) => source !== OLD_TOKEN && parseUse(source))?.whole;
}

/**
 * Reports whether a token is a whole value of JSON: the text between its quotes, neither one of which is escaped, and
 * no key, which a colon follows.
 * @type {(json: string, from: number, to: number) => boolean}
 */
function isJsonValue(json, from, to) {
  return json[from - 1] === '"' && json[from - 2] !== '\\' && json[to] === '"' && json[to + 1] !== ':';
}

/** The mark of a value per request. @type {(placeholder: Placeholder, place: ValuePlace, use?: TokenUse) => string} */
export function markPlaceholder({ at, name }, place, use) {
  const source = use?.conversion === undefined ? name : `${name}:${use.conversion}`;
  return `${MARK}${hexOf(source)}${KINDS.value}${at}${letterOf(place)}`;
}

/** Removes the quotes around values that JSON.stringify wrote as texts. @type {(json: string) => string} */
export function unquoteValues(json) {
  return json.includes(MARK) ? json.replace(QUOTED_VALUES, '$1') : json;
}

/** Values are written as they are, as in the host of a URL. @type {(marked: string) => string} */
export function asText(marked) {
  return marked.replace(MARKS, (_, hex, kind) => `${MARK}${hex}${kind}${letterOf('text')}`);
}

/** @type {(url: string, at: { problems: Problems, path: string }) => void} */
function refuseBareTokens(url, { problems, path }) {
  for (const { 0: whole, 1: name, index } of url.matchAll(/#(\w+)/g)) {
    const token = TOKENS.find((entry) => entry.name === name.toUpperCase());
    if (token) problems.add(path, `${whole} (column ${index + 1}) is not a token. Write #{${token.name}}`);
  }
}

/** Text with marks becomes a function that joins its pieces. @type {(marked: string) => Template} */
export function compileTemplate(marked) {
  if (!hasMarks(marked)) return marked;
  // The groups of MARKS are among the pieces: text, hex, kind, letter, text, …
  const pieces = marked.split(MARKS);
  /** @type {Template[]} text and tokens in turn */
  const parts = [pieces[0]];
  for (let i = 1; i < pieces.length; i += 4) {
    const [hex, kind, letter, text] = pieces.slice(i, i + 4);
    parts.push(compileMark(hex, kind, letter), text);
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

/** Null unless it is one token. @type {(marked: string) => ((scope: Scope) => unknown) | null} */
export function compileWholeValue(marked) {
  const match = WHOLE_VALUE.exec(marked);
  return match && readerOf(match[1], match[2]);
}

/** Reports whether a text is one token and nothing else. @type {(text: string) => boolean} */
export function isToken(text) {
  return ONE_TOKEN.test(text);
}

const ONE_TOKEN = new RegExp(`^${TOKEN.source}$`);

/** A number is that of a placeholder. @type {(marked: string) => ('text' | 'variable' | number)[]} */
export function sourcesIn(marked) {
  return Array.from(marked.matchAll(MARKS), ([, , kind]) => {
    if (kind.startsWith(KINDS.value)) return Number(kind.slice(1));
    return kind === KINDS.variable ? 'variable' : 'text';
  });
}

/** @type {(marked: string) => boolean} */
export function hasMarks(marked) {
  return marked.includes(MARK);
}

/** Returns the text as the user wrote it, with `#{…}` for both spellings. @type {(marked: string) => string} */
export function unmark(marked) {
  return marked.replace(MARKS, (_, hex) => `#{${sourceOf(hex)}}`);
}

/** @type {(hex: string, kind: string, letter: string) => Template} */
function compileMark(hex, kind, letter) {
  if (kind === KINDS.text) {
    const text = compileText(/** @type {TokenUse} */ (parseUse(sourceOf(hex))));
    if (letter === TEXT) return text;
  }
  const read = readerOf(hex, kind);
  const write = writerOf(letter);
  if (letter === VALUE) return (scope) => write(read(scope));
  return (scope) => write(present(read(scope), hex));
}

/** Reads the value of a mark, converted. @type {(hex: string, kind: string) => (scope: Scope) => unknown} */
function readerOf(hex, kind) {
  const source = sourceOf(hex);
  const use = source === '' ? null : /** @type {TokenUse} */ (parseUse(source));
  const read = rawReader(use, kind);
  const convert = use && converterOf(use);
  return convert ? (scope) => convert(read(scope)) : read;
}

/** @type {(use: TokenUse | null, kind: string) => (scope: Scope) => unknown} */
function rawReader(use, kind) {
  if (kind.startsWith(KINDS.value)) {
    const at = Number(kind.slice(1));
    return ({ values }) => /** @type {unknown[]} */ (values)[at];
  }
  const known = /** @type {TokenUse} */ (use);
  if (kind === KINDS.variable) return variableReader(known.name);
  const text = compileText(known);
  return (scope) => renderTemplate(text, scope);
}

/** Compiles a built-in token that {@link markTokens} accepted. @type {(use: TokenUse) => Template} */
function compileText(use) {
  const entry = /** @type {typeof TOKENS[number]} */ (TOKENS.find(({ name }) => name === use.name));
  return /** @type {NonNullable<typeof entry['compile']>} */ (entry.compile)(use, () => {});
}

/** @type {(name: string) => (scope: Scope) => unknown} */
function variableReader(name) {
  return ({ vars }) => {
    const value = /** @type {Record<string, unknown>} */ (vars)[name];
    if (value !== undefined) return value;
    throw makeError('E_NO_VALUE', { token: `#{${name}}` });
  };
}

/**
 * Refuses the value null of a token, which has no text. A function in the place of a value (`hex` is empty) may return
 * it: `Returned` has decided on that.
 * @type {(value: unknown, hex: string) => unknown}
 */
function present(value, hex) {
  if ((value === null || value === undefined) && hex !== '')
    throw makeError('E_TOKEN', { token: `#{${sourceOf(hex)}}`, reason: 'is null, which has no text' });
  return value;
}

/** @type {(source: string) => string} */
function hexOf(source) {
  return Buffer.from(source).toString('hex');
}

/** @type {(hex: string) => string} */
function sourceOf(hex) {
  return Buffer.from(hex, 'hex').toString();
}

const TEXT = letterOf('text');
const VALUE = letterOf('value');
/** A server cannot know it, so no text that functions and hooks return has marks. */
const MARK = `brtoken${randomUUID().replaceAll('-', '')}`;
/** A mark without its letter. Groups: the source, which is empty for a function of the flow, and the kind. */
const ONE = `${MARK}((?:[0-9a-f]{2})*)(${ANY_KIND})`;
const MARKS = new RegExp(`${ONE}([a-z])`, 'g');
const QUOTED_VALUES = new RegExp(`"(${MARK}[0-9a-f]*${ANY_KIND}${VALUE})"`, 'g');
const WHOLE_VALUE = new RegExp(`^"?${ONE}${VALUE}"?$`);
