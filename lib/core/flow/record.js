/** Questions about the values of a flow, which may come from JSON, YAML or a program. */

import { MAX_DEPTH } from '../text/parse-json.js';

/**
 * Reports whether JSON can express a value as an object: not a Map, whose content is not in properties, and not cyclic.
 * @type {(value: any) => value is Record<string, any>}
 */
export function isRecord(value) {
  return (
    isObject(value) &&
    (Object.keys(value).length > 0 || isPlainObject(value) || isOfOwnClass(value)) &&
    !isCyclic(value)
  );
}

/** It may get its properties later. @type {(value: any) => boolean} */
function isOfOwnClass({ constructor, [Symbol.iterator]: iterator, then }) {
  if (typeof constructor !== 'function' || iterator !== undefined || then !== undefined) return false;
  return !Function.prototype.toString.call(constructor).includes('[native code]');
}

/** Reports whether a value is an object, no array, no Buffer. @type {(value: any) => value is Record<string, any>} */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** Reports whether arrays and objects are nested deeper than {@link MAX_DEPTH}. @type {(value: unknown) => boolean} */
export function isTooDeep(value) {
  /** @type {Set<unknown>} */
  const seen = new Set();
  /** @type {(value: any, level: number) => boolean} */
  const reaches = (value, level) => {
    if (!isContainer(value) || seen.has(value)) return false;
    seen.add(value);
    return level > MAX_DEPTH || valuesIn(value).some((inner) => reaches(inner, level + 1));
  };
  return reaches(value, 1);
}

/**
 * Reports whether a value contains itself, or is nested so deeply that it counts as endless: run options are not
 * checked by {@link isTooDeep}. Bytes and streams count as leaves. Recursion passes on `above`, the values around this
 * one, and `cleared`, those that were found to have no cycle.
 * @type {(value: any, above?: Set<unknown>, cleared?: Set<unknown>) => boolean}
 */
export function isCyclic(value, above = new Set(), cleared = new Set()) {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || typeof value.pipe === 'function')
    return false;
  if (above.has(value) || cleared.has(value)) return above.has(value);
  if (above.size > MAX_DEPTH) return true;
  above.add(value);
  const found = valuesIn(value).some((inner) => isCyclic(inner, above, cleared));
  above.delete(value);
  cleared.add(value);
  return found;
}

/** A getter may throw until code has run. @type {(value: object) => unknown[]} */
function valuesIn(value) {
  try {
    return Object.values(value);
  } catch {
    return [];
  }
}

/** Reports whether a value is an array or a plain object. @type {(value: unknown) => value is object} */
export function isContainer(value) {
  return Array.isArray(value) || isPlainObject(value);
}

/** Reports whether a value is an object of no class. @type {(value: unknown) => value is Record<string, any>} */
export function isPlainObject(value) {
  return typeof value === 'object' && value !== null && [null, Object.prototype].includes(Object.getPrototypeOf(value));
}

/** It stands for nothing in programs: `user && { user }`, an empty field. @type {(value: unknown) => boolean} */
export function isEmpty(value) {
  return value === null || value === undefined || value === false || value === 0 || value === '' || Number.isNaN(value);
}

/** Names a value that cannot be a flow: `a number`; else undefined. @type {(value: unknown) => string | undefined} */
export function flowFault(value) {
  if (value === undefined || value === null) return String(value);
  if (typeof value === 'function') return isClass(value) ? 'a class' : 'a function';
  if (typeof value === 'string' || Array.isArray(value)) return undefined;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
  return `an instance of ${prototype.constructor?.name || 'a class'}`;
}

/** @type {(value: unknown) => boolean} */
export function isClass(value) {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}
