import { Branches } from './branches.js';
import { GLOBALS, memberOf } from './builtins.js';
import { nameOf } from './classes.js';
import { EXPRESSIONS } from './expressions.js';
import { Memory } from './memory.js';
import { assign } from './patterns.js';
import { STATEMENTS } from './statements.js';
import { textOf } from './urls.js';
import { Fn, isStructure, Native, Scope, Sym, unknown } from './values.js';

/** @import { Completion } from './branches.js' */
/** @import { Node, Value } from './values.js' */
/**
 * @typedef {object} Host what writes the flow
 * @property {(node: Node, why: string) => void} leave writes the lines of a node as a comment
 * @property {(node: Node, why: string) => void} leaveCall the same, unless they are in the flow
 * @property {(node: Node) => void} skip this node never runs
 * @property {(value: Sym, fallback: Value) => void} unset
 */

const MOST_STEPS = 200_000;
const MOST_CALLS = 60;

/**
 * Follows a script as k6 would run it, without running it: values that only a run knows are symbols, and both sides of
 * a condition that only a run knows are followed, each under its guard.
 */
export class Interpreter {
  #steps = 0;
  #depth = 0;
  /** Calls of functions that are not followed, in the current statement. @type {{ node: Node, why: string }[]} */
  #calls = [];
  /** @type {Scope} */
  global = new Scope(null, true);
  /** @type {Memory} */
  memory = new Memory(() => this.branches.guards);

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
    this.branches = new Branches(this.memory, host);
    for (const [name, value] of Object.entries(GLOBALS)) this.global.values[name] = value;
  }

  /** @type {(body: Node[], scope: Scope) => Completion} */
  statements(body, scope) {
    this.#hoist(body, scope);
    for (const node of body) {
      const completion = this.statement(node, scope);
      if (completion) return completion;
    }
    return null;
  }

  /** @type {(body: Node[], scope: Scope) => void} */
  #hoist(body, scope) {
    for (const one of body) {
      const node = one.declaration ?? one;
      if (node.type === 'FunctionDeclaration' && node.id) scope.values[node.id.name] = new Fn(node, scope);
    }
  }

  /** @type {(node: Node, scope: Scope) => Completion} */
  statement(node, scope) {
    if (++this.#steps > MOST_STEPS) return { kind: 'throw' };
    const act = STATEMENTS[node.type];
    const from = this.#calls.length;
    try {
      if (act) return act(this, node, scope);
    } finally {
      // The calls around others come after them.
      for (const one of this.#calls.splice(from).reverse()) this.host.leaveCall(one.node, one.why);
    }
    if (!/^(?:Empty|Function|Import|Debugger|ExportAll)/.test(node.type))
      this.host.leave(node, 'this statement is not followed');
    return null;
  }

  /** @type {(node: Node, scope: Scope) => Value} */
  value(node, scope) {
    if (!node) return undefined;
    if (++this.#steps > MOST_STEPS) return unknown(node, 'the script is too long to be followed');
    const act = EXPRESSIONS[node.type];
    return act ? act(this, node, scope) : unknown(node);
  }

  /** The value of a condition, which has a place in the script. @type {(node: Node, scope: Scope) => Value} */
  condition(node, scope) {
    const value = this.value(node, scope);
    if (value instanceof Sym) /** @type {any} */ (value).node ??= node;
    return value;
  }

  /** @type {(whole: Value, key: Value, node: Node) => Value} */
  memberOf(whole, key, node) {
    this.memory.reads(whole, key);
    const found = memberOf(whole, key, node);
    if (found?.type !== 'accessor' || !(found instanceof Sym)) return found;
    const { get } = /** @type {any} */ (found);
    return get && this.call(get, [], node);
  }

  /** The name of a member, or of a property. @type {(node: Node, scope: Scope) => any} */
  keyOf({ property, key = property, computed }, scope) {
    if (!computed) return nameOf(key);
    const value = textOf(this, this.value(key, scope), key);
    return isStructure(value) ? unknown(key) : value;
  }

  /** Calls a function of the script, or of k6. @type {(fn: Value, args: Value[], node: Node) => Value} */
  call(fn, args, node) {
    if (fn instanceof Native) this.memory.readsWhole(args);
    if (fn instanceof Native) return fn.call(args, node, this);
    if (!(fn instanceof Fn) || this.#depth >= MOST_CALLS || fn.node.generator) return this.unfollowed(fn, args, node);
    return this.nested(() => this.branches.returned(() => this.#body(fn, args)), node);
  }

  /** @type {(fn: Fn, args: Value[]) => Completion} */
  #body({ node, scope: outer }, args) {
    const scope = new Scope(outer, true);
    for (const [i, one] of node.params.entries())
      if (one.type === 'RestElement') assign(this, one.argument, args.slice(i), { scope, declares: true });
      else assign(this, one, args[i], { scope, declares: true });
    if (node.body.type === 'BlockStatement') return this.statements(node.body.body, scope);
    return { kind: 'return', value: this.value(node.body, scope) };
  }

  /** Makes a value by code of the script, unless it never ends. @type {(act: () => Value, node: Node) => Value} */
  nested(act, node) {
    if (this.#depth >= MOST_CALLS) return unknown(node, 'it calls itself too often');
    this.#depth++;
    try {
      return act();
    } finally {
      this.#depth--;
    }
  }

  /** `fn` may change or call arguments, and send requests. @type {(fn: Value, args: Value[], node: Node) => Value} */
  unfollowed(fn, args, node) {
    const { why = 'the function is not followed', isHarmless = false } =
      fn instanceof Sym ? /** @type {any} */ (fn) : {};
    for (const one of args) this.memory.forget(one, node);
    for (const one of args.filter((arg) => arg instanceof Fn)) {
      const unknowns = one.node.params.map((/** @type {Node} */ own) => unknown(own));
      this.branches.perhaps(unknown(node, why), () => void this.call(one, unknowns, node));
    }
    if (!isHarmless) this.#calls.push({ node, why });
    return Object.assign(unknown(node, why), { isHarmless });
  }
}
