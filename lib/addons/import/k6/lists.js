import { truth, unary } from './operators.js';
import { Fn, harmless, isLost, isPrimitive, Native, Sym, sym, unknown } from './values.js';

/** @import { Interpreter } from './interpreter.js' */
/** @import { Node, Value } from './values.js' */

/** Methods of lists that call nothing. */
export const OF_LIST = new Set(
  'includes indexOf join slice concat at reverse push pop shift unshift splice fill flat'.split(' '),
);
export const CHANGES = new Set('reverse push pop shift unshift splice fill sort'.split(' '));

/** @type {(run: Interpreter, self: Value[], name: string, args: Value[], node: Node) => Value} */
export function listMethod(run, self, name, args, node) {
  if (isLost(self)) return run.unfollowed(harmless({ node }), [self, ...args], node);
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
  forEach(run, self, _, [fn], node) {
    const { length } = self;
    let at = -1;
    return eachOf(run, () => (++at < length && at < self.length ? [self[at], at, self] : null), fn, node);
  },
  map: (_, self, each) => self.map((one, i) => each(one, i)),
  flatMap: (_, self, each) => self.map((one, i) => each(one, i)).flat(),
  reduce: (run, self, _, [fn, first], node) => self.reduce((all, one, i) => run.call(fn, [all, one, i], node), first),
  filter(run, self, each, _, node) {
    const truths = self.map((one, i) => truth(each(one, i), run.host));
    return truths.includes(undefined) ? unknown(node) : self.filter((_one, i) => truths[i]);
  },
  some: (run, self, each, _, node) => stopping(run, self, each, { stop: true, node, operator: '||' }, (at) => at >= 0),
  every: (run, self, each, _, node) => stopping(run, self, each, { stop: false, node, operator: '&&' }, (at) => at < 0),
  find: (run, self, each, _, node) => stopping(run, self, each, { stop: true, node }, (at) => self[at]),
  findIndex: (run, self, each, _, node) => stopping(run, self, each, { stop: true, node }, (at) => at),
};

/**
 * Calls a function with each element until one has a result that stops; `found` makes the value of its place, or of -1.
 * @type {(run: Interpreter, self: Value[], each: Each, of: { stop: boolean, node: Node, operator?: string }, found:
 *   (at: number) => Value) => Value}
 */
function stopping(run, self, each, { stop, node, operator }, found) {
  /** @type {Value[]} */
  const values = [];
  run.branches.loop(
    node,
    () => values.length < self.length,
    () => {
      const value = each(self[values.length], values.length);
      values.push(value);
      const test = stop ? value : unary('!', value, node, run.host);
      return run.branches.branch(
        test,
        () => ({ kind: 'break' }),
        () => null,
      );
    },
  );
  const truths = values.map((one) => truth(one, run.host));
  if (!truths.includes(undefined)) return found(truths.indexOf(stop));
  return operator ? values.reduce((left, right) => sym('logical', { operator, left, right, node })) : unknown(node);
}

/**
 * Calls a function with arguments until there are no more.
 * @type {(run: Interpreter, next: () => Value[] | null, fn: Value, node: Node) => void}
 */
export function eachOf(run, next, fn, node) {
  /** @type {Value[] | null} */
  let args;
  run.branches.loop(
    node,
    () => (args = next()) !== null,
    () => (run.call(fn, args ?? [], node), null),
  );
}
