/** The message of a flow that is only a `ws://` URL. */
const DEFAULT_MESSAGE = 'hello';

/**
 * @param {unknown} url
 * @returns {boolean} it is the URL of a WebSocket
 */
export function isWebSocketUrl(url) {
  return /^[\u0000-\u0020]*wss?:/i.test(String(url));
}

/**
 * The operation of a URL alone: a message to a WebSocket that stays open.
 * @type {(url: unknown, given?: { send?: string, expect?: string }) => Record<string, unknown>}
 */
export function messagesTo(url, given) {
  return { ws: url, send: DEFAULT_MESSAGE, keep: true, ...given };
}

/**
 * A URL that leads to a unix socket, `unix:/run/app.sock:/items?x=1`, also written `http://unix:/run/app.sock:/items`.
 *
 * @param {string} url
 * @returns {{ socketPath: string, url: string } | null} the URL as the server sees it; null for any other
 */
export function splitUnixSocket(url) {
  const match = /^(?:(https?):\/\/)?unix:(\/[^:]+)(?::(\/.*)?)?$/i.exec(url);
  if (!match) return null;
  const [, scheme = 'http', socketPath, path = '/'] = match;
  return { socketPath, url: `${scheme.toLowerCase()}://localhost${path}` };
}
