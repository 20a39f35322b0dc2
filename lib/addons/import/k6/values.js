/**
 * What a script is known to have is a plain value: a text, a number, an array, an object without a prototype. All
 * others are symbols: a value that a run knows.
 */

/** @typedef {any} Value */
/** @typedef {any} Node */

/** The name of a member that stands for all whose names only a run knows. */
export const OTHERS = '…';

/** An expression whose value a run knows, as a tree. */
export class Sym {
  /** @param {string} type @param {Record<string, any>} fields */
  constructor(type, fields) {
    this.type = type;
    /** The name of the variable that has it. @type {string | undefined} */
    this.hint = undefined;
    /** Members that the script has set. @type {Record<string, Value> | undefined} */
    this.own = undefined;
    Object.assign(this, fields);
  }
}

/** @type {(type: string, fields?: Record<string, any>) => any} */
export function sym(type, fields = {}) {
  return new Sym(type, fields);
}

/** The script throws: an iteration ends, unless it catches. */
export class Thrown extends Error {}

/** A function of the script. */
export class Fn {
  /** @param {Node} node @param {Scope} scope */
  constructor(node, scope) {
    this.node = node;
    this.scope = scope;
  }
}

/** A function of k6, of its libraries, or of JavaScript. */
export class Native {
  /**
   * @param {string} name
   * @param {(args: Value[], node: Node, run: any) => Value} call
   */
  constructor(name, call) {
    this.name = name;
    this.call = call;
    /** @type {Record<string, Value>} */
    this.members = Object.create(null);
  }
}

/** Variables of a block or a function. */
export class Scope {
  /** @param {Scope | null} parent @param {boolean} [isFunction] */
  constructor(parent, isFunction = false) {
    this.parent = parent;
    this.isFunction = isFunction;
    /** @type {Record<string, Value>} */
    this.values = Object.create(null);
  }

  /** The scope that has a variable. @type {(name: string) => Scope | null} */
  holderOf(name) {
    return name in this.values ? this : (this.parent?.holderOf(name) ?? null);
  }
}

/** @type {(members?: Record<string, Value>) => Record<string, Value>} */
export function object(members = {}) {
  return Object.assign(Object.create(null), members);
}

/** @type {(value: Value) => boolean} */
export function isPrimitive(value) {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

/** An object or an array whose members are known. @type {(value: Value) => boolean} */
export function isStructure(value) {
  return Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null);
}

/** Reports whether only a run knows what is in a list. @type {(list: Value) => boolean} */
export function isLost(list) {
  return Array.isArray(list) && Object.hasOwn(list, OTHERS);
}

/** Values in a value: constants of constants could be as many as one likes. */
const MOST_VALUES = 100_000;

/** Reports whether a value has no symbols in it, and can be written. @type {(value: Value) => boolean} */
export function isKnown(value) {
  return everyValue(value, isPrimitive);
}

/** Reports whether a value can be written at all. @type {(value: Value) => boolean} */
export function isWritable(value) {
  return everyValue(value, () => true);
}

/** @type {(value: Value, test: (one: Value) => boolean) => boolean} */
function everyValue(value, test) {
  const open = [value];
  for (let left = MOST_VALUES; open.length > 0; left--) {
    const one = open.pop();
    if (left === 0) return false;
    if (isStructure(one)) open.push(...Object.values(one));
    else if (!test(one)) return false;
  }
  return true;
}

/** Reports whether the script has changed a part of what a run knows. @type {(value: Value) => boolean} */
export function isChanged(value) {
  return value instanceof Sym && Object.keys(value.own ?? {}).length > 0;
}

/** Where the members of an object are that the script sets. @type {(value: Value) => Value} */
export function membersOf(value) {
  return value instanceof Sym ? (value.own ??= object()) : isStructure(value) ? value : object();
}

/** A copy of a value, which later changes of the script do not reach. @type {(value: Value) => Value} */
export function snapshot(value) {
  if (Array.isArray(value)) return value.map(snapshot);
  if (isStructure(value))
    return object(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, snapshot(one)])));
  if (!isChanged(value)) return value;
  const { type, own, ...fields } = value;
  return sym(type, { ...fields, own: snapshot(own), tokenName: undefined });
}

/** A value that neither the script nor a run tells. @type {(node: Node, why?: string) => Sym} */
export function unknown(node, why = 'its value is not known') {
  return sym('unknown', { node, why });
}

/** A value whose methods send nothing. @type {(of: any) => any} */
export function harmless({ node, why }) {
  return Object.assign(unknown(node, why), { isHarmless: true });
}

/**
 * A member whose functions make and take its value; `before`: what it was, with its other function.
 * @type {(functions: { get?: Value, set?: Value }, node: Node, before?: any) => Sym}
 */
export function accessor(functions, node, before) {
  const { get, set } = before instanceof Sym && before.type === 'accessor' ? /** @type {any} */ (before) : {};
  return sym('accessor', { get, set, ...functions, node });
}
