import { followConnections } from '../closing.js';

/**
 * @import { Server } from 'node:http'
 */

/** A server whose `listen()` was called a moment ago may still be resolving its host. */
const SETTLE_MS = 50;

/**
 * Starts a server of this process on a free port, unless it is listening.
 *
 * @param {Server | import('node:https').Server} server
 * @returns {Promise<{ url: string, restore: () => Promise<void> }>} restore: closes the server if it was started here
 */
export async function openLocalServer(server) {
  const wasListening = server.listening || (await isAboutToListen(server));
  let restore = async () => {};
  if (!wasListening) {
    await new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        server.off('error', reject);
        resolve(undefined);
      });
    });
    restore = followConnections(server);
  }
  return { url: urlOf(server), restore };
}

/** @type {(server: Server | import('node:https').Server) => Promise<boolean>} */
function isAboutToListen(server) {
  return new Promise((resolve) => {
    const onListening = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      server.off('listening', onListening);
      resolve(false);
    }, SETTLE_MS);
    server.once('listening', onListening);
  });
}

/** @type {(server: Server | import('node:https').Server) => string} */
function urlOf(server) {
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  const address = server.address();
  if (typeof address === 'string') return `${scheme}://unix:${address}`;
  const { address: host, family, port } = /** @type {import('node:net').AddressInfo} */ (address);
  return `${scheme}://${reachable(host, family)}:${port}`;
}

/** @type {(address: string, family: string) => string} */
function reachable(address, family) {
  if (address === '::' || address === '0.0.0.0') return '127.0.0.1';
  return family === 'IPv6' ? `[${address}]` : address;
}
