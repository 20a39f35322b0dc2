import { isOwnName, misspelled, nearest } from '../ground/problems.js';
import { HAS_AUTHORITY, HAS_SCHEME } from '../http/schemes.js';
import { typeName } from '../text/format-value.js';
import { safe } from '../text/safe.js';
import { BODIES, bodiesOf } from './bodies/index.js';
import { REPETITION } from './control.js';
import { METHOD_KEYS, METHOD_OF, PROPERTIES } from './properties.js';
import { OWN_URL_KEYS, protocolOf, refuseMixture } from './protocols/index.js';
import { isCyclic, isPlainObject } from './record.js';
import { OLD_OPTIONS } from './settle-operation.js';
import { Placeholder } from './placeholder.js';

/** @import { Problems } from '../ground/types.js' */
/** @import { Refusal } from './checks/types.js' */
/** @import { Property } from './types.js' */

/** The names that an entry of a phase can have. */
export const PROPERTY_NAMES = [...Object.keys(PROPERTIES), 'oneOf'];
const URL_KEYS = METHOD_KEYS.filter((key) => key !== 'method');

/**
 * Reports all problems of the keys and types of an operation, and returns the keys with problems. `hooksMaySetUrl`: the
 * operation may have no URL.
 * @type {(operation: Record<string, any>, path: string, problems: Problems, context?: { hooksMaySetUrl?: boolean }) =>
 *   Set<string>}
 */
export function checkOperation(operation, path, problems, { hooksMaySetUrl = false } = {}) {
  const requests = requestsIn(operation);
  // Ignored options are reported where the operation is settled.
  const entries = Object.entries(operation).filter(([name]) => !OLD_OPTIONS.isIgnored(name));
  const isOurs = (/** @type {string} */ key) =>
    Object.hasOwn(PROPERTIES, key) && !isOwnProperty(key, operation[key], operation);
  const ours = Object.fromEntries(entries.filter(([key]) => isOurs(key)));
  // Several requests, which are refused below, do not show which protocol is meant.
  const mixture = requests.length <= 1 ? refuseMixture(ours) : [];
  /** @type {Set<string>} */
  const broken = new Set();
  for (const [key, value] of entries) {
    if (isOwnProperty(key, value, operation)) {
      checkOwn(key, operation, path, problems);
      continue;
    }
    /** @type {Refusal[]} */
    const foreign = mixture.filter((row) => row.key === key && Object.hasOwn(ours, key));
    const refusals = foreign.length > 0 ? foreign : refuseProperty(key, value, operation);
    for (const { at = '', reason } of refusals) problems.add(`${path}.${key}${at}`, reason);
    if (refusals.length > 0) broken.add(key);
  }
  const lacking = mixture.filter(({ key }) => !Object.hasOwn(ours, key));
  for (const { key, reason } of lacking) problems.add(path, `${key} ${reason}`);
  if (requests.length > 1) problems.add(path, `has ${requests.join(' and ')}: one operation is one request`);
  if (lacksUrl(operation, hooksMaySetUrl))
    problems.add(path, `has no URL: write { get: 'http://…' }, or method and uri${otherAddon(operation)}`);
  const twoBodies = refuseBodies(operation);
  if (twoBodies) problems.add(path, twoBodies);
  return broken;
}

/** @type {(key: string, operation: Record<string, any>, path: string, problems: Problems) => void} */
function checkOwn(key, operation, path, problems) {
  const meant = meantProperty(key, operation);
  const { expected, remark = `expected ${expected}` } = propertyOf(key, operation) ?? {};
  if (expected) problems.ignore(`${path}.${key}`, remark, remark);
  else if (meant) problems.add(`${path}.${key}`, `is ${meant} here`);
  else problems.refuseUnlessOwn(`${path}.${key}`, 'property', key, PROPERTY_NAMES);
}

const BODY_NAMES = BODIES.map(({ name }) => name);
const BODY_KEYS = ['post', 'put', 'patch', 'method'];

/**
 * Names that other HTTP clients and test tools have for our properties. `isMeant`: the property is likely meant as
 * ours, and does not belong to the user.
 * @type {{ names: string[], ours: string[], isMeant: (value: unknown, operation: Record<string, any>) => boolean }[]}
 */
const OTHER_NAMES = [
  {
    names: ['params', 'query', 'searchParams', 'queryString'],
    ours: ['qs'],
    isMeant: (_, operation) => !isChangedByHook(operation),
  },
  {
    names: ['data', 'payload'],
    ours: BODY_NAMES,
    isMeant: (_, operation) => BODY_KEYS.some((name) => operation[name] !== undefined) && !isChangedByHook(operation),
  },
  { names: ['messages'], ours: ['repeat'], isMeant: isSeries },
  { names: ['preHooks', 'preHook'], ours: ['beforeHooks'], isMeant: isCode },
  { names: ['postHooks', 'postHook'], ours: ['afterHooks'], isMeant: isCode },
  { names: ['hooks', 'hook'], ours: ['beforeHooks', 'afterHooks'], isMeant: isCode },
  {
    names: ['username', 'password', 'pass', 'bearer', 'credentials'],
    ours: ['auth'],
    // Hooks may read the properties beside the request.
    isMeant: (_, { beforeHooks, afterHooks }) => ![beforeHooks, afterHooks].flat().some(isCode),
  },
];

/** Reports whether a before-hook may read properties of a user. @type {(operation: Record<string, any>) => boolean} */
function isChangedByHook({ beforeHooks }) {
  return [beforeHooks].flat().some((hook) => typeof hook === 'function');
}

/** @type {(value: unknown) => boolean} */
function isSeries(value) {
  return isPlainObject(value) && REPETITION.some((key) => Object.hasOwn(value, key));
}

/** @type {(value: unknown) => boolean} */
function isCode(value) {
  return typeof value === 'function' || Array.isArray(value);
}

/**
 * Returns our name of a property that has another one; undefined if the operation has ours too, or if the name is the
 * user's.
 * @type {(key: string, operation: Record<string, any>) => string | undefined}
 */
function meantProperty(key, operation) {
  const other = OTHER_NAMES.find(({ names }) => names.includes(key));
  if (!other?.isMeant(operation[key], operation)) return undefined;
  // Two of the bodies are enough.
  return other.ours.some((name) => operation[name] !== undefined) ? undefined : other.ours.slice(0, 2).join(' or ');
}

/** @type {(operation: Record<string, any>) => string[]} */
function requestsIn(operation) {
  const isGiven = (/** @type {string} */ key) => operation[key] !== undefined;
  const named = [...Object.keys(METHOD_OF), ...OWN_URL_KEYS].filter(isGiven);
  return named.length > 0 ? [...named, ...['method', 'uri', 'url'].filter(isGiven)] : [];
}

/** Explains an operation with a URL whose scheme no protocol has. @type {(operation: Record<string, any>) => string} */
function otherAddon(operation) {
  const isUrl = (/** @type {unknown} */ value) =>
    typeof value === 'string' && HAS_AUTHORITY.test(value) && !HAS_SCHEME.test(value);
  const key = Object.keys(operation).find((name) => !Object.hasOwn(PROPERTIES, name) && isUrl(operation[name]));
  return key === undefined ? '' : `, or load the add-on of ${safe(key)}: --addon NAME`;
}

/** @type {(operation: Record<string, any>) => boolean} */
export function hasNoUrl(operation) {
  return URL_KEYS.every((key) => operation[key] === undefined || operation[key] === '');
}

/** @type {(operation: Record<string, any>, hooksMaySetUrl: boolean) => boolean} */
function lacksUrl(operation, hooksMaySetUrl) {
  // A misspelled key is reported by itself.
  return !hooksMaySetUrl && !URL_KEYS.some((key) => operation[key] !== undefined) && !misspelledUrlKey(operation);
}

/**
 * Finds the key that was probably meant to give an operation its URL: `get` for `gte`. Undefined if no unknown key with
 * a URL, or a function of one, is near.
 * @type {(operation: Record<string, any>) => { key: string, near: string } | undefined}
 */
export function misspelledUrlKey(operation) {
  for (const [key, value] of Object.entries(operation)) {
    if (!['string', 'function'].includes(typeof value) && !(value instanceof URL)) continue;
    const near = Object.hasOwn(PROPERTIES, key) ? undefined : misspelled(key, PROPERTY_NAMES);
    if (near && URL_KEYS.includes(near)) return { key, near };
  }
  return undefined;
}

/** Explains that an operation has several bodies. @type {(operation: Record<string, any>) => string | undefined} */
export function refuseBodies(operation) {
  const names = bodiesOf(operation).map(({ name }) => name);
  return names.length > 1 ? `has ${names.join(' and ')}: one request has one body` : undefined;
}

/** @type {(key: string, value: unknown, operation: Record<string, any>) => Refusal[]} */
export function refuseProperty(key, value, operation) {
  if (!Object.hasOwn(PROPERTIES, key)) return [{ reason: explainUnknown(key, operation) }];
  if (value === undefined || value instanceof Placeholder) return [];
  const { check, expected, refuse } = propertyOf(key, operation);
  const refusals = refuse?.(value) ?? [];
  if (refusals.length > 0 || check(value)) return refusals;
  return [{ reason: `expected ${expected}, got ${isCyclic(value) ? 'one that contains itself' : typeName(value)}` }];
}

/** @type {(key: string, operation: Record<string, any>) => string} */
function explainUnknown(key, operation) {
  const answer = OLD_OPTIONS.refuse(key);
  if (answer) return answer;
  const meant = meantProperty(key, operation);
  if (meant) return `is ${meant} here`;
  const near = nearest(key, PROPERTY_NAMES);
  return `unknown property${near ? `, did you mean ${near}?` : ''}`;
}

/** Only hooks get it. @type {(key: string, value: unknown, operation: Record<string, any>) => boolean} */
export function isOwnProperty(key, value, operation) {
  if (Object.hasOwn(PROPERTIES, key)) return propertyOf(key, operation).isOwn?.(value, operation) === true;
  return !OLD_OPTIONS.refuse(key) && isOwnName(key, PROPERTY_NAMES);
}

/** @type {(key: string, operation: Record<string, any>) => Property} */
function propertyOf(key, operation) {
  const { properties } = protocolOf(operation);
  return Object.hasOwn(properties, key) ? properties[key] : PROPERTIES[key];
}
