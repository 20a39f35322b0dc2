import { isEmpty } from './empty.js';
import { METHOD_OF, PROPERTIES } from './properties.js';
import { refuseOldOption, withoutOldOptions } from './request-library.js';
import { ValueSlot } from './value-slot.js';

/**
 * @import { Operation } from './types.js'
 *
 * @typedef {(key: string, remark: string) => void} Ignore reports a property that has no effect
 */

/**
 * Gives an operation the one meaning that it had for 1.2.4: values that stand for nothing are removed, and of several
 * requests or bodies the one is kept that was sent.
 *
 * @param {Operation} operation as the user wrote it
 * @param {Ignore} ignore
 * @returns {Operation} the same one if its meaning is clear
 */
export function settleOperation(operation, ignore) {
  const settled = withOneBody(withOneRequest(withoutEmpty(operation), ignore), ignore);
  return withoutOldOptions(settled, ignore, { keepsIgnored: hasFunction(operation.beforeHooks) });
}

/** @type {(hooks: unknown) => boolean} */
function hasFunction(hooks) {
  return [hooks].flat().some((hook) => typeof hook === 'function');
}

/**
 * The same for `all.requestOptions`, which have a method and a URL beside `get` and the like.
 *
 * @param {Operation} changed
 * @param {Ignore} ignore
 * @returns {Operation}
 */
export function settleChanged(changed, ignore) {
  const { jar } = changed;
  const cleared = [...Object.keys(METHOD_OF), 'url'].filter((key) => changed[key] === '');
  const options = without(jar !== undefined && isEmpty(jar) ? { ...changed, jar: false } : changed, cleared);
  return withoutOldOptions(withOneBody(withoutEmpty(options), ignore), ignore);
}

/** Operations do not happen without these: false and 0 could mean "never". */
const DECIDES = ['when', 'repeat', 'weight'];

/** What is nothing, although the type of the property allows it. */
const ALSO_EMPTY = ['body', 'form', 'socketPath'];

/** Properties that are true or false by what they are like. */
const LIKE_FLAGS = ['gzip', 'followRedirect', 'followAllRedirects', 'removeRefererHeader'];

/**
 * Removes `null`, `false`, `0` and `''` where they are no value of the property, and replaces values of flags that are like true
 * or false.
 *
 * @type {(operation: Operation) => Operation}
 */
function withoutEmpty(operation) {
  // its checks know what null and 0 mean, and 1.2.4 did not have it
  if (operation.ws !== undefined && isAddress(operation.ws)) return operation;
  const entries = Object.entries(operation);
  const settled = entries.map(([key, value]) => /** @type {[string, unknown]} */ ([key, settledValue(key, value)]));
  if (settled.every(([, value], i) => value === entries[i][1])) return operation;
  return Object.fromEntries(settled.filter(([, value], i) => value !== undefined || entries[i][1] === undefined));
}

/** @type {(key: string, value: any) => unknown} undefined if it stands for nothing */
function settledValue(key, value) {
  if (LIKE_FLAGS.includes(key) && isLikeFlag(value)) return isTrue(value);
  if (['form', 'qs'].includes(key) && Array.isArray(value)) return { ...value };
  if (!isEmpty(value) || (DECIDES.includes(key) && value !== null)) return value;
  // of json: true
  if (key === 'body' && value === '') return value;
  // hooks may read a property of the user's own
  if (!Object.hasOwn(PROPERTIES, key)) return refuseOldOption(key) ? undefined : value;
  const isValue = PROPERTIES[key].check(value) && !ALSO_EMPTY.includes(key) && !Number.isNaN(value);
  return isValue ? value : undefined;
}

/** @type {(value: unknown) => boolean} */
function isLikeFlag(value) {
  return isEmpty(value) || value === 1 || value === 'true';
}

/** @type {(value: unknown) => boolean} */
function isTrue(value) {
  return value === 1 || value === 'true';
}

/** The properties that are a request of 1.2.4: the first of them is sent. */
const IN_TURN = ['get', 'head', 'put', 'post', 'del', 'patch'];
const METHOD_AND_URL = ['method', 'uri', 'url'];

/** @type {(operation: Operation, ignore: Ignore) => Operation} */
function withOneRequest(operation, ignore) {
  const isGiven = (/** @type {string} */ key) => operation[key] !== undefined && operation[key] !== '';
  const kept = [...IN_TURN, 'delete', 'options'].find((key) => isGiven(key) && isAddress(operation[key]));
  const keys = [...Object.keys(METHOD_OF), 'ws', ...METHOD_AND_URL].filter((key) => operation[key] !== undefined);
  const urls = keys.filter((key) => key !== 'method' && isGiven(key));
  if (kept === undefined) return without(operation, urls.length > 0 ? keys.filter((key) => !isGiven(key)) : []);
  const others = keys.filter((key) => key !== kept && !isOtherRequest(key, operation));
  for (const key of others) {
    if (isGiven(key) && !agrees(key, kept, operation)) ignore(key, `${kept} is sent`);
  }
  return without(operation, others);
}

/** 1.2.4 did not have these: beside another request they are a mistake if they have a URL. @type {(key: string, operation: Operation) => boolean} */
function isOtherRequest(key, operation) {
  return ['ws', 'delete', 'options'].includes(key) && operation[key] !== '' && isAddress(operation[key]);
}

/** @type {(value: unknown) => boolean} */
function isAddress(value) {
  const isParsed = typeof (/** @type {any} */ (value)?.href) === 'string';
  return typeof value === 'string' || typeof value === 'function' || isParsed || value instanceof ValueSlot;
}

/** It means the same as the request. @type {(key: string, kept: string, operation: Operation) => boolean} */
function agrees(key, kept, operation) {
  const { [key]: value, [kept]: sent } = operation;
  if (key === 'method') return typeof value === 'string' && value.toUpperCase() === METHOD_OF[kept];
  return METHOD_AND_URL.includes(key) && (value === sent || hrefOf(value) === hrefOf(sent));
}

/** @type {(value: any) => unknown} */
function hrefOf(value) {
  return value?.href ?? value;
}

/** Bodies of which 1.2.4 sent the first. */
const BODIES_IN_TURN = ['json', 'form', 'body'];

/** @type {(operation: Operation, ignore: Ignore) => Operation} */
function withOneBody(operation, ignore) {
  const given = BODIES_IN_TURN.filter((key) => operation[key] !== undefined);
  if (given.length < 2) return operation;
  // json: true and json: false say how the others are sent
  const all = given.filter((key) => typeof operation[key] !== 'boolean');
  const [kept] = all.filter((key) => !isEmpty(operation[key]));
  if (kept === undefined) return operation;
  const others = all.filter((key) => key !== kept);
  for (const key of others) if (!isEmpty(operation[key])) ignore(key, `${kept} is sent`);
  return without(operation, others);
}

/** @type {(operation: Operation, keys: string[]) => Operation} */
function without(operation, keys) {
  if (keys.length === 0) return operation;
  return Object.fromEntries(Object.entries(operation).filter(([key]) => !keys.includes(key)));
}
