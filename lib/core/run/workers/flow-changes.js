import { isProxy } from 'node:util/types';

import { isContainer } from '../../flow/record.js';
import { Snapshot } from '../../flow/snapshot.js';
import { createProblems } from '../../ground/problems.js';

/** @import { LiveFlow } from '../../flow/live-flow.js' */
/** @import { Packed } from './types.js' */

/**
 * The parts of a flow that several threads have, each its own: what code changes in one thread can be sent to another
 * one as data. Functions, and objects that cannot be sent, are named by their place; the other thread has them there,
 * too.
 */
export class FlowChanges {
  #live;
  #snapshot;
  #values;
  /** The operations of `after` that the other threads have, too. */
  #planned;
  /** @type {Map<unknown, string>} */
  #places = new Map();
  /** @type {Map<string, any>} */
  #parts = new Map();

  /** @param {LiveFlow} live before code has changed it */
  constructor(live) {
    this.#live = live;
    this.#values = live.values();
    this.#snapshot = new Snapshot(Object.values(this.#values));
    this.#planned = new Set(this.#values.after);
    this.#note(this.#values, 'flow');
  }

  /** Returns the flow as code has changed it; null: it has not. @throws {Error} E_FLOW @type {() => Packed | null} */
  packed() {
    const values = this.#live.values();
    const names = Object.keys({ ...values, ...this.#values });
    if (names.every((name) => values[name] === this.#values[name]) && this.#snapshot.isSame()) return null;
    return this.#packed(values, 'flow');
  }

  /** Changes the flow of this thread as another one did. @type {(packed: Packed) => void} */
  apply(packed) {
    const removed = Object.fromEntries(Object.keys(this.#values).map((name) => [name, undefined]));
    this.#live.assign({ ...removed, ...this.#unpacked(packed) });
    this.#planned = new Set(this.#live.values().after);
  }

  /** Returns the operations that code has added to `after`. @throws {Error} E_FLOW @type {() => Packed[]} */
  packedTeardown() {
    const { after = [] } = this.#live.values();
    const added = Array.isArray(after) ? after.filter((entry) => !this.#planned.has(entry)) : [];
    return added.map((entry) => this.#packed(entry, `flow.after[${after.indexOf(entry)}]`));
  }

  /** Adds operations to `after` that another thread has added. @type {(packed: Packed[]) => void} */
  addTeardown(packed) {
    if (packed.length === 0) return;
    const { after = [] } = this.#live.values();
    this.#live.assign({ after: [...after, ...packed.map((one) => this.#unpacked(one))] });
  }

  /** @type {(value: any, place: string) => void} */
  #note(value, place) {
    if (!isPart(value)) return;
    this.#parts.set(place, value);
    if (this.#places.has(value)) return;
    this.#places.set(value, place);
    for (const name of membersOf(value)) this.#note(value[name], placeOf(value, place, name));
  }

  /** @type {(value: any, place: string) => Packed} */
  #packed(value, place) {
    if (!isPart(value) && typeof value !== 'symbol') return { value };
    const at = this.#places.get(value);
    const names = membersOf(value);
    const isPlain = isContainer(value) && names.length === Object.keys(value).length && !isProxy(value);
    if (at === undefined && !isPlain) refuse(value, place);
    if (typeof value === 'function') return { at };
    /** @type {Packed['members']} */
    const members = names.map((name) => [name, this.#packed(value[name], placeOf(value, place, name))]);
    return { at, isList: Array.isArray(value), members };
  }

  /** @type {(packed: Packed) => any} */
  #unpacked({ at, value, isList = false, members }) {
    if (members === undefined && at === undefined)
      return value instanceof Uint8Array ? Buffer.from(/** @type {any} */ (value)) : value;
    const created = isList ? [] : {};
    const part = at === undefined ? created : this.#parts.get(at);
    if (part === undefined)
      refuseFlow(String(at), 'is not there in the flow of another thread, which ran the same file');
    if (members === undefined) return part;
    const values = members.map(([name, one]) => [name, this.#unpacked(one)]);
    if (isList) part.length = 0;
    else for (const name of membersOf(part)) if (!values.some(([one]) => one === name)) delete part[name];
    for (const [name, one] of values) part[name] = one;
    return part;
  }
}

/** @type {(value: unknown) => boolean} */
function isPart(value) {
  const isLeaf = value instanceof Uint8Array || value instanceof RegExp || value instanceof Date;
  return typeof value === 'function' || (typeof value === 'object' && value !== null && !isLeaf);
}

/** Lists the members of an object that are no getters. @type {(value: any) => string[]} */
function membersOf(value) {
  if (typeof value === 'function' || isProxy(value) || typeof value.emit === 'function') return [];
  return Object.keys(value).filter((name) => Object.getOwnPropertyDescriptor(value, name)?.get === undefined);
}

/** @type {(value: unknown, place: string, name: string) => string} */
function placeOf(value, place, name) {
  return Array.isArray(value) ? `${place}[${name}]` : `${place}.${name}`;
}

/** @type {(value: any, place: string) => void} */
function refuse(value, place) {
  const what =
    typeof value === 'object' ? `an instance of ${value.constructor?.name ?? 'a class'}` : `a ${typeof value}`;
  refuseFlow(
    place,
    `is ${what} that code has put there, which cannot be sent to another thread: define it where the flow is defined, or run without workers`,
  );
}

/** @type {(place: string, reason: string) => void} */
function refuseFlow(place, reason) {
  const problems = createProblems('E_FLOW');
  problems.add(place, reason);
  problems.throwIfAny();
}
