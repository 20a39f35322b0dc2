import { explainBind } from '../bind-error.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Endpoint } from '../../endpoint.js'
 * @import { Wire } from './connection.js'
 *
 * @typedef {object} SocketListener
 * @property {(socket: Socket, at: number) => void} onConnect TCP is connected, TLS is not
 * @property {(socket: Socket) => void} onOpen requests can be written
 * @property {(socket: Socket, size: number) => void} onData `size` bytes are at the beginning of the wire's buffer
 * @property {(socket: Socket) => void} onEnd the server has closed its side
 * @property {(socket: Socket, error: any) => void} onError the socket failed; null: it was closed
 */

/**
 * Opens a socket, measures how long it takes, and passes its events to a listener.
 *
 * @param {Endpoint} endpoint
 * @param {Wire} wire
 * @param {SocketListener} listener
 * @returns {Socket}
 * @throws {Error} if OpenSSL cannot read the TLS options
 */
export function openSocket(endpoint, { dial, buffer, traffic, timings, now }, listener) {
  const isSecure = endpoint.protocol === 'https:';
  const dialledAt = now();
  let connectedAt = dialledAt;
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
    listener.onOpen(socket);
  });
  // before the handler of dial, which writes
  socket.prependOnceListener('connect', () => {
    connectedAt = now();
    timings.connect(connectedAt - dialledAt);
    listener.onConnect(socket, connectedAt);
  });
  socket.on('end', () => listener.onEnd(socket));
  socket.on('error', (error) => listener.onError(socket, explainBind(error)));
  socket.on('close', () => listener.onError(socket, null));
  traffic.add(socket);
  return socket;
}
