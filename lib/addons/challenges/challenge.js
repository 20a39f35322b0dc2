import { createHash, randomBytes } from 'node:crypto';

import { TOKEN_PART, basicCredentials, fieldAt } from '../../core/http/field-values.js';
import { encodePercent } from '../../core/text/decode.js';

/** @import { Request } from '../../core/contracts/request.js' */
/** @import { Credentials } from '../../core/contracts/step.js' */
/** @import { Middleware, Session } from '../../core/iteration/session/index.js' */

/**
 * @typedef {Challenge & { count: number }} KnownChallenge `count`: requests that answered it
 * @typedef {object} Realms the challenges of a server to a virtual user, by the parts of the server that they protect
 * @property {Map<string, KnownChallenge>} byRealm
 * @property {WeakMap<object, string>} realmByRules that of an operation, by its rules
 * @property {string} last the realm of the last challenge
 */

/** Servers, and realms of a server, that a virtual user remembers. */
const MAX_KNOWN = 16;

/** The challenges to a virtual user, by the key of the endpoint. @type {WeakMap<Session, Map<string, Realms>>} */
const ALL = new WeakMap();

/** @type {Middleware} */
export default {
  name: 'challenge',
  about: 'Sends credentials when the server asks for them, then with every request (RFC 7616, RFC 7617)',
  needed: (rules) => rules.credentials !== null,

  before(request, session) {
    if (session.isElsewhere || hasAuthorization(request)) return;
    const realms = ALL.get(session)?.get(request.endpoint.key);
    const known = realms?.byRealm.get(realms.realmByRules.get(session.rules) ?? realms.last);
    if (!known) return;
    const field = answer(known, request, credentialsOf(session));
    if (field !== null) (request.extra ??= []).push('authorization', field);
  },

  after(request, response, session) {
    if (response.statusCode !== 401 || session.isElsewhere || hasAuthorization(session.own)) return undefined;
    const credentials = credentialsOf(session);
    const challenge = readChallenges(String(response.headers['www-authenticate'] ?? '')).find((one) =>
      suits(one, credentials),
    );
    const isStale = challenge?.parameters.stale?.toLowerCase() === 'true';
    // A server that refuses an expired nonce sends a fresh one, which is answered once more.
    const mostAnswers = isStale ? 2 : 1;
    if (!challenge || session.challenged >= mostAnswers) return undefined;
    session.challenged++;
    remember(challenge, session);
    session.next = session.own;
    session.nextRole = 'authChallenges';
    // No hook reads the body of a challenge.
    if (response.body) session.bodies.free(response.body.length);
    return undefined;
  },
};

/** @type {(session: Session) => Credentials} */
function credentialsOf({ rules, env, isUntrusted }) {
  const credentials = /** @type {NonNullable<typeof rules.credentials>} */ (rules.credentials)(env);
  return isUntrusted && credentials.isRunDefault ? {} : credentials;
}

/** @type {(challenge: Challenge, credentials: Credentials) => boolean} */
function suits({ scheme, parameters }, { user, bearer }) {
  if (scheme === 'bearer') return bearer !== undefined;
  if (user === undefined) return false;
  return scheme === 'basic' || (scheme === 'digest' && canAnswer(parameters));
}

/** @type {(challenge: Challenge, session: Session) => void} */
function remember(challenge, session) {
  const { own, rules } = session;
  const { key } = own.endpoint;
  const challenges = ALL.get(session) ?? new Map();
  ALL.set(session, challenges);
  const { realm = '' } = challenge.parameters;
  if (!challenges.has(key) && challenges.size >= MAX_KNOWN) challenges.clear();
  const realms = challenges.get(key) ?? { byRealm: new Map(), realmByRules: new WeakMap(), last: realm };
  if (!realms.byRealm.has(realm) && realms.byRealm.size >= MAX_KNOWN) realms.byRealm.clear();
  realms.byRealm.set(realm, { ...challenge, count: 0 });
  realms.realmByRules.set(rules, realm);
  realms.last = realm;
  challenges.set(key, realms);
}

/** @type {(challenge: KnownChallenge, request: Request, credentials: Credentials) => string | null} */
function answer(challenge, { method, path, body }, credentials) {
  if (!suits(challenge, credentials)) return null;
  const { user = '', password = '', bearer } = credentials;
  if (challenge.scheme === 'bearer') return `Bearer ${bearer}`;
  if (challenge.scheme === 'basic') return basicCredentials(`${user}:${password}`);
  challenge.count++;
  return digestResponse(challenge.parameters, { user, password, method, path, body, count: challenge.count });
}

/** @type {(request: Request) => boolean} */
function hasAuthorization({ fields }) {
  return fieldAt(fields, 'authorization') >= 0;
}

/**
 * @typedef {object} Challenge
 * @property {string} scheme in lower case
 * @property {Record<string, string>} parameters names in lower case
 */

/** A scheme (`Digest`), or a parameter with its value (`realm="a, b"`, `stale=true`). */
const PART = new RegExp(`(${TOKEN_PART})(?:[ \\t]*=[ \\t]*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s,"]+)))?`, 'g');

/**
 * Reads a WWW-Authenticate field (RFC 9110 11.6.1): challenges, each with parameters, all separated by commas.
 * @type {(field: string) => Challenge[]}
 */
export function readChallenges(field) {
  /** @type {Challenge[]} */
  const all = [];
  for (const [, name, quoted, plain] of field.matchAll(PART)) {
    const value = quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1');
    if (value === undefined) all.push({ scheme: name.toLowerCase(), parameters: Object.create(null) });
    else if (all.length > 0) all[all.length - 1].parameters[name.toLowerCase()] = value;
  }
  return all;
}

/**
 * @typedef {object} DigestInput
 * @property {string} user
 * @property {string} password
 * @property {string} method
 * @property {string} path as in the request line
 * @property {string | Buffer | null} body
 * @property {number} count requests with this nonce, this one included
 * @property {string} [cnonce] client nonce; random by default
 */

/** By the name in a challenge, the first is the best. @type {Record<string, string>} */
const HASHES = { 'sha-512-256': 'sha512-256', 'sha-256': 'sha256', md5: 'md5' };

/** @type {(parameters: Record<string, string>) => boolean} */
export function canAnswer({ realm, nonce, algorithm = 'md5', qop }) {
  const isKnown = Object.hasOwn(HASHES, hashNameOf(algorithm));
  return realm !== undefined && nonce !== undefined && isKnown && (qop === undefined || qopOf(qop) !== undefined);
}

/**
 * Returns the Authorization field that answers a Digest challenge (RFC 7616 3.4), or one of the older RFC 2069 without
 * `qop`.
 * @type {(parameters: Record<string, string>, input: DigestInput) => string}
 */
export function digestResponse(parameters, input) {
  const { realm, nonce, opaque, algorithm } = parameters;
  const { user, password, method, path, body, count, cnonce = randomBytes(16).toString('hex') } = input;
  const name = algorithm ?? 'md5';
  const qop = parameters.qop === undefined ? undefined : qopOf(parameters.qop);
  const hash = (/** @type {string | Buffer} */ text) => createHash(HASHES[hashNameOf(name)]).update(text).digest('hex');
  const secret = hash(`${user}:${realm}:${password}`);
  const key = /-sess$/i.test(name) ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const request = hash(`${method}:${path}${qop === 'auth-int' ? `:${hash(body ?? '')}` : ''}`);
  const nc = count.toString(16).padStart(8, '0');
  const isHashed = parameters.userhash?.toLowerCase() === 'true';
  return `Digest ${[
    isHashed ? quoted('username', hash(`${user}:${realm}`)) : userField(user),
    quoted('realm', realm),
    quoted('nonce', nonce),
    quoted('uri', path),
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(qop === undefined ? [] : [`qop=${qop}`, `nc=${nc}`, quoted('cnonce', cnonce)]),
    quoted(
      'response',
      hash(qop === undefined ? `${key}:${nonce}:${request}` : `${key}:${nonce}:${nc}:${cnonce}:${qop}:${request}`),
    ),
    ...(opaque === undefined ? [] : [quoted('opaque', opaque)]),
    ...(isHashed ? ['userhash=true'] : []),
  ].join(', ')}`;
}

/** @type {(algorithm: string) => string} */
function hashNameOf(algorithm) {
  return algorithm.toLowerCase().replace(/-sess$/, '');
}

/** @type {(offered: string) => 'auth' | 'auth-int' | undefined} */
function qopOf(offered) {
  const all = offered.split(',').map((one) => one.trim().toLowerCase());
  return all.includes('auth') ? 'auth' : all.includes('auth-int') ? 'auth-int' : undefined;
}

/** A name beyond ASCII is percent-encoded (RFC 7616 3.4, RFC 8187). @type {(user: string) => string} */
function userField(user) {
  if (/^[ -~]*$/.test(user)) return quoted('username', user);
  const encoded = encodePercent(user).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `username*=UTF-8''${encoded}`;
}

/** @type {(name: string, value: string) => string} */
function quoted(name, value) {
  return `${name}="${value.replace(/["\\]/g, '\\$&')}"`;
}
