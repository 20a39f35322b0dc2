import { offered } from '../ground/addons.js';
import { BODIES } from './bodies/index.js';
import { METHOD_OF, PROPERTIES } from './properties.js';
import { OWN_URL_KEYS, protocolOf } from './protocols/index.js';
import { isEmpty, isObject } from './record.js';
import { Placeholder } from './placeholder.js';

/** @import { Operation } from '../contracts/step.js' */
/** @import { Offered } from '../ground/types.js' */
/** @import { OldOptions } from './types.js' */

/** @typedef {(key: string, remark: string) => void} Ignore reports a property that has no effect */

/** @type {OldOptions} */
const NONE = { properties: {}, refuse: () => undefined, isIgnored: () => false, replace: (operation) => operation };

/** @type {Offered<OldOptions>[]} */
const [OFFERED] = offered('oldOptions');

/** Options of another tool that operations may have. @type {OldOptions} */
export const OLD_OPTIONS = OFFERED?.load() ?? NONE;

/**
 * Gives an operation the one meaning that it had for 1.2.4: values that stand for nothing are removed, and of several
 * requests or bodies the one is kept that was sent. An operation whose meaning is clear is returned itself.
 * @type {(operation: Operation, ignore: Ignore) => Operation}
 */
export function settleOperation(operation, ignore) {
  const settled = withOneBody(withOneRequest(withoutEmpty(operation), ignore), ignore);
  return OLD_OPTIONS.replace(settled, ignore, { keepsIgnored: hasFunction(operation.beforeHooks) });
}

/** @type {(hooks: unknown) => boolean} */
function hasFunction(hooks) {
  return [hooks].flat().some((hook) => typeof hook === 'function');
}

/** These have a method and a URL beside `get`. @type {(changed: Operation, ignore: Ignore) => Operation} */
export function settleChanged(changed, ignore) {
  const { jar } = changed;
  const cleared = [...Object.keys(METHOD_OF), 'url'].filter((key) => changed[key] === '');
  // An empty jar that is removed, as other empty values are, would leave the cookies of the iteration in place.
  const options = without(jar !== undefined && isEmpty(jar) ? { ...changed, jar: false } : changed, cleared);
  return OLD_OPTIONS.replace(withOneBody(withoutEmpty(options), ignore), ignore);
}

/** Operations do not happen without these: false and 0 could mean "never". */
const DECIDES = ['when', 'repeat', 'weight'];

/** Properties without a value that stands for nothing, although their type allows it. */
const ALSO_EMPTY = ['json', 'body', 'form', 'socketPath'];

/** 1.2.4 did not have these: without a value they are a mistake. */
const NEVER_EMPTY = BODIES.filter(({ keepsEmpty = false }) => keepsEmpty).map(({ name }) => name);

/** Flags, which 1.2.4 also read from 1 and 'true', and from empty values. */
const LIKE_FLAGS = ['gzip', 'followRedirect', 'followAllRedirects', 'removeRefererHeader'];

/**
 * Removes `null`, `false`, `0` and `''` where they are no value of the property, and replaces values of flags that are
 * like true or false.
 * @type {(operation: Operation) => Operation}
 */
function withoutEmpty(operation) {
  // The checks of such a protocol know the meaning of null and 0, and 1.2.4 did not have its operations.
  const { key: ownKey, keepsEmpty } = protocolOf(operation);
  if (keepsEmpty && ownKey !== null && isAddress(operation[ownKey])) return operation;
  const entries = Object.entries(operation);
  const settled = entries.map(([key, value]) => /** @type {[string, unknown]} */ ([key, settledValue(key, value)]));
  if (settled.every(([, value], i) => value === entries[i][1])) return operation;
  return Object.fromEntries(settled.filter(([, value], i) => value !== undefined || entries[i][1] === undefined));
}

/** @type {(key: string, value: any) => unknown} undefined if it stands for nothing */
function settledValue(key, value) {
  if (LIKE_FLAGS.includes(key) && isLikeFlag(value)) return isTrue(value);
  if (['form', 'qs'].includes(key) && Array.isArray(value)) return { ...value };
  if (!isEmpty(value) || isMeantEmpty(key, value))
    return key === 'qs' && isObject(value) ? withInherited(value) : value;
  // Hooks may read a property of the user's own.
  if (!Object.hasOwn(PROPERTIES, key)) return OLD_OPTIONS.refuse(key) ? undefined : value;
  const isValue = PROPERTIES[key].check(value) && !ALSO_EMPTY.includes(key) && !Number.isNaN(value);
  return isValue ? value : undefined;
}

/** A query has also what its object inherits, as in `Object.create(defaults)`. @type {(value: any) => unknown} */
function withInherited(value) {
  const names = [];
  for (const name in value) names.push(name);
  const hasAll = names.length === Object.keys(value).length;
  return hasAll ? value : Object.fromEntries(names.map((name) => [name, value[name]]));
}

/** @type {(key: string, value: unknown) => boolean} */
function isMeantEmpty(key, value) {
  // The empty body of json: true.
  if (key === 'body' && value === '') return true;
  return NEVER_EMPTY.includes(key) || (DECIDES.includes(key) && value !== null);
}

/** @type {(value: unknown) => boolean} */
function isLikeFlag(value) {
  return isEmpty(value) || value === 1 || value === 'true';
}

/** @type {(value: unknown) => boolean} */
function isTrue(value) {
  return value === 1 || value === 'true';
}

/** The properties of which 1.2.4 sent the first one that had a value. */
const IN_TURN = ['get', 'head', 'put', 'post', 'del', 'patch'];
/** 1.2.4 did not have these methods: they are a request if they have a URL, else a property of the user's own. */
const LATER_METHODS = ['delete', 'options'];
const METHOD_AND_URL = ['method', 'uri', 'url'];

/**
 * Keeps the one request that 1.2.4 sent. A request that 1.2.4 did not have stays beside it, so that checkOperation
 * refuses them.
 * @type {(operation: Operation, ignore: Ignore) => Operation}
 */
function withOneRequest(operation, ignore) {
  const isGiven = (/** @type {string} */ key) => !lacksValue(operation[key]);
  const kept = IN_TURN.find(isGiven) ?? LATER_METHODS.find((key) => isLaterRequest(key, operation));
  if (kept === undefined) return withOneUrl(withoutEmptyUrls(operation), ignore);
  const others = requestKeysOf(operation).filter((key) => key !== kept && !isLaterRequest(key, operation));
  for (const key of others) {
    if (isGiven(key) && !agrees(key, kept, operation)) ignore(key, `${kept} is sent`);
  }
  return without(operation, others);
}

/** @type {(value: unknown) => boolean} */
function lacksValue(value) {
  return value === undefined || value === '';
}

/** Lists the properties with a part of a request. @type {(operation: Operation) => string[]} */
function requestKeysOf(operation) {
  const keys = [...Object.keys(METHOD_OF), ...OWN_URL_KEYS, ...METHOD_AND_URL];
  return keys.filter((key) => operation[key] !== undefined);
}

/** Reports whether it is a request that 1.2.4 did not have. @type {(key: string, operation: Operation) => boolean} */
function isLaterRequest(key, operation) {
  const { [key]: value } = operation;
  return [...OWN_URL_KEYS, ...LATER_METHODS].includes(key) && !lacksValue(value) && isAddress(value);
}

/** Without another URL they stay, and are refused. @type {(operation: Operation) => Operation} */
function withoutEmptyUrls(operation) {
  const keys = requestKeysOf(operation);
  const empty = keys.filter((key) => operation[key] === '');
  const hasUrl = keys.some((key) => key !== 'method' && !empty.includes(key));
  return without(operation, hasUrl ? empty : []);
}

/** Removes a `url` that differs from `uri`. @type {(operation: Operation, ignore: Ignore) => Operation} */
function withOneUrl(operation, ignore) {
  const { uri, url } = operation;
  if (uri === undefined || url === undefined || hrefOf(uri) === hrefOf(url)) return operation;
  ignore('url', 'uri is sent');
  return without(operation, ['url']);
}

/** @type {(value: unknown) => boolean} */
function isAddress(value) {
  const isParsed = typeof (/** @type {any} */ (value)?.href) === 'string';
  return typeof value === 'string' || typeof value === 'function' || isParsed || value instanceof Placeholder;
}

/** @type {(key: string, kept: string, operation: Operation) => boolean} */
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
  // json: true and json: false say how the others are sent.
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
