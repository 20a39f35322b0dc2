import { nameList } from './builtins.js';
import { itemsOf } from './collections.js';
import { isUnset } from './operators.js';
import { isPrimitive, isStructure, membersOf, Native, OTHERS, Sym, Thrown, unknown } from './values.js';

/** @import { Interpreter } from './interpreter.js' */
/** @import { Node, Scope, Value } from './values.js' */

/** @typedef {{ scope: Scope, declares: boolean }} Place where the names of a pattern are */

/**
 * Makes a value that of a pattern: of variables, or of a member.
 * @type {(run: Interpreter, pattern: Node, value: Value, place: Place) => void}
 */
export function assign(run, pattern, value, place) {
  PATTERNS[pattern.type]?.(run, pattern, value, place);
}

/**
 * Makes a variable or member unknown, whose value only a run knows.
 * @type {(run: Interpreter, place: Node, scope: Scope) => void}
 */
export function lose(run, place, scope) {
  const value = unknown(place, 'the script changes it, and only a run knows it');
  assign(run, place, value, { scope, declares: false });
}

/** @type {Record<string, (run: Interpreter, pattern: Node, value: Value, place: Place) => void>} */
const PATTERNS = {
  Identifier(run, { name }, value, { scope, declares }) {
    if (value instanceof Sym) value.hint ??= name;
    if (Array.isArray(value)) nameList(value, name);
    const holder = declares ? scope : (scope.holderOf(name) ?? run.global);
    run.memory.write(holder.values, name, value);
  },
  AssignmentPattern(run, { left, right }, value, place) {
    const isMissing = value === undefined || isUnset(value);
    const given = isMissing ? run.value(right, place.scope) : value;
    if (isMissing && value !== undefined) run.host.unset(value, given);
    assign(run, left, given, place);
  },
  ArrayPattern(run, pattern, given, place) {
    const value = isStructure(given) ? (itemsOf(run, given) ?? unknown(pattern)) : given;
    for (const [i, one] of pattern.elements.entries())
      if (one?.type === 'RestElement')
        assign(run, one.argument, Array.isArray(value) ? value.slice(i) : unknown(one), place);
      else if (one) assign(run, one, run.memberOf(value, i, pattern), place);
  },
  ObjectPattern(run, pattern, value, place) {
    for (const one of pattern.properties)
      if (one.type === 'RestElement') assign(run, one.argument, unknown(one), place);
      else assign(run, one.value, run.memberOf(value, run.keyOf(one, place.scope), pattern), place);
  },
  MemberExpression(run, pattern, value, { scope }) {
    const holder = run.value(pattern.object, scope);
    const key = run.keyOf(pattern, scope);
    const { get, set } =
      isPrimitive(key) && (isStructure(holder) || holder instanceof Native) ? accessorAt(holder, key) : {};
    if (set) run.call(set, [value], pattern);
    else if (get) throw new Thrown();
    else if (holder instanceof Sym) changeSymbol(run, holder, key, value, { place: pattern.object, scope });
    else if (holder instanceof Native && isPrimitive(key)) run.memory.write(holder.members, key, value);
    else if (!isStructure(holder)) run.host.leave(pattern, 'it changes a value that is not known');
    else if (isPrimitive(key)) run.memory.write(holder, key, value);
    else run.memory.changeOne(holder, pattern);
  },
};

/** The functions of a member, if it has some. @type {(holder: any, key: any) => { get?: Value, set?: Value }} */
function accessorAt(holder, key) {
  const value = (holder instanceof Native ? holder.members : holder)[key];
  return value instanceof Sym && value.type === 'accessor' ? /** @type {any} */ (value) : {};
}

/**
 * A part of what only a run knows is changed, which `place` has: that is changed, too.
 * @type {(run: Interpreter, holder: any, key: Value, value: Value, of: { place: Node, scope: Scope }) => void}
 */
export function changeSymbol(run, holder, key, value, { place, scope }) {
  if (holder.type === 'unknown' || holder.type === 'environment') return;
  const isNamed = isPrimitive(key) && key !== OTHERS;
  run.memory.write(
    membersOf(holder),
    isNamed ? key : OTHERS,
    isNamed ? value : unknown(place, 'the script changes it'),
  );
  for (const side of [holder.yes, holder.no]) run.memory.forget(side, place);
  if (isPlainMember(place)) assign(run, place, holder, { scope, declares: false });
}

/** `a.b.c`, without calls. @type {(node: Node) => boolean} */
function isPlainMember({ type, object: whole, property, computed }) {
  if (type !== 'MemberExpression' || (computed && property.type !== 'Literal')) return false;
  return /^(?:Identifier|ThisExpression)$/.test(whole.type) || isPlainMember(whole);
}
