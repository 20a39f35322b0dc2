import { createRequire } from 'node:module';

import { grouped } from '../decimal.js';

/**
 * @import { JSONPathQuery, jsonpath } from 'json-p3'
 *
 * @typedef {any} Value of JSON
 *
 * @typedef {object} PreparedSegment
 * @property {jsonpath.JSONPathSelector[]} selectors
 * @property {boolean} isDescendant `..`
 */

/** One step is a value that is visited; JSON of 16 MiB has 8 million at most. They take 1 s. */
const MOST_STEPS = 20_000_000;

/** Counts the work of an evaluation. */
export class Steps {
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
   * @param {number} [count]
   * @throws {Error} there were too many
   */
  take(count = 1) {
    this.#left -= count;
    if (this.#left < 0) throw new Error(`it visits more than ${grouped(this.#most)} values`);
  }
}

/**
 * Loads json-p3, which few flows need.
 *
 * @returns {typeof import('json-p3')}
 */
export const loadJsonP3 = () => createRequire(import.meta.url)('json-p3');

/**
 * Evaluates a query that json-p3 has parsed, in a limited number of steps. The evaluation of json-p3 has no limit, fails for
 * arrays of more than 120,000 items, and `$` in a filter within a filter is not the root.
 */
export class BoundedQuery {
  #library;
  #steps;
  #segments;
  /** what absolute queries in filters find: the same for all values @type {Map<object, import('json-p3').JSONPathNodeList>} */
  #found = new Map();

  /**
   * @param {JSONPathQuery} query
   * @param {Steps} steps
   */
  constructor(query, steps) {
    this.#library = loadJsonP3();
    this.#steps = steps;
    this.#segments = this.#prepare(query);
  }

  /**
   * @param {Value} document
   * @returns {Value[]} what the query finds, in the order of RFC 9535
   */
  all(document) {
    this.#steps.restart();
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

  /** A value comes before those within it. No recursion: JSON may have any depth. @type {(selectors: jsonpath.JSONPathSelector[], value: Value, root: Value, found: Value[]) => void} */
  #descend(selectors, value, root, found) {
    const waiting = [value];
    while (waiting.length > 0) {
      const next = waiting.pop();
      this.#steps.take();
      this.#select(selectors, next, root, found);
      const children = childrenOf(next);
      for (let i = children.length - 1; i >= 0; i--)
        if (typeof children[i] === 'object' && children[i] !== null) waiting.push(children[i]);
    }
  }

  /** @type {(selectors: jsonpath.JSONPathSelector[], value: Value, root: Value, found: Value[]) => void} */
  #select(selectors, value, root, found) {
    if (typeof value !== 'object' || value === null) return;
    const { NameSelector, IndexSelector, SliceSelector, FilterSelector } = this.#library.jsonpath.selectors;
    for (const selector of selectors) {
      this.#steps.take();
      if (selector instanceof NameSelector) {
        if (!Array.isArray(value) && Object.hasOwn(value, selector.name)) found.push(value[selector.name]);
      } else if (selector instanceof IndexSelector) {
        const item = Array.isArray(value) ? value.at(selector.index) : undefined;
        if (item !== undefined) found.push(item);
      } else if (selector instanceof SliceSelector) {
        const nodes = selector.resolve(new this.#library.JSONPathNode(value, [], root));
        this.#steps.take(nodes.length);
        for (const node of nodes) found.push(node.value);
      } else if (selector instanceof FilterSelector) this.#filter(selector, value, root, found);
      else this.#selectAll(value, found);
    }
  }

  /** @type {(selector: jsonpath.selectors.FilterSelector, value: Value, root: Value, found: Value[]) => void} */
  #filter({ expression, environment }, value, root, found) {
    for (const child of childrenOf(value)) {
      this.#steps.take();
      if (expression.evaluate({ environment, currentValue: child, rootValue: root })) found.push(child);
    }
  }

  /** @type {(value: Value, found: Value[]) => void} */
  #selectAll(value, found) {
    const children = childrenOf(value);
    this.#steps.take(children.length);
    for (const child of children) found.push(child);
  }
}

/** @type {(value: Value) => Value[]} */
function childrenOf(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value) ? value : Object.values(value);
}
