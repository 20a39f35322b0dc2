import { nearest } from '../problems.js';
import { typeName } from '../text/format-value.js';
import { bodiesOf } from './bodies/compile-body.js';
import { EXPECT } from './checks/expect-property.js';
import { isCyclic } from './nesting.js';
import { METHOD_KEYS, METHOD_OF, PROPERTIES } from './properties.js';
import { answerOldOption } from './request-library.js';
import { ValueSlot } from './value-slot.js';
import { WEB_SOCKET_PROPERTIES, refuseMixture } from './web-socket/properties.js';

/**
 * @import { Problems } from '../problems.js'
 * @import { Refusal } from './checks/types.js'
 * @import { Property } from './properties.js'
 */

const URL_KEYS = METHOD_KEYS.filter((key) => key !== 'method');

/**
 * Reports all problems of the keys and types of an operation.
 *
 * @param {Record<string, any>} operation
 * @param {string} path
 * @param {Problems} problems
 * @returns {Set<string>} the keys with problems
 */
export function checkOperation(operation, path, problems) {
  const named = [...Object.keys(METHOD_OF), 'ws'].filter((key) => operation[key] !== undefined);
  const twice =
    named.length > 0 ? [...named, ...['method', 'uri', 'url'].filter((key) => operation[key] !== undefined)] : [];
  /** @type {Map<string, string>} */
  const mixture = new Map();
  if (twice.length <= 1) for (const { key, reason } of refuseMixture(operation)) mixture.set(key, reason);
  /** @type {Set<string>} */
  const broken = new Set();
  for (const [key, value] of Object.entries(operation)) {
    const foreign = Object.hasOwn(PROPERTIES, key) ? mixture.get(key) : undefined;
    const refusals = foreign ? [{ at: '', reason: foreign }] : refuseProperty(key, value, operation);
    for (const { at = '', reason } of refusals) problems.add(`${path}.${key}${at}`, reason);
    if (refusals.length > 0) broken.add(key);
  }
  if (twice.length > 1) problems.add(path, `has ${twice.join(' and ')}: one operation is one request`);
  if (!URL_KEYS.some((key) => operation[key] !== undefined) && !misspelledUrlKey(operation)) {
    problems.add(path, "has no URL: write { get: 'http://…' }, or method and uri");
  }
  const twoBodies = refuseBodies(operation);
  if (twoBodies) problems.add(path, twoBodies);
  return broken;
}

/**
 * Finds the key that was probably meant to give an operation its URL: `get` for `gte`.
 *
 * @param {Record<string, any>} operation
 * @returns {{ key: string, near: string } | undefined} undefined if no unknown key with a URL, or a function of one, is near
 */
export function misspelledUrlKey(operation) {
  for (const [key, value] of Object.entries(operation)) {
    if (!['string', 'function'].includes(typeof value) && !(value instanceof URL)) continue;
    const near = Object.hasOwn(PROPERTIES, key) ? undefined : nearProperty(key);
    if (near && URL_KEYS.includes(near)) return { key, near };
  }
  return undefined;
}

/**
 * Explains why an operation has more than one body.
 *
 * @param {Record<string, any>} operation
 * @returns {string | undefined} undefined if it has one or none
 */
export function refuseBodies(operation) {
  const names = bodiesOf(operation).map(({ name }) => name);
  return names.length > 1 ? `has ${names.join(' and ')}: one request has one body` : undefined;
}

/**
 * Explains why an operation cannot have a property, or not this value.
 *
 * @param {string} key
 * @param {unknown} value
 * @param {Record<string, any>} operation
 * @returns {Refusal[]} none if it can
 */
export function refuseProperty(key, value, operation) {
  if (!Object.hasOwn(PROPERTIES, key)) return [{ reason: explainUnknown(key) }];
  if (value === undefined || value instanceof ValueSlot) return [];
  const { check, expected, refuse } = propertyOf(key, operation);
  const refusals = refuse?.(value) ?? [];
  if (refusals.length > 0 || check(value)) return refusals;
  return [{ reason: `expected ${expected}, got ${isCyclic(value) ? 'one that contains itself' : typeName(value)}` }];
}

/** @type {(key: string) => string} */
function explainUnknown(key) {
  const answer = answerOldOption(key);
  if (answer) return answer;
  const near = nearProperty(key);
  return `unknown property${near ? `, did you mean ${near}?` : ''}`;
}

/** @type {(key: string) => string | undefined} */
function nearProperty(key) {
  return answerOldOption(key) ? undefined : nearest(key, [...Object.keys(PROPERTIES), 'oneOf']);
}

/** @type {(key: string, operation: Record<string, any>) => Property} */
function propertyOf(key, { ws }) {
  if (key !== 'expect') return PROPERTIES[key];
  return ws === undefined ? EXPECT : WEB_SOCKET_PROPERTIES.expect;
}
