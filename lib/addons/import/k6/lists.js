import { truth } from './operators.js';
import { Fn, harmless, isPrimitive, Native, Sym, sym, unknown } from './values.js';

/** @import { Interpreter } from './interpreter.js' */
/** @import { Node, Value } from './values.js' */

/** Methods of lists that call nothing. */
export const OF_LIST = new Set(
  'includes indexOf join slice concat at reverse push pop shift unshift splice fill flat'.split(' '),
);
export const CHANGES = new Set('reverse push pop shift unshift splice fill sort'.split(' '));

/** @type {(run: Interpreter, self: Value[], name: string, args: Value[], node: Node) => Value} */
export function listMethod(run, self, name, args, node) {
  if (name === 'sort') return sorted(run, self, args, node);
  if (CHANGES.has(name)) return changed(run, self, name, args);
  if (name === 'join') return joined(self, args[0] ?? ',', node);
  if (name === 'includes' || name === 'indexOf') {
    if (args[0] instanceof Sym) return sym('call', { object: self, method: name, args, node });
    return self.every(isPrimitive) ? /** @type {any} */ (self)[name](...args) : unknown(node);
  }
  if (OF_LIST.has(name)) return /** @type {any} */ (self)[name](...args);
  const [fn] = args;
  const act = fn instanceof Fn || fn instanceof Native ? EACH[name] : undefined;
  return act
    ? act(run, self, (one, i, more = self) => run.call(fn, [one, i, more], node), args, node)
    : run.unfollowed(harmless({ node }), [self, ...args], node);
}

/** @type {(run: Interpreter, self: Value[], args: Value[], node: Node) => Value} */
function sorted(run, self, [fn], node) {
  let isKnown = fn === undefined ? self.every(isPrimitive) : fn instanceof Fn;
  /** @type {(a: Value, b: Value) => number} */
  const order = (a, b) => {
    const value = run.call(fn, [a, b], node);
    isKnown &&= isPrimitive(value);
    return isKnown ? Number(value) : 0;
  };
  const copy = isKnown ? [...self].sort(fn && order) : [];
  if (!isKnown) return run.unfollowed(harmless({ node }), [self, fn], node);
  for (const [i, one] of copy.entries()) if (one !== self[i]) run.memory.write(self, i, one);
  return self;
}

/**
 * Changes a list by one of its methods.
 * @type {(run: Interpreter, self: Value[], name: string, args: Value[]) => Value}
 */
export function changed(run, self, name, args) {
  const copy = [...self];
  const result = /** @type {any} */ (copy)[name](...args);
  for (let i = 0; i < Math.max(copy.length, self.length); i++)
    if (copy[i] !== self[i]) run.memory.write(self, i, copy[i]);
  run.memory.write(self, 'length', copy.length);
  return result === copy ? self : result;
}

/** @type {(list: Value[], sign: Value, node: Node) => Value} */
function joined(list, sign, node) {
  const parts = list.flatMap((one, i) => (i === 0 ? [one] : [sign, one]));
  if (parts.every(isPrimitive)) return parts.join('');
  return parts.every((one) => isPrimitive(one) || one instanceof Sym)
    ? sym('template', { parts: parts.map((one) => (isPrimitive(one) ? String(one) : one)), node })
    : unknown(node);
}

/** @typedef {(one: Value, i: number, more?: Value) => Value} Each */

/**
 * Methods of lists that call a function.
 * @type {Record<string, (run: Interpreter, self: Value[], each: Each, args: Value[], node: Node) => Value>}
 */
const EACH = {
  forEach: (run, self, _, [fn], node) =>
    eachOf(
      run,
      self.map((one, i) => [one, i, self]),
      fn,
      node,
    ),
  map: (_, self, each) => self.map((one, i) => each(one, i)),
  flatMap: (_, self, each) => self.map((one, i) => each(one, i)).flat(),
  reduce: (run, self, _, [fn, first], node) => self.reduce((all, one, i) => run.call(fn, [all, one, i], node), first),
  ...Object.fromEntries(
    ['filter', 'find', 'some', 'every', 'findIndex'].map((name) => [
      name,
      (
        /** @type {Interpreter} */ run,
        /** @type {Value[]} */ self,
        /** @type {Each} */ each,
        /** @type {Value[]} */ _,
        /** @type {Node} */ node,
      ) => {
        const values = self.map((one, i) => each(one, i));
        const truths = values.map((one) => truth(one, run.host));
        const operator = { every: '&&', some: '||' }[name];
        if (truths.includes(undefined) && operator)
          return values.reduce((left, right) => sym('logical', { operator, left, right, node }));
        if (truths.includes(undefined)) return unknown(node);
        return /** @type {any} */ (self)[name]((/** @type {Value} */ __, /** @type {number} */ i) => truths[i]);
      },
    ]),
  ),
};

/**
 * Calls a function with each of some arguments.
 * @type {(run: Interpreter, all: Value[][], fn: Value, node: Node) => void}
 */
export function eachOf(run, all, fn, node) {
  let at = 0;
  run.branches.loop(
    node,
    () => at < all.length,
    () => (run.call(fn, all[at++], node), null),
  );
}
