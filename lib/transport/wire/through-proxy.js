import { absoluteRequests } from '../proxy/absolute-request.js';
import { explainProxy, refuseBroken } from '../proxy/proxy-error.js';
import { openSocket } from './open-socket.js';
import { openTunnelled } from './open-tunnelled.js';

/**
 * @import { Endpoint, ProxyLeg } from '../../endpoint.js'
 * @import { Wire } from './connection.js'
 */

/**
 * Replaces the wire of the thread for connections to an endpoint that go by a proxy. Connections without one do not pay for
 * it.
 *
 * @param {Wire} wire
 * @param {Endpoint} endpoint
 * @returns {Wire}
 */
export function throughProxy(wire, endpoint) {
  const proxy = /** @type {ProxyLeg} */ (endpoint.proxy);
  const rewrite = absoluteRequests(endpoint);
  const common = {
    ...wire,
    explain: (/** @type {any} */ error) => explainProxy(error, proxy),
    connectFailed: (/** @type {unknown} */ _, /** @type {any} */ error) =>
      wire.connectFailed(proxy, error.cause ?? error),
  };
  if (proxy.isTunnel)
    return {
      ...common,
      open: (to, own, listener) => {
        refuseBroken(proxy);
        return openTunnelled(to, own, listener);
      },
    };
  return {
    ...common,
    open: (_, own, listener) => {
      refuseBroken(proxy);
      return openSocket(proxy, own, listener);
    },
    encodeHead: (request, size) => wire.encodeHead(rewrite(request), size),
  };
}
