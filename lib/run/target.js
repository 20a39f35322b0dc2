/**
 * @import { Server } from 'node:http'
 */

/** for a listen() that was called a moment ago, and still looks its host up */
const SETTLE_MS = 50;

/**
 * The URL of a server of this process, made to listen on port 0 for the run if it does not listen yet.
 *
 * @param {Server | import('node:https').Server} server
 * @returns {Promise<{ url: string, leave: () => Promise<void> }>} `leave`: as it was found
 */
export async function openTarget(server) {
  const wasListening = server.listening || (await beginsToListen(server));
  if (!wasListening) {
    await new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        server.off('error', reject);
        resolve(undefined);
      });
    });
  }
  return {
    url: urlOf(server),
    leave: () => (wasListening ? Promise.resolve() : new Promise((resolve) => server.close(() => resolve()))),
  };
}

/** @type {(server: Server | import('node:https').Server) => Promise<boolean>} */
function beginsToListen(server) {
  return new Promise((resolve) => {
    const listening = () => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      server.off('listening', listening);
      resolve(false);
    }, SETTLE_MS);
    server.once('listening', listening);
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
