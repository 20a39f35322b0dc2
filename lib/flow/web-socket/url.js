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
 *
 * @param {unknown} url
 * @param {{ send?: string, expect?: string }} [given]
 * @returns {Record<string, unknown>}
 */
export function messagesTo(url, given) {
  return { ws: url, send: DEFAULT_MESSAGE, keep: true, ...given };
}
