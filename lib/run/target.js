/**
 * @import { Server } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 */

/**
 * The URL of a server of this process, made to listen on port 0 for the run if it does not listen yet.
 *
 * @param {Server | import('node:https').Server} server
 * @returns {Promise<{ url: string, leave: () => Promise<void> }>} `leave`: as it was found
 */
export async function openTarget(server) {
  const wasListening = server.listening;
  if (!wasListening) {
    await new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        server.off('error', reject);
        resolve(undefined);
      });
    });
  }
  const { address, family, port } = /** @type {AddressInfo} */ (server.address());
  const protocol = 'setSecureContext' in server ? 'https' : 'http';
  return {
    url: `${protocol}://${reachable(address, family)}:${port}`,
    leave: () => (wasListening ? Promise.resolve() : new Promise((resolve) => server.close(() => resolve()))),
  };
}

/** @type {(address: string, family: string) => string} */
function reachable(address, family) {
  if (address === '::' || address === '0.0.0.0') return '127.0.0.1';
  return family === 'IPv6' ? `[${address}]` : address;
}
