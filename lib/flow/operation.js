import { METHODS } from 'node:http';

import { nearest } from '../problems.js';
import { typeName } from '../text/format-value.js';
import { readMsRange } from '../units.js';
import { BODIES } from './bodies/index.js';
import { bodiesOf } from './bodies/compile-body.js';
import { isCyclic } from './nesting.js';
import { isObject, isRecord } from './record.js';

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

/**
 * @typedef {object} Property
 * @property {string} type in TypeScript, of `lib/public-types.js`
 * @property {string} about a phrase for the schema and documents
 * @property {(value: any) => boolean} check
 * @property {string} expected completes "expected …, got …"
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
  type: 'string | URL',
  check: (/** @type {any} */ v) => typeof v === 'string' || v instanceof URL,
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
const pem = {
  type: 'string | Buffer | (string | Buffer)[]',
  check: (/** @type {any} */ v) => typeof v === 'string' || Buffer.isBuffer(v) || Array.isArray(v),
  expected: 'a string or a Buffer',
  schema: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
};
const credential = { type: 'string' };

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
    check: (v) => typeof v === 'string' && METHODS.includes(v.toUpperCase()) && v.toUpperCase() !== 'CONNECT',
    expected: 'an HTTP method such as GET',
    schema: { type: 'string' },
    default: 'GET',
    about: 'HTTP method, used with uri or url',
  },
  uri: { ...url, about: 'URL of the request, used with method' },
  url: { ...url, about: 'URL of the request, used with method' },
  name: { ...text, about: 'name of the operation in results; default: method and path' },
  ...Object.fromEntries(
    BODIES.map(({ name, about, type, check, expected, schema }) => [name, { about, type, check, expected, schema }]),
  ),
  headers: {
    ...fields,
    type: 'Record<string, FieldValue>',
    schema: { $ref: '#/$defs/fields' },
    about: 'request headers',
  },
  qs: { ...fields, about: 'query parameters, added to those of the URL' },
  auth: {
    type: '{ user?: string, username?: string, pass?: string, password?: string, bearer?: string }',
    check: isAuth,
    expected: "an object such as { user: 'joe', pass: 'secret' } or { bearer: 'token' }",
    schema: {
      type: 'object',
      properties: {
        user: { ...credential, description: 'User name for basic authentication' },
        username: { ...credential, description: 'The same as user' },
        pass: { ...credential, description: 'Password for basic authentication' },
        password: { ...credential, description: 'The same as pass' },
        bearer: { ...credential, description: 'Token for bearer authentication' },
      },
      additionalProperties: false,
    },
    about: 'credentials for basic or bearer authentication',
  },
  followRedirect: { ...flag, default: true, about: 'follow redirects of GET and HEAD requests' },
  followAllRedirects: { ...flag, default: false, about: 'follow redirects of all methods' },
  maxRedirects: {
    type: 'number',
    check: (v) => Number.isInteger(v) && v >= 0,
    expected: 'a whole number from 0',
    schema: { type: 'integer', minimum: 0 },
    default: 10,
    about: 'maximum number of redirects to follow',
  },
  timeout: {
    type: 'number',
    check: (v) => typeof v === 'number' && v >= 0 && Number.isFinite(v),
    expected: 'milliseconds from 0 (0: none)',
    schema: { type: 'number', minimum: 0 },
    about: 'time limit in ms, 0: none; default: the run option timeout',
  },
  pause: {
    type: 'number | string | [from: number | string, to: number | string]',
    check: (v) => readMsRange(v) !== null,
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
  jar: { ...flag, default: true, about: 'keep cookies and send them back; false: no cookies' },
  beforeHooks: { ...hooks, about: 'hooks that run before the request is sent' },
  afterHooks: { ...hooks, about: 'hooks that run after the response' },
  socketPath: { ...text, about: 'Unix domain socket to connect to' },
  rejectUnauthorized: {
    ...flag,
    default: true,
    about: 'verify the TLS certificate of the server',
  },
  strictSSL: { ...flag, default: true, about: 'the same as rejectUnauthorized' },
  ca: { ...pem, about: 'trusted certificate authorities, PEM' },
  cert: { ...pem, about: 'client certificate, PEM' },
  key: { ...pem, about: 'private key of the client certificate, PEM' },
  pfx: { ...pem, about: 'client certificate and private key, PKCS #12' },
  passphrase: { ...text, about: 'passphrase of the private key' },
  servername: { ...text, about: 'server name for TLS (SNI); default: the host of the URL' },
};

/** Options of the `request` library, which bench-rest 1 used, that have no meaning here. */
const OF_REQUEST = new Set(
  (
    'agent agentClass agentOptions aws baseUrl callback family forever followOriginalHttpMethod har hawk httpSignature ' +
    'jsonReplacer jsonReviver localAddress lookup multipart oauth pool postambleCRLF preambleCRLF proxy proxyHeaderWhiteList ' +
    'qsParseOptions qsStringifyOptions removeRefererHeader time timing tunnel useQuerystring withCredentials'
  ).split(' '),
);

/**
 * Reports all problems of the keys and types of an operation.
 *
 * @param {Record<string, any>} operation
 * @param {string} path
 * @param {Problems} problems
 */
export function checkOperation(operation, path, problems) {
  for (const [key, value] of Object.entries(operation)) {
    const reason = refuseProperty(key, value);
    if (reason) problems.add(`${path}.${key}`, reason);
  }
  const named = Object.keys(METHOD_OF).filter((key) => operation[key] !== undefined);
  const twice =
    named.length > 0 ? [...named, ...['method', 'uri', 'url'].filter((key) => operation[key] !== undefined)] : [];
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
 * @returns {string | undefined} undefined if it can
 */
export function refuseProperty(key, value) {
  if (!Object.hasOwn(PROPERTIES, key)) {
    if (OF_REQUEST.has(key)) return 'an option of the old request library that is not supported: remove it';
    const near = nearest(key, Object.keys(PROPERTIES));
    return `unknown property${near ? `, did you mean ${near}?` : ''}`;
  }
  if (value === undefined) return undefined;
  const { check, expected } = PROPERTIES[key];
  return check(value)
    ? undefined
    : `expected ${expected}, got ${isCyclic(value) ? 'one that contains itself' : typeName(value)}`;
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
