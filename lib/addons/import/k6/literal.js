import { convertible } from '../../../core/text/convertible.js';

/** Parts of a script that have comments, or look as if they had. A template may have others in its expressions. */
const TEXT_OR_COMMENT =
  /(["'])(?:\\[^]|(?!\1)[^\\\n])*\1|`(?:\\[^]|\$\{(?:[^`{}]|`[^`]*`|\{[^{}]*\})*\}|(?!\$\{)[^\\`])*`|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** Replaces the comments of a script by spaces, and its line ends by `\n`. @type {(script: string) => string} */
export function withoutComments(script) {
  return script
    .replaceAll('\r\n', '\n')
    .replace(TEXT_OR_COMMENT, (part) => (part.startsWith('/') ? part.replace(/[^\n]/g, ' ') : part));
}

/**
 * Reads the literal of an object in a script without comments, without running it: members, arrays, texts, numbers,
 * true, false, null, and constants of the script that have such a value. Other expressions are in `unread`, with their
 * text; their members are left out. Expressions with a default for a variable of the environment are in `defaults`, and
 * their members have that default. The value is undefined if the object has no end.
 * @type {(text: string, start: number) => { value: any, unread: string[], defaults: string[] }}
 */
export function readObject(text, start) {
  const reader = new LiteralReader(text, start, constantsIn(text));
  return { value: reader.root(), unread: reader.unread, defaults: reader.defaults };
}

/**
 * Reports whether a script changes an object or an array, or may do so: `options.stages.push(…)`, `options['vus']`,
 * `options.vus = 5`, `delete options.vus`.
 * @type {(text: string, name: string) => boolean}
 */
export function isChanged(text, name) {
  const own = name.replaceAll('$', '\\$');
  return new RegExp(
    [
      `(?<![\\w$.])${own}(?:\\.\\w+)*(?:\\s*\\[|\\.${CHANGING_METHODS})`,
      `(?<![\\w$.])${own}(?:\\.\\w+)+\\s*${ASSIGNMENT}`,
      `(?:\\+\\+|--|\\bdelete\\s|\\bassign\\()\\s*${own}(?![\\w$])`,
    ].join('|'),
  ).test(text);
}

const CHANGING_METHODS = '(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)\\b';
const ASSIGNMENT = '(?:(?:[-+*/%&|^]|\\*\\*|&&|\\|\\||\\?\\?|<<|>>>?)?=(?![=>])|\\+\\+|--)';

/**
 * @typedef {object} Constants
 * @property {Map<string, number | null>} starts where their values begin, by their names; null: there are several
 * @property {number} left the number that may still be read: constants of constants could be as many as one likes
 */

/** @type {(text: string) => Constants} */
function constantsIn(text) {
  /** @type {Map<string, number | null>} */
  const starts = new Map();
  for (const { 0: whole, 1: name, index = 0 } of text.matchAll(CONSTANT))
    starts.set(name, starts.has(name) ? null : index + whole.length);
  return { starts, left: 1000 };
}

/** A constant of the whole script, of a line that is not indented. */
const CONSTANT = /^(?:export\s+)?const\s+([A-Za-z_$][\w$]*)(?:\s*:[^=\n]*)?\s*=(?![=>])\s*/gm;
/** What follows a constant: a semicolon, or the end of its line, unless the next line goes on with an operator. */
const END_OF_STATEMENT = /^[ \t]*(?:;|$|\n\s*(?![\s.,+*%?:|&([=<>/-]))/;
/** Characters after a constant that are looked at. */
const MOST_AFTER = 200;
const SPACE = /\s+/y;
const NAME = /[A-Za-z_$][\w$]*/y;
const NUMBER = /[-+]?(?:0[xX][\da-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/y;
const WORDS = /** @type {Record<string, unknown>} */ ({ true: true, false: false, null: null, undefined });
const QUOTED = /(["'`])((?:\\[^]|(?!\1)[^\\])*)\1/y;
/** `${…}` of a template. */
const EXPRESSION = /(?<!\\)(?:\\\\)*\$\{/;
const ESCAPE = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([^]))/g;
const ESCAPED = /** @type {Record<string, string>} */ ({
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' },
  // A text that goes on in the next line
  '\n': '',
});
const MOST_LEVELS = 30;
/** An expression with a default for a variable of the environment: `__ENV.VUS || 10`, `Number(__ENV.RATE ?? '20')`. */
const FALLBACK =
  /^(?:(Number|parseInt|parseFloat)\()?__ENV\.\w+(?:\s*,\s*10)?\)?\s*(?:\|\||\?\?)\s*("[^"]*"|'[^']*'|[\d.]+|true|false)(?:\s*,\s*10)?\)?$/;
/** @type {Record<string, (value: any) => number>} */
const CONVERSIONS = { Number, parseInt: (value) => Number.parseInt(value, 10), parseFloat: Number.parseFloat };

/** Stands for an expression that is not read. */
const UNREAD = Symbol('unread');

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

  /** The object itself, whatever follows it. @type {() => any} */
  root() {
    const value = this.#plainValue(0);
    return value === UNREAD ? undefined : value;
  }

  /** The value of a member or an item. @type {(name: string, depth: number) => any} */
  #value(name, depth) {
    this.#skip();
    const start = this.at;
    const [unread, defaults] = [this.unread.length, this.defaults.length];
    const value = depth > MOST_LEVELS ? UNREAD : this.#plainValue(depth);
    this.#skip();
    const next = this.#text[this.at];
    if (value !== UNREAD && (next === undefined || ',}]);'.includes(next))) return value;
    // It is the beginning of an expression, of which nothing counts.
    this.unread.length = unread;
    this.defaults.length = defaults;
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
    const reader = new LiteralReader(fallback, 0);
    const given = reader.#plainValue(0);
    if (given === UNREAD || reader.at < fallback.length) return UNREAD;
    const value = convert === undefined ? given : CONVERSIONS[convert](given);
    if (Number.isNaN(value)) return UNREAD;
    this.defaults.push(`${name}: ${expression.slice(0, 80)}`);
    return value;
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
    const start = this.#constants.starts.get(name) ?? null;
    if (start === null || depth > MOST_LEVELS || this.#constants.left-- <= 0) return UNREAD;
    const reader = new LiteralReader(this.#text, start, this.#constants);
    const value = reader.#plainValue(depth + 1);
    if (typeof value === 'object' && isChanged(this.#text, name)) return UNREAD;
    const isWhole = value !== UNREAD && END_OF_STATEMENT.test(this.#text.slice(reader.at, reader.at + MOST_AFTER));
    if (!isWhole) return this.#default(name, /[^;\n]*/.exec(this.#text.slice(start))?.[0].trim() ?? '');
    this.unread.push(...reader.unread);
    this.defaults.push(...reader.defaults);
    return value;
  }

  /** @type {(depth: number) => any} */
  #object(depth) {
    /** @type {[string, any][]} */
    const members = [];
    const isWhole = this.#list('}', () => {
      const quoted = /['"]/.test(this.#text[this.at]) ? this.#string() : undefined;
      const given = quoted ?? this.#match(NAME) ?? this.#match(NUMBER);
      const key = typeof given === 'string' ? given : '';
      this.#skip();
      const value = this.#member(key, depth + 1);
      if (value !== UNREAD) members.push([key, value]);
    });
    return isWhole ? convertible(Object.fromEntries(members)) : UNREAD;
  }

  /** The value of `key: …`, or of a constant of that name. @type {(key: string, depth: number) => any} */
  #member(key, depth) {
    if (key !== '' && this.#text[this.at] === ':') {
      this.at++;
      return this.#value(key, depth);
    }
    const value = /[,}]/.test(this.#text[this.at] ?? '') ? this.#constant(key, depth) : UNREAD;
    if (value === UNREAD) this.unread.push(`${key}${this.#expression()}`.slice(0, 80));
    return value;
  }

  /** @type {(depth: number) => any} */
  #array(depth) {
    /** @type {any[]} */
    const items = [];
    const isWhole = this.#list(']', () => {
      const value = this.#value('item', depth + 1);
      if (value !== UNREAD) items.push(value);
    });
    return isWhole ? items : UNREAD;
  }

  /** Reads parts, with commas between them; false: no end. @type {(close: string, read: () => void) => boolean} */
  #list(close, read) {
    this.at++;
    for (;;) {
      this.#skip();
      if (this.#text[this.at] === close) {
        this.at++;
        return true;
      }
      if (this.at >= this.#text.length) return false;
      read();
      this.#skip();
      if (this.#text[this.at] === ',') this.at++;
      else if (this.#text[this.at] !== close) return false;
    }
  }

  /** @type {() => any} */
  #string() {
    const [, quote, text] = this.#exec(QUOTED) ?? [];
    if (text === undefined || (quote === '`' && EXPRESSION.test(text))) return UNREAD;
    return text.replace(ESCAPE, (_, point, unit, byte, char) => {
      if (char !== undefined) return ESCAPED[char] ?? char;
      return String.fromCodePoint(Math.min(parseInt(point ?? unit ?? byte, 16), 0x10ffff));
    });
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
    return this.#exec(pattern)?.[0];
  }

  /** @type {(pattern: RegExp) => RegExpExecArray | null} */
  #exec(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found) this.at += found[0].length;
    return found;
  }
}
