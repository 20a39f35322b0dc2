import { shortened, typeName } from '../text/format-value.js';
import { MAX_DEPTH } from '../text/parse-json.js';
import { safe } from '../text/safe.js';
import { nearest } from './problems.js';

/**
 * A declaration of what a value from elsewhere may be: of a queue, a file, another thread or process. It returns a new
 * value that has what was declared and nothing else, so that code behind it never meets a property that was not
 * checked.
 * @template [T=any]
 * @typedef {((value: any, place: ShapePath) => T) & { isOptional?: boolean }} Shape
 */

const PLAIN_NAME = /^[A-Za-z_$][\w$]*$/;
const LONGEST_NAME = 60;
const LONGEST_TEXT = 10_000;
const MOST_ITEMS = 10_000;

/** Explains why a value is not of a shape, the place first: `flow.source.evaluate: unknown property`. */
export class ShapeError extends Error {
  /**
   * @param {string} path `report.stats.series[2]`
   * @param {string} reason what was expected
   */
  constructor(path, reason) {
    super(`${path}: ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

/**
 * Rebuilds a value by its shape; the copy shares no object with the value. `name` is that of the whole value in
 * messages; `dropsUnknown` leaves out properties that were not declared, instead of refusing them.
 * @throws {ShapeError}
 * @type {<T>(shape: Shape<T>, value: unknown, options: { name: string, dropsUnknown?: boolean }) => T}
 */
export function rebuild(shape, value, { name, dropsUnknown = false }) {
  return shape(value, new ShapePath(name, dropsUnknown));
}

class ShapePath {
  #name;
  /** @type {(string | number)[]} */
  #keys = [];

  /** @param {string} name @param {boolean} dropsUnknown */
  constructor(name, dropsUnknown) {
    this.#name = name;
    this.dropsUnknown = dropsUnknown;
  }

  get depth() {
    return this.#keys.length;
  }

  /** @type {<T>(key: string | number, value: unknown, shape: Shape<T>) => T} */
  within(key, value, shape) {
    this.#keys.push(key);
    const result = shape(value, this);
    this.#keys.pop();
    return result;
  }

  /** The value is not shown: it may be a secret. @type {(value: unknown, expected: string) => never} */
  refuse(value, expected) {
    throw new ShapeError(this.#path(), `expected ${expected}, got ${typeName(value)}`);
  }

  /** @type {(name: string, allowed: string[]) => never} */
  refuseUnknown(name, allowed) {
    const near = nearest(name, allowed);
    throw new ShapeError(this.#path(name), `unknown property${near ? `, did you mean ${near}?` : ''}`);
  }

  /** @type {(...last: string[]) => string} */
  #path(...last) {
    return [...this.#keys, ...last].reduce((/** @type {string} */ path, key) => path + pathOf(key), this.#name);
  }
}

/** @type {(key: string | number) => string} */
function pathOf(key) {
  if (typeof key === 'number') return `[${key}]`;
  const name = shortened(key, LONGEST_NAME);
  return PLAIN_NAME.test(name) ? `.${name}` : `[${safe(JSON.stringify(name))}]`;
}

/**
 * An object with these properties. Without `others`, the shape of further properties (never `__proto__`), it has no
 * others.
 * @type {(fields: Record<string, Shape>, options?: { others?: Shape }) => Shape}
 */
export function record(fields, { others } = {}) {
  const rows = Object.entries(fields);
  const names = Object.keys(fields);
  return (value, place) => {
    if (!isObject(value)) place.refuse(value, 'an object');
    const ignoresOthers = !others && place.dropsUnknown;
    const keys = ignoresOthers ? [] : Object.keys(value).filter((key) => !Object.hasOwn(fields, key));
    const unknown = others ? keys.find((key) => key === '__proto__') : keys[0];
    if (unknown !== undefined && !place.dropsUnknown) place.refuseUnknown(unknown, names);
    /** @type {Record<string, unknown>} */
    const result = {};
    for (const [name, shape] of rows) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined;
      if (own !== undefined || !shape.isOptional) result[name] = place.within(name, own, shape);
    }
    if (others) for (const key of keys) if (key !== unknown) result[key] = place.within(key, value[key], others);
    return result;
  };
}

/**
 * Declares one of several objects, chosen by the text of its property `tag`, so that no other property decides.
 * @type {(tag: string, kinds: Record<string, Record<string, Shape>>) => Shape}
 */
export function tagged(tag, kinds) {
  const isKind = choice(...Object.keys(kinds));
  const shapes = new Map(Object.entries(kinds).map(([kind, fields]) => [kind, record({ [tag]: isKind, ...fields })]));
  return (value, place) => {
    if (!isObject(value)) place.refuse(value, 'an object');
    const kind = place.within(tag, Object.hasOwn(value, tag) ? value[tag] : undefined, isKind);
    return /** @type {Shape} */ (shapes.get(kind))(value, place);
  };
}

/**
 * An object with any names. `names` is their shape, `most` their number.
 * @type {(shape: Shape, options?: { most?: number, names?: Shape<string> }) => Shape}
 */
export function mapOf(shape, { most = MOST_ITEMS, names: isName } = {}) {
  return (value, place) => {
    if (!isObject(value)) place.refuse(value, 'an object');
    const names = Object.keys(value);
    if (names.length > most) place.refuse(value, `at most ${most} properties`);
    if (isName) for (const name of names) place.within(name, name, isName);
    // A property named __proto__ becomes an own one.
    return Object.fromEntries(names.map((name) => [name, place.within(name, value[name], shape)]));
  };
}

/** @type {(shape: Shape, options?: { least?: number, most?: number }) => Shape} */
export function list(shape, { least = 0, most = MOST_ITEMS } = {}) {
  return (value, place) => {
    if (!Array.isArray(value)) place.refuse(value, 'an array');
    if (value.length < least || value.length > most)
      place.refuse(value, most < Infinity ? `${least} to ${most} items` : `at least ${least} of them`);
    return Array.from(value, (one, i) => place.within(i, one, shape));
  };
}

/**
 * A text. `most` is the number of its characters, `expected` describes what matches the pattern.
 * @type {(options?: { most?: number, pattern?: RegExp, expected?: string }) => Shape<string>}
 */
export function text({
  most = LONGEST_TEXT,
  pattern = /(?:)/,
  expected = most === Infinity ? 'a text' : `a text of at most ${most} characters`,
} = {}) {
  return (value, place) =>
    typeof value === 'string' && value.length <= most && pattern.test(value) ? value : place.refuse(value, expected);
}

/** @type {(options?: { least?: number, most?: number, isWhole?: boolean }) => Shape<number>} */
export function number({ least = -Infinity, most = Infinity, isWhole = false } = {}) {
  const limits = [...(least > -Infinity ? [` from ${least}`] : []), ...(most < Infinity ? [` to ${most}`] : [])];
  const expected = `a ${isWhole ? 'whole' : 'finite'} number${limits.join('')}`;
  return (value, place) => {
    const isNumber = isWhole ? Number.isSafeInteger(value) : Number.isFinite(value);
    return isNumber && value >= least && value <= most ? value : place.refuse(value, expected);
  };
}

/** @type {Shape<boolean>} */
export const flag = (value, place) => (typeof value === 'boolean' ? value : place.refuse(value, 'true or false'));

/** @type {(...allowed: ((string | number | boolean))[]) => Shape} */
export function choice(...allowed) {
  return (value, place) => (allowed.includes(value) ? value : place.refuse(value, allowed.join(' or ')));
}

/** @type {(shape: Shape) => Shape} a value, or null */
export function nullable(shape) {
  return (value, place) => (value === null ? null : shape(value, place));
}

/** @type {(shape: Shape) => Shape} a property that may be missing */
export function optional(shape) {
  return Object.assign((/** @type {any} */ value, /** @type {ShapePath} */ place) => shape(value, place), {
    isOptional: true,
  });
}

/** @type {(shape: Shape, holds: (value: any) => boolean, expected: string) => Shape} */
export function where(shape, holds, expected) {
  return (value, place) => {
    const result = shape(value, place);
    return holds(result) ? result : place.refuse(value, expected);
  };
}

/** A value that this process made itself, and that is too large to copy: it is passed on as it is. @type {Shape} */
export const given = (value, place) => (value === undefined ? place.refuse(value, 'a value') : value);

/** Any JSON, for values that have a check of their own: run options, the properties of a request. @type {Shape} */
export const json = (value, place) => {
  if (place.depth > MAX_DEPTH) place.refuse(value, `at most ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return Array.from(value, (one, i) => place.within(i, one, json));
  if (isObject(value))
    return Object.fromEntries(Object.keys(value).map((key) => [key, place.within(key, value[key], json)]));
  const isScalar = value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
  return isScalar ? value : place.refuse(value, 'JSON');
};

/** @type {(value: unknown) => value is Record<string, any>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
