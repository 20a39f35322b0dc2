/** @import { Server } from 'node:http' */
/** @import { Socket } from 'node:net' */

/** Time limit of closing, ms. A result never waits longer for a connection or a thread. */
const CLOSE_MS = 200;
/** A responsive thread ends within milliseconds, or a few hundred milliseconds on a busy machine. */
export const THREAD_MS = 1000;

/** Reports whether a promise settles in time. @type {(promise: Promise<unknown>, ms?: number) => Promise<boolean>} */
export async function settlesWithin(promise, ms = CLOSE_MS) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, ms, false)));
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return /** @type {boolean} */ (await Promise.race([settled, late]));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Follows the connections of a server from now on. The returned function closes it: open responses may end for half of
 * CLOSE_MS, then every connection is destroyed. A server's own `closeAllConnections()` misses those that were upgraded,
 * and those still in a TLS handshake.
 * @type {(server: Server | import('node:https').Server) => () => Promise<void>}
 */
export function followConnections(server) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  /** @type {(socket: Socket) => void} */
  const follow = (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', follow);
  return async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.off('connection', follow);
    if (await settlesWithin(closed, CLOSE_MS / 2)) return;
    for (const socket of sockets) socket.destroy();
    // The server of a program may have its own close().
    await settlesWithin(closed);
  };
}
