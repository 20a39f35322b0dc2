import { NO_TRAFFIC } from './totals.js';

/**
 * @import { Socket } from 'node:net'
 * @import { TransportTotals } from './types.js'
 */

/** Counts what goes over the sockets of a run. */
export function createTraffic() {
  /** @type {TransportTotals} */
  const totals = { ...NO_TRAFFIC };
  /** @type {Set<Socket>} */
  const sockets = new Set();

  return {
    /** for those who open, reuse and lose connections to count in */
    totals,

    /** @type {(socket: Socket) => void} */
    add(socket) {
      sockets.add(socket);
      socket.once('close', () => {
        sockets.delete(socket);
        totals.bytesSent += socket.bytesWritten;
        totals.bytesReceived += socket.bytesRead;
      });
    },

    /** The counts now, with the bytes of open sockets. @returns {TransportTotals} */
    sum() {
      const now = { ...totals };
      for (const socket of sockets) {
        now.bytesSent += socket.bytesWritten;
        now.bytesReceived += socket.bytesRead;
      }
      return now;
    },

    /** Ends every socket and waits until the last is gone. */
    async end() {
      const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
}

/** @typedef {ReturnType<typeof createTraffic>} Traffic */
