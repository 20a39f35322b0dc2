import { isCyclic } from './nesting.js';

/**
 * Reports whether JSON can express a value as an object: not a Map, whose content is not in properties, and not cyclic.
 *
 * @param {any} value
 * @returns {value is Record<string, any>}
 */
export function isRecord(value) {
  return (
    isObject(value) &&
    (Object.keys(value).length > 0 || [null, Object.prototype].includes(Object.getPrototypeOf(value))) &&
    !isCyclic(value)
  );
}

/**
 * Reports whether a value is an object, neither an array nor a Buffer.
 *
 * @param {any} value
 * @returns {value is Record<string, any>}
 */
export function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}
