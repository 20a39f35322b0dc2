import { KeptState } from './kept-state.js';
import { isKnown, isPrimitive, isStructure, Native, OTHERS, Sym, sym, unknown } from './values.js';

/** @import { Guard } from './branches.js' */
/** @import { Node, Scope, Value } from './values.js' */
/** @typedef {Map<any, Map<any, Value>>} Changes new values of members, by their holders */
/**
 * @typedef {{ state: Changes, before: Changes }} Left a path: what it has changed, and how members were that are
 *   changed since it was left
 */
/** @typedef {{ holder: any, key: any, before: Value, had: boolean }} Change */

/** The value of a member that is removed. */
const GONE = Symbol('gone');
/** That of one which was never there. */
const NONE = Symbol('none');

/**
 * The values of the variables and members of a script. Changes under a condition are undone, and then merged with those
 * of its other side.
 */
export class Memory {
  #guards;
  /**
   * Values before they were changed, of each condition that is followed: the last is the innermost.
   * @type {Change[][]}
   */
  #changes = [];
  /** Paths that go on later. @type {Left[]} */
  #lefts = [];
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
    // a longer list has another length, too
    if (Array.isArray(holder) && key !== 'length') this.#note(holder, 'length');
    this.#note(holder, key);
    if (value === GONE || value === NONE) delete holder[key];
    else holder[key] = value;
  }

  /** @type {(holder: any, key: any) => void} */
  #note(holder, key) {
    const had = key in holder;
    this.#changes.at(-1)?.push({ holder, key, before: holder[key], had });
    for (const { before } of this.#lefts)
      if (!before.get(holder)?.has(key)) put(before, holder, key, had ? holder[key] : NONE);
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
    /** @type {Change[]} */
    const own = [];
    this.#changes.push(own);
    act();
    this.#changes.pop();
    const changes = stateOf(own);
    for (const { holder, key, before, had } of own.reverse())
      if (had) holder[key] = before;
      else delete holder[key];
    return changes;
  }

  /**
   * Leaves a path that goes on later: with these changes, and those of the conditions that are followed.
   * @type {(lefts: Left[], changes?: Changes) => Left} lefts: of others, whose members it has as they are now
   */
  leave(lefts, changes = new Map()) {
    const state = stateOf(this.#changes.flat());
    for (const { state: one, before } of lefts)
      for (const [holder, key] of [...membersIn(one), ...membersIn(before)])
        put(state, holder, key, valueAt(holder, key));
    for (const [holder, key, value] of membersIn(changes)) put(state, holder, key, value);
    const left = { state, before: new Map() };
    this.#lefts.push(left);
    return left;
  }

  /**
   * A path that was left goes on here. `test`: where the current path runs; null: it has ended.
   * @type {(test: Value, left: Left) => void}
   */
  rejoin(test, left) {
    this.#lefts = this.#lefts.filter((one) => one !== left);
    const { state, before } = left;
    /** @type {Changes} */
    const then = new Map();
    for (const [holder, key, value] of [...membersIn(before), ...membersIn(state)]) put(then, holder, key, value);
    /** @type {Changes} */
    const now = new Map();
    for (const [holder, key] of membersIn(then)) put(now, holder, key, valueAt(holder, key));
    if (test === null) this.keep(null, [then]);
    else this.keep(test, [now, then]);
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
    for (const [holder, keys] of all) {
      const of = (/** @type {Changes | undefined} */ one, /** @type {any} */ key) => {
        const members = one?.get(holder);
        return members?.has(key) ? members.get(key) : valueAt(holder, key);
      };
      const lengths = Array.isArray(holder) ? sides.map((one) => of(one, 'length')) : [];
      if (test !== null && lengths[0] !== lengths.at(-1)) {
        this.#lose(holder, Math.max(...lengths), test);
        continue;
      }
      // the length comes last: a list that is set behind its end gets longer
      for (const key of [...keys].sort((one, other) => Number(one === 'length') - Number(other === 'length'))) {
        const [yes, no] = [of(sides[0], key), of(sides.at(-1), key)];
        const value = test === null ? yes : choice(test, plain(yes), plain(no));
        if (value === valueAt(holder, key)) continue;
        if (value instanceof Sym) value.hint ??= String(key);
        if (sides.every((one) => one.get(holder)?.has(key))) this.write(holder, key, value);
        else this.#set(holder, key, value);
      }
    }
  }

  /** Only a run knows what is in a list. @type {(list: Value[], length: number, test: Value) => void} */
  #lose(list, length, { node }) {
    for (const key of [...Array(length).keys(), OTHERS])
      this.#set(list, key, unknown(node, 'only a run knows what is in the list'));
  }
}

/** @type {(changes: Changes, holder: any, key: any, value: Value) => void} */
function put(changes, holder, key, value) {
  const members = changes.get(holder) ?? new Map();
  changes.set(holder, members.set(key, value));
}

/** @type {(holder: any, key: any) => Value} */
function valueAt(holder, key) {
  return key in holder ? holder[key] : NONE;
}

/** @type {(value: Value) => Value} */
function plain(value) {
  return value === NONE ? undefined : value;
}

/** The values that members have now. @type {(all: Change[]) => Changes} */
function stateOf(all) {
  /** @type {Changes} */
  const changes = new Map();
  for (const { holder, key } of all) put(changes, holder, key, key in holder ? holder[key] : GONE);
  return changes;
}

/** @type {(changes: Changes) => [any, any, Value][]} */
function membersIn(changes) {
  return [...changes].flatMap(([holder, members]) =>
    Array.from(members, ([key, value]) => /** @type {[any, any, Value]} */ ([holder, key, value])),
  );
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
