import { hasToken, token } from '../tokens.js';

/** @import { Variable } from './types.js' */

/**
 * @typedef {object} LeafPlace
 * @property {'path' | 'query' | 'field' | 'cookie' | 'json' | 'form' | 'part' | 'text' | 'message'} place
 * @property {string} name of the parameter, field or member; of a path segment, the segment before it
 * @property {string} label for comments: `the path`, `the field X-Token`
 * @property {string} [entity] what it belongs to: the object around it, or the collection of the URL
 * @property {string | number} value as it was sent, decoded
 *
 * @typedef {object} Use a part of a text that a token replaces
 * @property {number} from
 * @property {number} to
 * @property {Variable | string} by a captured variable, or the text of a token
 *
 * @typedef {object} Candidate a part of a leaf that may come from a response
 * @property {string} text
 * @property {number} from
 * @property {number} to
 * @property {string} name what the part is called where it is sent
 * @property {string} entity of the leaf
 * @property {boolean} isPathPart a segment of a path
 */

/** Parts of longer texts are not searched. */
const LONGEST = 64 * 1024;
/** Parts of one text. */
const MOST_PARTS = 2000;

/** A field whose parts are a scheme and a credential. */
const CREDENTIALS = /^authorization$/i;

/** A value of a request: tokens replace it, or parts of it. */
export class Leaf {
  /** @type {Use[]} */
  #uses = [];

  /** @param {LeafPlace} place */
  constructor({ place, name, label, entity = '', value }) {
    this.place = place;
    this.name = name;
    this.entity = entity;
    this.label = label;
    this.value = value;
    this.text = String(value);
  }

  /** @type {(use: Use) => void} */
  replace(use) {
    if (this.isFree(use)) this.#uses.push(use);
  }

  /** Reports whether no token replaces a part. @type {(range: { from: number, to: number }) => boolean} */
  isFree({ from, to }) {
    return this.#uses.every((one) => one.to <= from || one.from >= to);
  }

  /** Reports whether a token replaces it, or a part of it. */
  get isReplaced() {
    return this.#uses.length > 0;
  }

  /** Lists the whole value, then its parts: words, and what is between the separators of URLs, pairs and lists. */
  get candidates() {
    const { text: whole, name, entity, place } = this;
    /** @type {Candidate[]} */
    const all = [{ text: whole, from: 0, to: whole.length, name, entity, isPathPart: place === 'path' }];
    if (typeof this.value === 'number' || whole.length > LONGEST) return all;
    const known = new Set([`0 ${whole.length}`]);
    // Words such as `a=5&b=6`, then what is between separators: `a`, `5`, `b`, `6`.
    for (const pattern of [/[^\s"'<>(){}[\]]+/g, /[\w.~%+-]+/g]) {
      for (const { 0: text, index: from } of whole.matchAll(pattern)) {
        const key = `${from} ${from + text.length}`;
        if (known.has(key) || all.length > MOST_PARTS) continue;
        known.add(key);
        const isPathPart = whole[from - 1] === '/';
        const called = wordBefore(whole, from) || (CREDENTIALS.test(name) ? name : '');
        all.push({ text, from, to: from + text.length, name: called, entity, isPathPart });
      }
    }
    return all;
  }

  /** With tokens; `encode` is for the text between them. @type {(encode?: (text: string) => string) => string} */
  written(encode = String) {
    let written = '';
    let at = 0;
    for (const { from, to, by } of this.#uses.toSorted((a, b) => a.from - b.from)) {
      written += encode(this.text.slice(at, from)) + tokenOf(by);
      at = to;
    }
    return written + encode(this.text.slice(at));
  }

  /** Returns the value in JSON: a token that is the whole value keeps the type that was sent. */
  get jsonValue() {
    const [first] = this.#uses;
    if (!first) return this.value;
    const isWhole = first.from === 0 && first.to === this.text.length;
    if (!isWhole) return this.written();
    const sent = typeof this.value;
    const given = typeof first.by === 'string' ? typeOfToken(first.by) : first.by.type;
    if (sent === given) return tokenOf(first.by);
    return tokenOf(first.by, sent === 'number' ? ':number' : ':text');
  }
}

/** The tokens of times are numbers. @type {(text: string) => 'string' | 'number'} */
function typeOfToken(text) {
  return hasToken(text, 'timestamp') ? 'number' : 'string';
}

/** @type {(by: Variable | string, conversion?: string) => string} */
function tokenOf(by, conversion = '') {
  if (typeof by === 'string') return conversion === '' ? by : by.replace(/\}$/, `${conversion}}`);
  return token(by.name + conversion);
}

/** The name before it: `id` of `?id=5`, `items` of `/items/5`. @type {(text: string, at: number) => string} */
function wordBefore(text, at) {
  return /([\w-]+)["']?\s*[=:/]\s*["']?$/.exec(text.slice(Math.max(0, at - 60), at))?.[1] ?? '';
}
