import { parse } from 'acorn';

import { isContainer } from '../../flow/record.js';

/** @import { Node } from 'acorn' */

/**
 * Finds variables of the flow's module by which functions of `before` and of iterations, or of these and `after`, work
 * together: each thread has its own. It reads the text of the functions of the flow, not of those that they call.
 */

/** Methods that change what they are called on, and those that change their first argument. */
const CHANGES = /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear|append)$/;
const CHANGES_FIRST = /^(?:assign|defineProperty|defineProperties|set|setPrototypeOf)$/;
/** Those of which methods change the first argument. */
const HELPERS = ['Object', 'Reflect'];

/**
 * @typedef {object} SharedVariable
 * @property {string} name
 * @property {string} changedBy the place of a function
 * @property {string} readBy the place of one that another thread runs
 */

/**
 * Returns the first variable that one function changes and that one of another thread reads; null: none is known. What
 * functions change in an object counts only if the text of the module shows that the flow does not have the object, as
 * the flow is taken along.
 * @type {(flow: Record<string, any>, readText: () => string) => SharedVariable | null}
 */
export function sharedVariable({ before, after, ...others }, readText) {
  const [first, iterations, last] = [{ before }, others, { after }].map((part) =>
    functionsIn(part, 'flow').map(({ place, code }) => ({ place, ...outerNames(code) })),
  );
  const found = [...sharedBy(first, iterations), ...sharedBy(iterations, last)];
  if (found.length === 0) return null;
  const inFunctions = namesInFunctions(readText());
  return found.find(({ name, isReplaced }) => isReplaced || inFunctions.has(name)) ?? null;
}

/** @typedef {{ names: Set<string>, changed: Set<string>, replaced: Set<string> }} OuterNames */
/** @typedef {OuterNames & { place: string }} Read */

/** @type {(changing: Read[], reading: Read[]) => (SharedVariable & { isReplaced: boolean })[]} */
function sharedBy(changing, reading) {
  return changing.flatMap(({ place, changed, replaced }) =>
    [...changed].flatMap((name) => {
      const reader = reading.find(({ names }) => names.has(name));
      return reader ? [{ name, changedBy: place, readBy: reader.place, isReplaced: replaced.has(name) }] : [];
    }),
  );
}

/**
 * Lists functions. Getters and `toJSON` are left out: what they give is compared when `before` has run.
 * @type {(value: any, place: string, seen?: Set<unknown>) => { place: string, code: string }[]}
 */
function functionsIn(value, place, seen = new Set()) {
  if (typeof value === 'function') return [{ place, code: Function.prototype.toString.call(value) }];
  if (!isContainer(value) || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(Object.getOwnPropertyDescriptors(value)).flatMap(([key, { value: own }]) =>
    key === 'toJSON' ? [] : functionsIn(own, Array.isArray(value) ? `${place}[${key}]` : `${place}.${key}`, seen),
  );
}

/**
 * The variables that a module declares and that only its functions name; none of a text that is no JavaScript.
 * @type {(text: string) => Set<string>}
 */
function namesInFunctions(text) {
  const tree = /** @type {any} */ (parsed(text));
  if (tree === null) return new Set();
  const declared = tree.body.flatMap((/** @type {any} */ one) =>
    ((one.declaration ?? one).declarations ?? []).flatMap((/** @type {any} */ { id }) => rootsOf(id)),
  );
  const outside = new Names({ skipsFunctions: true });
  outside.read(tree);
  return new Set(declared.filter((/** @type {string} */ name) => !outside.isNamed(name)));
}

/**
 * The variables of its surroundings that a function names, and those that it changes.
 * @type {(code: string) => OuterNames}
 */
function outerNames(code) {
  const found = new Names();
  const tree = parsed(`(${code})`) ?? parsed(`({${code}})`);
  if (tree !== null) found.read(tree);
  return found.outer();
}

/** Native code and the like have no variables. @type {(text: string) => Node | null} */
function parsed(text) {
  try {
    return parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowAwaitOutsideFunction: true });
  } catch {
    return null;
  }
}

/** The names in a function. One that it declares somewhere counts as its own everywhere. */
class Names {
  /** @type {Set<string>} */
  #named = new Set();
  /** @type {Set<string>} */
  #changed = new Set();
  /** Those that get another value. @type {Set<string>} */
  #replaced = new Set();
  /** @type {Set<string>} */
  #own = new Set();
  #skipsFunctions;

  constructor({ skipsFunctions = false } = {}) {
    this.#skipsFunctions = skipsFunctions;
  }

  /** @type {() => OuterNames} */
  outer() {
    const outer = (/** @type {Set<string>} */ names) => new Set([...names].filter((name) => !this.#own.has(name)));
    return { names: outer(this.#named), changed: outer(this.#changed), replaced: outer(this.#replaced) };
  }

  /** Reports whether a name stands anywhere but where it is declared. @type {(name: string) => boolean} */
  isNamed(name) {
    return this.#named.has(name);
  }

  /** @type {(node: any) => void} */
  read(node) {
    if (this.#skipsFunctions && /Function/.test(node.type)) return;
    this.#take(node);
    const { params = [], id, param } = node;
    for (const declared of [...params, id, param]) if (declared) this.#declare(declared);
    for (const key of Object.keys(node).filter((one) => !isName(node, one)))
      for (const child of [node[key]].flat()) if (child?.type) this.read(child);
  }

  /** @type {(node: any) => void} */
  #take(node) {
    switch (node.type) {
      case 'Identifier':
      case 'MemberExpression':
        for (const name of rootsOf(node)) this.#named.add(name);
        break;
      case 'AssignmentExpression':
        this.#change(node.left);
        break;
      case 'UpdateExpression':
        this.#change(node.argument);
        break;
      case 'UnaryExpression':
        if (node.operator === 'delete') this.#change(node.argument);
        break;
      case 'CallExpression':
        this.#call(node);
    }
  }

  /** @type {(pattern: any) => void} */
  #declare(pattern) {
    for (const name of rootsOf(pattern)) this.#own.add(name);
  }

  /** @type {(target: any) => void} */
  #change(target) {
    for (const name of rootsOf(target)) {
      this.#changed.add(name);
      if (target.type !== 'MemberExpression' || isEnv(target.object)) this.#replaced.add(name);
    }
  }

  /** @type {(object: any) => void} */
  #changeMember(object) {
    for (const name of rootsOf(object ?? null)) this.#changed.add(name);
  }

  /** @type {(call: any) => void} */
  #call({ callee, arguments: [first] }) {
    if (callee.type !== 'MemberExpression' || callee.computed) return;
    const { object, property } = callee;
    if (HELPERS.includes(object.name) && CHANGES_FIRST.test(property.name)) this.#changeMember(first);
    else if (CHANGES.test(property.name)) this.#changeMember(object);
  }
}

/** Names of members, properties and labels are no variables. @type {(node: any, key: string) => boolean} */
function isName({ type, computed }, key) {
  // A declaration names its variable, too.
  if (key === 'label' || (type === 'VariableDeclarator' && key === 'id')) return true;
  return (
    !computed && ((type === 'MemberExpression' && key === 'property') || (key === 'key' && type !== 'ImportAttribute'))
  );
}

/** Variables of the environment are one by one. @type {(node: any) => boolean} */
function isEnv({ type, object, property }) {
  return type === 'MemberExpression' && object.name === 'process' && property.name === 'env';
}

/** The variables that a pattern names, or of which a member expression is a member. @type {(node: any) => string[]} */
function rootsOf(node) {
  if (node === null) return [];
  const { type } = node;
  if (type === 'Identifier') return [node.name];
  if (type === 'MemberExpression')
    return isEnv(node.object) ? [`process.env.${node.property.name}`] : rootsOf(node.object);
  if (type === 'ObjectPattern')
    return node.properties.flatMap((/** @type {any} */ one) => rootsOf(one.value ?? one.argument));
  if (type === 'ArrayPattern') return node.elements.flatMap(rootsOf);
  return rootsOf(node.left ?? node.argument ?? null);
}
