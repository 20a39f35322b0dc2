import { parse } from 'acorn';

import { ITERATION_PHASES } from '../../core/ground/phases.js';
import { isContainer } from '../../core/flow/record.js';
import { FUNCTION, Scopes } from './scopes.js';
import { usesOf, valueAt } from './variable-uses.js';

/** @import { FindSharedVariable, SharedVariable } from '../../core/run/types.js' */
/** @import { Use } from './variable-uses.js' */

/**
 * Finds variables by which functions of `before` and of iterations, or of these and `after`, work together: each thread
 * has its own. It reads the functions of the flow that the text of its module has, not those that they call.
 */

/**
 * A function of the flow with its uses of outer variables; `order` is that in which they run, null: at any time.
 * @typedef {{ place: string, order: number | null, node: any, uses: Use[] }} Reader
 */

const ITERATIONS = [...ITERATION_PHASES, 'scenarios'];
/** What runs with the operations of all phases, and with virtual users. */
const AROUND = ['headers', 'beforeHooks', 'afterHooks', 'tokens'];
const OF_USERS = ['beforeUser', 'afterUser'];
/** The functions of an operation that are called before and after its request is made. */
const FIRST = ['when', 'repeat', 'beforeHooks'];
const LAST = ['expect', 'capture', 'afterHooks'];
/** The places of functions whose result is no value. */
const HOOK = /(?:Hooks|User|\.before|\.after|[mM]ain)(?:\[\d+\])?$/;
const LOOP = /^(?:For|While|DoWhile)/;
/** What has an object as one of its values, or returns it. */
const OF_VALUES =
  /^(?:Property|\w+Element|ArrayExpression|Export\w+|ReturnStatement|Arrow\w+|AssignmentExpression|VariableDeclarator)$/;

/**
 * Returns a variable that one function changes and that one of another thread reads, a sure one first; null: none is
 * known. An object that other code names is never sure: it may be one of the flow, which is taken along.
 * @type {FindSharedVariable}
 */
export function sharedVariable(flow, readText) {
  try {
    const text = readText();
    // -e is an expression.
    for (const code of [text, `(${text}\n)`]) {
      const tree = parsed(code);
      if (tree !== null) return new Reading(flow, code, new Scopes(tree)).find();
    }
    return null;
  } catch (error) {
    // Code may be nested more deeply than the stack allows.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Null: the text is no JavaScript. @type {(text: string) => unknown} */
function parsed(text) {
  for (const sourceType of /** @type {const} */ (['module', 'commonjs']))
    try {
      return parse(text, { ecmaVersion: 'latest', sourceType, allowHashBang: true });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  return null;
}

/** A flow with the text of its module. */
class Reading {
  #flow;
  /** The functions of each text. @type {Map<string, any[]>} */
  #nodes = new Map();
  /** @type {Use[]} */
  #uses;
  /** @type {Map<any, Use[]>} */
  #outerOf = new Map();
  /** The functions of the module that the flow has. @type {Set<any>} */
  #known = new Set();
  /** The uses by other code. @type {Use[] | undefined} */
  #others;

  /** @param {Record<string, any>} flow @param {string} text @param {Scopes} scopes of the text */
  constructor(flow, text, scopes) {
    this.#flow = flow;
    this.#uses = usesOf(scopes);
    for (const use of this.#uses)
      for (const node of functionsAround(use.node, use.variable.scope?.node)) this.#outer(node).push(use);
    for (const node of scopes.functions) {
      const code = codeOf(node, text);
      this.#nodes.set(code, [...(this.#nodes.get(code) ?? []), node]);
    }
  }

  /** @type {() => SharedVariable | null} */
  find() {
    const [first, iterations, last] = [['before'], ITERATIONS, ['after']].map((keys) => this.#read(keys));
    const found = [...this.#sharedBy(first, iterations), ...this.#sharedBy(iterations, last)];
    return found.find(({ isSure }) => isSure) ?? found[0] ?? null;
  }

  /** Reads the functions that run with these parts of the flow. @type {(keys: string[]) => Reader[]} */
  #read(keys) {
    const functionsOf = (/** @type {string[]} */ names) =>
      names.flatMap((name) => functionsIn(this.#flow[name], `flow.${name}`));
    const inOrder = functionsOf(keys);
    const isEmpty = keys.every((name) => [this.#flow[name] ?? []].flat().length === 0);
    const others = isEmpty ? [] : functionsOf(keys === ITERATIONS ? [...AROUND, ...OF_USERS] : AROUND);
    const all = [
      ...others.map((one) => ({ ...one, order: null })),
      ...inOrder.map((one, order) => ({ ...one, order })),
    ];
    // Its first time is the one that matters.
    const unique = new Map();
    for (const one of all) {
      const key = `${HOOK.test(one.place)} ${one.code}`;
      if (!unique.has(key)) unique.set(key, one);
    }
    return [...unique.values()].flatMap((one) => this.#readFunction(one));
  }

  /** @type {(one: { place: string, code: string, order: number | null }) => Reader[]} */
  #readFunction({ place, code, order }) {
    const [node, ...same] = this.#nodes.get(code) ?? [];
    if (node === undefined) return [];
    for (const one of [node, ...same]) this.#known.add(one);
    const uses = this.#outerUses(node, place).filter((use) =>
      same.every((other) => this.#outerUses(other, place).some((one) => isAlike(one, use))),
    );
    return [{ place, order, node, uses }];
  }

  /** @type {(node: any, place: string) => Use[]} */
  #outerUses(node, place) {
    const own = this.#outer(node).filter((use) => !(use.result === node && HOOK.test(place)));
    const called = new Set([node]);
    for (const one of called)
      for (const { variable } of this.#outer(one)) if (isFunction(variable.init)) called.add(variable.init);
    called.delete(node);
    return [...own, ...[...called].flatMap((one) => this.#outer(one)).map((use) => ({ ...use, isSure: false }))];
  }

  /** The uses of variables that a function does not declare. @type {(node: any) => Use[]} */
  #outer(node) {
    const uses = this.#outerOf.get(node) ?? [];
    this.#outerOf.set(node, uses);
    return uses;
  }

  /** @type {(changing: Reader[], reading: Reader[]) => SharedVariable[]} */
  #sharedBy(changing, reading) {
    return changing.flatMap((changer) =>
      changer.uses.filter(({ isChange }) => isChange).flatMap((change) => this.#readersOf(change, changer, reading)),
    );
  }

  /** @type {(change: Use, changer: Reader, reading: Reader[]) => SharedVariable[]} */
  #readersOf(change, changer, reading) {
    const readers = reading.flatMap((reader) => {
      const read = reader.uses.find((use) => !use.isChange && overlap(change, use));
      return read ? [{ reader, read }] : [];
    });
    if (readers.length === 0 || (!change.isWhole && this.#isOfFlow(change))) return [];
    const isOne = this.#isOneVariable(change) && !mayBeNeedless(change, changer);
    const setting = reading.filter((other) => setsFirst(other, change, changer));
    return readers.map(({ reader, read }) => ({
      name: change.variable.name,
      changedBy: changer.place,
      readBy: reader.place,
      isSure: isOne && read.isSure && !setting.some((other) => other === reader || mayPrecede(other, reader)),
    }));
  }

  /** Reports whether a variable is surely one for all functions of a thread. @type {(change: Use) => boolean} */
  #isOneVariable(change) {
    const { scope, declarations } = change.variable;
    if (!change.isSure || (!change.isWhole && this.#elsewhere(change).length > 0)) return false;
    return scope === null || (declarations === 1 && runsOnce(scope.node));
  }

  /** Reports whether the flow may have a changed object. @type {(change: Use) => boolean} */
  #isOfFlow(change) {
    return this.#elsewhere(change).some(
      ({ isChange, top }) => !isChange && OF_VALUES.test(top.parent.type) && isOutside(top),
    );
  }

  /** The uses by code that is not of functions of the flow. @type {(change: Use) => Use[]} */
  #elsewhere(change) {
    this.#others ??= this.#uses.filter(({ node }) => !functionsAround(node).some((one) => this.#known.has(one)));
    return this.#others.filter((use) => overlap(change, use));
  }
}

/**
 * Lists functions in the order in which an operation calls them. Getters and `toJSON` are left out: what they give is
 * compared when `before` has run.
 * @type {(value: any, place: string, seen?: Set<unknown>) => { place: string, code: string }[]}
 */
function functionsIn(value, place, seen = new Set()) {
  if (typeof value === 'function') return [{ place, code: Function.prototype.toString.call(value) }];
  if (!isContainer(value) || seen.has(value)) return [];
  seen.add(value);
  const turnOf = (/** @type {string} */ key) => (FIRST.includes(key) ? 0 : LAST.includes(key) ? 2 : 1);
  return Object.entries(Object.getOwnPropertyDescriptors(value))
    .sort(([a], [b]) => turnOf(a) - turnOf(b))
    .flatMap(([key, { value: own }]) =>
      key === 'toJSON' ? [] : functionsIn(own, Array.isArray(value) ? `${place}[${key}]` : `${place}.${key}`, seen),
    );
}

/** @type {(node: any) => boolean} */
function isFunction(node) {
  return FUNCTION.test(node?.type);
}

/** The text that a function has of itself. @type {(node: any, text: string) => string} */
function codeOf(node, text) {
  const { parent, role } = node;
  const isMethod = role === 'value' && (parent.method || parent.type === 'MethodDefinition');
  const { start, end } = isMethod ? parent : node;
  return text.slice(start, end).replace(isMethod && parent.static ? /^static\s+/ : '', '');
}

/** Lists the functions that a node is in, within another node. @type {(node: any, end?: any) => any[]} */
function functionsAround(node, end) {
  const found = [];
  for (let one = node; one && one !== end; one = one.parent) if (isFunction(one)) found.push(one);
  return found;
}

/** @type {(one: Use, other: Use) => boolean} */
function isAlike(one, other) {
  return one.variable === other.variable && one.member === other.member && one.isChange === other.isChange;
}

/** Reports whether a use is one of what a change changes. @type {(change: Use, use: Use) => boolean} */
function overlap(change, use) {
  if (change.variable !== use.variable) return false;
  return change.isWhole || change.member === null || use.member === null || change.member === use.member;
}

/**
 * Reports whether a change may have no effect: the variable has that value at first, or may have one and the function
 * looks.
 * @type {(change: Use, changer: Reader) => boolean}
 */
function mayBeNeedless(change, { uses }) {
  const { variable, member, isWhole, isLazy, isFirst, value } = change;
  const initial = isWhole || member === null ? variable.init : valueAt(variable.init, [member]);
  if (value !== undefined && isSameValue(value, initial)) return true;
  const looks = isLazy || uses.some((use) => !use.isChange && overlap(change, use));
  return looks && isFirst && hasValue(initial);
}

/** @type {(value: any, initial: any) => boolean} */
function isSameValue(value, initial) {
  if (!hasValue(value)) return !hasValue(initial);
  return value.type === 'Literal' && value.raw === initial?.raw;
}

/** Reports whether an initial value is none that stands for nothing. @type {(init: any) => boolean} */
function hasValue(init) {
  const { type, value, elements, properties, arguments: given, name } = init ?? { type: 'Literal' };
  if (type === 'Literal') return Boolean(value);
  return (elements ?? properties ?? given ?? [1]).length > 0 && name !== 'undefined';
}

/**
 * Reports whether a function sets what another one changes, whatever the value was.
 * @type {(reader: Reader, change: Use, changer: Reader) => boolean}
 */
function setsFirst({ node, uses }, change, changer) {
  return uses.some((use) => use.isChange && (use.isFirst || node === changer.node) && overlap(change, use));
}

/** @type {(one: Reader, other: Reader) => boolean} */
function mayPrecede({ order }, other) {
  return order === null || other.order === null || order < other.order;
}

/** Reports whether the code of a module or of a function runs once in a thread. @type {(node: any) => boolean} */
function runsOnce(node) {
  const { type, parent, id = parent?.type === 'VariableDeclarator' ? parent.id : null } = node;
  if (!FUNCTION.test(type)) return type === 'Program';
  const references = id?.variable?.references ?? [];
  if (parent.type === 'ExportDefaultDeclaration') return references.length === 0;
  const [use, ...others] = id ? references : [node];
  return use !== undefined && others.length === 0 && isUsedOnce(use);
}

/** Reports whether the flow is what a function returns, or the module calls it. @type {(use: any) => boolean} */
function isUsedOnce({ parent, role }) {
  if (role === 'callee' && parent.type === 'CallExpression') return isOutside(parent);
  if (parent.type === 'AssignmentExpression') return role === 'right' && isExports(parent.left);
  return parent.type === 'ExportDefaultDeclaration' || parent.exported?.name === 'default';
}

/** @type {(node: any) => boolean} */
function isExports({ object, property }) {
  return property !== undefined && (object.name === 'module' || (object.name ?? object.property?.name) === 'exports');
}

/** Reports whether it runs once when the module is loaded, or makes the flow. @type {(node: any) => boolean} */
function isOutside({ parent }) {
  if (FUNCTION.test(parent.type) || parent.type === 'Program') return runsOnce(parent);
  return !LOOP.test(parent.type) && isOutside(parent);
}
