import { isDeepStrictEqual, types } from 'node:util';
import { serialize } from 'node:v8';

import { isSentAsJson } from '../../flow/bodies/index.js';
import { isContainer } from '../../flow/record.js';
import { copyOf, isMachine, isVolatile } from '../../flow/snapshot.js';
import { createProblems } from '../../ground/problems.js';

/** @import { LiveFlow } from '../../flow/live-flow.js' */
/** @import { Packed } from './types.js' */

/** @typedef {NonNullable<Packed['content']>} Content */
/**
 * @typedef {object} Answer what a read gives
 * @property {() => string} read as a text
 * @property {string | null} written what it was; null: it changes by itself
 * @property {unknown} source the getter, or the object
 */

/** Reads that a value by chance or of a counter does not answer alike; the second one is the last for most of them. */
const READS = 16;

/** Keys of a flow that all its operations read, those of `after` too. */
const AROUND = ['headers', 'beforeHooks', 'afterHooks'];

/**
 * The parts of a flow that several threads have, each its own: what code changes in one thread can be sent to another
 * one as data. Functions, and objects that cannot be sent, are named by their place; the other thread has them there,
 * too. So are getters, proxies and objects with `toJSON`, which must give the same there.
 */
export class FlowChanges {
  #live;
  /** Their first places. @type {Map<unknown, string>} */
  #places = new Map();
  /** @type {Map<string, any>} */
  #parts = new Map();
  /** Objects that had a `toJSON`, in whatever place. @type {Set<unknown>} */
  #readable = new Set();
  /** What only a read shows, by its place. @type {Map<string, Answer>} */
  #answers = new Map();
  /** The places of those that were packed. @type {Set<string>} */
  #asked = new Set();
  /** Objects around the one that is packed. @type {Set<unknown>} */
  #above = new Set();
  /** What `before` has changed was sent. */
  #isSent = false;
  /** The flow as both threads have it. @type {Packed} */
  #last = {};
  /** The operations of `after` that the other threads have, too. @type {unknown[]} */
  #planned = [];
  /** They and what is around them, as they were. @type {Packed} */
  #teardown = {};
  /** The added operations of `after` that were checked. */
  #checked = 0;

  /** @param {LiveFlow} live before code has changed it */
  constructor(live) {
    this.#live = live;
    this.#read();
  }

  /** Returns the flow as code has changed it; null: it has not. @throws {Error} E_FLOW @type {() => Packed | null} */
  packed() {
    const now = this.#packedWithAnswers(this.#live.values(), 'flow');
    // Only `before` changes something in this thread: later, time alone has passed.
    if (this.#isSent) now.answers = [];
    this.#isSent = true;
    // The object of all phases is another one each time.
    if (now.answers?.length === 0 && isDeepStrictEqual(now.members, this.#last.members)) return null;
    this.#read();
    return now;
  }

  /**
   * Changes the flow of this thread as another one did.
   * @throws {Error} E_FLOW
   * @type {(packed: Packed | null) => void}
   */
  apply(packed) {
    if (packed === null) return;
    const removed = Object.fromEntries(Object.keys(this.#live.values()).map((name) => [name, undefined]));
    this.#agreeing([packed], () => this.#live.assign({ ...removed, ...this.#unpacked(packed) }));
    this.#read();
  }

  /**
   * Refuses what hooks have changed in `after` and in what is around its operations, beside operations that they have
   * added: each thread would have another value, and `after` runs in one.
   * @throws {Error} E_FLOW
   */
  checkTeardown() {
    const { after = [] } = this.#live.values();
    if (!Array.isArray(after) || this.#planned.some((entry, i) => entry !== after[i]))
      refuseFlow('flow.after', CHANGED);
    if (after.length === 0) return;
    const at = differenceOf(this.#teardown, this.#packedTeardown(), 'flow');
    if (at !== null) refuseFlow(at, CHANGED);
    for (let i = this.#planned.length + this.#checked; i < after.length; i++)
      this.#packed(after[i], `flow.after[${i}]`, false);
    this.#checked = after.length - this.#planned.length;
  }

  /** Returns the operations that code has added to `after`. @throws {Error} E_FLOW @type {() => Packed[]} */
  packedTeardown() {
    this.checkTeardown();
    const { after = [] } = this.#live.values();
    const from = this.#planned.length;
    const packed = (/** @type {any} */ entry, /** @type {number} */ i) =>
      this.#packedWithAnswers(entry, `flow.after[${from + i}]`);
    return after.slice(from).map(packed);
  }

  /**
   * Adds operations to `after` that another thread has added.
   * @throws {Error} E_FLOW
   * @type {(packed: Packed[]) => void}
   */
  addTeardown(packed) {
    if (packed.length === 0) return;
    const { after = [] } = this.#live.values();
    // Each thread may have changed an object that they share.
    this.#agreeing(packed);
    this.#live.assign({ after: [...after, ...packed.map((one) => this.#unpacked(one, true))] });
  }

  /** @type {(value: any, place: string) => Packed} */
  #packedWithAnswers(value, place) {
    this.#asked.clear();
    const packed = this.#packed(value, place, false);
    /** @type {[string, string][]} */
    const answers = [];
    for (const at of this.#asked) {
      const { read, written } = /** @type {Answer} */ (this.#answers.get(at));
      const now = written === null ? null : read();
      if (now !== null && now !== written) answers.push([at, now]);
    }
    return { ...packed, answers };
  }

  /**
   * Takes data of another thread over. What gives another value there must give it here, too, as it does if it reads
   * that data. A value that changes by itself, such as the time, is right in each thread.
   * @type {(packed: Packed[], work?: () => void) => void}
   */
  #agreeing(packed, work = () => {}) {
    const steady = packed
      .flatMap(({ answers = [] }) => answers)
      .map(([at, there]) => ({ at, there, ...(this.#answers.get(at) ?? refuseFlow(at, MISSING)) }))
      .filter(({ read, written }) => written !== null && read() === written);
    work();
    for (const { at, there, read } of steady) if (read() !== there) refuseFlow(at, GIVES_ANOTHER);
  }

  /** Notes the flow as it is. */
  #read() {
    this.#places = new Map();
    this.#parts = new Map();
    this.#answers = new Map();
    this.#readable = new Set();
    const values = this.#live.values();
    this.#note(values, 'flow', false);
    this.#last = this.#packed(values, 'flow', false);
    this.#planned = [values.after ?? []].flat();
    this.#checked = 0;
    this.#teardown = this.#packedTeardown();
  }

  /** @type {() => Packed} */
  #packedTeardown() {
    const values = this.#live.values();
    const around = AROUND.filter((key) => values[key] !== undefined).map((key) => [key, values[key]]);
    return this.#packed({ ...Object.fromEntries(around), after: this.#planned }, 'flow', false);
  }

  /** @type {(value: any, place: string, isJson: boolean) => void} isJson: it is sent as JSON */
  #note(value, place, isJson) {
    if (!isPart(value)) return;
    this.#parts.set(place, value);
    if (this.#places.has(value)) return;
    this.#places.set(value, place);
    if (isVolatile(value, true)) this.#readable.add(value);
    for (const { name, at, get, isJson: isInner } of membersOf(value, place, isJson)) {
      const source = get ?? value[name];
      if (get === undefined && !isVolatile(source, isInner)) {
        this.#note(source, at, isInner);
        continue;
      }
      const read = () => answerOf(() => (get ? get.call(value) : source), isInner);
      this.#answers.set(at, { read, written: steadyAnswer(read), source });
      if (get === undefined) this.#parts.set(at, source);
      if (get === undefined && !this.#places.has(source)) this.#places.set(source, at);
    }
  }

  /** @type {(value: any, place: string, isJson: boolean) => Packed} */
  #packed(value, place, isJson) {
    if (!isPart(value)) return { value };
    const at = this.#places.get(value);
    const content = contentOf(value);
    if (content !== undefined) return { at, content };
    if (at === undefined && (!isContainer(value) || types.isProxy(value) || this.#above.has(value)))
      refuse(value, place);
    if (typeof value !== 'object' || this.#above.has(value)) return { at };
    this.#above.add(value);
    /** @type {Packed['members']} */
    const members = membersOf(value, at ?? place, isJson).map(({ name, at: own, get, isJson: isInner }) => {
      const path = placeOf(value, place, name);
      const source = get ?? value[name];
      const known = get ? own : this.#places.get(source);
      const isKnown = known === undefined || this.#answers.has(known);
      const isPlain = !get && (!isVolatile(source, isInner) || (!isKnown && this.#readable.has(source)));
      return [
        name,
        isPlain ? this.#packed(source, path, isInner) : this.#packedAnswer(source, known, path, get !== undefined),
      ];
    });
    this.#above.delete(value);
    return { at, isList: Array.isArray(value), members };
  }

  /** @type {(source: any, at: string | undefined, place: string, isGetter: boolean) => Packed} */
  #packedAnswer(source, at, place, isGetter) {
    if (at === undefined || this.#answers.get(at)?.source !== source) refuse(source, place);
    this.#asked.add(String(at));
    return { at, isOwn: true, isGetter };
  }

  /** @type {(packed: Packed, isCopy?: boolean) => any} isCopy: objects of the flow stay as they are */
  #unpacked({ at, value, content, isList, members }, isCopy = false) {
    const part = at === undefined ? undefined : this.#parts.get(at);
    if (content !== undefined) return withContent(isCopy ? undefined : part, content);
    if (members === undefined) {
      if (at !== undefined && part === undefined) refuseFlow(at, MISSING);
      return at === undefined ? value : part;
    }
    // Code cannot change a frozen object, and does not notice that another one takes its place.
    const isNew = part === undefined || isCopy || Object.isFrozen(part);
    return this.#withMembers(isNew ? emptyLike(part, isList === true) : part, String(at), members, isCopy);
  }

  /** @type {(target: any, at: string, members: NonNullable<Packed['members']>, isCopy: boolean) => any} */
  #withMembers(target, at, members, isCopy) {
    /** @type {[string, PropertyDescriptor][]} */
    const values = members.map(([name, one]) => [name, this.#descriptorOf(one, isCopy)]);
    for (const name of Object.keys(target))
      if (!values.some(([one]) => one === name)) change(() => Reflect.deleteProperty(target, name), `${at}.${name}`);
    if (Array.isArray(target)) target.length = values.length;
    for (const [name, descriptor] of values) replace(target, name, descriptor, `${at}.${name}`);
    return target;
  }

  /** @type {(packed: Packed, isCopy: boolean) => PropertyDescriptor} */
  #descriptorOf(packed, isCopy) {
    if (!packed.isOwn) return { ...OPEN, value: this.#unpacked(packed, isCopy), writable: true };
    const { source } = this.#answers.get(String(packed.at)) ?? refuseFlow(String(packed.at), MISSING);
    return packed.isGetter ? { ...OPEN, get: source } : { ...OPEN, value: source, writable: true };
  }
}

const OPEN = { enumerable: true, configurable: true };
const MISSING = 'is not there in the flow of another thread, which ran the same file';
const REMEDY = 'put what it needs into all.runCtx or into the flow as data, or run without workers';
const CHANGED =
  'was changed by a hook of an iteration in a worker, and after runs in another thread: add operations of data to flow.after instead, or run without workers';
const GIVES_ANOTHER = `gives another value since code has run, which cannot be sent to another thread: ${REMEDY}`;

/** @type {(value: unknown) => boolean} */
function isPart(value) {
  const isObject = typeof value === 'object' && value !== null && !(value instanceof RegExp);
  return isObject || typeof value === 'function' || typeof value === 'symbol';
}

/** Returns the content of an object that has it in no property. @type {(value: any) => Content | undefined} */
function contentOf(value) {
  if (types.isProxy(value)) return undefined;
  if (ArrayBuffer.isView(value)) return new Uint8Array(bytesOf(value));
  if (value instanceof Date) return new Date(value);
  return value instanceof URL ? value.href : undefined;
}

/** Changes such an object, or creates one. @type {(part: any, content: Content) => any} */
function withContent(part, content) {
  if (typeof content === 'string') return part ? Object.assign(part, { href: content }) : new URL(content);
  if (content instanceof Date) return part ? (part.setTime(content.getTime()), part) : content;
  if (part?.byteLength !== content.byteLength) return Buffer.from(content);
  bytesOf(part).set(content);
  return part;
}

/** @type {(view: ArrayBufferView) => Uint8Array} */
function bytesOf({ buffer, byteOffset, byteLength }) {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/**
 * Lists the members of an object, with their getters.
 * @type {(value: any, place: string, isJson: boolean) => { name: string, at: string, get?: () => unknown, isJson:
 *   boolean }[]}
 */
function membersOf(value, place, isJson) {
  if (typeof value !== 'object' || types.isProxy(value) || isMachine(value) || contentOf(value) !== undefined)
    return [];
  return Object.keys(value).map((name) => ({
    name,
    at: placeOf(value, place, name),
    get: Object.getOwnPropertyDescriptor(value, name)?.get,
    isJson: isJson || isSentAsJson(name, value),
  }));
}

/** @type {(value: unknown, place: string, name: string) => string} */
function placeOf(value, place, name) {
  return Array.isArray(value) ? `${place}[${name}]` : `${place}.${name}`;
}

/** Returns what a read gives; null: it changes by itself. @type {(read: () => string) => string | null} */
function steadyAnswer(read) {
  const first = read();
  for (let i = 1; i < READS; i++) if (read() !== first) return null;
  return first;
}

/** Returns what a read gives, as a text. @type {(read: () => any, isJson: boolean) => string} */
function answerOf(read, isJson) {
  try {
    return serialize(withoutCode(copyOf(read(), isJson))).toString('latin1');
  } catch {
    return 'an error';
  }
}

/** Functions are the same if their texts are. @type {(value: any) => any} */
function withoutCode(value) {
  if (typeof value === 'function' || value instanceof URL) return String(value);
  if (!isContainer(value)) return value;
  const entries = Object.keys(value).map((name) => [name, withoutCode(/** @type {any} */ (value)[name])]);
  return Object.fromEntries(entries);
}

/**
 * Replaces a member. One that only its value can be changed of keeps the rest.
 * @type {(target: any, name: string, descriptor: PropertyDescriptor, place: string) => void}
 */
function replace(target, name, descriptor, place) {
  const { configurable = true, get } = Object.getOwnPropertyDescriptor(target, name) ?? {};
  if (!configurable && get !== undefined && get === descriptor.get) return;
  const changed = configurable || get ? descriptor : { value: descriptor.value };
  change(() => Reflect.defineProperty(target, name, changed), place);
}

/** @type {(action: () => boolean, place: string) => void} */
function change(action, place) {
  if (!action()) refuseFlow(place, `was changed by before, and cannot be in another thread, as it is fixed: ${REMEDY}`);
}

/** @type {(part: any, isList: boolean) => any} */
function emptyLike(part, isList) {
  return isList ? [] : Object.create(part === undefined ? Object.prototype : Object.getPrototypeOf(part));
}

/** Returns the first place at which they differ. @type {(then: any, now: any, place: string) => string | null} */
function differenceOf(then, now, place) {
  if (isDeepStrictEqual(then, now)) return null;
  if (!then.members || !now.members || then.members.length !== now.members.length) return place;
  for (const [i, [name, member]] of now.members.entries()) {
    const at = now.isList ? `${place}[${name}]` : `${place}.${name}`;
    const found = then.members[i][0] === name ? differenceOf(then.members[i][1], member, at) : at;
    if (found !== null) return found;
  }
  return place;
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

/** @type {(place: string, reason: string) => any} */
function refuseFlow(place, reason) {
  const problems = createProblems('E_FLOW');
  problems.add(place, reason);
  problems.throwIfAny();
}
