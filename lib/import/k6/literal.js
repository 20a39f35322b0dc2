import { convertible } from '../../text/convertible.js';

/**
 * Reads the literal of an object in a script without running it: members, arrays, texts, numbers, true, false, null,
 * and constants of the script that have such a value. Other expressions are in `unread`, with their text; their members
 * are left out. Expressions with a default for a variable of the environment are in `defaults`, and their members have
 * that default.
 * @type {(text: string, start: number) => { value: any, end: number, unread: string[], defaults: string[] }}
 */
export function readLiteral(text, start) {
  const reader = new LiteralReader(text, start, constantsIn(text));
  const value = reader.value('', 0);
  return { value, end: reader.at, unread: reader.unread, defaults: reader.defaults };
}

/**
 * @typedef {object} Constants
 * @property {Map<string, number>} starts where their values begin, by their names
 * @property {number} left the number that may still be read: constants of constants could be as many as one likes
 */

/** @type {(text: string) => Constants} */
function constantsIn(text) {
  const all = [...text.matchAll(CONSTANT)];
  return { starts: new Map(all.map(({ 0: whole, 1: name, index = 0 }) => [name, index + whole.length])), left: 1000 };
}

/** What follows a constant: the end of its line, and no operator that continues it. */
const END_OF_STATEMENT = /^[ \t]*(?:;|(?:\/\/[^\n]*)?(?:$|\n\s*(?![\s.,+*%?:|&([=<>-]|\/[^/*])))/;
/** Characters after a constant that are looked at. */
const MOST_AFTER = 200;
/** A constant of the whole script, of a line that is not indented. */
const CONSTANT = /^(?:export\s+)?const\s+([A-Za-z_$][\w$]*)(?:\s*:[^=\n]*)?\s*=(?![=>])\s*/gm;
const SPACE = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)+/y;
const NAME = /[A-Za-z_$][\w$]*/y;
const NUMBER = /[-+]?(?:0[xX][\da-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/y;
const WORDS = /** @type {Record<string, unknown>} */ ({ true: true, false: false, null: null, undefined });
const MOST_LEVELS = 30;
/** An expression with a default for a variable of the environment: `__ENV.VUS || 10`, `Number(__ENV.RATE ?? '20')`. */
const FALLBACK =
  /^(?:(Number|parseInt|parseFloat)\()?__ENV\.\w+(?:\s*,\s*10)?\)?\s*(?:\|\||\?\?)\s*("[^"]*"|'[^']*'|[\d.]+|true|false)(?:\s*,\s*10)?\)?$/;

class LiteralReader {
  #text;
  #constants;
  at;
  /** @type {string[]} */
  unread = [];
  /** @type {string[]} */
  defaults = [];

  /** @param {string} text @param {number} start @param {Constants} [constants] */
  constructor(text, start, constants = { starts: new Map(), left: 0 }) {
    this.#text = text;
    this.#constants = constants;
    this.at = start;
  }

  /** @type {(name: string, depth: number) => any} */
  value(name, depth) {
    this.#skip();
    const start = this.at;
    const value = depth > MOST_LEVELS ? UNREAD : this.#plainValue(depth);
    this.#skip();
    if (value !== UNREAD && /[,}\]);]|$/y.test(this.#text[this.at] ?? '')) return value;
    if (value !== UNREAD && depth === 0) return value;
    this.at = start;
    const expression = this.#expression();
    const given = this.#default(name, expression);
    if (given === UNREAD) this.unread.push(`${name}: ${expression.slice(0, 80)}`);
    return given;
  }

  /** @type {(name: string, expression: string) => any} */
  #default(name, expression) {
    const [, convert, fallback] = FALLBACK.exec(expression) ?? [];
    if (fallback === undefined) return UNREAD;
    this.defaults.push(`${name}: ${expression.slice(0, 80)}`);
    const given = new LiteralReader(fallback, 0).value(name, MOST_LEVELS);
    return convert === undefined ? given : Number(given);
  }

  /** @type {(depth: number) => any} */
  #plainValue(depth) {
    const char = this.#text[this.at];
    if (char === '{') return this.#object(depth);
    if (char === '[') return this.#array(depth);
    if (char === "'" || char === '"' || char === '`') return this.#string();
    const number = this.#match(NUMBER);
    if (number !== undefined) return Number(number.replaceAll('_', ''));
    const word = this.#match(NAME);
    if (word === undefined) return UNREAD;
    return Object.hasOwn(WORDS, word) ? WORDS[word] : this.#constant(word, depth);
  }

  /** A constant that is made of another one counts as a level. @type {(name: string, depth: number) => any} */
  #constant(name, depth) {
    const start = this.#constants.starts.get(name);
    if (start === undefined || depth > MOST_LEVELS || this.#constants.left-- <= 0) return UNREAD;
    const reader = new LiteralReader(this.#text, start, this.#constants);
    const value = reader.#plainValue(depth + 1);
    if (typeof value === 'object' && this.#isChanged(name)) return UNREAD;
    const isWhole = value !== UNREAD && END_OF_STATEMENT.test(this.#text.slice(reader.at, reader.at + MOST_AFTER));
    if (!isWhole) return this.#default(name, /[^;\n]*/.exec(this.#text.slice(start))?.[0].trim() ?? '');
    this.unread.push(...reader.unread);
    this.defaults.push(...reader.defaults);
    return value;
  }

  /** Reports whether the script adds to an object or an array. @type {(name: string) => boolean} */
  #isChanged(name) {
    const own = name.replaceAll('$', '\\$');
    return new RegExp(
      `(?<![\\w$.])${own}\\s*(?:\\[|\\.(?:push|unshift|splice|sort|reverse)\\b|(?:\\.\\w+)+\\s*=[^=])|\\bassign\\(\\s*${own}\\b`,
    ).test(this.#text);
  }

  /** @type {(depth: number) => any} */
  #object(depth) {
    /** @type {[string, any][]} */
    const members = [];
    for (this.at++; ;) {
      this.#skip();
      if (this.at >= this.#text.length) return UNREAD;
      if (this.#text[this.at] === '}') {
        this.at++;
        return convertible(Object.fromEntries(members));
      }
      const quoted = /['"]/.test(this.#text[this.at]) ? this.#string() : undefined;
      const key = quoted ?? this.#match(NAME) ?? this.#match(NUMBER);
      this.#skip();
      const value = this.#member(typeof key === 'string' ? key : '', depth + 1);
      if (typeof key === 'string' && value !== UNREAD) members.push([key, value]);
      this.#skip();
      if (this.#text[this.at] === ',') this.at++;
      else if (this.#text[this.at] !== '}') return UNREAD;
    }
  }

  /** The value of `key: …`, or of a constant of that name. @type {(key: string, depth: number) => any} */
  #member(key, depth) {
    if (key !== '' && this.#text[this.at] === ':') {
      this.at++;
      return this.value(key, depth);
    }
    const value = /[,}]/.test(this.#text[this.at] ?? '') ? this.#constant(key, depth) : UNREAD;
    if (value === UNREAD) this.unread.push(`${key}${this.#expression()}`.slice(0, 80));
    return value;
  }

  /** @type {(depth: number) => any} */
  #array(depth) {
    const items = [];
    for (this.at++; ;) {
      this.#skip();
      if (this.at >= this.#text.length) return UNREAD;
      if (this.#text[this.at] === ']') {
        this.at++;
        return items;
      }
      const value = this.value('item', depth + 1);
      if (value !== UNREAD) items.push(value);
      this.#skip();
      if (this.#text[this.at] === ',') this.at++;
      else if (this.#text[this.at] !== ']') return UNREAD;
    }
  }

  /** @type {() => any} */
  #string() {
    const quote = this.#text[this.at];
    let text = '';
    for (let at = this.at + 1; at < this.#text.length; at++) {
      const char = this.#text[at];
      if (char === quote) {
        this.at = at + 1;
        return text;
      }
      if (quote === '`' && char === '$' && this.#text[at + 1] === '{') return UNREAD;
      if (char === '\\') at++;
      text += this.#text[at] ?? '';
    }
    return UNREAD;
  }

  /** Skips it to its end: a comma or a closing bracket outside of brackets and quotes. @type {() => string} */
  #expression() {
    const start = this.at;
    let depth = 0;
    for (; this.at < this.#text.length; this.at++) {
      const char = this.#text[this.at];
      if (/['"`]/.test(char)) this.#skipQuoted(char);
      else if (/[([{]/.test(char)) depth++;
      else if (depth === 0 && /[,)\]}]/.test(char)) break;
      else if (/[)\]}]/.test(char)) depth--;
    }
    return this.#text.slice(start, this.at).trim();
  }

  /** @type {(quote: string) => void} */
  #skipQuoted(quote) {
    for (this.at++; this.at < this.#text.length && this.#text[this.at] !== quote; this.at++)
      if (this.#text[this.at] === '\\') this.at++;
  }

  #skip() {
    this.#match(SPACE);
  }

  /** @type {(pattern: RegExp) => string | undefined} */
  #match(pattern) {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

/** Stands for an expression that is not read. */
const UNREAD = Symbol('unread');
