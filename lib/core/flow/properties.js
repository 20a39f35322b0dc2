import { isIP } from 'node:net';

import { THINK_TIMES, readMs, readThinkTime } from '../ground/units.js';
import { TOKEN, readCookies } from '../http/field-values.js';
import { parseProxy } from '../http/proxy.js';
import { OTHER_VERSION } from '../http/versions.js';
import { TLS_PROPERTIES } from '../http/tls-properties.js';
import { AUTH } from './auth.js';
import { BODIES, BODY_PARTS } from './bodies/index.js';
import { CAPTURE } from './captures/index.js';
import { CONTROL_PROPERTIES } from './control.js';
import { OWN_URL_KEYS, PROTOCOL_PROPERTIES } from './protocols/index.js';
import { READERS, SIGNATURES } from './readers.js';
import { RETRIES } from './retries.js';
import { isRecord } from './record.js';

/** @import { Refusal } from './checks/types.js' */
/** @import { HttpVersionEntry, Property } from './types.js' */

/** The property `proxy` of operations. @type {Property} */
const PROXY = {
  type: 'string | URL | null | false',
  check: (v) => isNoProxy(v) || typeof v === 'string' || v instanceof URL,
  expected: 'the URL of a proxy, or null for none',
  refuse: (v) => (typeof v === 'string' || v instanceof URL ? refuseProxy(v) : []),
  schema: { type: ['string', 'null', 'boolean'], not: { const: true } },
  about: 'HTTP proxy of the request, such as http://proxy:3128; null: none; default: the run option proxy',
};

/** Reports whether the property `proxy` sends a request to the server directly. @type {(value: any) => boolean} */
export function isNoProxy(value) {
  return value === null || value === false || value === '';
}

/** @type {(value: string | URL) => Refusal[]} */
function refuseProxy(value) {
  const { problem: reason } = isNoProxy(value) ? { problem: null } : parseProxy(value);
  return reason ? [{ reason }] : [];
}

/** The keys that give method and URL at once. @type {Record<string, string>} */
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
export const METHOD_KEYS = [...Object.keys(METHOD_OF), 'method', 'uri', 'url', ...OWN_URL_KEYS];

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
  schema: { type: 'object' },
};
const hooks = {
  type: '(HookName | Hook)[]',
  check: (/** @type {unknown} */ v) => v === null || Array.isArray(v),
  expected: "an array of hooks such as ['verify2XX']",
  schema: { $ref: '#/$defs/hooks' },
  default: [],
};
/**
 * The properties of an operation, except `oneOf`: their checks, and what types, JSON Schema and documents say of them
 * come from here.
 * @type {Record<string, Property>}
 */
export const PROPERTIES = {
  ...Object.fromEntries(
    Object.entries(METHOD_OF).map(([key, method]) => {
      const own = method.toLowerCase();
      const about = key === own ? `URL of the request, sent with ${method}` : `the same as ${own}`;
      return [key, { ...url, about }];
    }),
  ),
  method: {
    type: 'string',
    check: (v) => typeof v === 'string' && TOKEN.test(v) && v.toUpperCase() !== 'CONNECT',
    expected: 'an HTTP method such as GET',
    schema: { type: 'string' },
    default: 'GET',
    about: 'HTTP method, used with uri or url: any name',
  },
  uri: { ...url, about: 'the same as url' },
  url: { ...url, about: 'URL of the request, used with method' },
  ...PROTOCOL_PROPERTIES,
  name: {
    ...text,
    about: 'name of the operation in results; default: method and path',
  },
  weight: {
    type: 'number',
    check: (v) => Number.isFinite(v) && v > 0,
    expected: 'a number above 0',
    schema: { type: 'number', exclusiveMinimum: 0 },
    about:
      'share of the iterations that perform this operation of a oneOf; default: in turn, or 1 if another one has a weight',
  },
  ...CONTROL_PROPERTIES,
  ...Object.fromEntries(
    BODIES.map(({ name, about, type, check, expected, schema }) => [name, { about, type, check, expected, schema }]),
  ),
  ...BODY_PARTS,
  headers: {
    ...fields,
    expected: "an object such as { accept: 'text/html' }",
    type: 'Computed<Record<string, Computed<FieldValue>>>',
    schema: { $ref: '#/$defs/fields' },
    about: 'request headers',
  },
  qs: {
    ...fields,
    expected: 'an object such as { page: 2 }',
    type: 'Computed<Record<string, unknown>>',
    about: 'query parameters; they replace those of the same name in the URL',
  },
  auth: AUTH,
  ...Object.fromEntries(SIGNATURES.map(({ name, property }) => [name, property])),
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
  ...Object.fromEntries(RETRIES.map(({ name, property }) => [name, property])),
  pause: {
    type: 'Computed<ThinkTime>',
    check: (v) => typeof v === 'function' || readThinkTime(v) !== null,
    expected: THINK_TIMES,
    schema: { $ref: '#/$defs/pause' },
    about:
      "think time after the operation: milliseconds, '2s', a range such as [500, 2000], or a normal distribution such as { mean: '2s', dev: 500 }; not included in any timing",
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
  ...Object.fromEntries(READERS.map(({ name, property }) => [name, property])),
  capture: CAPTURE,
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
  proxy: PROXY,
  tunnel: {
    ...flag,
    default: false,
    about: 'reach http: URLs through a tunnel of the proxy (CONNECT), as https: URLs always are',
  },
  ...(OTHER_VERSION && { [OTHER_VERSION.name]: /** @type {HttpVersionEntry} */ (OTHER_VERSION).property }),
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
