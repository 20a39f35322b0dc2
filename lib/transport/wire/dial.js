import net from 'node:net';
import tls from 'node:tls';

import { isSecure } from '../../proxy-choice.js';

/**
 * @import { Socket, OnReadOpts } from 'node:net'
 * @import { Dialled } from '../../endpoint.js'
 * @import { Addresses } from '../addresses.js'
 *
 * @typedef {(endpoint: Dialled, onread: OnReadOpts | undefined, onOpen: () => void, through?: Socket) => Socket} Dial opens a
 *   connection, or TLS on top of another one; the caller listens to all other events of the socket
 */

const MAX_ENDPOINTS = 1000;

/**
 * Creates a function that opens connections: TCP to the addresses of a name, TLS with one context and the last session of
 * each endpoint, unix sockets.
 *
 * @param {Addresses} addresses
 * @returns {Dial}
 */
export function createDial(addresses) {
  /** @type {Map<string, { context: tls.SecureContext, session: Buffer | undefined }>} */
  const contexts = new Map();

  return (endpoint, onread, onOpen, through) => {
    if (through) return dialSecure(endpoint, { socket: through, host: endpoint.hostname }, onOpen);
    const { socketPath, localAddress } = endpoint;
    const to =
      socketPath === undefined
        ? { ...addresses.to(endpoint), localAddress, noDelay: true, onread }
        : { path: socketPath, onread };
    const socket = isSecure(endpoint.protocol)
      ? dialSecure(endpoint, to, onOpen)
      : net.connect(/** @type {any} */ (to));
    if (socketPath === undefined) addresses.follow(socket, endpoint);
    if (!isSecure(endpoint.protocol)) socket.once('connect', onOpen);
    return socket;
  };

  /** @type {(endpoint: Dialled, to: object, onOpen: () => void) => Socket} */
  function dialSecure(endpoint, to, onOpen) {
    const { tls: options, hostname } = endpoint;
    const known = contextOf(endpoint);
    // the session may be why the handshake failed: the next one starts without it
    const dropSession = () => (known.session = undefined);
    const socket = tls.connect(
      {
        servername: net.isIP(hostname) ? '' : hostname,
        ALPNProtocols: ['http/1.1'],
        ...options,
        ...to,
        secureContext: known.context,
        session: known.session,
      },
      () => {
        socket.off('error', dropSession);
        onOpen();
      },
    );
    socket.on('session', (session) => (known.session = session));
    socket.once('error', dropSession);
    return socket;
  }

  /** @type {(endpoint: Dialled) => { context: tls.SecureContext, session: Buffer | undefined }} */
  function contextOf({ key, tls: options }) {
    const found = contexts.get(key);
    if (found) return found;
    if (contexts.size >= MAX_ENDPOINTS) contexts.clear();
    const created = { context: tls.createSecureContext(options), session: undefined };
    contexts.set(key, created);
    return created;
  }
}
