/**
 * @import { Socket } from 'node:net'
 * @import { Dialled } from '../../endpoint.js'
 * @import { Wire } from './connection.js'
 *
 * @typedef {object} SocketListener
 * @property {(socket: Socket, at: number) => void} onConnect TCP is connected, TLS is not
 * @property {(dialled: Socket, socket: Socket) => void} onOpen requests can be written to `socket`: from now on it is the
 *   socket, not the one that was dialled
 * @property {(socket: Socket, size: number) => void} onData `size` bytes are at the beginning of the wire's buffer
 * @property {(socket: Socket) => void} onEnd the server has closed its side
 * @property {(socket: Socket, error: any) => void} onError the socket failed; null: it was closed
 */

/**
 * Opens a socket, measures how long it takes, and passes its events to a listener.
 *
 * @param {Dialled} endpoint
 * @param {Wire} wire
 * @param {SocketListener} listener
 * @returns {Socket}
 * @throws {Error} if OpenSSL cannot read the TLS options
 */
export function openSocket(endpoint, { dial, buffer, traffic, timings, now, explain }, listener) {
  const isSecure = endpoint.protocol === 'https:';
  const dialledAt = now();
  let connectedAt = dialledAt;
  let isOpen = false;
  const onread = {
    buffer,
    callback(/** @type {number} */ size) {
      listener.onData(socket, size);
      return true;
    },
  };
  const socket = dial(endpoint, onread, () => {
    traffic.totals.opened++;
    if (isSecure) timings.tls(now() - connectedAt);
    isOpen = true;
    listener.onOpen(socket, socket);
  });
  // before the handler of dial, which writes
  socket.prependOnceListener('connect', () => {
    connectedAt = now();
    timings.connect(connectedAt - dialledAt);
    listener.onConnect(socket, connectedAt);
  });
  socket.on('end', () => listener.onEnd(socket));
  socket.on('error', (error) => listener.onError(socket, isOpen ? error : explain(error)));
  socket.on('close', () => listener.onError(socket, null));
  traffic.add(socket);
  return socket;
}
