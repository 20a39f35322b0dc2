import { createHash } from 'node:crypto';

/** @import { Endpoint } from './types.js' */

/**
 * One Endpoint for each origin and set of TLS options, so that it can be compared by identity.
 * Bounded: a flow that goes to ever new hosts forgets the oldest.
 */
export function createEndpoints() {
  /** @type {Map<string, Endpoint>} */
  const known = new Map();
  const identify = identifier();

  /**
   * @param {URL} url
   * @param {Record<string, unknown>} tls
   * @param {string} [socketPath]
   * @returns {Endpoint}
   */
  return function endpointOf(url, tls, socketPath) {
    const place = socketPath === undefined ? url.origin : `${url.origin} unix:${socketPath}`;
    const key = url.protocol === 'https:' ? `${place} ${identify(tls)}` : place;
    const found = known.get(key);
    if (found) return found;
    const endpoint = {
      key,
      origin: url.origin,
      protocol: url.protocol,
      host: url.host,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
      socketPath,
      tls,
    };
    if (known.size >= 1000) known.delete(/** @type {string} */ (known.keys().next().value));
    known.set(key, endpoint);
    return endpoint;
  };
}

/** @returns {(tls: Record<string, unknown>) => string} */
function identifier() {
  /** @type {WeakMap<object, string>} */
  const digests = new WeakMap();
  return (tls) => {
    const found = digests.get(tls);
    if (found) return found;
    const digest = createHash('sha256').update(JSON.stringify(tls)).digest('hex');
    digests.set(tls, digest);
    return digest;
  };
}
