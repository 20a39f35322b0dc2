import { Addresses } from '../../../core/transport/addresses.js';
import { Traffic, UNTIMED } from '../../../core/transport/traffic.js';
import { Outbox, createDial } from '../../../core/transport/wire/socket.js';
import { WebSocketConnection } from './connection.js';

/** @import { WebSocket } from 'ws' */
/** @import { Transport, TransportOptions } from '../../../core/contracts/connection.js' */
/** @import { SocketWire } from './connection.js' */

/** How long a server gets to complete a close that no operation waits for, ms. */
const CLOSE_MS = 1000;

/** Opens the WebSockets of a thread, on sockets of their own. @type {(options: TransportOptions) => Transport} */
export function open({ maxBodySize, maxHeaderSize, maxHeaderFields, timings = UNTIMED, ...more }) {
  const traffic = new Traffic(more);
  const addresses = new Addresses(more);
  const closing = new Closing();
  const now = () => performance.now();
  /** @type {SocketWire} */
  const wire = {
    dial: createDial(addresses),
    traffic,
    timings,
    now,
    outbox: new Outbox(now),
    connectFailed: (endpoint, error) => addresses.connectFailed(endpoint, error),
    closeUnawaited: (socket) => closing.add(socket),
    limits: { maxBodySize, maxHeaderSize, maxHeaderFields },
  };
  return {
    connect: (endpoint, bodies) => new WebSocketConnection(endpoint, wire, bodies),
    totals: () => traffic.sum(),
    addresses,
    async close() {
      await closing.end();
      addresses.close();
      await traffic.end();
    },
  };
}

/** Closes connections for which no operation waits; the end of the run waits for all of them. */
class Closing {
  /** @type {Set<Promise<void>>} */
  #all = new Set();

  /** @type {(socket: WebSocket) => void} */
  add(socket) {
    /** @type {Promise<void>} */
    const closed = new Promise((resolve) => {
      const timer = setTimeout(() => socket.terminate(), CLOSE_MS);
      socket.once('close', () => {
        clearTimeout(timer);
        this.#all.delete(closed);
        resolve();
      });
    });
    this.#all.add(closed);
    socket.close(1000);
  }

  async end() {
    await Promise.all(this.#all);
  }
}
