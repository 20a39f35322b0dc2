import { accessor, Fn, Native, object, Scope, unknown } from './values.js';

/** @typedef {any} Value */
/** @typedef {any} Node */
/** @import { Interpreter } from './interpreter.js' */

/** A class of the script: a function that makes objects, with its static members. */
class Class extends Native {
  /** @param {Node} node @param {Scope} scope @param {Value} base */
  constructor(node, scope, base) {
    super(node.id?.name ?? 'class', (args, place, run) => run.nested(() => make(run, this, args, place), place));
    this.node = node;
    this.scope = scope;
    this.base = base;
    if (base instanceof Class) Object.setPrototypeOf(this.members, base.members);
  }
}

/** @type {(run: Interpreter, node: Node, scope: Scope) => Value} */
export function classOf(run, node, scope) {
  const base = node.superClass ? run.value(node.superClass, scope) : null;
  if (base !== null && !(base instanceof Class)) return unknown(node, 'what its class extends is not known');
  const made = new Class(node, scope, base);
  const own = thisScope(made, made, object());
  if (node.id) own.values[node.id.name] = made;
  addMembers(run, node, { self: made.members, scope: own, isStatic: true });
  addFields(run, node, { self: made.members, scope: own, isStatic: true });
  return made;
}

/** The name of a member, in `this.#name` and in `#name = 1`. @type {(key: Node) => any} */
export function nameOf({ type, name, value }) {
  return type === 'PrivateIdentifier' ? `#${name}` : (name ?? value);
}

/** @type {(made: Class, self: Value, parent: Value) => Scope} */
function thisScope(made, self, parent) {
  const scope = new Scope(made.scope, true);
  Object.assign(scope.values, { this: self, super: parent });
  return scope;
}

/**
 * Makes an object: the methods of all its classes come before the first constructor.
 * @type {(run: Interpreter, made: Class, args: Value[], place: Node) => Value}
 */
function make(run, made, args, place) {
  const self = object();
  /** @type {(own: Class) => Native} the constructor, which has the methods of its class as members */
  const prepare = (own) => {
    const parent = own.base ? prepare(own.base) : null;
    const scope = thisScope(own, self, parent);
    const begin = new Native('super', (given) => {
      const ctor = own.node.body.body.find((/** @type {Node} */ { kind }) => kind === 'constructor');
      const fields = () => addFields(run, own.node, { self, scope, isStatic: false });
      if (!parent) fields();
      else if (!ctor) (parent.call(given, place, run), fields());
      else {
        const start = new Native('super', (more, node) => (parent.call(more, node, run), fields()));
        start.members = parent.members;
        scope.values.super = start;
      }
      if (ctor) run.call(new Fn(ctor.value, scope), given, place);
    });
    if (parent) Object.setPrototypeOf(begin.members, parent.members);
    addMembers(run, own.node, { self, scope, isStatic: false, also: begin.members });
    return begin;
  };
  prepare(made).call(args, place, run);
  return self;
}

/** @typedef {{ self: any, scope: Scope, isStatic: boolean, also?: any }} Place */

/** Adds methods, which are no members of JSON. @type {(run: Interpreter, node: Node, place: Place) => void} */
function addMembers(run, { body }, { self, scope, isStatic, also }) {
  for (const one of body.body) {
    if (one.type !== 'MethodDefinition' || one.static !== isStatic || one.kind === 'constructor') continue;
    const key = run.keyOf(one, scope);
    const fn = new Fn(one.value, scope);
    // both functions of an accessor are in one class
    const before = body.body.includes(self[key]?.node) ? self[key] : undefined;
    const value = one.kind === 'method' ? fn : accessor({ [one.kind]: fn }, one, before);
    Object.defineProperty(self, key, { value, writable: true, configurable: true });
    if (also) also[key] = value;
  }
}

/** @type {(run: Interpreter, node: Node, place: Place) => void} */
function addFields(run, { body }, { self, scope, isStatic }) {
  for (const one of body.body)
    if (one.type === 'StaticBlock' && isStatic) run.statements(one.body, new Scope(scope, true));
    else if (one.type === 'PropertyDefinition' && one.static === isStatic)
      run.memory.write(self, run.keyOf(one, scope), run.value(one.value, scope));
}
