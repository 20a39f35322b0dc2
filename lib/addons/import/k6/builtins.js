import { collection, itemsOf } from './collections.js';
import { listMethod, OF_LIST } from './lists.js';
import { randomText } from './texts.js';
import {
  Fn,
  harmless,
  isChanged,
  isKnown,
  isLost,
  isPrimitive,
  isStructure,
  isWritable,
  membersOf,
  Native,
  object,
  OTHERS,
  snapshot,
  Sym,
  sym,
  Thrown,
  unknown,
} from './values.js';

/** @typedef {any} Value */
/** @typedef {any} Node */
/** @import { Interpreter } from './interpreter.js' */

/** Functions without effects, by name; of symbols they are symbols. @type {Record<string, (...args: any[]) => any>} */
const PURE = {
  Number: (value) => Number(value),
  String: (value) => String(value),
  Boolean: (value) => Boolean(value),
  parseInt: (value, base) => Number.parseInt(value, base ?? 10),
  parseFloat: Number.parseFloat,
  isNaN: (value) => Number.isNaN(Number(value)),
  encodeURIComponent,
  encodeURI,
  decodeURIComponent,
  ...Object.fromEntries(
    ['floor', 'ceil', 'round', 'trunc', 'abs', 'min', 'max', 'pow', 'sqrt', 'sign'].map((name) => [
      `Math.${name}`,
      /** @type {any} */ (Math)[name],
    ]),
  ),
};

/** Makes a function computed if all args are known. @type {(name: string, act: (...args: any[]) => any) => Native} */
export function pure(name, act) {
  return new Native(name, (args, node) => {
    if (args.some((one) => isStructure(one) && !Array.isArray(one))) return unknown(node);
    if (!args.every(isPrimitive)) return sym('global', { name, args, node });
    try {
      return act(...args);
    } catch {
      return unknown(node);
    }
  });
}

const natives = Object.fromEntries(Object.entries(PURE).map(([name, act]) => [name, pure(name, act)]));

/** @type {(name: string) => Native} */
function stringified(name) {
  return new Native(name, ([given, ...others], node, run) => {
    const value = evaluated(run, given, node, true);
    if (isKnown(value)) return JSON.stringify(value, null, others.at(-1));
    return others.length > 0 || !isWritable(value) ? unknown(node) : sym('stringify', { value: snapshot(value), node });
  });
}

/** Getters may lead to ever more. */
const MOST_DEPTH = 20;

/**
 * A value whose getters are called; `isJson`: its toJSON, too.
 * @type {(run: Interpreter, value: Value, node: Node, isJson?: boolean, depth?: number) => Value}
 */
export function evaluated(run, value, node, isJson = false, depth = 0) {
  if (depth > MOST_DEPTH) return unknown(node);
  const own = isJson && isStructure(value) && !Array.isArray(value) ? value.toJSON : undefined;
  if (own instanceof Fn || own instanceof Native) return run.call(own, [], node);
  if (!isStructure(value) || !isWritable(value) || !hasAccessor(value, isJson)) return value;
  const inner = (/** @type {Value} */ one) => evaluated(run, one, node, isJson, depth + 1);
  if (Array.isArray(value)) return value.map(inner);
  return object(Object.fromEntries(Object.keys(value).map((key) => [key, inner(run.memberOf(value, key, node))])));
}

/** @type {(value: Value, isJson: boolean, depth?: number) => boolean} */
function hasAccessor(value, isJson, depth = 0) {
  if (!isStructure(value)) return value?.type === 'accessor';
  const isOwn = isJson && !Array.isArray(value) && value.toJSON !== undefined;
  return isOwn || (depth <= MOST_DEPTH && Object.values(value).some((one) => hasAccessor(one, isJson, depth + 1)));
}

/** @type {(value: any) => Value} */
export function asValue(value) {
  if (Array.isArray(value)) return value.map(asValue);
  if (typeof value !== 'object' || value === null) return value;
  return object(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, asValue(one)])));
}

const MOST_ITEMS = 1000;

/** What a script finds without an import. @type {Record<string, Value>} */
export const GLOBALS = {
  NaN,
  Infinity,
  ...Object.fromEntries(Object.entries(natives).filter(([name]) => !name.includes('.'))),
  Math: object({
    PI: Math.PI,
    ...Object.fromEntries(
      Object.entries(natives).flatMap(([name, one]) => (name.startsWith('Math.') ? [[name.slice(5), one]] : [])),
    ),
  }),
  JSON: object({
    stringify: stringified('JSON.stringify'),
    parse: new Native('JSON.parse', ([text], node) => {
      if (text instanceof Sym && /** @type {any} */ (text).type === 'stringify') return /** @type {any} */ (text).value;
      if (text instanceof Sym && /** @type {any} */ (text).type === 'file')
        return sym('rows', { path: /** @type {any} */ (text).rows, node });
      if (typeof text !== 'string') return text instanceof Sym ? sym('parsed', { value: text, node }) : unknown(node);
      try {
        return asValue(JSON.parse(text));
      } catch {
        throw new Thrown();
      }
    }),
  }),
  // a file has the bytes, and is its own buffer
  Uint8Array: new Native('Uint8Array', ([bytes], node) => (bytes?.type === 'file' ? bytes : harmless({ node }))),
  Map: collection('Map'),
  Set: collection('Set'),
  Object: object({
    keys: new Native('Object.keys', ([value], node) => (isStructure(value) ? Object.keys(value) : unknown(node))),
    values: new Native('Object.values', ([value], node, run) =>
      isStructure(value) ? Object.keys(value).map((key) => run.memberOf(value, key, node)) : unknown(node),
    ),
    entries: new Native('Object.entries', ([value], node, run) =>
      isStructure(value) ? Object.keys(value).map((key) => [key, run.memberOf(value, key, node)]) : unknown(node),
    ),
    assign: new Native('Object.assign', ([target, ...sources], node, run) => {
      const holder = membersOf(target);
      for (const one of sources)
        if (isStructure(one))
          for (const key of Object.keys(one)) run.memory.write(holder, key, run.memberOf(one, key, node));
        else if (one instanceof Sym) run.memory.write(holder, OTHERS, one);
      return target;
    }),
    freeze: new Native('Object.freeze', ([value]) => value),
    fromEntries: new Native('Object.fromEntries', ([value], node, run) => {
      const items = itemsOf(run, value);
      return items?.every(Array.isArray) ? object(Object.fromEntries(items)) : unknown(node);
    }),
  }),
  Array: object({
    isArray: new Native('Array.isArray', ([value], node) =>
      value instanceof Sym ? sym('global', { name: 'Array.isArray', args: [value], node }) : Array.isArray(value),
    ),
    from: new Native('Array.from', ([given, fn], node, run) => {
      const list = itemsOf(run, given) ?? given;
      const isCounted = isStructure(list) && (Array.isArray(list) || list.length <= MOST_ITEMS);
      if (!isCounted) return run.unfollowed(harmless({ node }), [list, fn], node);
      return Array.from(/** @type {any} */ (list), (one, i) => (fn === undefined ? one : run.call(fn, [one, i], node)));
    }),
  }),
};

/** @type {(whole: Value, key: Value, node: Node) => Value} */
export function memberOf(whole, key, node) {
  if (whole instanceof Native) return whole.members[key];
  if (whole instanceof Sym) return memberOfSymbol(whole, key, node);
  if (typeof whole === 'string') return ofString(whole, key, node);
  if (!isStructure(whole)) return whole instanceof Fn ? unknown(node) : undefined;
  if (isLost(whole)) return unknown(node, 'only a run knows what is in the list');
  if (key instanceof Sym) return Array.isArray(whole) ? pick(whole, key, node) : unknown(node);
  if (Array.isArray(whole)) return key === 'length' ? whole.length : whole[key];
  if (Object.hasOwn(whole, key)) return whole[key];
  return Object.hasOwn(whole, OTHERS) ? whole[OTHERS] : undefined;
}

/** @type {(text: string, key: Value, node: Node) => Value} */
function ofString(text, key, node) {
  if (key === 'length' || typeof key === 'number') return text[/** @type {any} */ (key)];
  const random = key instanceof Sym ? randomIn(key, (one) => one === text.length) : undefined;
  return random ? randomText(text, 1, { phase: random.phase, node }) : unknown(node);
}

/** Members of symbols, by their types. @type {Record<string, (whole: any, key: Value, node: Node) => Value>} */
const MEMBERS = {
  unknown: ({ node, why, isHarmless }) => Object.assign(unknown(node, why), { isHarmless }),
  environment({ of }, key, node) {
    if (typeof key !== 'string') return unknown(node);
    return key in of.environment ? of.environment[key] : sym('env', { name: key, node });
  },
  env: (_, __, node) => unknown(node),
  file: (whole, key, node) => (key === 'buffer' ? whole : sym('member', { object: whole, key, node })),
  rows: (whole, key, node) => (key === 'length' ? sym('length', { rows: whole, node }) : pick(whole, key, node)),
  row(whole, key, node) {
    const isObject = !whole.rows.list || isStructure(whole.rows.list[0]);
    return isObject ? sym('column', { row: whole, path: [key], node }) : sym('member', { object: whole, key, node });
  },
  column({ row, path }, key, node) {
    return key === 'length' ? unknown(node) : sym('column', { row, path: [...path, key], node });
  },
  conditional(whole, key, node) {
    const sides = [whole.yes, whole.no];
    if (!sides.every((one) => isStructure(one) || one?.type === 'response'))
      return sym('member', { object: whole, key, node });
    const [yes, no] = sides.map((one) => memberOf(one, key, node));
    return sym('conditional', { test: whole.test, yes, no, node });
  },
};

/** @type {(whole: any, key: Value, node: Node) => Value} */
function memberOfSymbol(whole, key, node) {
  const { own } = whole;
  if (isPrimitive(key) && own && Object.hasOwn(own, key)) return own[key];
  if (isChanged(whole) && Object.hasOwn(own, OTHERS)) return own[OTHERS];
  const act = MEMBERS[whole.type];
  return act ? act(whole, key, node) : sym('member', { object: whole, key, node });
}

/** Lists with the rows that are picked of them. @type {WeakMap<Value[], any>} */
const lists = new WeakMap();

/** Names the feeder of a list. @type {(list: Value[], name: string) => void} */
export function nameList(list, name) {
  if (!lists.has(list)) lists.set(list, sym('rows', { list, hint: name }));
}

/** The row of a list that an iteration gets. @type {(list: Value, key: Value, node: Node) => Value} */
export function pick(list, key, node) {
  const isKnownKey = isPrimitive(key) && key !== 'random';
  if (isKnownKey && Array.isArray(list)) return list[key];
  const rows = Array.isArray(list) ? (lists.get(list) ?? sym('rows', { list, node })) : list;
  if (Array.isArray(list)) {
    if (list.length === 0 || !isKnown(list)) return unknown(node, 'it is one of a list, whose values are not known');
    lists.set(list, rows);
  }
  const found = isKnownKey ? undefined : numberOf(key, rows);
  const order = key === 'random' ? 'random' : found && (found === 'random' ? found : 'sequential');
  if (order === undefined)
    return unknown(
      node,
      isKnownKey ? `it is the row ${key} of a file: an iteration has another one` : 'which row it is, is not known',
    );
  return sym('row', { rows, order, number: found, byUser: hasType(key, 'vu'), node });
}

/** Names the number of a row: `random`, `vu`, `iter + 1`. @type {(key: any, rows: any) => string | undefined} */
function numberOf(key, rows) {
  if (randomIn(key, (one) => isLength(one, rows))) return 'random';
  const inner = key.type === 'binary' && key.operator === '%' && isLength(key.right, rows) ? key.left : key;
  const isShifted = inner?.type === 'binary' && /^[+-]$/.test(inner.operator) && typeof inner.right === 'number';
  const { type } = (isShifted ? inner.left : inner) ?? {};
  if (!['index', 'vu', 'iter'].includes(type)) return undefined;
  return isShifted && inner.right !== 0 ? `${type} ${inner.operator} ${inner.right}` : type;
}

/** @type {(value: Value, rows: any) => boolean} */
function isLength(value, rows) {
  return value?.rows === rows || (rows.list !== undefined && value === rows.list.length);
}

/** Finds the random number in `Math.random() * length`. @type {(key: any, isEnd: (value: Value) => boolean) => any} */
function randomIn({ type, name, args, left, right, operator }, isEnd) {
  // Math.random() * n | 0
  const isBits = type === 'binary' && operator === '|' && right === 0;
  const isRounded = type === 'global' && /^(?:Math\.(?:floor|trunc)|parseInt)$/.test(name);
  const product = isBits ? left : isRounded ? args[0] : undefined;
  if (product?.operator !== '*') return undefined;
  const [leaf, other] = product.left?.word === 'random' ? [product.left, product.right] : [product.right, product.left];
  return leaf?.word === 'random' && isEnd(other) ? leaf : undefined;
}

/** @type {(value: any, type: string) => boolean} */
export function hasType(value, type) {
  if (!(value instanceof Sym)) return false;
  return (
    /** @type {any} */ (value).type === type ||
    Object.entries(value).some(
      ([key, one]) =>
        key !== 'node' && key !== 'draft' && [one].flat().some((/** @type {Value} */ inner) => hasType(inner, type)),
    )
  );
}

/** Methods of texts that are computed. */
const OF_TEXT = new Set(
  'toString toUpperCase toLowerCase localeCompare trim trimStart trimEnd substring substr slice charAt charCodeAt padStart padEnd repeat replace replaceAll split concat includes indexOf lastIndexOf startsWith endsWith at'.split(
    ' ',
  ),
);
const OF_NUMBER = new Set(['toFixed', 'toString']);

/** Calls a method. @type {(run: Interpreter, self: Value, name: string, args: Value[], node: Node) => Value} */
export function methodOf(run, self, name, args, node) {
  if (Array.isArray(self)) return listMethod(run, self, name, args, node);
  if (isStructure(self) && name === 'hasOwnProperty' && isPrimitive(args[0])) return Object.hasOwn(self, args[0]);
  if (self instanceof Sym) return symbolMethod(run, self, name, args, node);
  const isOwn = typeof self === 'string' ? OF_TEXT.has(name) : typeof self === 'number' && OF_NUMBER.has(name);
  if (isOwn) return textMethod(self, name, args, node);
  if (self instanceof Fn && name === 'call') return run.call(self, args.slice(1), node);
  const isHarmless = isPrimitive(self) || Object.values(run.global.values).includes(self);
  return run.unfollowed(isHarmless ? harmless({ node }) : self, args, node);
}

/** @type {(self: any, name: string, args: Value[], node: Node) => Value} */
function textMethod(self, name, args, node) {
  const given = args.map((one) =>
    one instanceof Sym && /** @type {any} */ (one).type === 'regexp' ? regexpOf(one) : one,
  );
  if (given.every((one) => isPrimitive(one) || one instanceof RegExp)) {
    if (name === 'repeat' && !(args[0] <= 100_000)) return unknown(node);
    try {
      return asValue(self[name](...given));
    } catch {
      return unknown(node);
    }
  }
  return name === 'charAt' ? ofString(self, args[0], node) : sym('call', { object: self, method: name, args, node });
}

/** A pattern with repetitions could take hours. @type {(one: any) => RegExp | Sym} */
function regexpOf(one) {
  return /[+*}].*[+*{]/.test(one.source) ? one : new RegExp(one.source, one.flags);
}

const LOOPS = /^(?:forEach|map|filter|find|some|every|reduce|flatMap)$/;

/** @type {(run: Interpreter, self: any, name: string, args: Value[], node: Node) => Value} */
function symbolMethod(run, self, name, args, node) {
  const [first] = args;
  const isPure = OF_TEXT.has(name) || OF_LIST.has(name) || LOOPS.test(name) || name === 'then';
  if (self.type === 'unknown') return run.unfollowed(isPure ? harmless(self) : self, args, node);
  if (self.type === 'response' && /^(?:submitForm|clickLink)$/.test(name)) {
    run.host.leave(node, `what ${name} sends is in the page, which only a run knows`);
    return unknown(node, `what ${name} sends is in the page`);
  }
  if (name === 'then' && first instanceof Fn) return run.call(first, [self], node);
  if (first instanceof Fn && LOOPS.test(name)) {
    const item = unknown(node, 'it is one of a list that only a run knows');
    run.branches.unknownLoop(
      node,
      () => (run.call(first, [item], node), null),
      'only a run knows how often it is repeated',
    );
    return unknown(node);
  }
  if (args.some((one) => one instanceof Fn)) return run.unfollowed(harmless(unknown(node)), args, node);
  if (name === 'toString' && args.length === 0) return sym('global', { name: 'String', args: [self], node });
  return sym('call', { object: self, method: name, args, node });
}
