import { createHash } from 'node:crypto';

/**
 * @typedef {object} Endpoint what a connection leads to: one object per origin, unix socket, local address and set of TLS options
 * @property {string} key identifies the endpoint
 * @property {string} origin `https://host:8443`
 * @property {string} protocol `http:` or `https:`
 * @property {string} host name, and the port if it is not the default of the protocol
 * @property {string} hostname without the brackets of an IPv6 address
 * @property {number} port
 * @property {string} [socketPath] of a unix socket, instead of name and port
 * @property {string} [localAddress] address of this machine that connections come from
 * @property {Record<string, unknown>} tls options for tls.connect
 *
 * @typedef {{ socketPath?: string, localAddress?: string }} Way how the server is reached, where not by the URL alone
 * @typedef {(url: URL, tls: Record<string, unknown>, way?: Way) => Endpoint} EndpointOf
 */

/** Maximum number of remembered endpoints: a flow may use new hosts in every iteration. */
const MAX_ENDPOINTS = 1000;

/**
 * Creates a lookup that returns the same object for the same endpoint, so that endpoints can be compared by identity.
 * The oldest endpoints are removed when there are too many.
 *
 * @returns {EndpointOf}
 */
export function createEndpoints() {
  /** @type {Map<string, Endpoint>} */
  const known = new Map();
  const digestOf = createDigester();

  return function endpointOf(url, tls, { socketPath, localAddress } = {}) {
    const to = socketPath === undefined ? url.origin : `${url.origin} unix:${socketPath}`;
    const address = localAddress === undefined ? to : `${to} from ${localAddress}`;
    const key = url.protocol === 'https:' ? `${address} ${digestOf(tls)}` : address;
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
      localAddress,
      tls,
    };
    if (known.size >= MAX_ENDPOINTS) known.delete(/** @type {string} */ (known.keys().next().value));
    known.set(key, endpoint);
    return endpoint;
  };
}

/** @returns {(tls: Record<string, unknown>) => string} digest of TLS options, computed once per object */
function createDigester() {
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
