import { maskText } from '../text/mask.js';
import { METHOD_KEYS } from './properties.js';
import { methodAndUrl, stepName } from './request.js';
import { ValueSlot } from './value-slot.js';

/** @import { Operation } from './types.js' */

/**
 * The name of an operation in results, with secrets masked.
 *
 * @param {Operation} operation
 * @param {{ hasOrigin?: boolean }} [options] hasOrigin: with the origin of its URL
 * @returns {string} its `name`, or method and path: `GET /items/#{INDEX}`; empty if these are no texts, which is refused elsewhere
 */
export function nameOf(operation, { hasOrigin = false } = {}) {
  if (typeof operation.name === 'string') return maskText(operation.name);
  if (!METHOD_KEYS.every((key) => isText(operation[key]) || isFunctionOfUrl(operation, key))) return '';
  const { method, key, url } = methodAndUrl(operation);
  if (url instanceof ValueSlot || isFunctionOfUrl(operation, key)) return `${method} (function)`;
  return hasOrigin ? maskText(`${method} ${url}`) : stepName(method, url);
}

/** @type {(operation: Operation, key: string) => boolean} */
function isFunctionOfUrl(operation, key) {
  return key !== 'method' && typeof operation[key] === 'function';
}

/** @type {(value: unknown) => boolean} */
function isText(value) {
  return value === undefined || typeof value === 'string' || value instanceof URL;
}
