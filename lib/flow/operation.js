import { METHODS } from 'node:http';

import { kindOf } from '../show.js';
import { readMsRange } from '../units.js';
import { isEndless } from './nesting.js';

/** @import { Problems } from '../problems.js' */

/**
 * The keys that give method and URL at once.
 * @type {Record<string, string>}
 */
export const METHOD_OF = {
  get: 'GET',
  head: 'HEAD',
  put: 'PUT',
  post: 'POST',
  patch: 'PATCH',
  del: 'DELETE',
  delete: 'DELETE',
  options: 'OPTIONS',
};
export const METHOD_KEYS = [...Object.keys(METHOD_OF), 'method', 'uri', 'url'];

/** @typedef {[isRight: (value: any) => boolean, expected: string]} Property */

/** @type {Property} */
const text = [(v) => typeof v === 'string', 'a string'];
/** @type {Property} */
const url = [(v) => typeof v === 'string' || v instanceof URL, 'a string'];
/** @type {Property} */
const flag = [(v) => typeof v === 'boolean', 'true or false'];
/** @type {Property} */
const fields = [isRecord, 'a plain object'];
/** @type {Property} */
const hooks = [Array.isArray, 'an array of hooks'];
/** @type {Property} */
const secret = [(v) => typeof v === 'string' || Buffer.isBuffer(v) || Array.isArray(v), 'a string or a Buffer'];

/**
 * What an operation may hold: one row a property, with the test of its value and the words for a failed one.
 * @type {Record<string, Property>}
 */
export const PROPERTIES = {
  ...Object.fromEntries(Object.keys(METHOD_OF).map((key) => [key, url])),
  method: [
    (v) => typeof v === 'string' && METHODS.includes(v.toUpperCase()) && v.toUpperCase() !== 'CONNECT',
    'an HTTP method such as GET',
  ],
  uri: url,
  url,
  name: text,
  json: [() => true, 'a JSON value'],
  body: [(v) => typeof v === 'string' || v instanceof Uint8Array, 'a string or a Buffer (for an object use json)'],
  headers: fields,
  qs: fields,
  form: [(v) => isRecord(v) || typeof v === 'string', 'a plain object or a string'],
  formData: fields,
  auth: [isAuth, "an object such as { user: 'joe', pass: 'secret' } or { bearer: 'token' }"],
  followRedirect: flag,
  followAllRedirects: flag,
  maxRedirects: [(v) => Number.isInteger(v) && v >= 0, 'a whole number from 0'],
  timeout: [(v) => typeof v === 'number' && v >= 0 && Number.isFinite(v), 'milliseconds from 0 (0: none)'],
  pause: [(v) => readMsRange(v) !== null, "milliseconds, '2s', or two of them: [500, 2000]"],
  gzip: flag,
  encoding: [(v) => v === null || Buffer.isEncoding(v), 'null for Buffers, or the name of an encoding'],
  jar: [(v) => typeof v === 'boolean', 'true or false'],
  beforeHooks: hooks,
  afterHooks: hooks,
  socketPath: text,
  rejectUnauthorized: flag,
  strictSSL: flag,
  ca: secret,
  cert: secret,
  key: secret,
  pfx: secret,
  passphrase: text,
  servername: text,
};

/** Options of the `request` library, on which 1.2.4 rested, that have no meaning here. */
const OF_REQUEST = new Set(
  (
    'agent agentClass agentOptions aws baseUrl callback family forever followOriginalHttpMethod har hawk httpSignature ' +
    'jsonReplacer jsonReviver localAddress lookup multipart oauth pool postambleCRLF preambleCRLF proxy proxyHeaderWhiteList ' +
    'qsParseOptions qsStringifyOptions removeRefererHeader time timing tunnel useQuerystring withCredentials'
  ).split(' '),
);

/**
 * Says all that is wrong with the keys and types of an operation.
 *
 * @param {Record<string, any>} operation
 * @param {string} path
 * @param {Problems} problems
 */
export function checkOperation(operation, path, problems) {
  for (const [key, value] of Object.entries(operation)) {
    const reason = refuseValue(key, value);
    if (reason) problems.add(`${path}.${key}`, reason);
    else if (OF_REQUEST.has(key))
      problems.add(`${path}.${key}`, 'an option of the old request library that is not supported: remove it');
    else if (!Object.hasOwn(PROPERTIES, key))
      problems.unknown(`${path}.${key}`, 'property', key, Object.keys(PROPERTIES));
  }
  const named = Object.keys(METHOD_OF).filter((key) => operation[key] !== undefined);
  const twice =
    named.length > 0 ? [...named, ...['method', 'uri', 'url'].filter((key) => operation[key] !== undefined)] : [];
  if (twice.length > 1) problems.add(path, `has ${twice.join(' and ')}: one operation is one request`);
  if (named.length === 0 && operation.uri === undefined && operation.url === undefined) {
    problems.add(path, "has no URL: write { get: 'http://…' }, or method and uri");
  }
  const bodies = ['body', 'form', 'formData'].filter((key) => operation[key] !== undefined);
  if (operation.json !== undefined && operation.json !== true) bodies.unshift('json');
  if (bodies.length > 1) problems.add(path, `has ${bodies.join(' and ')}: one request has one body`);
}

/** Why a property cannot have a value, as far as it is known. @type {(key: string, value: unknown) => string | undefined} */
export function refuseValue(key, value) {
  if (value === undefined || !Object.hasOwn(PROPERTIES, key)) return undefined;
  const [isRight, expected] = PROPERTIES[key];
  return isRight(value)
    ? undefined
    : `expected ${expected}, got ${isEndless(value) ? 'one that holds itself' : kindOf(value)}`;
}

/** @type {(value: any) => boolean} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value);
}

/** @type {(value: any) => boolean} */
function isAuth(value) {
  return (
    isObject(value) &&
    ['user', 'username', 'pass', 'password', 'bearer'].every(
      (key) => value[key] === null || ['string', 'number', 'undefined'].includes(typeof value[key]),
    )
  );
}

/** An object whose properties say all: neither a Map, whose content is elsewhere, nor one that leads back to itself. @type {(value: any) => boolean} */
export function isRecord(value) {
  return (
    isObject(value) &&
    (Object.keys(value).length > 0 || [null, Object.prototype].includes(Object.getPrototypeOf(value))) &&
    !isEndless(value)
  );
}
