import net from 'node:net';

/** A server with TLS has answered by then, ms. Only one that has not gets a command without TLS. */
const SILENT_MS = 300;

/**
 * Finds out whether a server that does not answer a TLS handshake is a Redis without TLS. That one takes the handshake for a
 * command whose line has not ended yet, and waits.
 *
 * @param {{ host: string, port: number }} address
 * @param {{ signal: AbortSignal, silentMs?: number }} options signal: aborted when the handshake has succeeded or failed
 * @returns {Promise<never>} rejects if the server answers a command without TLS; otherwise it stays pending
 */
export function failWithoutTls({ host, port }, { signal, silentMs = SILENT_MS }) {
  return new Promise((_, reject) => {
    /** @type {net.Socket | undefined} */
    let socket;
    const timer = setTimeout(() => {
      // the handshake reports errors of the connection
      socket = net.connect({ host, port }).on('error', () => {});
      socket.once('data', (data) => {
        if (/^[+-]/.test(data.toString('latin1'))) reject(new Error('Redis answers without TLS'));
      });
      socket.write('PING\r\n');
    }, silentMs);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      socket?.destroy();
    });
  });
}
