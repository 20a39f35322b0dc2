import { makeError } from '../errors.js';
import { compileCookies } from './cookies.js';
import { refuseBodies, refuseProperty } from './operation.js';
import { METHOD_OF } from './properties.js';
import { compileRequest } from './request.js';
import { authorizationIn, decidesCredentials, rulesOf } from './rules.js';
import { renderTemplate } from './template.js';
import { WEB_SOCKET_PROPERTIES, belongsToWebSockets } from './web-socket/properties.js';

/**
 * @import { Refusal } from './checks/types.js'
 * @import { HookOptionsContext } from './hook-options.js'
 * @import { Changed, Operation, Scope, Shown } from './types.js'
 */

/** Properties that are fixed before the run: the row in the result, the control, the hooks, the checks and the captures. */
const FIXED = ['name', 'weight', 'when', 'repeat', 'group', 'beforeHooks', 'afterHooks', 'expect', 'capture'];

/**
 * Compiles `all.requestOptions` after before-hooks changed it, without replacing tokens. Every change affects the request
 * or its rules, or is refused.
 *
 * @param {Operation} options
 * @param {Scope} scope
 * @param {Shown} shown
 * @param {HookOptionsContext} context
 * @returns {Changed}
 * @throws {Error} E_REQUEST_FIELD
 */
export function compileChanged(options, scope, shown, context) {
  const { operation, rules, shared, hooks } = context;
  const where = `${context.where}.requestOptions`;
  const by = hooks.length > 0 ? `; set by ${hooks.join(' or ')}` : '';
  /** @type {(key: string, reason: string) => never} */
  const complain = (key, reason) => {
    throw makeError('E_REQUEST_FIELD', { place: key ? `${where}.${key}` : where, reason: `${reason}${by}` });
  };
  const uri = renderTemplate(context.request.uri, scope);
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === operation[key]) continue;
    const [refusal] = [...refuseProperty(key, value, operation), ...refuseMethodKey(key, value, uri)];
    if (refusal) complain(`${key}${refusal.at ?? ''}`, refusal.reason);
  }
  for (const key of FIXED) {
    const isFresh = shown.isReplaced && options[key] === undefined;
    if (options[key] !== operation[key] && !isFresh)
      complain(key, 'cannot be changed by a hook: set it in the operation');
  }
  refuseContradictions(options, operation, complain);
  if (operation.ws === undefined) refuseWebSocket(options, complain);

  const { get: _g, head: _h, put: _p, post: _o, patch: _a, del: _d, delete: _e, options: _t, ...sent } = options;
  sent.uri = addressOf(options, uri, complain);
  sent.headers = headersOf(options, shown, context, complain);
  const request = compileRequest(sent, {
    ...shared,
    // the headers that the hook got include the run's credentials
    user: undefined,
    password: undefined,
    where,
    headers: sent.headers,
    cookies: shared.cookies && compileCookies(shared.cookies)(scope),
    mark: (text) => text,
    complain,
    refuse: complain,
  });
  const changed = rulesOf(sent, request.method, sent.headers);
  changed.keepsRequest = rules.keepsRequest;
  changed.credentials = request.credentials;
  changed.hasCredentials ||= rules.hasCredentials || authorizationIn(options.headers) !== shown.authorization;
  return { request: request.render(scope), rules: changed };
}

/**
 * Refuses a change of `get` and the like: hooks get them in addition to `method` and `uri`.
 * @type {(key: string, value: unknown, uri: string) => Refusal[]}
 */
function refuseMethodKey(key, value, uri) {
  if (!Object.hasOwn(METHOD_OF, key) || String(value) === uri) return [];
  return [{ reason: 'cannot be changed by a hook: change uri and method' }];
}

/**
 * Returns the changed one of `uri` and `url`.
 * @type {(options: Operation, shown: string, complain: (key: string, reason: string) => never) => unknown}
 */
function addressOf({ uri, url }, shown, complain) {
  if (url === undefined || String(url) === shown || String(url) === String(uri)) return uri;
  if (uri === undefined || String(uri) === shown) return url;
  return complain('url', 'differs from uri: change one of them');
}

/** @type {(options: Operation, complain: (key: string, reason: string) => never) => void} */
function refuseWebSocket(options, complain) {
  for (const name of Object.keys(WEB_SOCKET_PROPERTIES).filter(belongsToWebSockets))
    if (options[name] !== undefined) complain(name, 'is for WebSockets, and the operation has no ws');
}

/** @type {(options: Operation, operation: Operation, complain: (key: string, reason: string) => never) => void} */
function refuseContradictions(options, operation, complain) {
  const twoBodies = refuseBodies(options);
  if (twoBodies) complain('', twoBodies);
  /** @type {(one: string, other: string) => boolean} */
  const isChanged = (one, other) => options[one] !== operation[one] || options[other] !== operation[other];
  if (
    options.followRedirect === false &&
    options.followAllRedirects === true &&
    isChanged('followRedirect', 'followAllRedirects')
  )
    complain('followRedirect', 'is false, but followAllRedirects is true: change one of them');
  const { strictSSL, rejectUnauthorized } = options;
  if (
    strictSSL !== undefined &&
    rejectUnauthorized !== undefined &&
    strictSSL !== rejectUnauthorized &&
    isChanged('strictSSL', 'rejectUnauthorized')
  )
    complain('strictSSL', 'differs from rejectUnauthorized: change one of them');
}

/**
 * The headers, without the credentials of the run if the hook sets others in `auth`.
 * @type {(options: Operation, shown: Shown, context: HookOptionsContext, complain: (key: string, reason: string) => never) => Record<string, unknown>}
 */
function headersOf({ auth, headers = {} }, shown, { operation, headers: original }, complain) {
  const authorization = authorizationIn(headers);
  if (!decidesCredentials(auth) || authorization === undefined) return headers;
  if (authorization === shown.authorization) {
    return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'));
  }
  const hadBoth = decidesCredentials(operation.auth) && authorizationIn(original) !== undefined;
  return hadBoth
    ? headers
    : complain('auth', 'has no effect with an Authorization field in headers: remove one of them');
}
