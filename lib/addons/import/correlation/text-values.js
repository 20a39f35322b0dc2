import { decodePercent, decodeReferences } from '../../../core/text/decode.js';
import { isRare } from './evidence.js';

/**
 * Values in the text of a page, each with the regular expression that captures it. Pages are read as text, as captures
 * do: nothing depends on how a browser would repair them.
 *
 * @typedef {object} TextValue
 * @property {string} name
 * @property {string} [entity]
 * @property {string} value decoded
 * @property {'percent' | 'html'} [decode] how it is encoded in the page
 * @property {string} pattern
 * @property {boolean} [isPathPart]
 * @property {number} rank as in Source
 * @property {string} label for comments
 *
 * @typedef {(value: string) => boolean} Wants
 *
 * @typedef {{ raw: string, value: string, quote: string }} Attribute raw: as it is in the page
 *
 * @typedef {{ tag: string, attributes: Map<string, Attribute> }} Tag
 */

const TAG = /<(?:input|meta|a|form|button|link)\b[^<>]{0,4000}>/gi;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g;
const LONGEST_URL = 4096;
/** Tags of one page. */
const MOST_TAGS = 20_000;
/** Words of one text. */
const MOST_WORDS = 200_000;
/** Places of one word in a text. */
const MOST_TRIES = 3;
/** Characters before a word that find it again. */
const CONTEXTS = [12, 24, 48];
const WORD = /[\w.~+/=-]{6,4096}/g;

/** Reads fields, `<meta name content>`, links and form actions. @type {(page: string, wants: Wants) => TextValue[]} */
export function valuesOfPage(page, wants) {
  /** @type {Set<string>} */
  const known = new Set();
  /** A value that many links have is captured from the first one. @type {Wants} */
  const isNew = (value) => wants(value) && !known.has(value);
  return tagsIn(page).flatMap((tag) => {
    const links = partsOfLink(tag, page, isNew);
    for (const { value } of links) known.add(value);
    return [...namedValueOf(tag, page, wants), ...links];
  });
}

/** @type {(page: string) => Tag[]} */
function tagsIn(page) {
  const tags = [];
  for (const [tag] of page.matchAll(TAG)) {
    if (tags.length >= MOST_TAGS) break;
    const attributes = new Map();
    for (const [, name, double, single, bare] of tag.matchAll(ATTRIBUTE)) {
      const raw = double ?? single ?? bare;
      const quote = double === undefined ? (single === undefined ? '' : "'") : '"';
      attributes.set(name.toLowerCase(), { raw, value: decodeReferences(raw), quote });
    }
    tags.push({ tag, attributes });
  }
  return tags;
}

/** @type {(tag: Tag, page: string, wants: Wants) => TextValue[]} */
function namedValueOf({ tag, attributes }, page, wants) {
  const isMeta = /^<meta\b/i.test(tag);
  const valueOf = isMeta ? 'content' : 'value';
  const name = attributes.get('name');
  const value = attributes.get(valueOf);
  if (!name?.raw || !value || !wants(value.value)) return [];
  const pattern = patternOfTag(tag, { name, valueOf, value });
  if (!finds(pattern, page, value.raw)) return [];
  const label = isMeta ? `<meta name="${name.value}">` : `the form field ${name.value}`;
  const decode = value.value === value.raw ? {} : { decode: /** @type {const} */ ('html') };
  return [{ name: name.value, value: value.value, pattern, ...decode, rank: 0, label }];
}

/** @type {(tag: string, attributes: { name: Attribute, valueOf: string, value: Attribute }) => string} */
function patternOfTag(tag, { name, valueOf, value }) {
  const named = `name=${name.quote}${escaped(name.raw)}${name.quote}`;
  const group = value.quote === '' ? '([^\\s>]+)' : `([^${value.quote}]+)`;
  const valued = `${valueOf}=${value.quote}${group}${value.quote}`;
  const inOrder =
    tag.search(/\sname\s*=/i) < tag.search(new RegExp(`\\s${valueOf}\\s*=`, 'i')) ? [named, valued] : [valued, named];
  const close = inOrder.join(' ');
  return new RegExp(close).test(tag) ? close : inOrder.join('[^>]*\\s');
}

/** A capture takes the first match. @type {(pattern: string, text: string, value: string) => boolean} */
function finds(pattern, text, value) {
  return new RegExp(pattern).exec(text)?.[1] === value;
}

/** @type {(tag: Tag, page: string, wants: Wants) => TextValue[]} */
function partsOfLink({ attributes }, page, wants) {
  const link = attributes.get('href') ?? attributes.get('action') ?? attributes.get('formaction');
  if (!link || link.raw.startsWith('#') || link.raw.length > LONGEST_URL) return [];
  return partsOfUrl(link.value, wants).flatMap(({ name, value, raw, decode, isPathPart }) => {
    const before = link.raw.slice(0, link.raw.indexOf(raw));
    const pattern = `${escaped(`${link.quote || '='}${before}`)}([^"'/?#&\\s>]+)`;
    const isFound = link.raw.includes(raw) && finds(pattern, page, raw);
    if (!isFound) return [];
    const label = 'a link of the page';
    return [{ name, entity: name, value, pattern, ...(decode && { decode }), isPathPart, rank: 2, label }];
  });
}

/** The characters before each wanted word find it again. @type {(text: string, wants: Wants) => TextValue[]} */
export function wordsIn(text, wants) {
  /** @type {TextValue[]} */
  const found = [];
  /** How often a value was looked at. @type {Map<string, number>} */
  const tries = new Map();
  /** @type {(value: string, at: number) => void} */
  const look = (value, at) => {
    const count = tries.get(value) ?? 0;
    if (count >= MOST_TRIES || !wants(value)) return;
    const named = wordAt(text, value, at);
    tries.set(value, named ? MOST_TRIES : count + 1);
    if (named) found.push(named);
  };
  let count = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (++count > MOST_WORDS) break;
    look(word, index);
    if (/[/=]/.test(word)) for (const part of word.matchAll(/[^/=]{6,}/g)) look(part[0], index + part.index);
  }
  return found;
}

/** Null: its context does not find it. @type {(text: string, value: string, at: number) => TextValue | null} */
function wordAt(text, value, at) {
  const name = /([\w-]+)["']?\s*[:=]\s*["']?$/.exec(text.slice(Math.max(0, at - 60), at))?.[1] ?? '';
  const group = /^[\w-]+$/.test(value) ? '([\\w-]+)' : '([\\w.~+/=-]+)';
  const before = contextsOf(text, at).find((context) => finds(escaped(context) + group, text, value));
  if (before !== undefined)
    return { name, value, pattern: escaped(before) + group, rank: 3, label: 'the text of the response' };
  return null;
}

/**
 * Lists the texts before a place, the shortest first. One with a rare word differs next time, and may be a secret.
 * @type {(text: string, at: number) => string[]}
 */
function contextsOf(text, at) {
  const line = text.slice(Math.max(0, at - CONTEXTS[CONTEXTS.length - 1]), at).replace(/^[^]*\n/, '');
  const [named] = /[\w.-]+["']?\s*[:=]\s*["']?$/.exec(line) ?? [];
  // Half a word at its beginning looks like a mistake.
  const others = CONTEXTS.map((length) => line.slice(-length).replace(/^\w+(?=\W.)/, ''));
  const all = named === undefined ? others : [named, ...others];
  return all.filter((context) => context !== '' && !(context.match(/[\w.~+/=-]{6,}/g) ?? []).some(isRare));
}

/**
 * A part of a text that is a URL, or its path, with the pattern that finds it in this text.
 *
 * @typedef {object} UrlPart
 * @property {string} name of the parameter; of a segment, the segment before it
 * @property {string} value decoded
 * @property {string} raw as it is in the text
 * @property {'percent'} [decode] how it is encoded there
 * @property {string} pattern a regular expression whose group is the value
 * @property {boolean} isPathPart
 */

/** The wanted parts of a URL, or of its path. @type {(text: string, wants: (value: string) => boolean) => UrlPart[]} */
export function partsOfUrl(text, wants) {
  const [, , path, query = ''] = /^([a-z]+:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?/i.exec(text) ?? ['', '', '', ''];
  const segments = path.split('/');
  const parts = segments.flatMap((segment, i) => {
    const name = segments[i - 1] ?? '';
    if (i === 0 || segment === '') return [];
    // The pattern of `/17` alone has no name: it must not find the first segment of a longer path.
    const end = name === '' && i === segments.length - 1 && query === '' ? '$' : '';
    return [{ name, raw: segment, pattern: `${escaped(name)}/([^/?#]+)${end}`, isPathPart: true }];
  });
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name, raw = ''] = pair.split('=');
    const pattern = `[?&]${escaped(name)}=([^&#]+)`;
    if (raw !== '') parts.push({ name: decodePercent(name), raw, pattern, isPathPart: false });
  }
  return parts.flatMap((part) => {
    const value = decodePercent(part.raw);
    if (!wants(value) || new RegExp(part.pattern).exec(text)?.[1] !== part.raw) return [];
    return [{ ...part, value, ...(value !== part.raw && { decode: /** @type {const} */ ('percent') }) }];
  });
}

/** Escapes a text for a regular expression. @type {(text: string) => string} */
export function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
