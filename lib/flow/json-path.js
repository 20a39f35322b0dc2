import { createRequire } from 'node:module';

import { makeError } from '../errors.js';
import { compilePattern } from './pattern.js';

/**
 * JSONPath (RFC 9535). Singular queries such as `$.items[0].id` are compiled to reads of own properties; json-p3 does the
 * others, and is loaded for them alone.
 *
 * @typedef {object} JsonPath
 * @property {boolean} isSingular it finds one value at most
 * @property {(value: unknown) => unknown} first the first value that it finds; undefined if it finds none, as JSON has no undefined
 * @property {(value: unknown) => unknown[]} all
 *
 * @typedef {string | number} PathStep the name of a property, or the position in an array
 */

/** characters of a path */
const LONGEST = 1000;
/** `..` in a path: the time that it takes is a power of their number */
const MOST_DESCENTS = 2;
/** nested objects and arrays that `..` visits */
const MOST_LEVELS = 500;

/**
 * Compiles a JSONPath.
 *
 * @param {string} text
 * @returns {JsonPath}
 * @throws {Error} whose message completes "the path …"
 */
export function compileJsonPath(text) {
  if (text.length > LONGEST) throw new Error(`is longer than ${LONGEST} characters`);
  if (text[0] !== '$') throw new Error('does not begin with $, which is the whole document');
  if (text.trimEnd() !== text) throw new Error('has a space or a line end after it');
  const steps = stepsOf(text);
  return steps ? singular(steps) : general(text);
}

const STEP =
  /\.([A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)|\[(0|-?[1-9]\d{0,14})\]|\['([^'\\\u0000-\u001f]*)'\]|\["([^"\\\u0000-\u001f]*)"\]/y;

/** The steps of a singular query without blanks and escapes; null for another one. @type {(text: string) => PathStep[] | null} */
function stepsOf(text) {
  /** @type {PathStep[]} */
  const steps = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < text.length) {
    const match = STEP.exec(text);
    if (!match) return null;
    const [, name, index, single, double] = match;
    steps.push(index === undefined ? (name ?? single ?? double) : Number(index));
  }
  return steps;
}

/** @type {(steps: PathStep[]) => JsonPath} */
function singular(steps) {
  /** @type {JsonPath['first']} */
  const first = (value) => {
    let found = value;
    for (const step of steps) {
      found = child(found, step);
      if (found === undefined) return undefined;
    }
    return found;
  };
  return {
    isSingular: true,
    first,
    all(value) {
      const found = first(value);
      return found === undefined ? [] : [found];
    },
  };
}

/** @type {(value: any, step: PathStep) => unknown} */
function child(value, step) {
  if (typeof value !== 'object' || value === null) return undefined;
  if (typeof step === 'number') return Array.isArray(value) ? value.at(step) : undefined;
  return !Array.isArray(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** @type {(text: string) => JsonPath} */
function general(text) {
  const query = compiled(text);
  return {
    isSingular: query.singularQuery(),
    first: evaluating(text, (value) => query.match(value)?.value),
    all: evaluating(text, (value) => query.query(value).values()),
  };
}

/**
 * A document may be nested too deeply for `..`.
 *
 * @template T
 * @param {string} path
 * @param {(value: any) => T} evaluate
 * @returns {(value: unknown) => T} throws E_JSON_PATH
 */
function evaluating(path, evaluate) {
  return (value) => {
    try {
      return evaluate(value);
    } catch (cause) {
      const reason = withoutPlace(/** @type {Error} */ (cause).message);
      throw makeError('E_JSON_PATH', { path, reason }, { cause });
    }
  };
}

/** json-p3 ends its messages with a part of the path and a position. @type {(message: string) => string} */
function withoutPlace(message) {
  return message.replace(/ \('.*':\d+\)$/s, '');
}

/** @type {(text: string) => import('json-p3').JSONPathQuery} */
function compiled(text) {
  /** @type {typeof import('json-p3')} */
  const { JSONPathEnvironment, FunctionExpressionType, JSONPathError } = createRequire(import.meta.url)('json-p3');
  const environment = new JSONPathEnvironment({ maxRecursionDepth: MOST_LEVELS });
  const argTypes = [FunctionExpressionType.ValueType, FunctionExpressionType.ValueType];
  const returnType = FunctionExpressionType.LogicalType;
  // those of json-p3 use RegExp, which some patterns keep busy for years
  environment.functionRegister.set('match', { argTypes, returnType, call: matching((source) => `^(?:${source})$`) });
  environment.functionRegister.set('search', { argTypes, returnType, call: matching((source) => source) });
  let query;
  try {
    query = environment.compile(text);
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    const reason = withoutPlace(error.message).replace(/TOKEN_(\w+)/g, (_, name) => name.toLowerCase());
    // what its lexer says of a path that ends too early
    throw new Error(`is malformed: ${reason.includes("can't backup") ? 'it is incomplete' : reason}`);
  }
  const descents = withoutTexts(text).split('..').length - 1;
  if (descents > MOST_DESCENTS) throw new Error(`has ${descents} times '..', at most ${MOST_DESCENTS} are allowed`);
  return query;
}

/** @type {(text: string) => string} */
function withoutTexts(text) {
  return text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""');
}

/** A function of filters; a pattern that is no text, or not valid, matches nothing. @type {(sourceOf: (pattern: string) => string) => (text: unknown, pattern: unknown) => boolean} */
function matching(sourceOf) {
  let last = '';
  /** @type {ReturnType<typeof compilePattern> | null} */
  let compiledLast = null;
  return (text, pattern) => {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false;
    if (pattern !== last) {
      last = pattern;
      try {
        compiledLast = compilePattern(sourceOf(pattern));
      } catch {
        // RFC 9535 2.4.6: the result is false
        compiledLast = null;
      }
    }
    return compiledLast !== null && compiledLast.find(text) !== null;
  };
}
