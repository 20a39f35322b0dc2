import { makeError } from '../../errors.js';
import { systemError } from '../../system-errors.js';
import { explainBind } from '../bind-error.js';

/**
 * @import { ProxyLeg } from '../../endpoint.js'
 * @import { Proxy } from '../../proxy.js'
 */

/**
 * Explains why there is no connection to a proxy. Where this machine has no file or port left, the proxy is not the
 * reason.
 *
 * @param {any} error of a socket
 * @param {Proxy} proxy
 * @returns {Error}
 */
export function explainProxy(error, proxy) {
  const explained = explainBind(error);
  const known = systemError(error.code ?? error.errors?.[0]?.code ?? '');
  if (explained !== error || known?.exhausted) return explained;
  const code = known?.kind === 'tls' ? 'E_PROXY_TLS' : 'E_PROXY_CONNECT';
  const reason = error.message || error.errors?.[0]?.message || error.code;
  return makeError(code, { proxy: proxy.name, reason }, { cause: error });
}

/**
 * Who can have closed a connection to an endpoint, for messages.
 *
 * @param {ProxyLeg | null} proxy on the way to it
 * @returns {string}
 */
export function closerOf(proxy) {
  if (proxy === null) return 'the server';
  return proxy.isTunnel ? 'the server or the proxy' : 'the proxy';
}

/**
 * Refuses to connect by a proxy whose URL is not one.
 *
 * @param {ProxyLeg | null} proxy
 * @throws {Error} E_PROXY_URL
 */
export function refuseBroken(proxy) {
  if (proxy !== null && proxy.problem !== null)
    throw makeError('E_PROXY_URL', { from: proxy.from, reason: proxy.problem });
}
