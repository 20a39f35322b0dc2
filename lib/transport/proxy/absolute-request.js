/**
 * @import { Endpoint } from '../../endpoint.js'
 * @import { Request } from '../../flow/types.js'
 */

/**
 * Creates a function that rewrites requests for a proxy that is spoken to without a tunnel: their target is the whole URL
 * (RFC 9112 3.2.2), and they have the credentials for the proxy.
 *
 * @param {Endpoint} endpoint the server
 * @returns {(request: Request) => Request} a copy
 */
export function absoluteRequests({ origin, proxy }) {
  const own = proxy?.authorization ? ['proxy-authorization', proxy.authorization] : [];
  return (request) => ({ ...request, path: origin + request.path, extra: [...(request.extra ?? []), ...own] });
}
