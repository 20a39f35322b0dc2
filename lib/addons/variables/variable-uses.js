import { placeOf } from './scopes.js';

/** @import { Scopes, Variable } from './scopes.js' */

/** Finds how code uses the variables of a module: which it changes, and which it reads. */

/**
 * @typedef {object} Use
 * @property {Variable} variable
 * @property {string | null} member the use is of this member alone; null: of all, or of any
 * @property {boolean} isChange
 * @property {boolean} isWhole the variable gets another value
 * @property {boolean} isSure the text shows that it is one
 * @property {boolean} isFirst it does not depend on an earlier value: `x = 1`, not `x++`
 * @property {boolean} isLazy it happens only if there is no value
 * @property {any} value the expression that it is set to; null: nothing; undefined: unknown
 * @property {any} result the function whose result has the value that is read; null: it is read anyhow
 * @property {any} node the identifier
 * @property {any} top the node of the member that is used
 */

/** Methods that change what they are called on; those whose result is a part of it; those that only arrays have. */
const CHANGES = /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear|append|next)$/;
const TAKES = /^(?:pop|shift|splice|sort|reverse|delete|next)$/;
const OF_ARRAYS = /^(?:push|pop|shift|unshift|splice)$/;
/** Functions of Object and Reflect that change their first argument. */
const CHANGES_FIRST = /^(?:assign|set|deleteProperty|setPrototypeOf|defineProperty|defineProperties)$/;
/** What creates a container that has no effect elsewhere when it is changed. */
const MAKERS = /^(?:Array|Map|Set|WeakMap|WeakSet|Object|URLSearchParams|Headers|FormData|URL)$/;
const ITERATORS = ['values', 'keys', 'entries'];
const GLOBAL_OBJECTS = ['globalThis', 'global'];
/** Methods that ignore the result of their function. */
const IGNORED_RESULT = ['forEach', 'then', 'catch', 'finally'];
const EMPTIES = ['delete', 'clear'];
const OF_ALL = ['length', 'size'];

/** @typedef {Pick<Use, 'node' | 'top'>} At */
/** @typedef {(string | null)[]} Path names of members; null: only known when it runs */

/** Lists the uses of all variables in a module. @type {(scopes: Scopes) => Use[]} */
export function usesOf(scopes) {
  const uses = new Uses(scopes);
  for (const node of scopes.references) uses.add(node);
  return uses.all;
}

class Uses {
  /** @type {Use[]} */
  all = [];
  #scopes;

  /** @param {Scopes} scopes */
  constructor(scopes) {
    this.#scopes = scopes;
  }

  /** @type {(node: any) => void} */
  add(node) {
    /** @type {Path} */
    const path = [];
    let top = beyondChain(node);
    for (; top.parent.type === 'MemberExpression' && top.role === 'object'; top = beyondChain(top.parent))
      path.push(keyOf(top.parent));
    const { parent } = top;
    const at = { node, top };
    const target = placeOf(top);
    if (isTarget(target)) this.#assign(at, path, target.parent);
    else if (parent.type === 'UpdateExpression' || parent.operator === 'delete') this.#step(at, path, parent);
    else if (isCall(parent) && top.role === 'callee' && path.length > 0) this.#call(at, path, parent);
    else if (isCall(parent) && parent.arguments[0] === top && changesFirst(parent.callee))
      for (const key of assignedKeys(parent)) this.#change(at, [...path, key]);
    else for (const part of partsOf(top)) this.#read(at, [...path, ...part]);
  }

  /** @type {(at: At, path: Path, assignment: any) => void} */
  #assign(at, path, assignment) {
    const { operator = '=', left, right } = assignment;
    const isLazy = /[?|&]{2}/.test(operator);
    const value = operator === '=' && left === at.top ? right : undefined;
    this.#change(at, path, { isFirst: operator === '=' || isLazy, isLazy, value });
    if (operator !== '=') this.#readResult(at, path, assignment);
  }

  /** @type {(at: At, path: Path, expression: any) => void} */
  #step(at, path, expression) {
    const isFirst = expression.operator === 'delete';
    this.#change(at, path, { isFirst, ...(isFirst && { value: null }) });
    if (!isFirst) this.#readResult(at, path, expression);
  }

  /** @type {(at: At, path: Path, call: any) => void} */
  #call(at, path, call) {
    const method = path.at(-1) ?? '';
    const owner = path.slice(0, -1);
    const object = valueAt(at.node.variable.init, owner);
    const isSure = method === 'next' ? isIterator(object) : isContainer(object) && !isOwn(object);
    if (!CHANGES.test(method) || !(isSure || OF_ARRAYS.test(method) || isOwn(object))) {
      this.#read(at, owner);
      return;
    }
    const isTake = TAKES.test(method);
    const value = EMPTIES.includes(method) ? null : undefined;
    this.#change(at, [...owner, null], { isSure, isFirst: !isTake, value });
    if (isTake) this.#readResult(at, owner, call);
  }

  /** @type {(at: At, path: Path, expression: any) => void} */
  #readResult(at, path, expression) {
    const result = resultOf(expression);
    if (result !== false) this.#read(at, path, result);
  }

  /** @type {(at: At, path: Path, result?: any) => void} */
  #read(at, path, result = null) {
    this.#push(at, path, { isChange: false, isSure: true, isFirst: false, isLazy: false, value: undefined, result });
  }

  /** @type {(at: At, path: Path, how?: Partial<Use>) => void} */
  #change(at, path, { isFirst = true, isLazy = false, isSure = isContainer(at.node.variable.init), value } = {}) {
    // Without a value, there is nothing to change.
    if (path.length > 0 && at.node.variable.init === null) this.#read(at, []);
    this.#push(at, path, { isChange: true, isSure, isFirst, isLazy, value, result: null });
  }

  /** @type {(at: At, path: Path, use: Omit<Use, 'variable' | 'member' | 'isWhole' | keyof At>) => void} */
  #push(at, given, use) {
    const { variable, path } = this.#inGlobals(at.node.variable, given);
    if (variable === this.#environment || isGlobalObject(variable)) return;
    const isWhole = use.isChange && path.length === 0;
    const [key = null] = path;
    const member = OF_ALL.includes(key ?? '') ? null : key;
    // Only the first member is compared with what it was.
    const value = path.length > 1 && member !== null ? undefined : use.value;
    this.all.push({ ...use, value, variable, member, isWhole, isSure: use.isSure || isWhole, ...at });
  }

  /**
   * Members of global objects and of the environment are variables of their own.
   * @type {(variable: Variable, path: Path) => { variable: Variable, path: Path }}
   */
  #inGlobals(variable, path) {
    const [key = null, ...rest] = path;
    if (isImported(variable, 'env')) return this.#inGlobals(this.#environment, path);
    if (key === null) return { variable, path };
    if (variable === this.#environment) return { variable: this.#scopes.global(`process.env.${key}`), path: rest };
    if (key === 'env' && (variable === this.#scopes.global('process') || isImported(variable, 'default')))
      return this.#inGlobals(this.#environment, rest);
    return isGlobalObject(variable) ? this.#inGlobals(this.#scopes.global(key), rest) : { variable, path };
  }

  get #environment() {
    return this.#scopes.global('process.env');
  }
}

/** @type {(node: any) => any} */
function beyondChain(node) {
  return node.parent.type === 'ChainExpression' ? node.parent : node;
}

/** @type {(node: any) => boolean} */
function isCall({ type }) {
  return type === 'CallExpression';
}

/** The name of a member or of a property; null: only known when it runs. @type {(node: any) => string | null} */
function keyOf({ computed, property, key = property }) {
  if (computed) return key.type === 'Literal' ? String(key.value) : null;
  return key.name ?? (key.type === 'Literal' ? String(key.value) : null);
}

/** @type {(place: { parent: any, role: string }) => boolean} */
function isTarget({ parent: { type }, role }) {
  return role === 'left' && /^(?:AssignmentExpression|For\w+Statement)$/.test(type);
}

/** @type {(callee: any) => boolean} */
function changesFirst({ type, object, property }) {
  return type === 'MemberExpression' && /^(?:Object|Reflect)$/.test(object.name) && CHANGES_FIRST.test(property.name);
}

/** The keys that a call of Object or Reflect sets; null: any. @type {(call: any) => (string | null)[]} */
function assignedKeys({ callee, arguments: [, ...others] }) {
  if (callee.property.name !== 'assign') return [others[0]?.type === 'Literal' ? String(others[0].value) : null];
  return others.flatMap((/** @type {any} */ one) =>
    one.type === 'ObjectExpression' ? one.properties.map(keyOfPart) : null,
  );
}

/** @type {(property: any) => string | null} */
function keyOfPart(property) {
  return property.type === 'Property' ? keyOf(property) : null;
}

/** The members that a pattern takes out of a value; an empty path: the value itself. @type {(top: any) => Path[]} */
function partsOf({ parent, role }) {
  const pattern = role === 'init' ? parent.id : role === 'right' ? parent.left : null;
  if (pattern?.type !== 'ObjectPattern') return [[]];
  return pattern.properties.map((/** @type {any} */ one) => (keyOfPart(one) === null ? [] : [keyOfPart(one)]));
}

/**
 * Returns the arrow function that returns the value of an expression; null: other code has the value; false: none has.
 * @type {(expression: any) => any}
 */
function resultOf({ parent, role }) {
  const { type } = parent;
  if (/^(?:Await|Chain)Expression$/.test(type) || (role !== 'test' && type === 'ConditionalExpression'))
    return resultOf(parent);
  if (type === 'LogicalExpression' && role === 'right') return resultOf(parent);
  if (type === 'ArrowFunctionExpression') {
    const isIgnored = IGNORED_RESULT.includes(parent.parent.callee?.property?.name);
    return isIgnored ? false : parent;
  }
  const isUnused = type === 'ExpressionStatement' || parent.operator === 'void' || role === 'update';
  return isUnused ? false : null;
}

/** @type {(variable: Variable) => boolean} */
function isGlobalObject({ name, scope }) {
  return scope === null && GLOBAL_OBJECTS.includes(name);
}

/** Reports whether it is an import of `process` by this name. @type {(variable: Variable, name: string) => boolean} */
function isImported({ init }, name) {
  if (!/^(?:node:)?process$/.test(init?.parent?.source?.value)) return false;
  return (init.type === 'ImportSpecifier' ? init.imported.name : 'default') === name;
}

/** What a path leads to in the text of a value; undefined: unknown. @type {(value: any, path: Path) => any} */
export function valueAt(value, path) {
  return path.reduce(
    (object, key) =>
      object?.type === 'ObjectExpression' && key !== null
        ? object.properties.find((/** @type {any} */ one) => keyOfPart(one) === key)?.value
        : undefined,
    value,
  );
}

/** @type {(value: any) => boolean} */
function isContainer(value) {
  const { type, callee } = value ?? {};
  if (type === 'ArrayExpression' || isOwn(value)) return true;
  if (type !== 'NewExpression' && type !== 'CallExpression') return false;
  return (
    MAKERS.test(callee.name) || (callee.type === 'MemberExpression' && /^(?:Object|Array)$/.test(callee.object.name))
  );
}

/** Reports whether methods of a value are those of its author. @type {(value: any) => boolean} */
function isOwn(value) {
  return /^(?:ObjectExpression|(?:Class|Function)Declaration)$/.test(value?.type);
}

/** @type {(value: any) => boolean} */
function isIterator(value) {
  if (value?.type !== 'CallExpression') return false;
  const { callee } = value;
  return callee.variable?.init?.generator === true || ITERATORS.includes(callee.property?.name);
}
