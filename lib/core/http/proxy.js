import { BlockList, isIP, isIPv6 } from 'node:net';

import { makeError } from '../ground/errors.js';
import { basicCredentials } from './field-values.js';
import { BAD_USERINFO, addressOf, asUrlHost, isLoopback, isSecure, userinfoOf } from './url-parts.js';

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

// It describes the credentials in words, because a message masks what is between // and an at sign.
const EXAMPLE = 'http://proxy:3128, with credentials as user:password@ in front of the host';
const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;

/**
 * Reads the URL of a proxy; without a scheme it is that of an HTTP proxy, as in curl. A text that is not such a URL
 * gives a proxy with a problem, which does not repeat the text: it may hold a password.
 * @type {(given: string | URL, from?: string) => Proxy}
 */
export function parseProxy(given, from = '') {
  const text = String(given).trim();
  const scheme = SCHEME.exec(text)?.[1].toLowerCase();
  const href = scheme === undefined ? `http://${text}` : text;
  const problem = refuseScheme(scheme) ?? refuseUrl(href);
  if (problem) return broken(problem, from);
  const url = new URL(href);
  const userinfo = userinfoOf(url);
  if (userinfo === undefined) return broken(`${BAD_USERINFO}: write %25 for %`, from);
  return {
    name: url.origin,
    from,
    protocol: url.protocol,
    host: url.host,
    ...addressOf(url),
    authorization: userinfo === null ? null : basicCredentials(userinfo),
    problem: null,
  };
}

/** Hides the credentials of a proxy's URL, with or without a scheme. @type {(text: unknown) => string} */
export function maskProxy(text) {
  return String(text).replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@');
}

/** Creates E_PROXY_AUTH: a proxy requires credentials, or refuses these. @type {(proxy: Proxy) => Error} */
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

/** It cannot be used; it is named after its place. @type {(problem: string, from: string) => Proxy} */
function broken(problem, from) {
  const none = { protocol: 'http:', host: '', hostname: '', port: 0, authorization: null };
  return { name: from, from, ...none, problem };
}

/** @typedef {{ url: string, from: string }} NamedProxy */

/**
 * @typedef {object} ProxySettings the proxies of a run: plain data, as every thread gets them
 * @property {NamedProxy | null} http for http: URLs
 * @property {NamedProxy | null} https for https: URLs
 * @property {{ text: string, from: string }} direct the list of hosts that are reached without a proxy
 * @property {boolean} sparesLoopback this machine is reached without a proxy
 * @property {boolean} insecure the certificate of a proxy is not verified
 */

/** @typedef {(url: URL) => Proxy | null} ChooseProxy */

/** @type {ProxySettings} */
export const NO_PROXIES = {
  http: null,
  https: null,
  direct: { text: '', from: '' },
  sparesLoopback: false,
  insecure: false,
};

/**
 * Returns the proxies of a run: that of the option `proxy`, or else those of the environment. The rules of the
 * environment are those of the `request` library, then those of curl: names in lower case come first, an https: URL
 * without a proxy of its own uses that of http:, then ALL_PROXY is used.
 *
 * A proxy of the environment is usually that of a company: it cannot reach this machine. So loopback addresses are
 * reached without it, as in Go.
 * @type {(options: { proxy?: string, noProxy?: string, proxyInsecure?: boolean }, env: NodeJS.ProcessEnv) =>
 *   ProxySettings}
 */
export function proxySettings({ proxy, noProxy, proxyInsecure: insecure = false }, env) {
  const own = noProxy === undefined ? null : { text: noProxy, from: 'noProxy' };
  if (proxy !== undefined) {
    const named = proxy === '' ? null : { url: proxy, from: 'proxy' };
    return { http: named, https: named, direct: own ?? NO_PROXIES.direct, sparesLoopback: false, insecure };
  }
  const all = variable(env, 'all_proxy');
  const http = variable(env, 'http_proxy');
  const https = variable(env, 'https_proxy') ?? http ?? all;
  const exceptions = variable(env, 'no_proxy');
  const direct = own ?? (exceptions ? { text: exceptions.url, from: exceptions.from } : NO_PROXIES.direct);
  return { http: http ?? all, https, direct, sparesLoopback: true, insecure };
}

/** An empty variable counts as none. @type {(env: NodeJS.ProcessEnv, name: string) => NamedProxy | null} */
function variable(env, name) {
  const from = [name, name.toUpperCase()].find((one) => env[one]);
  return from === undefined ? null : { url: /** @type {string} */ (env[from]), from };
}

/** Creates a function that finds the proxy of a URL; or null. @type {(settings?: ProxySettings) => ChooseProxy} */
export function createProxyChoice({ http, https, direct, sparesLoopback } = NO_PROXIES) {
  const exceptions = parseNoProxy(direct.text);
  // Which hosts a malformed list spares is not known, so neither proxy can be used.
  const listProblem = exceptions.problem === null ? {} : { from: direct.from, problem: exceptions.problem };
  const httpProxy = http && { ...parseProxy(http.url, http.from), ...listProblem };
  const httpsProxy = https && { ...parseProxy(https.url, https.from), ...listProblem };
  if (httpProxy === null && httpsProxy === null) return () => null;
  return (url) => {
    const proxy = isSecure(url.protocol) ? httpsProxy : httpProxy;
    const { hostname, port } = addressOf(url);
    if (proxy === null || (sparesLoopback && isLoopback(hostname))) return null;
    return exceptions.includes(hostname, port) ? null : proxy;
  };
}

/**
 * @typedef {object} NoProxy the hosts of a NO_PROXY list
 * @property {(hostname: string, port: number) => boolean} includes `hostname` without brackets
 * @property {string | null} problem the entry that is malformed
 */

/**
 * Reads a list of hosts that are reached without a proxy, separated by commas or spaces: names, each with its
 * subdomains (`example.com`, `.example.com`, `*.example.com`), addresses, subnets (`10.0.0.0/8`), `*` for all; each may
 * have a port.
 * @type {(text: string) => NoProxy}
 */
export function parseNoProxy(text) {
  const entries = text.split(/[,\s]+/).filter(Boolean);
  const rules = entries.map((entry) => ruleOf(entry.toLowerCase()));
  const at = rules.indexOf(null);
  const known = rules.filter((rule) => rule !== null);
  return {
    includes: (hostname, port) => {
      const host = hostname.toLowerCase().replace(/\.$/, '');
      return known.some((rule) => (rule.port === null || rule.port === port) && rule.matches(host));
    },
    problem: at < 0 ? null : `has the malformed entry ${JSON.stringify(entries[at])}`,
  };
}

/** @type {(entry: string) => { matches: (host: string) => boolean, port: number | null } | null} */
function ruleOf(entry) {
  const [host, port] = splitPort(entry);
  if (host === undefined) return null;
  const matches = matcherOf(host);
  return matches && { matches, port: port === undefined ? null : Number(port) };
}

/** Returns host and port of an entry; no host: it is malformed. @type {(entry: string) => (string | undefined)[]} */
function splitPort(entry) {
  if (isIPv6(entry.split('/')[0])) return [entry];
  const [, bracketed, name, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? [];
  return [bracketed ?? name, port];
}

/** Returns null if the host is malformed. @type {(host: string) => ((host: string) => boolean) | null} */
function matcherOf(host) {
  if (host === '*') return () => true;
  const [address, prefix, ...more] = host.split('/');
  const family = isIP(address);
  if (family === 0) return prefix === undefined ? nameMatcher(host) : null;
  const type = family === 6 ? 'ipv6' : 'ipv4';
  const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(/^\d+$/.test(prefix) ? prefix : NaN);
  if (more.length > 0 || !(bits <= (family === 6 ? 128 : 32))) return null;
  const list = new BlockList();
  list.addSubnet(address, bits, type);
  return (one) => isIP(one) !== 0 && list.check(one, isIP(one) === 6 ? 'ipv6' : 'ipv4');
}

/** A name matches itself and its subdomains, no address. @type {(entry: string) => (host: string) => boolean} */
function nameMatcher(entry) {
  const name = asUrlHost(entry.replace(/^\*?\./, '').replace(/\.$/, ''));
  return (host) => isIP(host) === 0 && (host === name || host.endsWith(`.${name}`));
}
