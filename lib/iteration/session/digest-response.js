import { createHash, randomBytes } from 'node:crypto';

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

/**
 * Reports whether a Digest challenge can be answered.
 *
 * @param {Record<string, string>} parameters
 * @returns {boolean}
 */
export function canAnswer({ realm, nonce, algorithm = 'md5', qop }) {
  const isKnown = Object.hasOwn(HASHES, hashNameOf(algorithm));
  return realm !== undefined && nonce !== undefined && isKnown && (qop === undefined || qopOf(qop) !== undefined);
}

/**
 * The Authorization field that answers a Digest challenge (RFC 7616 3.4), or one of the older RFC 2069 without `qop`.
 *
 * @param {Record<string, string>} parameters of the challenge
 * @param {DigestInput} input
 * @returns {string}
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
  const encoded = encodeURIComponent(user).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `username*=UTF-8''${encoded}`;
}

/** @type {(name: string, value: string) => string} */
function quoted(name, value) {
  return `${name}="${value.replace(/["\\]/g, '\\$&')}"`;
}
