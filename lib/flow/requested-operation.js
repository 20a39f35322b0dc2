import { makeError } from '../errors.js';
import { typeName } from '../text/format-value.js';
import { BODIES } from './bodies/index.js';
import { refuseBodies, refuseProperty } from './operation.js';
import { METHOD_OF } from './properties.js';
import { isObject } from './record.js';
import { hasToken } from './tokens/token-use.js';

/**
 * @import { Operation } from './types.js'
 *
 * @typedef {object} Shape what operations have in common that differ in the values of their requests alone
 * @property {string} key the same for all of them
 * @property {string[]} varying the properties that differ
 */

const URL_KEYS = [...Object.keys(METHOD_OF), 'uri', 'url'];
/** Properties whose value is taken from each call. */
const VARYING = new Set([...URL_KEYS, 'headers', 'qs', ...BODIES.map(({ name }) => name)]);
/** Properties that JavaScript replaces. @type {Record<string, string>} */
const ANSWERS = {
  ...Object.fromEntries(
    ['when', 'repeat', 'weight', 'oneOf'].map((key) => [key, 'is for operations of a phase: write it in JavaScript']),
  ),
  group: 'is for operations of a phase',
  pause: 'is for operations of a phase: call pause() of the function',
  ws: 'is for operations of a phase: a function cannot use WebSockets',
};

/** Identifies functions. @type {WeakMap<object, number>} */
const IDENTITIES = new WeakMap();
let identities = 0;

/**
 * Checks an operation that a function requests. Its values are data: tokens in them are not replaced.
 *
 * @param {unknown} given
 * @param {string} where of the function
 * @returns {Operation}
 * @throws {Error} E_REQUEST_FIELD
 */
export function readRequested(given, where) {
  const refuse = (/** @type {string} */ key, /** @type {string} */ reason) => {
    throw makeError('E_REQUEST_FIELD', { place: key === '' ? `${where}.request` : `${where}.request.${key}`, reason });
  };
  const operation = typeof given === 'string' || given instanceof URL ? { get: given } : given;
  if (!isObject(operation)) refuse('', `expected an operation such as { get: '/items' }, got ${typeName(operation)}`);
  const checked = /** @type {Operation} */ (operation);
  for (const [key, value] of Object.entries(checked)) {
    if (Object.hasOwn(ANSWERS, key)) refuse(key, ANSWERS[key]);
    for (const { at = '', reason } of refuseProperty(key, value, checked)) refuse(key + at, reason);
    if (URL_KEYS.includes(key) && hasToken(String(value)))
      refuse(key, 'has a token, and tokens are not replaced in what functions request: write `/items/${index}`');
  }
  const twoBodies = refuseBodies(checked);
  if (twoBodies) refuse('', twoBodies);
  return checked;
}

/**
 * @param {Operation} operation checked
 * @param {string} name
 * @returns {Shape}
 */
export function shapeOf(operation, name) {
  const keys = Object.keys(operation).filter((key) => operation[key] !== undefined && key !== 'name');
  const varying = keys.filter((key) => isVarying(key, operation));
  const fixed = keys.filter((key) => !varying.includes(key)).map((key) => `${key}=${identityOf(operation[key])}`);
  return { key: [JSON.stringify(name), ...varying, ...fixed].join(' '), varying };
}

/** Tells an operation from other values that a function may return. @type {(value: unknown) => boolean} */
export function isOperation(value) {
  try {
    return isObject(value) && Object.keys(METHOD_OF).some((key) => typeof value[key] === 'string');
  } catch {
    // a Proxy or getter of the user may throw
    return false;
  }
}

/** The name of operations whose URLs are too many. @type {(operation: Operation) => string} */
export function commonNameOf(operation) {
  const key = Object.keys(METHOD_OF).find((one) => operation[one] !== undefined);
  const method = key === undefined ? String(operation.method ?? 'GET').toUpperCase() : METHOD_OF[key];
  return `${method} (function)`;
}

/** @type {(key: string, operation: Operation) => boolean} */
function isVarying(key, operation) {
  const value = operation[key];
  if (!VARYING.has(key) || typeof value === 'function') return false;
  if (key === 'json') return value !== true;
  // files are read when the operation is compiled
  return !(key === 'body' && isObject(value) && 'file' in value);
}

/** @type {(value: any) => string} */
function identityOf(value) {
  if (typeof value === 'function' || Buffer.isBuffer(value)) return `${typeof value} ${numberOf(value)}`;
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(identityOf).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? String(value);
  const entries = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${identityOf(item)}`);
  return `{${entries.join(',')}}`;
}

/** @type {(value: object) => number} */
function numberOf(value) {
  const number = IDENTITIES.get(value) ?? ++identities;
  IDENTITIES.set(value, number);
  return number;
}
