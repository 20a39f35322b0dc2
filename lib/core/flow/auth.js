import { makeError } from '../ground/errors.js';
import { nearestOrAll } from '../ground/problems.js';
import { formatValue, typeName } from '../text/format-value.js';
import { isObject } from './record.js';
import { compileTemplate, renderTemplate } from './template.js';

/** @import { Credentials, Operation, Scope } from '../contracts/step.js' */
/** @import { Refusal } from './checks/types.js' */
/** @import { Property, Place } from './types.js' */

const isCredential = (/** @type {any} */ v) => v === null || ['string', 'number', 'undefined'].includes(typeof v);
const credential = { type: 'string', check: isCredential, schema: { type: 'string' } };

/** The properties of `auth`: its type in `lib/core/contracts/flow-properties.d.ts` is made from them. */
export const AUTH_MEMBERS = {
  user: { ...credential, about: 'User name for basic authentication' },
  username: { ...credential, about: 'The same as user' },
  pass: { ...credential, about: 'Password for basic authentication' },
  password: { ...credential, about: 'The same as pass' },
  sendImmediately: {
    type: 'boolean',
    check: (/** @type {any} */ v) => v === undefined || typeof v === 'boolean',
    schema: { type: 'boolean' },
    about:
      'Send credentials with the first request; false: when the server asks for them, by digest, basic or bearer authentication',
  },
  bearer: {
    ...credential,
    type: 'string | (() => string)',
    check: (/** @type {any} */ v) => isCredential(v) || typeof v === 'function',
    about: 'Token for bearer authentication, or a function that returns it',
  },
};

/** The property `auth` of operations. @type {Property} */
export const AUTH = {
  type: 'Auth',
  check: isAuth,
  expected: "an object such as { user: 'joe', pass: 'secret' } or { bearer: 'token' }",
  refuse: (auth) => refuseUnknown(auth, Object.keys(AUTH_MEMBERS)),
  schema: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(AUTH_MEMBERS).map(([name, { schema, about }]) => [name, { ...schema, description: about }]),
    ),
    additionalProperties: false,
  },
  about: 'credentials for basic, digest or bearer authentication: { user, pass } or { bearer }',
};

/** @type {(value: any) => boolean} */
function isAuth(value) {
  return isObject(value) && Object.entries(AUTH_MEMBERS).every(([key, { check }]) => check(value[key]));
}

/** @type {(value: any, names: string[]) => Refusal[]} */
export function refuseUnknown(value, names) {
  const unknown = isObject(value) ? Object.keys(value).filter((key) => !names.includes(key)) : [];
  return unknown.map((key) => ({ at: `.${key}`, reason: `unknown property${nearestOrAll(key, names)}` }));
}

/** The user of `auth`, if it names one; null is none. @type {(auth: any) => string | number | undefined} */
export function userOf(auth) {
  return auth?.user ?? auth?.username ?? undefined;
}

/** The password of `auth`, if it names one; null is none. @type {(auth: any) => string | number | undefined} */
export function passwordOf(auth) {
  return auth?.pass ?? auth?.password ?? undefined;
}

/** Reports whether `auth` has credentials, in place of those of the run. @type {(auth: any) => boolean} */
export function hasCredentials(auth) {
  return (auth?.bearer ?? userOf(auth)) !== undefined;
}

/**
 * Compiles the credentials that are sent when a server asks for them: `auth` with `sendImmediately: false`. Without a
 * user of its own, the operation uses that of the iteration, or that of the URL (`userinfo`). Null if they are sent at
 * once.
 * @type {(auth: Operation['auth'], userinfo: string | null, context: Pick<Place, 'where' | 'mark'>) => ((scope: Scope)
 *   => Credentials) | null}
 */
export function compileCredentials(auth, userinfo, context) {
  const { mark } = context;
  if (auth?.sendImmediately !== false) return null;
  if ((auth.bearer ?? null) !== null) {
    const bearer = tokenOf(auth.bearer, context);
    return (scope) => ({ bearer: bearer(scope) });
  }
  const ownUser = userOf(auth);
  if (ownUser !== undefined) {
    const user = compileTemplate(mark(String(ownUser), 'auth'));
    const password = compileTemplate(mark(String(passwordOf(auth) ?? ''), 'auth'));
    return (scope) => ({ user: renderTemplate(user, scope), password: renderTemplate(password, scope) });
  }
  const [name, ...rest] = (userinfo ?? '').split(':');
  const [urlUser, urlPassword] = [name, rest.join(':')].map(compileTemplate);
  return (scope) => {
    const { user, password } = scope;
    if (user !== undefined && user !== null) return { user, password, isRunDefault: true };
    const ownName = userinfo === null ? undefined : renderTemplate(urlUser, scope);
    return { user: ownName, password: renderTemplate(urlPassword, scope) };
  };
}

/** @type {(bearer: unknown, context: Pick<Place, 'where' | 'mark'>) => (scope: Scope) => string} */
export function tokenOf(bearer, { where, mark }) {
  if (typeof bearer !== 'function') {
    const template = compileTemplate(mark(String(bearer), 'auth.bearer'));
    return (scope) => renderTemplate(template, scope);
  }
  const place = `${where}.auth`;
  return (scope) => {
    const token = calling(`${place}.bearer`, () => bearer(scope));
    if (typeof token === 'string') return token;
    const reason = `bearer() returned ${typeName(token)}: return the token as a string`;
    throw makeError('E_REQUEST_FIELD', { place, reason });
  };
}

/** @type {(place: string, fn: () => unknown) => unknown} */
function calling(place, fn) {
  try {
    return fn();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : formatValue(cause);
    throw makeError('E_HOOK', { hook: place, reason }, { cause });
  }
}
