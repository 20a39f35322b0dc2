import net from 'node:net';
import tls from 'node:tls';

/**
 * @import { Socket, OnReadOpts } from 'node:net'
 * @import { Endpoint } from '../../flow/types.js'
 *
 * @typedef {(endpoint: Endpoint, onread: OnReadOpts, onOpen: () => void) => Socket} Dial opens a connection; the socket
 *   tells of everything but that it is open
 */

const MOST_ENDPOINTS = 1000;

/**
 * Opens connections: TCP to all addresses of a name in turn (RFC 8305, by node:net), TLS with one context and the last
 * session of each endpoint, unix sockets.
 *
 * @param {NonNullable<net.TcpSocketConnectOpts['lookup']>} lookup
 * @returns {Dial}
 */
export function createDial(lookup) {
  /** @type {Map<string, { context: tls.SecureContext, session: Buffer | undefined }>} */
  const secured = new Map();

  return (endpoint, onread, onOpen) => {
    const { hostname: host, port, socketPath } = endpoint;
    const to = socketPath === undefined ? { host, port, lookup, noDelay: true, onread } : { path: socketPath, onread };
    return endpoint.protocol === 'https:'
      ? dialSecure(endpoint, to, onOpen)
      : net.connect(/** @type {any} */ (to), onOpen);
  };

  /** @type {(endpoint: Endpoint, to: object, onOpen: () => void) => Socket} */
  function dialSecure(endpoint, to, onOpen) {
    const { tls: options, hostname } = endpoint;
    const known = securedBy(endpoint);
    const socket = tls.connect(
      {
        servername: net.isIP(hostname) ? '' : hostname,
        ALPNProtocols: ['http/1.1'],
        ...options,
        ...to,
        secureContext: known.context,
        session: known.session,
      },
      onOpen,
    );
    socket.on('session', (session) => (known.session = session));
    return socket;
  }

  /** @type {(endpoint: Endpoint) => { context: tls.SecureContext, session: Buffer | undefined }} */
  function securedBy({ key, tls: options }) {
    const found = secured.get(key);
    if (found) return found;
    if (secured.size >= MOST_ENDPOINTS) secured.clear();
    const made = { context: tls.createSecureContext(options), session: undefined };
    secured.set(key, made);
    return made;
  }
}
