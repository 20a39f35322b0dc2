import { basicCredentials } from './basic-credentials.js';
import { makeError } from './errors.js';

/**
 * @typedef {object} Proxy an HTTP proxy
 * @property {string} name `http://proxy:3128`, for people: without credentials
 * @property {string} from where it is set: a variable of the environment, an option; empty: an operation
 * @property {string} protocol `http:`, or `https:` if it is spoken to by TLS
 * @property {string} host
 * @property {string} hostname without the brackets of an IPv6 address
 * @property {number} port
 * @property {string | null} authorization the value of Proxy-Authorization
 * @property {string | null} problem why it cannot be used
 */

/** credentials after // would be masked in a message */
const EXAMPLE = 'http://proxy:3128, with credentials as user:password@ in front of the host';
const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;

/**
 * Reads the URL of a proxy; without a scheme it is that of an HTTP proxy, as in curl.
 *
 * @param {string | URL} given
 * @param {string} [from]
 * @returns {Proxy} with a problem if the text is not the URL of a proxy; the problem does not repeat it, as it may hold a
 *   password
 */
export function parseProxy(given, from = '') {
  const text = String(given).trim();
  const scheme = SCHEME.exec(text)?.[1].toLowerCase();
  const href = scheme === undefined ? `http://${text}` : text;
  const problem = refuseScheme(scheme) ?? refuseUrl(href);
  if (problem) return broken(problem, from);
  const url = new URL(href);
  const userinfo = userinfoOf(url);
  if (userinfo === undefined)
    return broken('has a user or password that is not percent-encoded as it should be: write %25 for %', from);
  return {
    name: url.origin,
    from,
    protocol: url.protocol,
    host: url.host,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    authorization: userinfo === null ? null : basicCredentials(userinfo),
    problem: null,
  };
}

/**
 * Hides the credentials of a proxy's URL, with or without a scheme.
 *
 * @param {unknown} text
 * @returns {string}
 */
export function maskProxy(text) {
  return String(text).replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@');
}

/**
 * A proxy that wants credentials, or others.
 *
 * @param {Proxy} proxy
 * @returns {Error} E_PROXY_AUTH
 */
export function missingCredentials({ name, host, authorization }) {
  const remedy =
    authorization === null
      ? `write user and password into its URL, in front of the host: user:password@${host}`
      : 'check user and password in its URL, percent-encoded; only basic authentication is supported';
  const verb = authorization === null ? 'asks for credentials' : 'refuses the credentials in its URL';
  return makeError('E_PROXY_AUTH', { proxy: name, verb, cure: remedy });
}

/** @type {(scheme: string | undefined) => string | null} */
function refuseScheme(scheme) {
  if (scheme === undefined || scheme === 'http' || scheme === 'https') return null;
  if (scheme.startsWith('socks'))
    return `is a SOCKS proxy, which is not supported: use an HTTP proxy, such as ${EXAMPLE}`;
  return `is not the URL of an HTTP proxy: write ${EXAMPLE}`;
}

/** @type {(href: string) => string | null} */
function refuseUrl(href) {
  const url = /[\u0000-\u0020\u007f\\]/.test(href) || !URL.canParse(href) ? null : new URL(href);
  if (!url || url.port === '0') return `is not the URL of a proxy: write ${EXAMPLE}`;
  const hasPath = url.pathname !== '/' || url.search || url.hash;
  return hasPath ? `has a path, which the URL of a proxy cannot have: write ${EXAMPLE}` : null;
}

/** Null without a user; undefined if a % is not followed by two hexadecimal digits. @type {(url: URL) => string | null | undefined} */
function userinfoOf({ username, password }) {
  if (!username && !password) return null;
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return undefined;
  }
}

/** @type {(problem: string, from: string) => Proxy} */
function broken(problem, from) {
  const none = { protocol: 'http:', host: '', hostname: '', port: 0, authorization: null };
  return { name: from, from, ...none, problem };
}
