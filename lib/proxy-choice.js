import { isLoopback, parseNoProxy } from './no-proxy.js';
import { parseProxy } from './proxy.js';

/**
 * @import { Proxy } from './proxy.js'
 *
 * @typedef {{ url: string, from: string }} NamedProxy
 *
 * @typedef {object} ProxySettings the proxies of a run: plain data, as every thread gets them
 * @property {NamedProxy | null} http for http: URLs
 * @property {NamedProxy | null} https for https: URLs
 * @property {{ text: string, from: string }} direct hosts that are reached without a proxy
 * @property {boolean} sparesLoopback this machine is reached without a proxy
 * @property {boolean} insecure the certificate of a proxy is not verified
 *
 * @typedef {(url: URL) => Proxy | null} ChooseProxy
 */

/** @type {ProxySettings} */
export const NO_PROXIES = {
  http: null,
  https: null,
  direct: { text: '', from: '' },
  sparesLoopback: false,
  insecure: false,
};

/**
 * The proxies of a run: that of the option `proxy`, or else those of the environment. The rules of the environment are
 * those of the `request` library, then those of curl: names in lower case come first, an https: URL without a proxy of
 * its own uses that of http:, then ALL_PROXY is used.
 *
 * A proxy of the environment is usually that of a company: it cannot reach this machine. So loopback addresses are
 * reached without it, as in Go.
 *
 * @param {{ proxy?: string, noProxy?: string, proxyInsecure?: boolean }} options
 * @param {NodeJS.ProcessEnv} env
 * @returns {ProxySettings}
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
  const ofEnv = variable(env, 'no_proxy');
  const direct = own ?? (ofEnv ? { text: ofEnv.url, from: ofEnv.from } : NO_PROXIES.direct);
  return { http: http ?? all, https, direct, sparesLoopback: true, insecure };
}

/** An empty variable counts as none. @type {(env: NodeJS.ProcessEnv, name: string) => NamedProxy | null} */
function variable(env, name) {
  const from = [name, name.toUpperCase()].find((one) => env[one]);
  return from === undefined ? null : { url: /** @type {string} */ (env[from]), from };
}

/**
 * @param {ProxySettings} [settings]
 * @returns {ChooseProxy} finds the proxy of a URL; null: it is reached directly
 */
export function createProxyChoice({ http, https, direct, sparesLoopback } = NO_PROXIES) {
  const list = parseNoProxy(direct.text);
  /** @type {(named: NamedProxy | null) => Proxy | null} */
  const read = (named) => {
    if (named === null) return null;
    const proxy = parseProxy(named.url, named.from);
    return list.problem === null ? proxy : { ...proxy, from: direct.from, problem: list.problem };
  };
  const ofHttp = read(http);
  const ofHttps = read(https);
  if (ofHttp === null && ofHttps === null) return () => null;
  return ({ protocol, hostname, port }) => {
    const proxy = isSecure(protocol) ? ofHttps : ofHttp;
    const host = hostname.replace(/^\[|\]$/g, '');
    if (proxy === null || (sparesLoopback && isLoopback(host))) return null;
    return list.includes(host, Number(port) || (isSecure(protocol) ? 443 : 80)) ? null : proxy;
  };
}

/**
 * Reports whether a protocol uses TLS.
 *
 * @param {string} protocol of a URL
 * @returns {boolean}
 */
export function isSecure(protocol) {
  return protocol === 'https:' || protocol === 'wss:';
}
