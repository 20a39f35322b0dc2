import { makeError } from '../ground/errors.js';
import { anyText } from '../text/format-value.js';
import { isOwnProperty, refuseBodies, refuseProperty } from './operation.js';
import { METHOD_OF, PROPERTIES } from './properties.js';
import { propertiesOfOthers, protocolOf } from './protocols/index.js';
import { READERS } from './readers.js';
import { RETRIES } from './retries.js';
import { compileCookies } from './request-fields.js';
import { notReplaced } from './request-url.js';
import { compileRequest } from './request.js';
import { authorizationIn, decidesCredentials, rulesOfRequest } from './rules.js';
import { settleChanged } from './settle-operation.js';
import { leftToken, renderTemplate } from './template.js';
import { Placeholder } from './placeholder.js';

/** @import { Changed, Operation, Scope, Shown } from '../contracts/step.js' */
/** @import { Refusal } from './checks/types.js' */
/** @import { HookInput } from './types.js' */

/** @typedef {(key: string, reason: string) => never} Refuse throws a problem of a property, or of all (`''`) */

/** Properties that are fixed before the run: the row in the result, control, hooks, checks, captures, readers, … */
const FIXED = [
  ...['name', 'weight', 'skip', 'when', 'repeat', 'group', 'tags'],
  ...['beforeHooks', 'afterHooks', 'expect', 'capture', ...[...READERS, ...RETRIES].map(({ name }) => name)],
];

/**
 * Compiles `all.requestOptions` after before-hooks changed it, without replacing tokens. Every change affects the
 * request or its rules, or is refused.
 * @throws {Error} E_REQUEST_FIELD
 * @type {(changed: Operation, scope: Scope, shown: Shown, input: HookInput) => Changed}
 */
export function compileChanged(changed, scope, shown, input) {
  const { compiler, operation, rules } = input;
  const { run } = compiler;
  const hooks = compiler.beforeHooks.map((hook) => hook.where);
  const where = `${compiler.where}.requestOptions`;
  const by = `; set by ${hooks.join(' or ')}`;
  /** @type {Refuse} */
  const complain = (key, reason) => {
    throw makeError('E_REQUEST_FIELD', { place: key ? `${where}.${key}` : where, reason: `${reason}${by}` });
  };
  const options = settleChanged(changed, (key, remark) => {
    // Properties of the operation itself were reported before the run. jar, baseUrl and agentOptions were translated
    // then, so that hooks got none.
    const isSetByHook =
      ['jar', 'baseUrl', 'agentOptions'].includes(key) ||
      (Object.hasOwn(PROPERTIES, key) && operation[key] === undefined);
    if (isSetByHook || run.isStrict) complain(key, `has no effect: ${remark}`);
  });
  const uri = renderTemplate(input.request.uri, scope);
  refuseInvalid(options, { operation, uri, isStrict: run.isStrict }, complain);
  refuseFixed(options, shown, operation, complain);
  refuseContradictions(options, operation, complain);
  refuseOthers(options, operation, complain);

  // Hooks got these too; uri and method, which they may change, describe the request.
  const { get: _g, head: _h, put: _p, post: _o, patch: _a, del: _d, delete: _e, options: _t, ...sent } = options;
  sent.uri = addressOf(options, uri, complain);
  const left = typeof sent.uri === 'string' ? leftToken(sent.uri) : undefined;
  if (left) complain('uri', notReplaced(left));
  sent.headers = headersOf(options, shown, input, complain);
  const request = compileRequest(sent, {
    run,
    place: {
      where,
      mark: (text) => text,
      complain,
      refuse: complain,
      sourceOf: () => 'code',
      isForeign: (endpoint) =>
        String(sent.uri) === uri
          ? input.request.render(scope).isForeign
          : run.origins.isForeign(endpoint, 'code', scope),
    },
    // The headers that the hook got include the credentials of the run.
    headers: sent.headers,
    cookies: run.cookies && compileCookies(run.cookies)(scope),
    runFields: unchangedSecrets(sent.headers, scope, shown, input),
  });
  const ruled = rulesOfRequest(sent, request, sent.headers);
  const hasCredentials =
    ruled.hasCredentials || rules.hasCredentials || authorizationIn(options.headers) !== shown.authorization;
  return { request: request.render(scope), rules: { ...ruled, keepsRequest: rules.keepsRequest, hasCredentials } };
}

/**
 * Refuses changed values that the operation could not have. Properties of the user's own stay in the options.
 * @type {(options: Operation, context: { operation: Operation, uri: string, isStrict?: boolean }, complain: Refuse) =>
 *   void}
 */
function refuseInvalid(options, { operation, uri, isStrict }, complain) {
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === operation[key] || (isOwnProperty(key, value, operation) && !isStrict))
      continue;
    const [refusal] = [...refuseProperty(key, value, operation), ...refuseMethodKey(key, value, uri)];
    if (refusal) complain(`${key}${refusal.at ?? ''}`, refusal.reason);
  }
}

/** @type {(options: Operation, shown: Shown, operation: Operation, complain: Refuse) => void} */
function refuseFixed(options, shown, operation, complain) {
  for (const key of FIXED) {
    // A hook that replaces the whole object need not repeat them.
    const isLeftOut = shown.isReplaced && options[key] === undefined;
    if (options[key] !== operation[key] && !isLeftOut)
      complain(key, 'cannot be changed by a hook: set it in the operation');
  }
}

/** Hooks got them beside `method` and `uri`. @type {(key: string, value: unknown, uri: string) => Refusal[]} */
function refuseMethodKey(key, value, uri) {
  if (!Object.hasOwn(METHOD_OF, key) || anyText(value) === uri) return [];
  return [{ reason: 'cannot be changed by a hook: change uri and method' }];
}

/** `shown` is the URL as hooks got it. @type {(options: Operation, shown: string, complain: Refuse) => unknown} */
function addressOf({ uri, url }, shown, complain) {
  if (url === undefined || String(url) === shown || String(url) === String(uri)) return uri;
  if (uri === undefined || String(uri) === shown) return url;
  return complain('url', 'differs from uri: change one of them');
}

/**
 * The names of fields with credentials of the run that the hooks left as they were: what a hook wrote is its own.
 * @type {(headers: Record<string, unknown>, scope: Scope, shown: Shown, input: HookInput) => string[]}
 */
function unchangedSecrets(headers, scope, { authorization }, { compiler, headers: original, request: { runSecrets } }) {
  const before = Object.fromEntries(Object.entries(original).map(([name, value]) => [name.toLowerCase(), value]));
  /** @type {(name: string) => unknown} */
  const shownAs = (name) => {
    const value = before[name];
    if (value instanceof Placeholder) return value.reader()(scope);
    return typeof value === 'string' ? renderTemplate(compiler.template(value), scope) : value;
  };
  return Object.keys(headers).filter((name) => {
    const lower = name.toLowerCase();
    if (lower === 'authorization' && authorization !== undefined && headers[name] === authorization) return true;
    return runSecrets.fields.has(lower) && lower in before && headers[name] === shownAs(lower);
  });
}

/** @type {(options: Operation, operation: Operation, complain: Refuse) => void} */
function refuseOthers(options, operation, complain) {
  for (const { key, owner } of propertiesOfOthers(options, protocolOf(operation)))
    complain(key, `is for ${owner.noun.many}, and the operation has no ${owner.key}`);
}

/** @type {(options: Operation, operation: Operation, complain: Refuse) => void} */
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

/** @type {(options: Operation, shown: Shown, input: HookInput, complain: Refuse) => Record<string, unknown>} */
function headersOf({ auth, headers = {} }, shown, { operation, headers: original }, complain) {
  const authorization = authorizationIn(headers);
  if (!decidesCredentials(auth) || authorization === undefined) return headers;
  if (authorization === shown.authorization) {
    return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'));
  }
  // An operation may have both: the field in headers is sent.
  const hadBoth = decidesCredentials(operation.auth) && authorizationIn(original) !== undefined;
  return hadBoth
    ? headers
    : complain('auth', 'has no effect with an Authorization field in headers: remove one of them');
}
