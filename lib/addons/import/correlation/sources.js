import { decodePercent } from '../../../core/text/decode.js';
import { memberStep } from '../draft.js';
import { jsonIn } from '../read-document.js';
import { isRare, singular } from './evidence.js';
import { partsOfUrl, valuesOfPage, wordsIn } from './text-values.js';

/** @import { RecordedResponse } from '../exchange.js' */
/** @import { Source, Step } from './types.js' */

/** Members of one response. */
const MOST_MEMBERS = 200_000;
const DEEPEST = 100;
/** Places of one value in a response: the first ones. */
const MOST_PLACES = 20;
/** Characters of a text that may be a URL, or have one in it. */
const LONGEST_URL = 4096;
/** Bytes of a response that are searched. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Fields that say nothing about the application. ETags are those of linkEtags. */
const PLAIN_FIELDS = new Set([
  ...['date', 'content-length', 'content-type', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive'],
  ...['server', 'vary', 'cache-control', 'expires', 'last-modified', 'age', 'via', 'etag', 'alt-svc'],
  ...['content-security-policy', 'strict-transport-security', 'permissions-policy', 'report-to', 'nel'],
  ...['server-timing'],
]);

/** Lists places of a response that have values of requests. @type {(step: Step, wanted: Set<string>) => Source[]} */
export function sourcesOf(step, wanted) {
  const { response, messages } = last(step);
  const found = new Found(step, wanted);
  for (const { from, data } of messages ?? []) {
    if (from === 'server' && typeof data === 'string') readText(data, 'json', found);
  }
  // Captures of a WebSocket read its messages alone.
  if (response === null || messages) return found.all;
  for (const [name, value] of response.headers) readField(name, value, found);
  const type = fieldOf(response, 'content-type');
  const { body } = response;
  if (body.length > 0 && body.length <= MOST_BYTES && isText(type, body))
    readText(body.toString('utf8'), /html|xml/i.test(type) ? 'html' : 'json', found);
  return found.all;
}

/**
 * The exchange whose response captures read.
 * @type {(step: Pick<Step, 'exchange' | 'hops'>) => import('../exchange.js').Exchange}
 */
export function last({ hops, exchange }) {
  return hops.at(-1) ?? exchange;
}

/** @type {(message: Pick<RecordedResponse, 'headers'>, name: string) => string} */
export function fieldOf({ headers }, name) {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
}

/** @type {(type: string, body: Buffer) => boolean} */
function isText(type, body) {
  if (/json|html|xml|text|javascript|x-www-form|graphql/i.test(type)) return true;
  return type === '' && !body.subarray(0, 1024).includes(0);
}

/** @typedef {Omit<Source, 'step' | 'entity' | 'type'> & { entity?: string, type?: 'string' | 'number' }} FoundValue */

/** The places in one response that have wanted values. */
class Found {
  /** @type {Source[]} */
  all = [];
  #step;
  #wanted;
  #collection;
  /** @type {Map<string, number>} */
  #counts = new Map();

  /** @param {Step} step @param {Set<string>} wanted */
  constructor(step, wanted) {
    this.#step = step;
    this.#wanted = wanted;
    this.#collection = collectionOf(step.exchange.request.url);
  }

  /** @type {(value: string) => boolean} */
  wants = (value) => this.#wanted.has(value);

  /** @type {(found: FoundValue) => void} */
  add({ entity = this.#collection, type = 'string', ...source }) {
    if (!this.wants(source.value)) return;
    const count = this.#counts.get(source.value) ?? 0;
    this.#counts.set(source.value, count + 1);
    if (count < MOST_PLACES) this.all.push({ step: this.#step, entity, type, ...source });
  }
}

/** Returns the last word of a path: `items` of `/api/items` and of `/api/items/17`. @type {(url: string) => string} */
export function collectionOf(url) {
  const words = new URL(url).pathname.split('/').filter((segment) => /^[a-z][a-z_-]*$/i.test(segment));
  return words.at(-1) ?? '';
}

/** @type {(name: string, value: string, found: Found) => void} */
function readField(given, value, found) {
  const name = given.toLowerCase();
  if (name === 'set-cookie') return readCookie(value, found);
  if (PLAIN_FIELDS.has(name)) return undefined;
  const label = `the field ${given}`;
  addEncoded({ value, key: name, rank: 0, label }, { header: name }, found);
  readUrl(value, { header: name }, { label, rank: 1 }, found);
  return undefined;
}

/** @type {(text: string, found: Found) => void} */
function readCookie(text, found) {
  const [, name, value] = /^\s*([^=;\s]+)\s*=\s*"?([^;"]*)/.exec(text) ?? [];
  if (name !== undefined)
    addEncoded({ value, key: name, rank: 0.5, label: `the cookie ${name}` }, { cookie: name }, found);
}

/**
 * Adds a value and, if it is percent-encoded, its decoded form: applications read a cookie, and send that in a field.
 * @type {(one: Omit<FoundValue, 'capture'>, capture: Record<string, string>, found: Found) => void}
 */
function addEncoded(one, capture, found) {
  found.add({ ...one, capture });
  const value = decodePercent(one.value);
  if (value !== one.value) found.add({ ...one, value, capture: { ...capture, decode: 'percent' } });
}

/**
 * Reads the segments and parameters of a URL: each is captured from the text around it by a pattern.
 * @type {(text: string, whole: Record<string, string>, about: { label: string, rank: number }, found: Found) => void}
 */
function readUrl(text, whole, { label, rank }, found) {
  if (text.length > LONGEST_URL || !/[/?=]/.test(text) || /\s/.test(text)) return;
  for (const { name, value, pattern, decode, isPathPart } of partsOfUrl(text, found.wants)) {
    const capture = { ...whole, match: pattern, ...(decode && { decode }) };
    found.add({ value, capture, key: name, entity: name, isPathPart, rank, label: `a part of ${label}` });
  }
}

/** @type {(text: string, kind: 'json' | 'html', found: Found) => void} */
function readText(text, kind, found) {
  const json = kind !== 'html' && /^\s*[[{"\d]/.test(text) ? jsonIn(text) : undefined;
  if (json !== undefined) return readJson(json, found);
  const texts = [
    ...(kind === 'html' || /^\s*</.test(text) ? valuesOfPage(text, found.wants) : []),
    ...wordsIn(text, found.wants),
  ];
  for (const { pattern, decode, ...source } of texts) {
    const capture = { text: pattern, ...(decode && { decode }) };
    found.add({ entity: '', ...source, key: source.name, capture });
  }
  return undefined;
}

/** Walks without recursion: a document may be nested deeply. @type {(json: any, found: Found) => void} */
function readJson(json, found) {
  /** @type {{ value: any, path: string, key: string, entity: string | undefined, rank: number, depth: number }[]} */
  const open = [{ value: json, path: '$', key: '', entity: undefined, rank: 0, depth: 0 }];
  for (let count = 0; open.length > 0 && count < MOST_MEMBERS; count++) {
    const node = /** @type {typeof open[0]} */ (open.pop());
    const { value, path, key, entity, rank, depth } = node;
    const below = depth + 1;
    if (typeof value === 'string' || typeof value === 'number') readMember(node, found);
    else if (Array.isArray(value) && depth < DEEPEST)
      for (let i = value.length - 1; i >= 0; i--)
        open.push({
          value: value[i],
          path: `${path}[${i}]`,
          key,
          entity: singular(key) || entity,
          rank: 1,
          depth: below,
        });
    else if (typeof value === 'object' && value !== null && depth < DEEPEST)
      for (const [name, inner] of Object.entries(value).reverse()) {
        const innerPath = path + memberStep(name);
        open.push({ value: inner, path: innerPath, key: name, entity: entityOf(key, entity), rank, depth: below });
      }
  }
}

/** An envelope such as `data` says nothing about what is in it. */
const ENVELOPES = new Set([
  ...['', 'data', 'result', 'results', 'items', 'content', 'response', 'payload', 'attributes', 'records'],
]);

/** @type {(key: string, outer: string | undefined) => string | undefined} */
function entityOf(key, outer) {
  return ENVELOPES.has(key.toLowerCase()) ? outer : key;
}

/**
 * @type {(node: { value: string | number, path: string, key: string, entity?: string, rank: number }, found: Found) =>
 *   void}
 */
function readMember({ value, path, key, entity, rank }, found) {
  const text = String(value);
  const isNumber = typeof value === 'number';
  // Most members are not wanted: their paths need not be read.
  if (found.wants(text)) {
    const about = { key, entity, rank: hasRareName(path) ? rank + RARE_NAME_RANK : rank, capture: path, label: path };
    if (!isNumber) found.add({ ...about, value: text });
    else if (Number.isSafeInteger(value) || !Number.isInteger(value))
      found.add({ ...about, value: text, type: 'number' });
  }
  if (!isNumber) readUrl(value, { json: path }, { label: path, rank: Math.max(rank, 1) }, found);
}

/** For paths with an id as the name of a member: the next response has another one. */
const RARE_NAME_RANK = 5;

/** @type {(path: string) => boolean} */
function hasRareName(path) {
  return path.split(/[.[\]']+/).some(isRare);
}
