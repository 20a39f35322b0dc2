import { createRequire } from 'node:module';

import { lengthOf } from '../../core/flow/comparisons.js';
import { compilePattern } from '../../core/flow/pattern.js';
import { grouped } from '../../core/ground/decimal.js';
import { makeError } from '../../core/ground/errors.js';

/** @import { FilterFunction, JSONPathQuery, jsonpath } from 'json-p3' */
/** @import { JsonPath } from '../../core/flow/types.js' */

/** The steps that compiling a pattern counts as: it takes up to 30 ms, so an evaluation compiles 1,000 at most. */
const COMPILE_STEPS = 20_000;
/** Characters of a text that are matched in one step. */
const TEXT_PER_STEP = 64;

/**
 * Compiles a JSONPath. An evaluation has at most `mostSteps` steps.
 * @throws {Error} whose message completes "the path …"
 * @type {(text: string, mostSteps?: number) => JsonPath}
 */
export function compileQuery(text, mostSteps) {
  const limit = new WorkLimit(mostSteps);
  const query = compiled(text, limit);
  const bounded = new BoundedQuery(query, limit);
  const all = evaluating(text, (value) => bounded.all(value));
  return { isSingular: query.singularQuery(), all, first: (value) => all(value)[0] };
}

/** Errors become E_JSON_PATH. @type {<T>(path: string, evaluate: (value: any) => T) => (value: unknown) => T} */
function evaluating(path, evaluate) {
  return (value) => {
    try {
      return evaluate(value);
    } catch (cause) {
      throw makeError('E_JSON_PATH', { path, reason: /** @type {Error} */ (cause).message }, { cause });
    }
  };
}

/** json-p3 ends its messages with a part of the path and a position. @type {(message: string) => string} */
function withoutPlace(message) {
  return message.replace(/ \('.*':\d+\)$/s, '');
}

/** @type {(text: string, limit: WorkLimit) => import('json-p3').JSONPathQuery} */
function compiled(text, limit) {
  const { JSONPathEnvironment, JSONPathError } = loadJsonP3();
  const environment = new JSONPathEnvironment();
  for (const [name, entry] of functionsOf(limit)) environment.functionRegister.set(name, entry);
  try {
    return environment.compile(text);
  } catch (error) {
    if (!(error instanceof JSONPathError)) throw error;
    const reason = withoutPlace(error.message).replace(/TOKEN_(\w+)/g, (_, name) => name.toLowerCase());
    // The lexer says this of a path that ends too early.
    throw new Error(`is malformed: ${reason.includes("can't backup") ? 'it is incomplete' : reason}`);
  }
}

/**
 * Functions in place of those of json-p3: some patterns keep RegExp busy for years, and `length` counts code units.
 * @type {(limit: WorkLimit) => [name: string, entry: FilterFunction][]}
 */
function functionsOf(limit) {
  const { FunctionExpressionType, Nothing } = loadJsonP3();
  const { ValueType, LogicalType } = FunctionExpressionType;
  const twoValues = { argTypes: [ValueType, ValueType], returnType: LogicalType };
  return [
    ['match', { ...twoValues, call: matching((source) => `^(?:${source})$`, limit) }],
    ['search', { ...twoValues, call: matching((source) => source, limit) }],
    [
      'length',
      {
        argTypes: [ValueType],
        returnType: ValueType,
        call(value) {
          if (typeof value === 'string') limit.spend(value.length / TEXT_PER_STEP);
          const isContainer = typeof value === 'object' && value !== null && !Array.isArray(value);
          return (isContainer ? Object.keys(value).length : lengthOf(value)) ?? Nothing;
        },
      },
    ],
  ];
}

/**
 * A function of filters; a pattern that is no text, or not valid, matches nothing.
 * @type {(sourceOf: (pattern: string) => string, limit: WorkLimit) => (text: unknown, pattern: unknown) => boolean}
 */
function matching(sourceOf, limit) {
  let last = '';
  /** @type {ReturnType<typeof compilePattern> | null} */
  let compiledLast = null;
  return (text, pattern) => {
    if (typeof text !== 'string' || typeof pattern !== 'string') return false;
    limit.spend(text.length / TEXT_PER_STEP);
    if (pattern !== last) {
      limit.spend(COMPILE_STEPS);
      last = pattern;
      try {
        compiledLast = compilePattern(sourceOf(withDots(pattern)));
      } catch {
        // RFC 9535 2.4.6: the result is false
        compiledLast = null;
      }
    }
    return compiledLast !== null && compiledLast.find(text) !== null;
  };
}

/** A dot is no line end (RFC 9485 5.1); that of RE2 may be a carriage return. @type {(pattern: string) => string} */
function withDots(pattern) {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\./gs, (part) => (part === '.' ? '[^\\n\\r]' : part));
}

/** @typedef {any} Value of JSON */
/** @typedef {{ selectors: jsonpath.JSONPathSelector[], isDescendant: boolean }} PreparedSegment isDescendant: `..` */

/** Steps of an evaluation, which take 1 s. A step is a value that is visited; JSON of 16 MiB has up to 8 million. */
const MOST_STEPS = 20_000_000;

class WorkLimit {
  #most;
  #left = 0;

  /** @param {number} [most] */
  constructor(most = MOST_STEPS) {
    this.#most = most;
  }

  restart() {
    this.#left = this.#most;
  }

  /**
   * Counts steps.
   * @param {number} [count]
   * @throws {Error} there were too many
   */
  spend(count = 1) {
    this.#left -= count;
    if (this.#left < 0) throw new Error(`it visits more than ${grouped(this.#most)} values`);
  }
}

/** Loads json-p3, which few flows need. @type {() => typeof import('json-p3')} */
const loadJsonP3 = () => createRequire(import.meta.url)('json-p3');

/**
 * Evaluates a query that json-p3 has parsed, in a limited number of steps. The evaluation of json-p3 has no limit,
 * fails for arrays of more than 120,000 items, and `$` in a filter within a filter is not the root.
 */
class BoundedQuery {
  #library;
  #limit;
  #segments;
  /** Results of absolute queries: the same for all values. @type {Map<object, import('json-p3').JSONPathNodeList>} */
  #found = new Map();

  /** @param {JSONPathQuery} query @param {WorkLimit} limit */
  constructor(query, limit) {
    this.#library = loadJsonP3();
    this.#limit = limit;
    this.#segments = this.#prepare(query);
  }

  /** Lists the values that the query finds, in the order of RFC 9535. @type {(document: Value) => Value[]} */
  all(document) {
    this.#limit.restart();
    try {
      return this.#find(this.#segments, document, document);
    } finally {
      this.#found.clear();
    }
  }

  /** @type {(query: JSONPathQuery) => PreparedSegment[]} */
  #prepare(query) {
    return query.segments.map((segment) => {
      const { selectors } = /** @type {jsonpath.JSONPathSegment & { selectors: jsonpath.JSONPathSelector[] }} */ (
        segment
      );
      for (const selector of selectors) if ('expression' in selector) this.#bind(selector.expression);
      return { selectors, isDescendant: String(segment).startsWith('..') };
    });
  }

  /** Lets the queries in the expression of a filter be evaluated here, too. @type {(expression: any) => void} */
  #bind(expression) {
    const { RootQuery, RelativeQuery } = this.#library.jsonpath.expressions;
    const { left, right, args = [], path } = expression;
    for (const part of [expression.expression, left, right, ...args]) if (part) this.#bind(part);
    if (!path) return;
    const segments = this.#prepare(path);
    if (expression instanceof RelativeQuery)
      expression.evaluate = ({ currentValue, rootValue }) =>
        this.#nodesOf(this.#find(segments, currentValue, rootValue));
    if (expression instanceof RootQuery)
      expression.evaluate = ({ rootValue }) => {
        const nodes = this.#found.get(expression) ?? this.#nodesOf(this.#find(segments, rootValue, rootValue));
        this.#found.set(expression, nodes);
        return nodes;
      };
  }

  /** @type {(values: Value[]) => import('json-p3').JSONPathNodeList} */
  #nodesOf(values) {
    const { JSONPathNode, JSONPathNodeList } = this.#library;
    return new JSONPathNodeList(values.map((value) => new JSONPathNode(value, [], null)));
  }

  /** @type {(segments: PreparedSegment[], start: Value, root: Value) => Value[]} */
  #find(segments, start, root) {
    let values = [start];
    for (const { selectors, isDescendant } of segments) {
      /** @type {Value[]} */
      const found = [];
      for (const value of values) {
        if (isDescendant) this.#descend(selectors, value, root, found);
        else this.#select(selectors, value, root, found);
      }
      values = found;
    }
    return values;
  }

  /**
   * A value comes before those within it. No recursion: JSON may have any depth.
   * @type {(selectors: jsonpath.JSONPathSelector[], value: Value, root: Value, found: Value[]) => void}
   */
  #descend(selectors, value, root, found) {
    const waiting = [value];
    while (waiting.length > 0) {
      const next = waiting.pop();
      this.#select(selectors, next, root, found);
      const children = childrenOf(next);
      this.#limit.spend(children.length);
      for (let i = children.length - 1; i >= 0; i--)
        if (typeof children[i] === 'object' && children[i] !== null) waiting.push(children[i]);
    }
  }

  /** @type {(selectors: jsonpath.JSONPathSelector[], value: Value, root: Value, found: Value[]) => void} */
  #select(selectors, value, root, found) {
    if (typeof value !== 'object' || value === null) return;
    const { NameSelector, IndexSelector, SliceSelector, FilterSelector } = this.#library.jsonpath.selectors;
    for (const selector of selectors) {
      this.#limit.spend();
      if (selector instanceof NameSelector) {
        if (!Array.isArray(value) && Object.hasOwn(value, selector.name)) found.push(value[selector.name]);
      } else if (selector instanceof IndexSelector) {
        const item = Array.isArray(value) ? value.at(selector.index) : undefined;
        if (item !== undefined) found.push(item);
      } else if (selector instanceof SliceSelector) {
        const nodes = selector.resolve(new this.#library.JSONPathNode(value, [], root));
        this.#limit.spend(nodes.length);
        for (const node of nodes) found.push(node.value);
      } else if (selector instanceof FilterSelector) this.#filter(selector, value, root, found);
      else this.#selectAll(value, found);
    }
  }

  /** @type {(selector: jsonpath.selectors.FilterSelector, value: Value, root: Value, found: Value[]) => void} */
  #filter({ expression, environment }, value, root, found) {
    for (const child of childrenOf(value)) {
      this.#limit.spend();
      if (expression.evaluate({ environment, currentValue: child, rootValue: root })) found.push(child);
    }
  }

  /** @type {(value: Value, found: Value[]) => void} */
  #selectAll(value, found) {
    const children = childrenOf(value);
    this.#limit.spend(children.length);
    for (const child of children) found.push(child);
  }
}

/** @type {(value: Value) => Value[]} */
function childrenOf(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value) ? value : Object.values(value);
}
