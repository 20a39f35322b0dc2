import { isIP } from 'node:net';

import { readCookies } from '../cookie-values.js';
import { nearest } from '../problems.js';
import { parseProxy } from '../proxy.js';
import { typeName } from '../text/format-value.js';
import { TLS_PROPERTIES } from '../tls-properties.js';
import { readMs, readMsRange } from '../units.js';
import { BODIES } from './bodies/index.js';
import { bodiesOf } from './bodies/compile-body.js';
import { refuseExpect } from './checks/compile-checks.js';
import { CHECKS } from './checks/index.js';
import { isCyclic } from './nesting.js';
import { isObject, isRecord } from './record.js';
import { Slot } from './slot.js';
import { answerOldOption } from './request-library.js';
import { WEB_SOCKET_PROPERTIES, refuseMixture } from './web-socket/properties.js';

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
export const METHOD_KEYS = [...Object.keys(METHOD_OF), 'method', 'uri', 'url', 'ws'];

/** A token (RFC 9110 5.6.2). */
const METHOD = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * @typedef {object} Property
 * @property {string} type in TypeScript, of `lib/public-types.js`
 * @property {string} about a phrase for the schema and documents
 * @property {(value: any) => boolean} check
 * @property {string} expected completes "expected …, got …"
 * @property {(value: any) => string | undefined} [refuse] says more than `expected`
 * @property {Record<string, unknown>} schema JSON Schema of what a JSON or YAML flow can hold
 * @property {unknown} [default]
 */

const text = {
  type: 'string',
  check: (/** @type {any} */ v) => typeof v === 'string',
  expected: 'a string',
  schema: { type: 'string' },
};
const url = {
  ...text,
  type: 'Computed<string | URL>',
  check: (/** @type {any} */ v) => typeof v === 'string' || v instanceof URL,
  refuse: (/** @type {any} */ v) =>
    typeof v?.href === 'string' && !(v instanceof URL)
      ? 'a parsed URL is not supported: write its href, or new URL(…)'
      : undefined,
};
const flag = {
  type: 'boolean',
  check: (/** @type {any} */ v) => typeof v === 'boolean',
  expected: 'true or false',
  schema: { type: 'boolean' },
};
const fields = {
  type: 'Record<string, unknown>',
  check: isRecord,
  expected: 'a plain object',
  schema: { type: 'object' },
};
const hooks = {
  type: '(HookName | Hook)[]',
  check: Array.isArray,
  expected: 'an array of hooks',
  schema: { $ref: '#/$defs/hooks' },
  default: [],
};
const isCredential = (/** @type {any} */ v) => v === null || ['string', 'number', 'undefined'].includes(typeof v);
const credential = { check: isCredential, schema: { type: 'string' } };

/** The properties of `auth`. */
const AUTH = {
  user: { ...credential, about: 'User name for basic authentication' },
  username: { ...credential, about: 'The same as user' },
  pass: { ...credential, about: 'Password for basic authentication' },
  password: { ...credential, about: 'The same as pass' },
  sendImmediately: {
    check: (/** @type {any} */ v) => v === undefined || typeof v === 'boolean',
    schema: { type: 'boolean' },
    about: 'false: send credentials when the server asks for them, by digest, basic or bearer authentication',
  },
  bearer: {
    ...credential,
    check: (/** @type {any} */ v) => isCredential(v) || typeof v === 'function',
    about: 'Token for bearer authentication, or a function that returns it',
  },
};

/** `expect` of HTTP; that of WebSockets is among their properties. */
const EXPECT = {
  type: `{ ${CHECKS.map(({ name, type }) => `${name}?: ${type}`).join(', ')} }`,
  check: isObject,
  expected: "an object such as { body: 'text' }",
  refuse: refuseExpect,
  schema: {
    type: 'object',
    properties: Object.fromEntries(
      CHECKS.map(({ name, schema, about }) => [
        name,
        { ...schema, description: `${about[0].toUpperCase()}${about.slice(1)}` },
      ]),
    ),
    additionalProperties: false,
  },
  about: 'what the response must be; another one is an error of the kind expect',
};

/**
 * The properties of an operation.
 * @type {Record<string, Property>}
 */
export const PROPERTIES = {
  ...Object.fromEntries(
    Object.entries(METHOD_OF).map(([key, method]) => [
      key,
      { ...url, about: `URL of the request, sent with ${method}` },
    ]),
  ),
  method: {
    type: 'string',
    check: (v) => typeof v === 'string' && METHOD.test(v) && v.toUpperCase() !== 'CONNECT',
    expected: 'an HTTP method such as GET',
    schema: { type: 'string' },
    default: 'GET',
    about: 'HTTP method, used with uri or url: any name',
  },
  uri: { ...url, about: 'URL of the request, used with method' },
  url: { ...url, about: 'URL of the request, used with method' },
  ...WEB_SOCKET_PROPERTIES,
  name: { ...text, about: 'name of the operation in results; default: method and path' },
  weight: {
    type: 'number',
    check: (v) => Number.isFinite(v) && v > 0,
    expected: 'a number above 0',
    schema: { type: 'number', exclusiveMinimum: 0 },
    about:
      'share of the iterations that perform this operation of a oneOf; default: in turn, or 1 if another one has a weight',
  },
  ...Object.fromEntries(
    BODIES.map(({ name, about, type, check, expected, schema }) => [name, { about, type, check, expected, schema }]),
  ),
  headers: {
    ...fields,
    type: 'Computed<Record<string, Computed<FieldValue>>>',
    schema: { $ref: '#/$defs/fields' },
    about: 'request headers',
  },
  qs: { ...fields, type: 'Computed<Record<string, unknown>>', about: 'query parameters, added to those of the URL' },
  auth: {
    type: '{ user?: string, username?: string, pass?: string, password?: string, bearer?: string | (() => string), sendImmediately?: boolean }',
    check: isAuth,
    expected: "an object such as { user: 'joe', pass: 'secret' } or { bearer: 'token' }",
    refuse: refuseAuthKey,
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(AUTH).map(([name, { schema, about }]) => [name, { ...schema, description: about }]),
      ),
      additionalProperties: false,
    },
    about: 'credentials for basic, digest or bearer authentication',
  },
  followRedirect: {
    type: 'boolean | ((response: HookResponse) => boolean)',
    check: (v) => typeof v === 'boolean' || typeof v === 'function',
    expected: 'true, false or a function',
    schema: { type: 'boolean' },
    default: true,
    about: 'follow redirects of GET and HEAD requests; a function gets each redirect and decides',
  },
  followAllRedirects: { ...flag, default: false, about: 'follow redirects of all methods' },
  removeRefererHeader: {
    ...flag,
    default: false,
    about: 'add no Referer to the requests of redirects, and keep the one of the operation',
  },
  maxRedirects: {
    type: 'number',
    check: (v) => Number.isInteger(v) && v >= 0,
    expected: 'a whole number from 0',
    schema: { type: 'integer', minimum: 0 },
    default: 10,
    about: 'maximum number of redirects to follow',
  },
  timeout: {
    type: 'number | string',
    check: (v) => readMs(v) >= 0,
    expected: "milliseconds from 0 (0: none), or a time such as '2s'",
    schema: { $ref: '#/$defs/time' },
    about: "time limit in ms, or a time such as '2s'; 0: none; default: the run option timeout",
  },
  pause: {
    type: 'Computed<number | string | [from: number | string, to: number | string]>',
    check: (v) => typeof v === 'function' || readMsRange(v) !== null,
    expected: "milliseconds, '2s', or two of them: [500, 2000]",
    schema: { $ref: '#/$defs/pause' },
    about:
      "think time after the operation: milliseconds, '2s', or a range such as [500, 2000]; not included in any timing",
  },
  gzip: {
    ...flag,
    about:
      'ask for compressed responses if true; do not decompress if false; default: decompress unless encoding is null',
  },
  encoding: {
    type: 'BufferEncoding | null',
    check: (v) => v === null || Buffer.isEncoding(v),
    expected: 'null for Buffers, or the name of an encoding',
    schema: { type: ['string', 'null'] },
    default: 'utf8',
    about: 'character encoding of the response body; null: hooks get a Buffer',
  },
  cookies: {
    type: 'Record<string, string | number>',
    check: (v) => isRecord(v) && readCookies(v) !== undefined,
    expected: "an object such as { name: 'value' }, without semicolons",
    schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    about: 'cookies of this request, beside those of the jar and of the run',
  },
  jar: { ...flag, default: true, about: 'keep cookies and send them back; false: no cookies' },
  expect: {
    ...EXPECT,
    type: `${EXPECT.type} | ${WEB_SOCKET_PROPERTIES.expect.type}`,
    schema: { oneOf: [EXPECT.schema, WEB_SOCKET_PROPERTIES.expect.schema] },
    about: `${EXPECT.about}; with ws: ${WEB_SOCKET_PROPERTIES.expect.about}`,
  },
  beforeHooks: { ...hooks, about: 'hooks that run before the request is sent' },
  afterHooks: { ...hooks, about: 'hooks that run after the response' },
  keepAlive: {
    ...flag,
    default: true,
    about: 'keep the connection for the next request; false: close it after this one',
  },
  socketPath: { ...text, about: 'Unix domain socket to connect to' },
  localAddress: {
    type: 'string',
    check: (v) => typeof v === 'string' && isIP(v) !== 0,
    expected: 'an IP address of this machine',
    schema: { type: 'string' },
    about: 'IP address of this machine that connections come from',
  },
  proxy: {
    type: 'string | URL | null | false',
    check: (v) => isNoProxy(v) || typeof v === 'string' || v instanceof URL,
    expected: 'the URL of a proxy, or null for none',
    refuse: (v) => (typeof v === 'string' || v instanceof URL ? refuseProxy(v) : undefined),
    schema: { type: ['string', 'null', 'boolean'], not: { const: true } },
    about: 'HTTP proxy of the request, such as http://proxy:3128; null: none; default: the run option proxy',
  },
  tunnel: {
    ...flag,
    default: false,
    about: 'reach http: URLs through a tunnel of the proxy (CONNECT), as https: URLs always are',
  },
  rejectUnauthorized: {
    ...flag,
    default: true,
    about: 'verify the TLS certificate of the server',
  },
  strictSSL: { ...flag, default: true, about: 'the same as rejectUnauthorized' },
  ...Object.fromEntries(
    Object.entries(TLS_PROPERTIES).map(([name, { about, type, check, expected, schema }]) => [
      name,
      { about, type, check, expected, schema },
    ]),
  ),
};

/**
 * Reports all problems of the keys and types of an operation.
 *
 * @param {Record<string, any>} operation
 * @param {string} path
 * @param {Problems} problems
 */
export function checkOperation(operation, path, problems) {
  const named = [...Object.keys(METHOD_OF), 'ws'].filter((key) => operation[key] !== undefined);
  const twice =
    named.length > 0 ? [...named, ...['method', 'uri', 'url'].filter((key) => operation[key] !== undefined)] : [];
  /** @type {Map<string, string>} */
  const mixture = new Map();
  if (twice.length <= 1) for (const { key, reason } of refuseMixture(operation)) mixture.set(key, reason);
  for (const [key, value] of Object.entries(operation)) {
    const foreign = Object.hasOwn(PROPERTIES, key) ? mixture.get(key) : undefined;
    const reason = foreign ?? refuseProperty(key, value, operation);
    if (reason) problems.add(`${path}.${key}`, reason);
  }
  if (twice.length > 1) problems.add(path, `has ${twice.join(' and ')}: one operation is one request`);
  if (named.length === 0 && operation.uri === undefined && operation.url === undefined) {
    problems.add(path, "has no URL: write { get: 'http://…' }, or method and uri");
  }
  const twoBodies = refuseBodies(operation);
  if (twoBodies) problems.add(path, twoBodies);
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
 * @returns {string | undefined} undefined if it can
 */
export function refuseProperty(key, value, operation) {
  if (!Object.hasOwn(PROPERTIES, key)) {
    const answer = answerOldOption(key);
    if (answer) return answer;
    const near = nearest(key, [...Object.keys(PROPERTIES), 'oneOf']);
    return `unknown property${near ? `, did you mean ${near}?` : ''}`;
  }
  if (value === undefined || value instanceof Slot) return undefined;
  const { check, expected, refuse } = propertyOf(key, operation);
  const reason = refuse?.(value);
  if (reason) return reason;
  return check(value)
    ? undefined
    : `expected ${expected}, got ${isCyclic(value) ? 'one that contains itself' : typeName(value)}`;
}

/** @type {(key: string, operation: Record<string, any>) => Property} */
function propertyOf(key, { ws }) {
  if (key !== 'expect') return PROPERTIES[key];
  return ws === undefined ? EXPECT : WEB_SOCKET_PROPERTIES.expect;
}

/** @type {(value: any) => boolean} the request goes to the server directly */
export function isNoProxy(value) {
  return value === null || value === false || value === '';
}

/** @type {(value: string | URL) => string | undefined} */
function refuseProxy(value) {
  return isNoProxy(value) ? undefined : (parseProxy(value).problem ?? undefined);
}

/** @type {(value: any) => boolean} */
function isAuth(value) {
  return isObject(value) && Object.entries(AUTH).every(([key, { check }]) => check(value[key]));
}

/** @type {(auth: any) => string | undefined} */
function refuseAuthKey(auth) {
  const unknown = isObject(auth) ? Object.keys(auth).find((key) => !Object.hasOwn(AUTH, key)) : undefined;
  if (unknown === undefined) return undefined;
  const near = nearest(unknown, Object.keys(AUTH));
  return `has the unknown property ${unknown}${near ? `, did you mean ${near}?` : `: use ${Object.keys(AUTH).join(', ')}`}`;
}
