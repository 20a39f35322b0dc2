import { isProxy } from 'node:util/types';

/** @typedef {{ object: any, written: string | Buffer }} Leaf */

/** Prototypes that nothing is inherited from. @type {Set<unknown>} */
const BUILT_IN = new Set([Object.prototype, Array.prototype, null]);

/**
 * The members of objects that code can change, and of all objects in them, at one time. Comparing them takes 4 to 20 ns
 * per member (bench/micro/flow/snapshot.js): that is done before each request.
 */
export class Snapshot {
  /**
   * Objects and arrays, and the names of the members of each: objects with the same names share them, as a body may
   * have 100,000 of them. The names of an array are its length.
   * @type {any[]}
   */
  #objects = [];
  /** @type {(string[] | number)[]} */
  #names = [];
  /** Of each object. @type {unknown[]} */
  #prototypes = [];
  /** Objects of classes, which can get a `toJSON`. @type {any[]} */
  #instances = [];
  /** The values of all of them, one after the other. @type {unknown[]} */
  #values = [];
  /** The last names, of each number of names. @type {string[][]} */
  #lastNames = [];
  /** Objects whose content is in no property: bytes, dates, URLs. @type {Leaf[]} */
  #leaves = [];
  /** No comparison shows whether it has changed: it has a getter, a Proxy, or an object with `toJSON`. */
  isVolatile = false;

  /** @param {unknown[]} roots values that are no objects are ignored */
  constructor(roots) {
    const seen = new Set();
    for (const root of roots) this.#add(root, seen);
  }

  /** Reports whether there is nothing that can change. */
  get isEmpty() {
    return !this.isVolatile && this.#objects.length + this.#leaves.length === 0;
  }

  /** @type {(value: any, seen: Set<unknown>) => void} */
  #add(value, seen) {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    if (isVolatile(value, true)) this.isVolatile = true;
    else if (ArrayBuffer.isView(value) || isLeaf(value))
      this.#leaves.push({ object: value, written: contentOf(value) });
    else if (!isMachine(value)) this.#addMembers(value, seen);
  }

  /** @type {(object: any, seen: Set<unknown>) => void} */
  #addMembers(object, seen) {
    const isList = Array.isArray(object);
    const names = isList ? [] : Object.keys(object);
    if (names.some((name) => hasGetter(object, name))) {
      this.isVolatile = true;
      return;
    }
    const values = isList ? object : names.map((name) => object[name]);
    const prototype = Object.getPrototypeOf(object);
    this.#objects.push(object);
    this.#prototypes.push(prototype);
    this.#names.push(isList ? object.length : this.#sharedNames(names));
    for (const value of values) this.#values.push(value);
    for (const value of values) this.#add(value, seen);
    if (BUILT_IN.has(prototype)) return;
    this.#instances.push(object);
    // A query has the members that it inherits.
    this.#add(prototype, seen);
  }

  /** @type {(names: string[]) => string[]} */
  #sharedNames(names) {
    const last = this.#lastNames[names.length];
    if (last?.every((name, i) => name === names[i])) return last;
    this.#lastNames[names.length] = names;
    return names;
  }

  /** Reports whether all members are the same as then. */
  isSame() {
    if (this.isVolatile || this.#instances.some((object) => isVolatile(object, true))) return false;
    let at = 0;
    for (let i = 0; i < this.#objects.length; i++) {
      const names = this.#names[i];
      if (Object.getPrototypeOf(this.#objects[i]) !== this.#prototypes[i]) return false;
      if (!hasSameMembers(this.#objects[i], names, this.#values, at)) return false;
      at += typeof names === 'number' ? names : names.length;
    }
    return this.#leaves.every(hasSameContent);
  }
}

/** Those with a `toJSON` of the user can have any value. @type {(value: any) => boolean} */
function isLeaf(value) {
  return [Date, URL].some((Leaf) => value instanceof Leaf && value.toJSON === Leaf.prototype.toJSON);
}

/** Reports whether only a read shows its value. @type {(value: any, isJson: boolean) => boolean} */
export function isVolatile(value, isJson) {
  if (typeof value !== 'object' || value === null) return false;
  if (isProxy(value)) return true;
  return isJson && typeof value.toJSON === 'function' && !ArrayBuffer.isView(value) && !isLeaf(value);
}

/** Streams, agents and servers change by being used. @type {(value: any) => boolean} */
export function isMachine(value) {
  return typeof value.pipe === 'function' || typeof value.emit === 'function';
}

/** @type {(object: object, name: string) => boolean} */
function hasGetter(object, name) {
  return Object.getOwnPropertyDescriptor(object, name)?.get !== undefined;
}

/** @type {(object: any, names: string[] | number, values: unknown[], at: number) => boolean} at: its first value */
function hasSameMembers(object, names, values, at) {
  if (typeof names === 'number') {
    if (object.length !== names) return false;
    for (let i = 0; i < names; i++) if (object[i] !== values[at + i]) return false;
    return true;
  }
  let count = 0;
  for (const name in object) {
    // A class may have more in its prototype.
    if (names[count] !== name && !Object.hasOwn(object, name)) continue;
    if (names[count] !== name || object[name] !== values[at + count]) return false;
    count++;
  }
  return count === names.length;
}

/** @type {(leaf: Leaf) => boolean} */
function hasSameContent({ object, written }) {
  return typeof written === 'string'
    ? isLeaf(object) && contentOf(object) === written
    : written.equals(bytesOf(object));
}

/** The copies of bytes that are still equal, which several snapshots share. @type {WeakMap<object, Buffer>} */
const copies = new WeakMap();

/** @type {(object: any) => string | Buffer} */
function contentOf(object) {
  if (!ArrayBuffer.isView(object)) return String(object instanceof Date ? object.getTime() : object);
  const bytes = bytesOf(object);
  const known = copies.get(object);
  if (known?.equals(bytes)) return known;
  const copy = Buffer.from(bytes);
  copies.set(object, copy);
  return copy;
}

/** @type {(view: ArrayBufferView) => Buffer} */
function bytesOf({ buffer, byteOffset, byteLength }) {
  return Buffer.from(/** @type {ArrayBuffer} */ (buffer), byteOffset, byteLength);
}

/**
 * Copies objects and arrays, so that each getter, Proxy and `toJSON` is asked once. Functions, bytes and streams are
 * not copied.
 * @type {(value: any, isJson: boolean, above?: unknown[]) => any} isJson: it is sent as JSON
 */
export function copyOf(value, isJson, above = []) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || above.includes(value)) return value;
  if (isJson && typeof value.toJSON === 'function') return copyOf(value.toJSON(''), isJson, [...above, value]);
  if (value instanceof Date || value instanceof URL || isMachine(value)) return value;
  const within = [...above, value];
  if (Array.isArray(value)) return Array.from(value, (item) => copyOf(item, isJson, within));
  const entries = Object.keys(value).map((name) => [name, copyOf(value[name], isJson, within)]);
  return Object.fromEntries(entries);
}
