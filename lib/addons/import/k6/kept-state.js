import { Fn, isStructure, Native, Scope } from './values.js';

/** @typedef {any} Value */
/** @import { Guard } from './branches.js' */
/**
 * @typedef {{ name: string | undefined, read: Set<any>, written: Map<any, Guard[]>, isWhole: boolean }} Held a holder
 *   of members: its name, unless its members are variables; what is read before it is written; the conditions of the
 *   first writes; and whether all of it was read
 */

/** Values that are looked at: a list may be as long as one likes. */
const MOST_VALUES = 10_000;

/**
 * Names what the script itself holds, and an iteration reads before it changes it: k6 keeps it for the next iteration
 * of the virtual user.
 */
export class KeptState {
  /** @type {Map<any, Held>} */
  #held = new Map();

  /** @param {Scope} scope of the script @param {(name: string) => void} onKept */
  constructor(scope, onKept) {
    this.onKept = onKept;
    this.#hold(scope);
  }

  /** @type {(scope: Scope) => void} */
  #hold(scope) {
    /** @type {[Value, string][]} */
    const open = [[scope, '']];
    for (const [value, name] of open) {
      if (this.#held.size >= MOST_VALUES) return;
      const holder = value instanceof Scope ? value.values : value instanceof Native ? value.members : value;
      // The scope without a parent has what each script finds.
      const isOutside = value instanceof Scope && value.parent === null;
      if (isOutside || !isStructure(holder) || this.#held.has(holder)) continue;
      const own = value instanceof Scope ? undefined : name;
      this.#held.set(holder, { name: own, read: new Set(), written: new Map(), isWhole: false });
      for (const key of Object.getOwnPropertyNames(holder)) open.push(...insideOf(holder[key], own ?? key));
      if (value instanceof Scope) open.push([value.parent, '']);
    }
  }

  /** A member is read. @type {(holder: Value, key: Value, guards: Guard[]) => void} */
  read(holder, key, guards) {
    const held = this.#held.get(holder);
    const written = held?.written.get(key);
    if (!held || isSure(written, guards)) return;
    // A condition wrote it in this iteration, or in one before.
    if (written) this.onKept(held.name ?? String(key));
    held.read.add(key);
  }

  /** All that a value has is read. @type {(value: Value, guards: Guard[]) => void} */
  readWhole(value, guards) {
    const seen = new Set([value]);
    for (const one of seen) {
      if (!isStructure(one) || seen.size > MOST_VALUES) continue;
      const held = this.#held.get(one);
      if (held) held.isWhole = true;
      for (const [key, inner] of Object.entries(one)) {
        if (held) this.read(one, key, guards);
        seen.add(inner);
      }
    }
  }

  /** A member is about to be changed, or removed. @type {(holder: Value, key: Value, guards: Guard[]) => void} */
  write(holder, key, guards) {
    const held = this.#held.get(holder);
    if (!held) return;
    const { name, read, written, isWhole } = held;
    if (read.has(key) || (isWhole && !written.has(key))) this.onKept(name ?? String(key));
    else if (!isSure(written.get(key), guards)) written.set(key, [...guards]);
  }
}

/** Lists what a value leads to. @type {(value: any, name: string) => [Value, string][]} */
function insideOf(value, name) {
  /** @type {[Value, string][]} */
  const found = [];
  if (isStructure(value) || value instanceof Native) found.push([value, name]);
  if ((value instanceof Fn || value instanceof Native) && 'scope' in value) found.push([value.scope, '']);
  if (value?.type === 'accessor') found.push(...insideOf(value.get, name), ...insideOf(value.set, name));
  return found;
}

/** Reports whether it is sure to be written. @type {(written: Guard[] | undefined, now: Guard[]) => boolean} */
function isSure(written, now) {
  return written !== undefined && written.every((one) => now.includes(one));
}
