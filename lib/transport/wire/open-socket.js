/**
 * @import { Socket } from 'node:net'
 * @import { Endpoint } from '../../flow/types.js'
 * @import { Wire } from './connection.js'
 *
 * @typedef {object} SocketListener
 * @property {(socket: Socket, at: number) => void} connected TLS not yet
 * @property {(socket: Socket) => void} opened it can be written to
 * @property {(socket: Socket, size: number) => void} received so many bytes are in the wire's buffer
 * @property {(socket: Socket) => void} ended the server sends no more
 * @property {(socket: Socket, error: any) => void} broke
 */

/**
 * Dials, and tells what becomes of it: the times, the counts, the bytes.
 *
 * @param {Endpoint} endpoint
 * @param {Wire} wire
 * @param {SocketListener} listener
 * @returns {Socket}
 * @throws {Error} options of TLS that OpenSSL cannot read
 */
export function openSocket(endpoint, { dial, buffer, traffic, timings, now }, listener) {
  const isSecure = endpoint.protocol === 'https:';
  const dialledAt = now();
  let connectedAt = dialledAt;
  const onread = {
    buffer,
    callback(/** @type {number} */ size) {
      listener.received(socket, size);
      return true;
    },
  };
  const socket = dial(endpoint, onread, () => {
    traffic.totals.opened++;
    if (isSecure) timings.tls(now() - connectedAt);
    listener.opened(socket);
  });
  // before the one above, which writes
  socket.prependOnceListener('connect', () => {
    connectedAt = now();
    timings.connect(connectedAt - dialledAt);
    listener.connected(socket, connectedAt);
  });
  socket.on('end', () => listener.ended(socket));
  socket.on('error', (error) => listener.broke(socket, error));
  socket.on('close', () => listener.broke(socket, null));
  traffic.add(socket);
  return socket;
}
