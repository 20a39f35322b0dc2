import { parseExpressionAt } from 'acorn';

import { convertible } from '../../../core/text/convertible.js';
import { dottedName } from '../scripts/evaluate.js';

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
 * their members have that default. The value is undefined if there is no such object.
 * @type {(text: string, start: number) => { value: any, unread: string[], defaults: string[] }}
 */
export function readObject(text, start) {
  const reader = new LiteralReader(text);
  const value = reader.valueOf(expressionAt(text, start), 0);
  return { value: value === UNREAD ? undefined : value, unread: reader.unread, defaults: reader.defaults };
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

const TYPE = '[\\w.]+(?:<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>)?(?:\\[\\])*';
/** What TypeScript adds to an expression: `as const`, `satisfies Options`, `<const>`, `!`. */
const ASSERTION = new RegExp(`(?:as|satisfies)\\s+${TYPE}|<${TYPE}>|!`, 'y');
const MOST_ASSERTIONS = 100;

/**
 * Only the expression is parsed, so that the rest of the script may be TypeScript; assertions within it are replaced by
 * spaces. Null: it is none.
 * @type {(text: string, start: number, left?: number) => any}
 */
function expressionAt(text, start, left = MOST_ASSERTIONS) {
  try {
    const node = parseExpressionAt(text, start, { ecmaVersion: 'latest' });
    // `const a = 1, b = 2`
    return node.type === 'SequenceExpression' ? node.expressions[0] : node;
  } catch (error) {
    ASSERTION.lastIndex = /** @type {{ pos?: number }} */ (error).pos ?? text.length;
    const found = left > 0 ? ASSERTION.exec(text) : null;
    if (found === null) return null;
    const { 0: assertion, index } = found;
    const without = text.slice(0, index) + ' '.repeat(assertion.length) + text.slice(index + assertion.length);
    return expressionAt(without, start, left - 1);
  }
}

/** A constant of the whole script, of a line that is not indented. */
const CONSTANT = /^(?:export\s+)?const\s+([A-Za-z_$][\w$]*)(?:\s*:[^=\n]*)?\s*=(?![=>])\s*/gm;
const MOST_LEVELS = 30;
/** Constants of constants could be as many as one likes. */
const MOST_CONSTANTS = 1000;
/** @type {Record<string, (value: any) => number>} */
const CONVERSIONS = { Number, parseInt: (value) => Number.parseInt(value, 10), parseFloat: Number.parseFloat };

/** Stands for an expression that is not read. */
const UNREAD = Symbol('unread');

class LiteralReader {
  #text;
  /** Where values of constants begin; null: there are several. @type {Map<string, number | null>} */
  #constants = new Map();
  #used = 0;
  /** @type {string[]} */
  unread = [];
  /** @type {string[]} */
  defaults = [];

  /** @param {string} text */
  constructor(text) {
    this.#text = text;
    for (const { 0: whole, 1: name, index } of text.matchAll(CONSTANT))
      this.#constants.set(name, this.#constants.has(name) ? null : index + whole.length);
  }

  /** @type {(node: any, depth: number) => any} */
  valueOf(node, depth) {
    if (depth > MOST_LEVELS) return UNREAD;
    switch (node?.type) {
      case 'Literal':
        return node.regex || node.bigint ? UNREAD : node.value;
      case 'TemplateLiteral':
        return node.expressions.length === 0 ? node.quasis[0].value.cooked : UNREAD;
      case 'UnaryExpression': {
        const value = this.valueOf(node.argument, depth + 1);
        return node.operator === '-' && typeof value === 'number' ? -value : UNREAD;
      }
      case 'Identifier':
        return node.name === 'undefined' ? undefined : this.#constant(node.name, depth);
      case 'ArrayExpression':
        return node.elements
          .map((/** @type {any} */ one) => this.#member('item', one, depth + 1))
          .filter((/** @type {any} */ one) => one !== UNREAD);
      case 'ObjectExpression':
        return convertible(Object.fromEntries(this.#members(node, depth)));
      default:
        return UNREAD;
    }
  }

  /** @type {(node: any, depth: number) => [string, any][]} */
  #members({ properties }, depth) {
    return properties.flatMap((/** @type {any} */ one) => {
      const key = one.computed ? undefined : (one.key?.name ?? one.key?.value);
      if (key === undefined || one.method || one.kind !== 'init') this.unread.push(this.#source(one));
      const value = key === undefined ? UNREAD : this.#member(String(key), one.value, depth + 1);
      return value === UNREAD ? [] : [[String(key), value]];
    });
  }

  /** Of an expression that has one it is the default. @type {(name: string, node: any, depth: number) => any} */
  #member(name, node, depth) {
    const value = this.valueOf(node, depth);
    if (value !== UNREAD) return value;
    const given = fallbackOf(node);
    const isKnown = given !== undefined && !Number.isNaN(given);
    (isKnown ? this.defaults : this.unread).push(`${name}: ${this.#source(node)}`);
    return isKnown ? given : UNREAD;
  }

  /** @type {(name: string, depth: number) => any} */
  #constant(name, depth) {
    const start = this.#constants.get(name) ?? null;
    if (start === null || this.#used++ >= MOST_CONSTANTS) return UNREAD;
    const node = expressionAt(this.#text, start);
    const isChangeable = /^(?:Array|Object)Expression$/.test(node?.type) && isChanged(this.#text, name);
    if (isChangeable) return UNREAD;
    const before = this.unread.length;
    const value = node ? this.#member(name, node, depth + 1) : UNREAD;
    // The member that has the name of the constant is named.
    if (value === UNREAD) this.unread.length = before;
    return value;
  }

  /** @type {(node: any) => string} */
  #source(node) {
    return node ? this.#text.slice(node.start, Math.min(node.end, node.start + LONGEST)) : '';
  }
}

const LONGEST = 80;

/** Returns the default of `__ENV.VUS || 10`; undefined: it is no such expression. @type {(node: any) => any} */
function fallbackOf(node) {
  const convert = node?.type === 'CallExpression' ? CONVERSIONS[dottedName(node.callee)] : undefined;
  if (convert) {
    const given = fallbackOf(node.arguments[0]);
    return given === undefined ? undefined : convert(given);
  }
  if (node?.type !== 'LogicalExpression' || node.operator === '&&' || node.right.type !== 'Literal') return undefined;
  const variable = node.left.type === 'CallExpression' ? node.left.arguments[0] : node.left;
  return dottedName(variable).startsWith('__ENV.') ? node.right.value : undefined;
}
