/** @import { IncomingMessage } from 'node:http' */
/** @import { Duplex } from 'node:stream' */
/** @import { WebSocket } from 'ws' */

/**
 * @typedef {object} Conversation
 * @property {() => number} nextDelay ms before an answer
 * @property {string | Uint8Array | null} body answers every message; null: the message itself does
 */

/** WebSockets at any path: each message is answered, by default with itself. The first handshake loads the library. */
export class WebSockets {
  /** @type {Set<WebSocket>} */
  #open = new Set();
  /** @type {Conversation} */
  #conversation;
  /** @type {Promise<import('ws').WebSocketServer> | null} */
  #server = null;
  #maxPayload;

  /** @param {Conversation} conversation @param {number} maxPayload bytes of a message */
  constructor(conversation, maxPayload) {
    this.#conversation = conversation;
    this.#maxPayload = maxPayload;
  }

  /** @type {(request: IncomingMessage, stream: Duplex, head: Buffer) => Promise<void>} */
  async accept(request, stream, head) {
    stream.on('error', () => {}); // The client disconnected: no answer is possible.
    this.#server ??= import('ws').then(
      ({ WebSocketServer }) => new WebSocketServer({ noServer: true, maxPayload: this.#maxPayload }),
    );
    (await this.#server).handleUpgrade(request, stream, head, (socket) => this.#serve(socket));
  }

  /** Ends all connections. */
  close() {
    for (const socket of this.#open) socket.terminate();
  }

  /** @type {(socket: WebSocket) => void} */
  #serve(socket) {
    const { body, nextDelay } = this.#conversation;
    this.#open.add(socket);
    socket.on('close', () => this.#open.delete(socket));
    socket.on('error', () => {}); // the library closes the connection after an invalid or too large message
    socket.on('message', (data, isBinary) => {
      const answer = () =>
        socket.send(body ?? /** @type {Buffer} */ (data), {
          binary: body === null ? isBinary : typeof body !== 'string',
        });
      const delayMs = nextDelay();
      if (delayMs === 0) answer();
      else setTimeout(answer, delayMs).unref();
    });
  }
}

/** Refuses a handshake with a status. @type {(stream: Duplex, status: number) => void} */
export function refuseHandshake(stream, status) {
  stream.on('error', () => {}); // The client disconnected: no answer is possible.
  stream.end(`HTTP/1.1 ${status} \r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
