import { KeptState } from './kept-state.js';
import { isKnown, isPrimitive, isStructure, Native, OTHERS, Sym, sym, unknown } from './values.js';

/** @import { Guard } from './branches.js' */
/** @import { Node, Scope, Value } from './values.js' */
/** @typedef {Map<any, Map<any, Value>>} Changes new values of members, by their holders */

/** The value of a member that is removed. */
const GONE = Symbol('gone');

/**
 * The values of the variables and members of a script. Changes under a condition are undone, and then merged with those
 * of its other side.
 */
export class Memory {
  #guards;
  /**
   * Values before they were changed under a condition.
   * @type {{ holder: any, key: any, before: Value, had: boolean }[] | null}
   */
  #changes = null;
  /** What the script itself holds, while an iteration is followed. @type {KeptState | null} */
  #kept = null;

  /** @param {() => Guard[]} guards the conditions under which the current statement runs */
  constructor(guards) {
    this.#guards = guards;
  }

  /** Changes a member, and notes what it was. @type {(holder: any, key: any, value: Value) => void} */
  write(holder, key, value) {
    if (holder[key] !== value) this.#kept?.write(holder, key, this.#guards());
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
    if (isPrimitive(key)) this.#kept?.read(members, key, this.#guards());
    else this.#kept?.readWhole(holder, this.#guards());
  }

  /** All that these values have is read. @type {(values: Value[]) => void} */
  readsWhole(values) {
    for (const one of this.#kept ? values : []) this.#kept?.readWhole(one, this.#guards());
  }

  /** The members of an object may have changed. @type {(holder: Value, node: Node) => void} */
  forget(holder, node) {
    if (!isStructure(holder)) return;
    for (const key of Object.keys(holder)) this.#set(holder, key, unknown(node, 'it may have changed'));
  }

  /** One of the members is changed, and only a run knows which one. @type {(holder: Value, node: Node) => void} */
  changeOne(holder, node) {
    for (const key of [...Object.keys(holder), OTHERS]) this.#kept?.write(holder, key, this.#guards());
    this.forget(holder, node);
    if (!Array.isArray(holder)) this.#set(holder, OTHERS, unknown(node, 'only a run knows which member is changed'));
  }

  /**
   * Runs a function without lasting changes of what the script holds, and names what it reads and then changes.
   * @type {(scope: Scope, onKept: (name: string) => void, act: () => void) => void}
   */
  isolated(scope, onKept, act) {
    this.#kept = new KeptState(scope, onKept);
    this.changesBy(act);
    this.#kept = null;
  }

  /** Runs what changes members, and undoes it. @type {(act: () => void) => Changes} */
  changesBy(act) {
    const outer = this.#changes;
    /** @type {NonNullable<typeof outer>} */
    const own = [];
    this.#changes = own;
    act();
    this.#changes = outer;
    /** @type {Map<any, Map<any, Value>>} */
    const changes = new Map();
    for (const { holder, key } of own)
      changes.set(holder, (changes.get(holder) ?? new Map()).set(key, key in holder ? holder[key] : GONE));
    for (const { holder, key, before, had } of own.reverse())
      if (had) holder[key] = before;
      else delete holder[key];
    return changes;
  }

  /**
   * Keeps what the sides of a condition changed; without a test, one of them ended the function, and the other goes on.
   * @type {(test: Value, sides: Changes[]) => void}
   */
  keep(test, sides) {
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
}

/** @type {(test: Value, yes: Value, no: Value) => Value} */
export function choice(test, yes, no) {
  const others = [yes, no].filter((one) => one !== GONE);
  // A member that neither side has, is undefined on the side that did not remove it.
  if (others.length < 2)
    return others[0] === undefined ? GONE : unknown(test.node, 'only a run knows whether it is removed');
  return yes === no || (isKnown(yes) && isKnown(no) && isPrimitive(yes) && Object.is(yes, no))
    ? yes
    : sym('conditional', { test, yes, no, node: test.node });
}
