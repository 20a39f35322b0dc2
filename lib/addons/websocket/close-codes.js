/**
 * The close codes of WebSockets (RFC 6455 7.4.1 and the registry of IANA), with what to do when a server closes with
 * them. An error is made from each; other codes are `E_WS_CLOSED`.
 * @type {Record<number, { meaning: string, remedy: string }>}
 */
export const CLOSE_CODES = {
  1000: {
    meaning: 'normal closure',
    remedy: 'the server ended the conversation: send and expect less, or close first',
  },
  1001: { meaning: 'going away', remedy: 'was the server stopped or restarted?' },
  1002: { meaning: 'protocol error', remedy: 'the server does not understand our frames: is it RFC 6455?' },
  1003: {
    meaning: 'unsupported data',
    remedy: 'does the server expect text, or binary data? A Buffer is sent as binary',
  },
  1005: { meaning: 'no code', remedy: "look at the server's log" },
  1006: { meaning: 'no close frame', remedy: 'did the server crash, or a proxy time out?' },
  1007: { meaning: 'invalid data', remedy: 'does the server expect another format?' },
  1008: { meaning: 'policy violation', remedy: 'check credentials, origin and the rate limits of the server' },
  1009: { meaning: 'message too big', remedy: "send less, or raise the server's limit" },
  1010: { meaning: 'extension required', remedy: 'extensions are not supported' },
  1011: { meaning: 'internal error', remedy: "look at the server's log" },
  1012: { meaning: 'service restart', remedy: 'was the server restarted?' },
  1013: { meaning: 'try again later', remedy: 'the server is overloaded: use fewer virtual users, or a lower rate' },
  1014: { meaning: 'bad gateway', remedy: 'look at the server behind the gateway' },
};

/** The code of the error of a closed connection. @type {(closeCode: number) => string} */
export function errorOfClose(closeCode) {
  return Object.hasOwn(CLOSE_CODES, closeCode) ? `E_WS_CLOSED_${closeCode}` : 'E_WS_CLOSED';
}

/** @type {Record<string, import('../../core/ground/errors.js').ErrorRow>} */
export const CODES_OF_CLOSES = Object.fromEntries(
  Object.entries(CLOSE_CODES).map(([code, { meaning, remedy }]) => [
    errorOfClose(Number(code)),
    { message: `WebSocket closed by the server with code {code} (${meaning}){reason}`, cure: remedy, kind: 'reset' },
  ]),
);
