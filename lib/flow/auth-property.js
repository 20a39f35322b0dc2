import { nearestOrAll } from '../problems.js';
import { isObject } from './record.js';

/**
 * @import { Refusal } from './checks/types.js'
 * @import { Property } from './properties.js'
 */

const isCredential = (/** @type {any} */ v) => v === null || ['string', 'number', 'undefined'].includes(typeof v);
const credential = { type: 'string', check: isCredential, schema: { type: 'string' } };

/** The properties of `auth`: its type in `lib/flow/flow-types.js` is made from them. */
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
  refuse: refuseAuthKey,
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

/** @type {(auth: any) => Refusal[]} */
function refuseAuthKey(auth) {
  const unknown = isObject(auth) ? Object.keys(auth).filter((key) => !Object.hasOwn(AUTH_MEMBERS, key)) : [];
  return unknown.map((key) => ({
    at: `.${key}`,
    reason: `unknown property${nearestOrAll(key, Object.keys(AUTH_MEMBERS))}`,
  }));
}
