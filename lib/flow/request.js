import { validateHeaderName } from 'node:http';

import { basicCredentials } from '../basic-credentials.js';
import { makeError } from '../errors.js';
import { nearest } from '../problems.js';
import { formatValue, typeName } from '../text/format-value.js';
import { compileBody } from './bodies/compile-body.js';
import { compileCredentials } from './credentials.js';
import { encodePairs } from './encode-pairs.js';
import { METHOD_OF } from './operation.js';
import { compileTemplate, hasMarks, renderTemplate, unmark } from './template.js';
import { splitUnixSocket } from './unix-socket.js';

/**
 * @import { BodyTemplate } from './bodies/types.js'
 * @import { Endpoint, EndpointOf } from '../endpoint.js'
 * @import { BodyCost, Operation, Request, Scope } from './types.js'
 * @import { Template } from './template.js'
 *
 * @typedef {object} RequestContext what an operation is compiled with
 * @property {string} where path of the operation: `flow.main[0]`
 * @property {string | undefined} baseUrl
 * @property {Record<string, unknown>} headers those of the operation among the defaults
 * @property {number} [maxBodyMemory] bytes: no file of a form is larger
 * @property {string} [user]
 * @property {string} [password]
 * @property {Record<string, unknown>} tls defaults
 * @property {EndpointOf} endpointOf
 * @property {(text: string, key: string, isUrl?: boolean) => string} mark replaces tokens by marks
 * @property {(key: string, reason: string) => void} complain reports an invalid property
 *
 * @typedef {ReturnType<typeof compileRequest>} CompiledRequest
 */

/**
 * Compiles the request of an operation.
 *
 * @param {Operation} operation
 * @param {RequestContext} context
 */
export function compileRequest(operation, context) {
  const { mark, complain } = context;
  const { method, key, url } = methodAndUrl(operation);
  const tls = tlsOptions(operation, context.tls);
  const target = compileTarget(mark(url, key, true), key, operation, tls, context);
  const body = compileBody(operation, {
    mark,
    complain,
    maxBytes: context.maxBodyMemory,
    isJson: operation.json === true,
    givenType: contentTypeIn(context.headers),
  });
  const fields = compileFields(collectFields(operation, context, body, target.userinfo), context);
  const { endpoint } = target;
  const path = safePath(target.path, `${context.where}.${key}`);
  const { content } = body;

  /** @type {(scope: Scope) => Request} */
  const render = (scope) => {
    const to = target.locate
      ? target.locate(scope)
      : { endpoint: /** @type {Endpoint} */ (endpoint), path: renderTemplate(path, scope) };
    return {
      endpoint: to.endpoint,
      method,
      path: to.path,
      fields: Array.isArray(fields) ? fields : fields(scope),
      extra: null,
      body: typeof content === 'function' ? content(scope) : content,
    };
  };
  const isConstant =
    !target.locate && typeof path === 'string' && Array.isArray(fields) && typeof content !== 'function';
  return {
    method,
    key,
    url,
    uri: target.uri,
    origin: endpoint?.socketPath === undefined ? endpoint?.origin : `unix:${endpoint.socketPath}`,
    render,
    isConstant,
    credentials: compileCredentials(operation.auth, target.userinfo, {
      mark,
      bearerOf: (bearer) => tokenOf(bearer, context),
    }),
    bodyCost: costOf(body),
  };
}

/** @type {(body: BodyTemplate) => BodyCost} */
function costOf({ content, copied = 0 }) {
  const isShared = typeof content !== 'function';
  return { isShared, held: isShared ? (content?.length ?? 0) : copied, copied };
}

/** @type {(headers: Record<string, unknown>) => string | undefined} */
function contentTypeIn(headers) {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'content-type');
  return name !== undefined && typeof headers[name] === 'string' ? headers[name] : undefined;
}

/**
 * @param {Operation} operation
 * @returns {{ method: string, key: string, url: string }}
 */
export function methodAndUrl(operation) {
  for (const key of Object.keys(METHOD_OF)) {
    if (operation[key] !== undefined) return { method: METHOD_OF[key], key, url: String(operation[key]) };
  }
  const key = operation.uri === undefined ? 'url' : 'uri';
  return { method: String(operation.method ?? 'GET').toUpperCase(), key, url: String(operation[key] ?? '') };
}

/**
 * Compiles the endpoint and path of a request. The URL is parsed once, with marks for tokens, unless a token is in its host.
 *
 * @param {string} marked
 * @param {string} key
 * @param {Operation} operation
 * @param {Record<string, unknown>} tls
 * @param {RequestContext} context
 */
function compileTarget(
  marked,
  key,
  { qs, socketPath: given, localAddress },
  tls,
  { baseUrl, endpointOf, mark, complain },
) {
  const nowhere = { endpoint: undefined, path: '/', uri: /** @type {Template} */ (''), userinfo: null, locate: null };
  const isRelative = !/^[a-z][a-z+.-]*:/i.test(marked);
  const socket = splitUnixSocket(isRelative ? (baseUrl ?? '') : marked);
  const base = isRelative && socket ? socket.url : baseUrl;
  const url = parseUrl(socket && !isRelative ? socket.url : marked, base, (reason) => complain(key, reason));
  if (!url) return nowhere;
  const socketPath = given ?? socket?.socketPath;
  if (socketPath !== undefined && localAddress !== undefined)
    complain('localAddress', 'has no effect on a unix socket: remove it');
  const way = { socketPath, localAddress };
  const query = qs ? encodePairs(qs, 'qs', mark) : '';
  if (query) url.search = url.search ? `${url.search}&${query}` : query;
  const uri = compileTemplate(
    isRelative ? absolute(url, query === '' ? url.href : new URL(marked, base).href, socketPath) : marked,
  );
  const userinfo = userinfoOf(url, () =>
    complain(key, 'has a user or password that is not percent-encoded as it should be'),
  );
  if (hasMarks(url.host)) {
    const whole = compileTemplate(url.href);
    /** @type {(scope: Scope) => { endpoint: Endpoint, path: string }} */
    const locate = (scope) => {
      const at = new URL(renderTemplate(whole, scope));
      return { endpoint: endpointOf(at, tls, way), path: at.pathname + at.search };
    };
    return { ...nowhere, uri, userinfo, locate };
  }
  return {
    endpoint: endpointOf(url, tls, way),
    path: compileTemplate(url.pathname + url.search),
    uri,
    userinfo,
    locate: null,
  };
}

/** @type {(url: URL, complain: () => void) => string | null} */
function userinfoOf({ username, password }, complain) {
  if (!username && !password) return null;
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    // the one reason is a % without two hexadecimal digits
    complain();
    return null;
  }
}

/** What hooks see as `uri`: without the query of `qs`, which they see as well. @type {(url: URL, href: string, socketPath: string | undefined) => string} */
function absolute(url, href, socketPath) {
  return socketPath === undefined ? href : `unix:${socketPath}:${href.slice(url.origin.length)}`;
}

/**
 * @param {string} marked
 * @param {string | undefined} baseUrl
 * @param {(reason: string) => void} complain
 * @returns {URL | null}
 */
function parseUrl(marked, baseUrl, complain) {
  const given = unmark(marked);
  // WHATWG URL drops tab, CR and LF, trims the rest, and reads \ as /: refused instead of sent elsewhere than was written.
  if (/[\u0000-\u0020\u007f\\]/.test(marked)) {
    complain(`${formatValue(given)} has a space, backslash or control character: percent-encode it`);
    return null;
  }
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(marked)?.[1].toLowerCase();
  const isAbsolute = /^https?:\/\/[^/]/i.test(marked);
  if (!isAbsolute) {
    const host = /^(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\])(?::\d+)?(?:\/|$)/i.test(given);
    if (host && !given.startsWith('/')) complain(`${formatValue(given)} has no scheme, did you mean http://${given}?`);
    else if (scheme) {
      const near = scheme === 'http' || scheme === 'https' ? undefined : nearest(scheme, ['http', 'https']);
      complain(`${formatValue(given)} is no http:// or https:// URL${near ? `, did you mean ${near}:?` : ''}`);
    } else if (given === '' || given.startsWith('//')) complain(`${formatValue(given)} is no URL`);
    else if (!baseUrl)
      complain(`${formatValue(given)} is relative: set baseUrl in the flow, in runOptions or with --base-url`);
    if (host || scheme || given === '' || given.startsWith('//') || !baseUrl) return null;
  }
  try {
    const url = new URL(marked, baseUrl);
    if (url.port !== '0') return url;
    complain(`${formatValue(given)} has port 0, at which nothing listens`);
    return null;
  } catch {
    // URL says only 'Invalid URL'
    complain(`${formatValue(given)} is no valid URL`);
    return null;
  }
}

/**
 * The fields of a request, later ones replacing earlier ones of the same name.
 *
 * @param {Operation} operation
 * @param {RequestContext} context
 * @param {BodyTemplate} body
 * @param {string | null} userinfo of the URL
 * @returns {Map<string, { name: string, value: unknown }>}
 */
function collectFields(operation, context, { contentType, overridesHeaders }, userinfo) {
  /** @type {Map<string, { name: string, value: unknown }>} */
  const fields = new Map();
  /** @type {(name: string, value: unknown) => void} */
  const set = (name, value) => {
    if (value === undefined || value === null) fields.delete(name.toLowerCase());
    else fields.set(name.toLowerCase(), { name, value });
  };
  const auth = operation.auth;
  const user = auth?.user ?? auth?.username ?? context.user;
  const pass = auth?.pass ?? auth?.password ?? ((auth?.user ?? auth?.username) === undefined ? context.password : '');
  if (operation.json !== undefined) set('Accept', 'application/json');
  if (contentType) set('Content-Type', contentType);
  if (operation.gzip) set('Accept-Encoding', 'gzip, deflate, br');
  if (auth?.sendImmediately === false) set('Authorization', undefined);
  else if (typeof auth?.bearer === 'function') {
    const token = tokenOf(auth.bearer, context);
    set('Authorization', (/** @type {Scope} */ scope) => `Bearer ${token(scope)}`);
  } else if (auth?.bearer !== undefined)
    set('Authorization', `Bearer ${context.mark(String(auth.bearer), 'auth.bearer')}`);
  else if (user !== undefined) set('Authorization', basic(`${user}:${pass ?? ''}`));
  else if (userinfo) set('Authorization', basic(userinfo));
  for (const [name, value] of Object.entries(context.headers)) {
    if ([value].flat().every(isFieldValue)) set(name, value);
    else context.complain(`headers.${name}`, 'expected a text, a number, or an array of them');
  }
  if (overridesHeaders) set('Content-Type', contentType);
  fields.delete('content-length');
  return fields;

  /** @type {(credentials: string) => unknown} */
  function basic(credentials) {
    const template = compileTemplate(context.mark(credentials, 'auth'));
    return typeof template === 'string'
      ? basicCredentials(template)
      : (/** @type {Scope} */ scope) => basicCredentials(template(scope));
  }
}

/** @type {(bearer: unknown, context: RequestContext) => (scope: Scope) => string} */
function tokenOf(bearer, { where, mark }) {
  if (typeof bearer !== 'function') {
    const template = compileTemplate(mark(String(bearer), 'auth.bearer'));
    return (scope) => renderTemplate(template, scope);
  }
  const place = `${where}.auth`;
  return (scope) => {
    const token = calling(`${place}.bearer`, () => bearer(scope));
    if (typeof token === 'string') return token;
    throw makeError('E_REQUEST_FIELD', {
      place,
      reason: `bearer() returned ${typeName(token)}: return the token as a string`,
    });
  };
}

/** Calls a function of the flow. @type {(place: string, fn: () => unknown) => unknown} */
function calling(place, fn) {
  try {
    return fn();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : formatValue(cause);
    throw makeError('E_HOOK', { hook: place, reason }, { cause });
  }
}

/**
 * @param {Map<string, { name: string, value: any }>} collected
 * @param {RequestContext} context
 */
function compileFields(collected, { where, complain }) {
  /** @type {string[]} */
  const constant = [];
  /** @type {{ at: number, name: string, render: (scope: Scope) => string }[]} */
  const varying = [];
  for (const { name, value } of collected.values()) {
    const key = `headers.${name}`;
    for (const one of Array.isArray(value) ? value : [value]) {
      const template = typeof one === 'function' ? one : compileTemplate(String(one));
      const refusal = refuseField(name, typeof template === 'string' ? template : '');
      if (refusal) complain(key, refusal);
      if (typeof template !== 'string') varying.push({ at: constant.length + 1, name, render: template });
      constant.push(name, typeof template === 'string' ? template : '');
    }
  }
  if (varying.length === 0) return constant;
  return (/** @type {Scope} */ scope) => {
    const fields = constant.slice();
    for (const { at, name, render } of varying) {
      const value = render(scope);
      if (!isFieldText(value))
        throw makeError('E_REQUEST_FIELD', { place: `${where}.headers.${name}`, reason: NO_FIELD_TEXT });
      fields[at] = value;
    }
    return fields;
  };
}

/** Why a field cannot be sent. @type {(name: string, value: string) => string | undefined} */
export function refuseField(name, value) {
  try {
    validateHeaderName(name);
  } catch {
    // Node's words name neither place nor cure
    return 'is no name of a header field';
  }
  if (!isFieldText(value)) return NO_FIELD_TEXT;
  const cure = Object.hasOwn(COMPUTED, name.toLowerCase()) ? COMPUTED[name.toLowerCase()] : undefined;
  return cure && `cannot be set: ${cure}`;
}

const NO_FIELD_TEXT = 'has a character that no header field can carry (CR, LF, NUL or beyond latin1)';

/** @type {(value: unknown) => boolean} */
function isFieldValue(value) {
  return value === null || ['string', 'number', 'boolean', 'bigint', 'undefined'].includes(typeof value);
}

/** @type {(value: string) => boolean} */
function isFieldText(value) {
  return !/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value);
}

/** A path whose tokens put nothing into it that would end the line. @type {(path: Template, place: string) => Template} */
function safePath(path, place) {
  if (typeof path === 'string') return path;
  return (scope) => {
    const rendered = path(scope);
    if (/[^\u0021-\u007e]/.test(rendered))
      throw makeError('E_REQUEST_FIELD', {
        place,
        reason: 'has a space, a control or a character beyond ASCII: percent-encode it',
      });
    return rendered;
  };
}

/** @type {Record<string, string>} */
const COMPUTED = {
  'transfer-encoding': 'bodies are sent with their length',
  expect: 'the body is sent at once',
  upgrade: 'another protocol is not spoken here',
  'keep-alive': 'connections are kept alive as it is',
};

const TLS_OPTIONS = new Set(['ca', 'cert', 'key', 'pfx', 'passphrase', 'servername', 'rejectUnauthorized']);

/** @type {(operation: Operation, defaults: Record<string, unknown>) => Record<string, unknown>} */
function tlsOptions(operation, defaults) {
  /** @type {Record<string, unknown>} */
  const given = {};
  for (const key of Object.keys(operation)) {
    if (TLS_OPTIONS.has(key) && operation[key] !== undefined) given[key] = operation[key];
  }
  if (operation.strictSSL !== undefined && given.rejectUnauthorized === undefined)
    given.rejectUnauthorized = operation.strictSSL;
  return Object.keys(given).length === 0 ? defaults : { ...defaults, ...given };
}
