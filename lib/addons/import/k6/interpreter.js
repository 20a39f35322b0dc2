import { BINARY, CHANGES, GLOBALS, nameList, memberOf, methodOf, UNARY } from './builtins.js';
import { classOf, nameOf } from './classes.js';
import { KeptState } from './kept-state.js';
import { isText, template } from './texts.js';
import { Fn, isKnown, isPrimitive, isStructure, Native, object, Scope, Sym, sym, Thrown, unknown } from './values.js';

/** @typedef {any} Node */
/** @typedef {any} Value */
/**
 * @typedef {{ kind: 'return' | 'break' | 'continue' | 'throw', value?: Value } | null} Completion how a statement
 *   ended
 */
/** @typedef {Map<any, Map<any, Value>>} Changes new values of members, by their holders */
/** @typedef {{ test: Value, until: string }} Guard a condition of what follows, and what ends it */

const MOST_STEPS = 200_000;
const MOST_CALLS = 60;
/** Passes of a loop that are written one after the other. */
const MOST_PASSES = 100;
/** Functions of JavaScript that are not followed, and send nothing. */
const HARMLESS =
  /^(?:Set|Map|Weak\w+|URL|URLSearchParams|RegExp|Intl|\w*Error|Symbol|BigInt|Buffer|Text(?:En|De)coder|\w+Array|DataView|ArrayBuffer|atob|btoa|escape|unescape|isFinite|structuredClone|performance|Reflect|Proxy|globalThis|clear\w+)$/;

/**
 * Follows a script as k6 would run it, without running it: values that only a run knows are symbols, and both sides of
 * a condition that only a run knows are followed, each under its guard.
 */
export class Interpreter {
  #steps = 0;
  #depth = 0;
  /** Conditions under which the current statement runs. @type {Guard[]} */
  guards = [];
  /**
   * Values before they were changed under a condition.
   * @type {{ holder: any, key: any, before: Value, had: boolean }[] | null}
   */
  #changes = null;
  /**
   * The values that the current function may have returned, under a condition.
   * @type {{ test: Value, value: Value }[]}
   */
  #returns = [];
  /** What the script itself holds, while an iteration is followed. @type {KeptState | null} */
  #kept = null;
  /** Calls of functions that are not followed, in the current statement. @type {{ node: Node, why: string }[]} */
  #calls = [];
  /** @type {Scope} */
  global = new Scope(null, true);

  /**
   * @typedef {object} Host what writes the flow
   * @property {(node: Node, why: string) => void} leave writes the lines of a node as a comment
   * @property {(node: Node, why: string) => void} leaveCall the same, unless they are in the flow
   * @property {(node: Node) => void} skip this node never runs
   * @property {(value: Sym, fallback: Value) => void} unset
   */

  /** @param {Host} host */
  constructor(host) {
    this.host = host;
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

  /** @type {(name: string, scope: Scope) => Scope | null} */
  #holderOf(name, scope) {
    for (let one = /** @type {Scope | null} */ (scope); one; one = one.parent) if (name in one.values) return one;
    return null;
  }

  /** @type {(node: Node, scope: Scope) => Value} */
  lookup(node, scope) {
    const holder = this.#holderOf(node.name, scope);
    if (holder) this.reads(holder.values, node.name);
    return holder
      ? holder.values[node.name]
      : node.name === 'undefined'
        ? undefined
        : Object.assign(unknown(node, `${node.name} is not known`), { isHarmless: HARMLESS.test(node.name) });
  }

  /** Changes a member, and notes what it was. @type {(holder: any, key: any, value: Value) => void} */
  write(holder, key, value) {
    if (holder[key] !== value) this.#kept?.write(holder, key, this.guards);
    this.#set(holder, key, value);
  }

  /** @type {(holder: any, key: any, value: Value) => void} */
  #set(holder, key, value) {
    this.#changes?.push({ holder, key, before: holder[key], had: key in holder });
    if (value === GONE) delete holder[key];
    else holder[key] = value;
  }

  /** Removes a member, as `delete` does. @type {(holder: any, key: any) => void} */
  remove(holder, key) {
    if (Object.hasOwn(holder, key)) this.write(holder, key, GONE);
  }

  /** @type {(holder: Value, key: Value) => void} */
  reads(holder, key) {
    const members = holder instanceof Native ? holder.members : holder;
    if (isPrimitive(key)) this.#kept?.read(members, key, this.guards);
    else this.#kept?.readWhole(holder, this.guards);
  }

  /** All that these values have is read. @type {(values: Value[]) => void} */
  readsWhole(values) {
    for (const one of this.#kept ? values : []) this.#kept?.readWhole(one, this.guards);
  }

  /** What has a value that only a run knows, has another one. @type {(place: Node, scope: Scope) => void} */
  lose(place, scope) {
    const value = unknown(place, 'the script changes it, and only a run knows it');
    if (PATTERNS[place.type]) this.assign(place, value, scope, false);
  }

  /** @type {(pattern: Node, value: Value, scope: Scope, declares: boolean) => void} */
  assign(pattern, value, scope, declares) {
    PATTERNS[pattern.type]?.(this, pattern, value, { scope, declares });
  }

  /** @type {(name: string, value: Value, place: { scope: Scope, declares: boolean }) => void} */
  setVariable(name, value, { scope, declares }) {
    if (value instanceof Sym) value.hint ??= name;
    if (Array.isArray(value)) nameList(value, name);
    const holder = declares ? scope : (this.#holderOf(name, scope) ?? this.global);
    this.write(holder.values, name, value);
  }

  /** The members of an object may have changed. @type {(holder: Value, node: Node) => void} */
  forget(holder, node) {
    if (!isStructure(holder)) return;
    for (const key of Object.keys(holder)) this.#set(holder, key, unknown(node, 'it may have changed'));
  }

  /** One of the members is changed, and only a run knows which one. @type {(holder: Value, node: Node) => void} */
  changeOne(holder, node) {
    for (const key of [...Object.keys(holder), '…']) this.#kept?.write(holder, key, this.guards);
    this.forget(holder, node);
    if (!Array.isArray(holder)) this.#set(holder, '…', unknown(node, 'only a run knows which member is changed'));
  }

  /** Where the members of an object are that the script sets. @type {(value: Value) => Value} */
  membersOf(value) {
    return value instanceof Sym ? /** @type {any} */ (value.own ??= object()) : isStructure(value) ? value : object();
  }

  /**
   * A part of what only a run knows is changed, which `place` has: that is changed, too.
   * @type {(holder: any, key: Value, value: Value, of: { place: Node, scope: Scope }) => void}
   */
  changeSymbol(holder, key, value, { place, scope }) {
    if (holder.type === 'unknown' || holder.type === 'environment') return;
    const isNamed = isPrimitive(key) && key !== '…';
    this.write(this.membersOf(holder), isNamed ? key : '…', isNamed ? value : unknown(place, 'the script changes it'));
    for (const side of [holder.yes, holder.no]) this.forget(side, place);
    if (isPlainMember(place)) this.assign(place, holder, scope, false);
  }

  /** @type {(whole: Value, key: Value, node: Node) => Value} */
  memberOf(whole, key, node) {
    this.reads(whole, key);
    return memberOf(whole, key, node);
  }

  /** @type {(property: Node, scope: Scope) => any} */
  keyOf({ key, computed }, scope) {
    return computed ? this.value(key, scope) : nameOf(key);
  }

  /** Calls a function of the script, or of k6. @type {(fn: Value, args: Value[], node: Node) => Value} */
  call(fn, args, node) {
    if (fn instanceof Native) this.readsWhole(args);
    if (fn instanceof Native) return fn.call(args, node, this);
    if (!(fn instanceof Fn) || this.#depth >= MOST_CALLS || fn.node.generator) return this.unfollowed(fn, args, node);
    const outer = { guards: this.guards.length, returns: this.#returns };
    this.#returns = [];
    this.#depth++;
    try {
      const completion = this.#body(fn, args);
      if (completion?.kind === 'throw') throw new Thrown();
      const last = completion?.kind === 'return' ? completion.value : undefined;
      return this.#returns.reduceRight((value, one) => choice(one.test, one.value, value), last);
    } finally {
      this.#depth--;
      this.#returns = outer.returns;
      this.#endGuards(outer.guards, 'return');
    }
  }

  /** @type {(fn: Fn, args: Value[]) => Completion} */
  #body({ node, scope: outer }, args) {
    const scope = new Scope(outer, true);
    for (const [i, one] of node.params.entries())
      if (one.type === 'RestElement') this.assign(one.argument, args.slice(i), scope, true);
      else this.assign(one, args[i], scope, true);
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
    for (const one of args) this.forget(one, node);
    for (const one of args)
      if (one instanceof Fn)
        this.branch(
          unknown(node, why),
          () => (
            this.call(
              one,
              one.node.params.map((/** @type {Node} */ own) => unknown(own)),
              node,
            ),
            null
          ),
          () => null,
        );
    if (!isHarmless) this.#calls.push({ node, why });
    return Object.assign(unknown(node, why), { isHarmless });
  }

  /** @type {(from: number, ...kinds: string[]) => void} */
  #endGuards(from, ...kinds) {
    this.guards = this.guards.filter(({ until }, i) => i < from || !kinds.includes(until));
  }

  /** Runs what may throw; true: it did. @type {(act: () => void) => boolean} */
  catches(act) {
    const from = this.guards.length;
    try {
      act();
      return false;
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      return true;
    } finally {
      this.#endGuards(from, 'throw');
    }
  }

  /** How a statement ends that may throw. @type {(act: () => Completion) => Completion} */
  ending(act) {
    /** @type {Completion} */
    let completion = null;
    return this.catches(() => void (completion = act())) ? { kind: 'throw' } : completion;
  }

  /**
   * Runs a function without lasting changes of what the script holds, and names what it reads and then changes.
   * @type {(scope: Scope, onKept: (name: string) => void, act: () => void) => void}
   */
  isolated(scope, onKept, act) {
    this.#kept = new KeptState(scope, onKept);
    this.#under(true, () => (act(), null));
    this.#kept = null;
  }

  /** @type {(test: Value, act: () => Completion) => { completion: Completion, changes: Changes }} */
  #under(test, act) {
    const outer = this.#changes;
    /** @type {NonNullable<typeof outer>} */
    const own = [];
    this.#changes = own;
    const from = this.guards.length;
    if (test !== true) this.guards.push({ test, until: 'block' });
    /** @type {Completion} */
    let completion = null;
    try {
      completion = act();
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      completion = { kind: 'throw' };
    }
    if (test !== true) this.guards = [...this.guards.slice(0, from), ...this.guards.slice(from + 1)];
    this.#changes = outer;
    /** @type {Map<any, Map<any, Value>>} */
    const changes = new Map();
    for (const { holder, key } of own)
      changes.set(holder, (changes.get(holder) ?? new Map()).set(key, key in holder ? holder[key] : GONE));
    for (const { holder, key, before, had } of own.reverse())
      if (had) holder[key] = before;
      else delete holder[key];
    return { completion, changes };
  }

  /**
   * Follows both sides of a condition; `decides` is that of the values that one of them changes.
   * @type {(test: Value, yes: () => Completion, no: () => Completion, decides?: Value) => Completion}
   */
  branch(test, yes, no, decides = test) {
    const known = this.truth(test);
    if (known !== undefined) return (known ? yes : no)();
    const not = sym('unary', { operator: '!', argument: test, node: test.node });
    const [first, second] = [this.#under(test, yes), this.#under(not, no)];
    const [a, b] = [first.completion, second.completion];
    if (a && !b) this.#keep(null, [second.changes]);
    else if (b && !a) this.#keep(null, [first.changes]);
    else this.#keep(decides, [first.changes, second.changes]);
    if (a && b) {
      if (a.kind === 'return' && b.kind === 'return') return { kind: 'return', value: choice(test, a.value, b.value) };
      return a.kind === 'throw' ? b : a;
    }
    if (a) this.#endUnder(a, test, not);
    if (b) this.#endUnder(b, not, test);
    return null;
  }

  /** @type {(completion: NonNullable<Completion>, test: Value, not: Value) => void} */
  #endUnder({ kind, value }, test, not) {
    if (kind === 'return') this.#returns.push({ test, value });
    this.guards.push({ test: not, until: kind });
  }

  /**
   * Keeps what the sides of a condition changed; without a test, one of them ended the function, and the other goes on.
   * @type {(test: Value, sides: Changes[]) => void}
   */
  #keep(test, sides) {
    /** @type {Map<any, Set<any>>} */
    const all = new Map();
    for (const changes of sides)
      for (const [holder, members] of changes)
        all.set(holder, new Set([...(all.get(holder) ?? []), ...members.keys()]));
    for (const [holder, keys] of all)
      for (const key of keys) {
        const [yes, no] = [sides[0], sides.at(-1)].map((one) => {
          const members = one?.get(holder);
          return members?.has(key) ? members.get(key) : holder[key];
        });
        const value = test === null ? yes : choice(test, yes, no);
        if (value instanceof Sym) value.hint ??= String(key);
        if (sides.every((one) => one.get(holder)?.has(key))) this.write(holder, key, value);
        else this.#set(holder, key, value);
      }
  }

  /** Whether a condition holds; undefined: only a run knows. @type {(value: Value) => boolean | undefined} */
  truth(value) {
    if (!(value instanceof Sym)) return (typeof value === 'object' && value !== null) || Boolean(value);
    const { type, operator, argument } = /** @type {any} */ (value);
    if (isUnset(value)) {
      this.host.unset(value, undefined);
      return false;
    }
    if (type === 'unary' && operator === '!') {
      const inner = this.truth(argument);
      return inner === undefined ? undefined : !inner;
    }
    return type === 'binary' ? this.#truthOf(value) : ['response', 'row', 'rows'].includes(type) || undefined;
  }

  /** @type {(value: any) => boolean | undefined} */
  #truthOf({ operator, left, right }) {
    const sides = [left, right].filter(isUnset);
    if (sides.length > 0) {
      const [a, b] = [left, right].map((one) => (isUnset(one) ? undefined : one));
      if ([a, b].some((one) => one instanceof Sym)) return undefined;
      this.host.unset(sides[0], undefined);
      return Boolean(BINARY[operator]?.(a, b));
    }
    // What an expected status is, is known: with another one the iteration ends.
    const { draft, isGrpc } = left?.type === 'member' && left.key === 'status' ? (left.object ?? {}) : {};
    const status = isGrpc ? undefined : draft?.operation.expect?.status;
    return typeof status === 'number' && isPrimitive(right) ? Boolean(BINARY[operator]?.(status, right)) : undefined;
  }

  /**
   * Follows a loop, pass by pass, while its number of passes is known.
   * @type {(node: Node, next: () => boolean | undefined, body: () => Completion) => Completion}
   */
  loop(node, next, body) {
    const from = this.guards.length;
    for (let pass = 0; ; pass++) {
      const goesOn = next();
      if (goesOn === false) break;
      if (goesOn === undefined || pass >= MOST_PASSES) {
        this.#endGuards(from, 'break', 'continue');
        return this.unknownLoop(
          node,
          body,
          goesOn === undefined ? 'only a run knows how often it is repeated' : 'it is repeated too often to be written',
        );
      }
      const completion = body();
      this.#endGuards(from, 'continue');
      if (completion?.kind === 'break') break;
      if (completion && completion.kind !== 'continue') return completion;
    }
    this.#endGuards(from, 'break');
    return null;
  }

  /** @type {(node: Node, body: () => Completion, why: string) => Completion} */
  unknownLoop(node, body, why) {
    this.branch(
      unknown(node, why),
      body,
      () => null,
      unknown(node, 'it depends on a loop before it, and only a run knows how often that is repeated'),
    );
    return null;
  }
}

/**
 * How values become those of variables and members, by the types of patterns.
 * @type {Record<string, (run: Interpreter, pattern: Node, value: Value, place: { scope: Scope, declares: boolean }) =>
 *   void>}
 */
const PATTERNS = {
  Identifier: (run, { name }, value, place) => run.setVariable(name, value, place),
  AssignmentPattern(run, { left, right }, value, { scope, declares }) {
    const isMissing = value === undefined || isUnset(value);
    const given = isMissing ? run.value(right, scope) : value;
    if (isMissing && value !== undefined) run.host.unset(value, given);
    run.assign(left, given, scope, declares);
  },
  ArrayPattern(run, pattern, value, { scope, declares }) {
    for (const [i, one] of pattern.elements.entries())
      if (one?.type === 'RestElement')
        run.assign(one.argument, Array.isArray(value) ? value.slice(i) : unknown(one), scope, declares);
      else if (one) run.assign(one, run.memberOf(value, i, pattern), scope, declares);
  },
  ObjectPattern(run, pattern, value, { scope, declares }) {
    for (const one of pattern.properties)
      if (one.type === 'RestElement') run.assign(one.argument, unknown(one), scope, declares);
      else run.assign(one.value, run.memberOf(value, run.keyOf(one, scope), pattern), scope, declares);
  },
  MemberExpression(run, pattern, value, { scope }) {
    const holder = run.value(pattern.object, scope);
    const key = pattern.computed ? run.value(pattern.property, scope) : nameOf(pattern.property);
    if (holder instanceof Sym) run.changeSymbol(holder, key, value, { place: pattern.object, scope });
    else if (holder instanceof Native && isPrimitive(key)) run.write(holder.members, key, value);
    else if (!isStructure(holder)) run.host.leave(pattern, 'it changes a value that is not known');
    else if (isPrimitive(key)) run.write(holder, key, value);
    else run.changeOne(holder, pattern);
  },
};

/** Reports whether a value is, or is made of, an unset environment variable. @type {(value: Value) => boolean} */
function isUnset(value) {
  if (!(value instanceof Sym)) return false;
  const { type, args, argument, object: whole } = /** @type {any} */ (value);
  if (type === 'global')
    return /^(?:Number|parseInt|parseFloat|JSON\.parse)$/.test(/** @type {any} */ (value).name) && isUnset(args[0]);
  if (type === 'unary') return /** @type {any} */ (value).operator === '+' && isUnset(argument);
  if (type === 'parsed') return isUnset(/** @type {any} */ (value).value);
  return type === 'env' || (type === 'call' && isUnset(whole));
}

/** The value of a member that is removed. */
const GONE = Symbol('gone');

/** @type {(test: Value, yes: Value, no: Value) => Value} */
function choice(test, yes, no) {
  const others = [yes, no].filter((one) => one !== GONE);
  // A member that neither side has, is undefined on the side that did not remove it.
  if (others.length < 2)
    return others[0] === undefined ? GONE : unknown(test.node, 'only a run knows whether it is removed');
  return yes === no || (isKnown(yes) && isKnown(no) && isPrimitive(yes) && Object.is(yes, no))
    ? yes
    : sym('conditional', { test, yes, no, node: test.node });
}

/** @type {Record<string, (run: Interpreter, node: Node, scope: Scope) => Completion>} */
const STATEMENTS = {
  ExpressionStatement: (run, { expression }, scope) => (void run.value(expression, scope), null),
  VariableDeclaration(run, { declarations, kind }, scope) {
    for (const { id, init } of declarations) {
      if (!init && kind === 'var') continue;
      let holder = scope;
      while (kind === 'var' && !holder.isFunction && holder.parent) holder = holder.parent;
      run.assign(id, run.value(init, scope), holder, true);
    }
    return null;
  },
  ExportNamedDeclaration: (run, { declaration }, scope) => (declaration ? run.statement(declaration, scope) : null),
  ExportDefaultDeclaration(run, { declaration }, scope) {
    const isFunction = /^Function/.test(declaration.type);
    scope.values.default = isFunction ? new Fn(declaration, scope) : run.value(declaration, scope);
    return null;
  },
  ClassDeclaration: (run, node, scope) => ((scope.values[node.id.name] = classOf(run, node, scope)), null),
  TSEnumDeclaration(run, { id, members }, scope) {
    const made = object();
    const own = new Scope(scope);
    scope.values[id.name] = made;
    let next = 0;
    for (const { id: name, initializer } of members) {
      const key = nameOf(name);
      const value = initializer ? run.value(initializer, own) : next;
      own.values[key] = made[key] = value;
      if (typeof value === 'number') {
        made[value] = key;
        next = value + 1;
      }
    }
    return null;
  },
  BlockStatement: (run, { body }, scope) => run.statements(body, new Scope(scope)),
  ReturnStatement: (run, { argument }, scope) => ({ kind: 'return', value: run.value(argument, scope) }),
  ThrowStatement: () => ({ kind: 'throw' }),
  BreakStatement: () => ({ kind: 'break' }),
  ContinueStatement: () => ({ kind: 'continue' }),
  LabeledStatement: (run, node, scope) =>
    run.unknownLoop(node, () => run.statement(node.body, scope), 'jumps to a label are not followed'),
  IfStatement(run, { test, consequent, alternate }, scope) {
    const value = located(run.value(test, scope), test);
    const never = value ? alternate : consequent;
    if (!(value instanceof Sym) && never) run.host.skip(never);
    return run.branch(
      value,
      () => run.statement(consequent, scope),
      () => (alternate ? run.statement(alternate, scope) : null),
    );
  },
  TryStatement(run, { block, handler, finalizer }, scope) {
    let completion = run.ending(() => run.statement(block, scope));
    if (completion?.kind === 'throw' && handler) {
      const own = new Scope(scope);
      if (handler.param) run.assign(handler.param, unknown(handler.param), own, true);
      completion = run.ending(() => run.statement(handler.body, own));
    }
    return (finalizer ? run.statement(finalizer, scope) : null) ?? completion;
  },
  ForStatement(run, node, outer) {
    let scope = new Scope(outer);
    if (node.init) /Declaration/.test(node.init.type) ? run.statement(node.init, scope) : run.value(node.init, scope);
    let isFirst = true;
    return run.loop(
      node,
      () => {
        // Each pass has variables of its own, which its functions keep.
        if (!isFirst) scope = Object.assign(new Scope(outer), { values: object({ ...scope.values }) });
        if (!isFirst && node.update) run.value(node.update, scope);
        isFirst = false;
        return node.test ? run.truth(located(run.value(node.test, scope), node.test)) : true;
      },
      () => run.statement(node.body, new Scope(scope)),
    );
  },
  WhileStatement: (run, node, scope) =>
    run.loop(
      node,
      () => run.truth(run.value(node.test, scope)),
      () => run.statement(node.body, scope),
    ),
  DoWhileStatement(run, node, scope) {
    let isFirst = true;
    return run.loop(
      node,
      () => (isFirst ? !(isFirst = false) : run.truth(run.value(node.test, scope))),
      () => run.statement(node.body, scope),
    );
  },
  ForOfStatement: (run, node, scope) => each(run, node, scope, run.value(node.right, scope)),
  ForInStatement(run, node, scope) {
    const given = run.value(node.right, scope);
    return each(run, node, scope, isStructure(given) ? Object.keys(given) : given);
  },
  SwitchStatement(run, node, outer) {
    const scope = new Scope(outer);
    const given = run.value(node.discriminant, scope);
    const tests = node.cases.map((/** @type {Node} */ { test }) =>
      test ? binary(run, '===', given, run.value(test, scope), node.discriminant) : true,
    );
    /** @type {(at: number) => Completion} */
    const from = (at) => {
      if (at >= tests.length) return null;
      const isDefault = node.cases[at].test === null;
      return run.branch(
        isDefault ? true : tests[at],
        () => {
          for (const { consequent } of node.cases.slice(at)) {
            const completion = run.statements(consequent, scope);
            if (completion) return completion.kind === 'break' ? null : completion;
          }
          return null;
        },
        () => from(at + 1),
      );
    };
    return from(0);
  },
};

/** @type {(run: Interpreter, node: Node, scope: Scope, list: Value) => Completion} */
function each(run, node, scope, list) {
  let at = 0;
  const isList = Array.isArray(list);
  run.readsWhole([list]);
  return run.loop(
    node,
    () => (isList ? at < list.length : undefined),
    () => {
      const own = new Scope(scope);
      const isDeclared = node.left.type === 'VariableDeclaration';
      const target = isDeclared ? node.left.declarations[0].id : node.left;
      run.assign(target, isList ? list[at++] : unknown(node.right), own, isDeclared);
      return run.statement(node.body, own);
    },
  );
}

/** Lets a condition have a place in the script. @type {(value: Value, node: Node) => Value} */
function located(value, node) {
  if (value instanceof Sym) /** @type {any} */ (value).node ??= node;
  return value;
}

/** @type {(run: Interpreter, operator: string, left: Value, right: Value, node: Node) => Value} */
export function binary(run, operator, left, right, node) {
  if (operator === '+' && (isText(left) || isText(right))) return template([left, right], node);
  if (isPrimitive(left) && isPrimitive(right)) return BINARY[operator] ? BINARY[operator](left, right) : unknown(node);
  if (left instanceof Sym || right instanceof Sym) return sym('binary', { operator, left, right, node });
  if (/^[!=]==?$/.test(operator)) return (left === right) === operator.startsWith('=');
  return unknown(node);
}

/** @type {Record<string, (run: Interpreter, node: Node, scope: Scope) => Value>} */
const EXPRESSIONS = {
  Literal: (_, { value, regex, bigint }) =>
    regex ? sym('regexp', { source: regex.pattern, flags: regex.flags }) : bigint ? Number(bigint) : value,
  TemplateLiteral: (run, node, scope) =>
    template(
      node.quasis.flatMap((/** @type {Node} */ { value }, /** @type {number} */ i) => [
        value.cooked,
        ...(node.expressions[i] ? [run.value(node.expressions[i], scope)] : []),
      ]),
      node,
    ),
  TaggedTemplateExpression: (run, node, scope) =>
    // http.url`…` only names the request.
    node.tag.property?.name === 'url'
      ? run.value(node.quasi, scope)
      : run.unfollowed(run.value(node.tag, scope), [run.value(node.quasi, scope)], node),
  Identifier: (run, node, scope) => run.lookup(node, scope),
  ArrayExpression: (run, { elements }, scope) =>
    elements.flatMap((/** @type {Node} */ one) => {
      if (one?.type !== 'SpreadElement') return [run.value(one, scope)];
      return spread(run, one, scope);
    }),
  ObjectExpression(run, { properties }, scope) {
    const made = object();
    const own = new Scope(scope, true);
    own.values.this = made;
    for (const one of properties) {
      if (one.type === 'SpreadElement') {
        const more = run.value(one.argument, scope);
        run.readsWhole([more]);
        if (isStructure(more)) Object.assign(made, more);
        else if (more !== undefined && more !== null) made['…'] = unknown(one);
        continue;
      }
      const key = run.keyOf(one, scope);
      if (!isPrimitive(key)) made['…'] = unknown(one);
      else if (one.kind !== 'init') made[key] = unknown(one, 'getters are not followed');
      else made[key] = run.value(one.value, one.value.type === 'FunctionExpression' ? own : scope);
    }
    return made;
  },
  ThisExpression: (run, node, scope) => run.lookup({ ...node, name: 'this' }, scope),
  Super: (run, node, scope) => run.lookup({ ...node, name: 'super' }, scope),
  ClassDeclaration: (run, node, scope) => classOf(run, node, scope),
  ClassExpression: (run, node, scope) => classOf(run, node, scope),
  ArrowFunctionExpression: (_, node, scope) => new Fn(node, scope),
  FunctionExpression: (_, node, scope) => new Fn(node, scope),
  ChainExpression: (run, { expression }, scope) => run.value(expression, scope),
  AwaitExpression: (run, { argument }, scope) => run.value(argument, scope),
  ParenthesizedExpression: (run, { expression }, scope) => run.value(expression, scope),
  SequenceExpression: (run, { expressions }, scope) =>
    expressions.map((/** @type {Node} */ one) => run.value(one, scope)).at(-1),
  UnaryExpression(run, node, scope) {
    const { operator, argument } = node;
    if (operator === 'delete') return deleted(run, argument, scope);
    const given = run.value(argument, scope);
    if (operator === 'typeof') return typeText(given, node);
    if (!(given instanceof Sym)) return UNARY[operator]?.(given);
    const known = operator === '!' ? run.truth(given) : undefined;
    return known === undefined ? sym('unary', { operator, argument: given, node }) : !known;
  },
  BinaryExpression: (run, node, scope) =>
    binary(run, node.operator, run.value(node.left, scope), run.value(node.right, scope), node),
  LogicalExpression(run, node, scope) {
    const left = run.value(node.left, scope);
    const right = () => run.value(node.right, scope);
    if (isUnset(left) && node.operator !== '&&') {
      const value = right();
      run.host.unset(left, value);
      return value;
    }
    const known =
      node.operator === '??'
        ? left instanceof Sym
          ? undefined
          : left !== null && left !== undefined
        : run.truth(left);
    if (known !== undefined) return known === (node.operator !== '&&') ? left : right();
    // `res.json('id') || 7`: what is missing ends the iteration.
    /** @type {Value} */
    let value;
    const test =
      node.operator === '||' || node.operator === '??'
        ? sym('unary', { operator: '!', argument: left, node: node.left })
        : left;
    run.branch(
      test,
      () => ((value = right()), null),
      () => null,
    );
    return sym('logical', { operator: node.operator, left, right: value, node });
  },
  ConditionalExpression(run, node, scope) {
    const test = located(run.value(node.test, scope), node.test);
    /** @type {Value[]} */
    const sides = [];
    const known = run.truth(test);
    if (known !== undefined) return run.value(known ? node.consequent : node.alternate, scope);
    run.branch(
      test,
      () => ((sides[0] = run.value(node.consequent, scope)), null),
      () => ((sides[1] = run.value(node.alternate, scope)), null),
    );
    return choice(test, sides[0], sides[1]);
  },
  AssignmentExpression(run, node, scope) {
    const { operator, left, right } = node;
    const target = left.type === 'MemberExpression' || left.type === 'Identifier' ? left : null;
    if (/^(?:\|\||\?\?|&&)=$/.test(operator) && target) {
      const value = run.value({ ...node, type: 'LogicalExpression', operator: operator.slice(0, -1) }, scope);
      run.assign(left, value, scope, false);
      return value;
    }
    const given = run.value(right, scope);
    const value =
      operator === '='
        ? given
        : target
          ? binary(run, operator.slice(0, -1), run.value(left, scope), given, node)
          : unknown(node);
    run.assign(left, value, scope, false);
    return value;
  },
  UpdateExpression(run, node, scope) {
    const before = run.value(node.argument, scope);
    const after = binary(run, node.operator === '++' ? '+' : '-', before, 1, node);
    run.assign(node.argument, after, scope, false);
    return node.prefix ? after : before;
  },
  MemberExpression(run, node, scope) {
    const whole = run.value(node.object, scope);
    const key = node.computed ? run.value(node.property, scope) : nameOf(node.property);
    return run.memberOf(whole, key, node);
  },
  CallExpression(run, node, scope) {
    const { callee } = node;
    if (
      callee.type === 'MemberExpression' ||
      (callee.type === 'ChainExpression' && callee.expression.type === 'MemberExpression')
    ) {
      const target = callee.expression ?? callee;
      const self = run.value(target.object, scope);
      const name = target.computed ? run.value(target.property, scope) : nameOf(target.property);
      const args = argumentsOf(run, node, scope);
      const own = self instanceof Sym || isPrimitive(self) ? undefined : memberOf(self, name, node);
      if (own instanceof Fn || own instanceof Native) return run.call(own, args, node);
      run.readsWhole([self, ...args]);
      if (self instanceof Sym && CHANGES.has(name))
        run.changeSymbol(self, '…', undefined, { place: target.object, scope });
      return methodOf(run, self, name, args, node);
    }
    return run.call(run.value(callee, scope), argumentsOf(run, node, scope), node);
  },
  NewExpression(run, node, scope) {
    const made = run.value(node.callee, scope);
    const args = argumentsOf(run, node, scope);
    return made instanceof Native ? made.call(args, node, run) : run.unfollowed(made, args, node);
  },
};

/** `a.b.c`, without calls. @type {(node: Node) => boolean} */
function isPlainMember({ type, object: whole, property, computed }) {
  if (type !== 'MemberExpression' || (computed && property.type !== 'Literal')) return false;
  return /^(?:Identifier|ThisExpression)$/.test(whole.type) || isPlainMember(whole);
}

/** @type {(run: Interpreter, argument: Node, scope: Scope) => boolean} */
function deleted(run, argument, scope) {
  const target = argument.expression ?? argument;
  if (target.type !== 'MemberExpression') return true;
  const holder = run.value(target.object, scope);
  const key = target.computed ? run.value(target.property, scope) : nameOf(target.property);
  if (holder instanceof Sym) run.lose(target.object, scope);
  else if (!isStructure(holder)) return true;
  else if (isPrimitive(key)) run.remove(holder, key);
  else run.changeOne(holder, target);
  return true;
}

/** @type {(value: Value, node: Node) => Value} */
function typeText(value, node) {
  if (value instanceof Fn || value instanceof Native) return 'function';
  return value instanceof Sym ? sym('unary', { operator: 'typeof', argument: value, node }) : typeof value;
}

/** @type {(run: Interpreter, node: Node, scope: Scope) => Value[]} */
function argumentsOf(run, node, scope) {
  return node.arguments.flatMap((/** @type {Node} */ one) => {
    if (one.type !== 'SpreadElement') return [run.value(one, scope)];
    return spread(run, one, scope);
  });
}

/** @type {(run: Interpreter, node: Node, scope: Scope) => Value[]} */
function spread(run, node, scope) {
  const list = run.value(node.argument, scope);
  run.readsWhole([list]);
  return Array.isArray(list) ? list : [unknown(node)];
}
