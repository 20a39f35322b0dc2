import { changed, eachOf } from './lists.js';
import { accessor, harmless, isLost, isStructure, Native, object, Sym, unknown } from './values.js';

/** @import { Interpreter } from './interpreter.js' */
/** @import { Node, Value } from './values.js' */

/** The name of the member that has the entries of a Map or a Set: a list of [key, value]. */
export const ENTRIES = '[[entries]]';
/** `Map`: its elements are entries. */
export const KIND = '[[kind]]';

/**
 * Lists the elements of what can be iterated; undefined: only a run knows them.
 * @type {(run: Interpreter, value: Value) => Value[] | undefined}
 */
export function itemsOf(run, value) {
  run.memory.readsWhole([value]);
  if (Array.isArray(value)) return isLost(value) ? undefined : value;
  const entries = isStructure(value) ? value[ENTRIES] : undefined;
  if (entries === undefined || !isFollowed(run, entries)) return undefined;
  return entries.map((/** @type {Value[]} */ entry) => itemOf(value, entry));
}

/** @type {(whole: Value, entry: Value[]) => Value} */
function itemOf(whole, [key, value]) {
  return whole[KIND] === 'Map' ? [key, value] : key;
}

/**
 * Lists the elements one by one, as a loop finds them while the script changes them; null: only a run knows them.
 * @type {(run: Interpreter, value: Value) => { next: () => { item: Value } | null } | null}
 */
export function iteration(run, value) {
  if (itemsOf(run, value) === undefined) return null;
  let at = 0;
  if (Array.isArray(value)) return { next: () => (at < value.length ? { item: value[at++] } : null) };
  /** @type {Set<Value[]>} */
  const visited = new Set();
  return {
    next() {
      const entry = value[ENTRIES].find((/** @type {Value[]} */ one) => Array.isArray(one) && !visited.has(one));
      if (entry === undefined) return null;
      visited.add(entry);
      return { item: itemOf(value, entry) };
    },
  };
}

/** Defines members that are not those of JSON. @type {(made: Value, members: Record<string, Value>) => Value} */
export function defineHidden(made, members) {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(made, name, { value, writable: true, configurable: true });
  return made;
}

/** Reports whether the keys are known. @type {(run: Interpreter, entries: Value[]) => boolean} */
export function isFollowed(run, entries) {
  run.memory.readsWhole([entries]);
  return !isLost(entries) && entries.every(Array.isArray);
}

/** The constructor of a Map or a Set. @type {(kind: 'Map' | 'Set') => Native} */
export function collection(kind) {
  return new Native(kind, ([given], node, run) => {
    const items = given === undefined || given === null ? [] : itemsOf(run, given);
    const isKnown = items?.every((one) => (kind === 'Map' ? Array.isArray(one) : !(one instanceof Sym)));
    if (!items || !isKnown) return harmless({ node, why: `what is in the ${kind} is not known` });
    /** @type {Value[]} */
    const entries = [];
    const made = object();
    defineHidden(made, { [ENTRIES]: entries, [KIND]: kind, ...membersOf(made, entries, node) });
    const add = made[kind === 'Map' ? 'set' : 'add'];
    for (const one of items) run.call(add, kind === 'Map' ? one.slice(0, 2) : [one], node);
    return made;
  });
}

/** What changes the entries under a key that only a run knows. */
const CHANGES_BY_KEY = ['set', 'add', 'delete'];

/** @type {(self: Value, entries: Value[], of: Node) => Record<string, Value>} */
function membersOf(self, entries, of) {
  /** @type {(name: string, act: (run: Interpreter, args: Value[], node: Node) => Value) => Native} */
  const method = (name, act) =>
    new Native(name, (args, node, run) => {
      const isKnown = !(args[0] instanceof Sym);
      if (isKnown && isFollowed(run, entries)) return act(run, args, node);
      if (!isKnown && CHANGES_BY_KEY.includes(name)) changed(run, entries, 'push', [unknown(node)]);
      return run.unfollowed(harmless({ node }), args, node);
    });
  const at = (/** @type {Value} */ key) => entries.findIndex(([own]) => own === key || Object.is(own, key));
  const columns = { keys: 0, values: 1 };
  const put = method('set', (run, [key, value]) => {
    if (at(key) < 0) changed(run, entries, 'push', [[key, value]]);
    else run.memory.write(entries[at(key)], 1, value);
    return self;
  });
  return {
    set: put,
    add: method('add', (run, [key], node) => put.call([key, key], node, run)),
    get: method('get', (_, [key]) => entries[at(key)]?.[1]),
    has: method('has', (_, [key]) => at(key) >= 0),
    delete: method('delete', (run, [key]) => at(key) >= 0 && changed(run, entries, 'splice', [at(key), 1]).length > 0),
    clear: method('clear', (run) => void changed(run, entries, 'splice', [0])),
    forEach: method('forEach', (run, [fn], node) => {
      const all = iteration(run, self);
      const next = () => {
        const found = all?.next();
        if (!found) return null;
        const [key, value] = self[KIND] === 'Map' ? found.item : [found.item, found.item];
        return [value, key, self];
      };
      return eachOf(run, next, fn, node);
    }),
    ...Object.fromEntries(
      Object.entries(columns).map(([name, i]) => [name, method(name, () => entries.map((one) => one[i]))]),
    ),
    entries: method('entries', () => entries.map((one) => one.slice(0, 2))),
    size: accessor({ get: method('size', () => entries.length) }, of),
  };
}
