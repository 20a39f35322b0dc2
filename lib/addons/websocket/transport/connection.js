import { WebSocket } from 'ws';

import { makeError } from '../../../core/ground/errors.js';
import { UNCOUNTED } from '../../../core/process/body-memory.js';
import { ExchangeProgress, NO_RECEIVER } from '../../../core/transport/exchange-parts.js';
import {
  Handshake,
  MAX_PARTS,
  MessageInbox,
  WebSocketResponse,
  answerPings,
  brokenError,
  closedError,
  explainFrame,
  explainHandshake,
} from './received.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { Timings } from '../../../core/contracts/connection.js' */
/** @import { Request } from '../../../core/contracts/request.js' */
/** @import { CloseTask, ConnectTask, MessageTask, WebSocketTask } from '../types.js' */
/** @import { Kept, Receiver } from '../../../core/contracts/response.js' */
/** @import { Endpoint } from '../../../core/http/endpoint.js' */
/** @import { BodyAccount } from '../../../core/process/body-memory.js' */
/** @import { Traffic } from '../../../core/transport/traffic.js' */
/** @import { Dial, Outbox } from '../../../core/transport/wire/socket.js' */

/**
 * @typedef {object} SocketWire shared by all WebSockets of a thread
 * @property {Dial} dial
 * @property {Outbox} outbox
 * @property {Traffic} traffic
 * @property {Timings} timings
 * @property {() => number} now ms
 * @property {(endpoint: Endpoint, error: any) => void} connectFailed
 * @property {(socket: WebSocket) => void} closeUnawaited closes a connection; no operation waits for that
 * @property {{ maxBodySize: number, maxHeaderSize: number, maxHeaderFields: number }} limits
 */

/** A close frame is waited for as long as the operation lasts, which has its own deadline. */
const NEVER_MS = 2 ** 31 - 1;
/** The code of a connection that ended without a close frame (RFC 6455 7.4.1). */
const NO_CLOSE_FRAME = 1006;
/** Turns of the event loop before the first message: what the server sent with its handshake is read meanwhile. */
const FIRST_TURNS = 4;

/**
 * A WebSocket of a virtual user. Each of its tasks is an exchange: the handshake, messages and their answers, the
 * close.
 *
 *     #connect -> (upgrade) -> onOpen ----------------------+
 *     #message -> flush -> onMessage … -> (all expected) ---+-> #complete -> receiver.onResponse
 *     #close ---> onClose ----------------------------------+
 *        any ---> onError, onClose, abort ------------------> #fail -> receiver.onError
 */
export class WebSocketConnection extends ExchangeProgress {
  #endpoint;
  #wire;
  #inbox;
  #bodies;
  /** The current socket; events of earlier ones are ignored. @type {WebSocket | null} */
  #socket = null;
  /** @type {Handshake | null} */
  #handshake = null;
  /** The response of all messages that no hook reads. @type {WebSocketResponse | null} */
  #response = null;
  /** Why the connection is not open, if it was. @type {Error | null} */
  #brokenBy = null;
  /** The error of the TCP or TLS connection below. @type {Error | null} */
  #socketError = null;
  /** Turns of the event loop to wait for before the next message. */
  #turns = 0;
  /** @type {WebSocketTask | null} */
  #task = null;
  /** @type {Kept} */
  #needs = 'status';
  /** @type {Receiver} */
  #receiver = NO_RECEIVER;

  /**
   * @param {Endpoint} endpoint
   * @param {SocketWire} wire
   * @param {BodyAccount} [bodies] counts the messages that are kept for hooks
   */
  constructor(endpoint, wire, bodies = UNCOUNTED) {
    super();
    this.#endpoint = endpoint;
    this.#wire = wire;
    this.#bodies = bodies;
    this.#inbox = new MessageInbox(wire.traffic.totals);
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** @type {(request: Request, needs: Kept, receiver: Receiver) => void} */
  send(request, needs, receiver) {
    const task = /** @type {WebSocketTask} */ (request.task);
    this.restart();
    // Frames are not counted.
    this.bytesIn = NaN;
    this.#needs = needs;
    this.#receiver = receiver;
    this.#task = task;
    if (task.kind === 'connect') this.#connect(request, task);
    else if (!this.isOpen) this.#fail(this.#brokenBy ?? makeError('E_WS_NOT_OPEN', { origin: this.#endpoint.origin }));
    else if (task.kind === 'message') this.#message(task);
    else this.#close(task);
  }

  /** @type {(error: Error) => void} */
  abort(error) {
    this.isDead = true;
    const socket = this.#socket;
    this.#socket = null;
    this.#inbox.reset();
    socket?.terminate();
    this.#fail(error);
  }

  close() {
    this.isDead = true;
    const socket = this.#socket;
    this.#socket = null;
    this.#inbox.clear();
    if (socket) this.#wire.closeUnawaited(socket);
  }

  /** @type {(request: Request, task: ConnectTask) => void} */
  #connect({ endpoint, path, fields, extra }, { protocols }) {
    this.#socket?.terminate();
    this.#socket = null;
    this.link = null;
    this.#brokenBy = null;
    this.#socketError = null;
    this.#inbox.reset();
    this.#turns = FIRST_TURNS;
    const { maxBodySize, maxHeaderSize } = this.#wire.limits;
    try {
      const options = {
        createConnection: () => this.#dial(endpoint),
        headers: headersOf(extra ? fields.concat(extra) : fields),
        maxHeaderSize,
        maxPayload: maxBodySize,
        maxFragments: MAX_PARTS,
        maxBufferedChunks: MAX_PARTS,
        perMessageDeflate: false,
        autoPong: false,
        closeTimeout: NEVER_MS,
      };
      const socket = new WebSocket(endpoint.origin + path, protocols, /** @type {any} */ (options));
      this.#socket = socket;
      this.#listen(socket);
    } catch (error) {
      // OpenSSL cannot read the TLS options
      this.#fail(/** @type {Error} */ (error));
    }
  }

  /** @type {(endpoint: Endpoint) => import('node:net').Socket} */
  #dial(endpoint) {
    const { dial, traffic, timings, now } = this.#wire;
    const dialledAt = now();
    let connectedAt = dialledAt;
    const socket = dial(endpoint, undefined, () => {
      traffic.totals.opened++;
      if (endpoint.protocol === 'wss:') timings.tls.update(now() - connectedAt);
      this.#begin(now());
    });
    socket.prependOnceListener('connect', () => {
      // Not before: node:http has already queued the handshake, which would count as sent if no connection opens.
      traffic.add(socket);
      connectedAt = this.connectedAt = now();
      this.link = traffic.linkOf(socket);
      timings.connect.update(connectedAt - dialledAt);
    });
    socket.on('error', (error) => (this.#socketError = error));
    return socket;
  }

  /** @type {(socket: WebSocket) => void} */
  #listen(socket) {
    const isCurrent = () => socket === this.#socket;
    socket.on('upgrade', (message) => isCurrent() && this.#onHead(message));
    socket.on('unexpected-response', (_request, message) => isCurrent() && this.#onRefusal(socket, message));
    socket.on('open', () => isCurrent() && this.#onOpen());
    socket.on('message', (data, isBinary) =>
      isCurrent() ? this.#onMessage(/** @type {Buffer} */ (data), isBinary) : this.#inbox.addLate(),
    );
    answerPings(socket);
    socket.on('error', (error) => isCurrent() && this.#onError(socket, error));
    socket.on('close', (code, reason) => isCurrent() && this.#onClose(code, reason.toString()));
  }

  /** The task is being sent. */
  #begin(now = this.#wire.now()) {
    this.wasSent = true;
    this.sentAt = now;
  }

  #sawFirstByte(now = this.#wire.now()) {
    if (this.sawBytes) return;
    this.sawBytes = true;
    this.firstByteAt = now;
    this.#wire.timings.ttfb.update(this.firstByteAt - this.sentAt);
  }

  /** @type {(message: IncomingMessage) => void} */
  #onHead(message) {
    this.#sawFirstByte();
    this.#handshake = new Handshake(message);
    this.#response = null;
    const { maxHeaderFields } = this.#wire.limits;
    if (message.rawHeaders.length > 2 * maxHeaderFields)
      this.abort(makeError('E_TOO_MANY_FIELDS', { limit: maxHeaderFields }));
  }

  /** The server answers without switching protocols. @type {(socket: WebSocket, message: IncomingMessage) => void} */
  #onRefusal(socket, message) {
    this.#onHead(message);
    if (socket !== this.#socket) return;
    this.#socket = null;
    socket.terminate();
    const { statusCode: status = 0 } = message;
    const { location } = message.headers;
    if (status >= 400) this.#complete({ isHandshake: true });
    else this.#fail(makeError('E_WS_REFUSED', { status, to: location === undefined ? '' : `, to ${location}` }));
  }

  #onOpen() {
    this.#complete({ isHandshake: true });
  }

  /** @type {(task: MessageTask) => void} */
  #message(task) {
    const { totals } = this.#wire.traffic;
    this.#inbox.begin(task, this.#needs === 'body');
    this.wasReused = true;
    totals.reused++;
    if (task.messages.length > 0) {
      this.#wire.outbox.add(this);
      return;
    }
    this.#begin();
    // Earlier messages may answer, but never within the call: flows of them would call each other ever deeper.
    if (!this.#inbox.isEmpty) setImmediate(() => this.#readEarlier(task));
  }

  /**
   * Writes the messages of the task, unless it was aborted or the connection is closing. This happens at the end of a
   * turn of the event loop: a message that arrived before is read by now, and is not taken as the answer.
   * @type {(now: number) => void}
   */
  flush(now) {
    const task = this.#task;
    if (task?.kind !== 'message' || this.wasSent || !this.isOpen) return;
    if (this.#turns > 0) {
      this.#turns--;
      this.#wire.outbox.add(this);
      return;
    }
    const socket = /** @type {WebSocket} */ (this.#socket);
    const { messages, expected } = task;
    this.#begin(now);
    this.#inbox.discardEarly();
    this.#wire.traffic.totals.messagesSent += messages.length;
    // Without an expected answer, the task is complete when its last message is written.
    const isAnswered = expected.length > 0;
    messages.forEach((message, i) => {
      if (isAnswered || i < messages.length - 1) socket.send(message);
      else socket.send(message, (error) => !error && this.#task === task && this.#completeMessages());
    });
  }

  /** @type {(task: MessageTask) => void} */
  #readEarlier(task) {
    while (this.#task === task && !this.#inbox.isEmpty) {
      const { data, isBinary } = this.#inbox.next();
      this.#take(data, isBinary);
    }
  }

  /** @type {(data: Buffer, isBinary: boolean) => void} */
  #onMessage(data, isBinary) {
    this.#wire.traffic.totals.messagesReceived++;
    const isAwaited = this.#task?.kind === 'message' && this.wasSent && this.#inbox.isAwaiting;
    if (isAwaited && this.#inbox.isEmpty) this.#take(data, isBinary);
    else this.#inbox.add(data, isBinary);
  }

  /** @type {(data: Buffer, isBinary: boolean) => void} */
  #take(data, isBinary) {
    // Checks need time.
    const now = this.#wire.now();
    if (this.#accept(data, isBinary, now)) this.#completeMessages(now);
  }

  /**
   * Accepts an answer. Only the checks of the message may fail here: an error of the receiver is not the server's.
   * @type {(data: Buffer, isBinary: boolean, now: number) => boolean} whether it was the last one that is expected
   */
  #accept(data, isBinary, now) {
    try {
      if (!this.#inbox.isAnswer(data)) return false;
      this.#sawFirstByte(now);
      if (this.#inbox.keeps) this.#bodies.reserve(data.length);
      return this.#inbox.accept(data, isBinary);
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
      return false;
    }
  }

  #completeMessages(now = this.#wire.now()) {
    this.#complete(this.#inbox.keeps ? { messages: this.#inbox.messages } : undefined, now);
  }

  /** @type {(task: CloseTask) => void} */
  #close({ code, reason }) {
    this.wasReused = true;
    this.#begin();
    this.#inbox.clear();
    /** @type {WebSocket} */ (this.#socket).close(code, reason);
  }

  /** @type {(code: number, reason: string) => void} */
  #onClose(code, reason) {
    this.#socket = null;
    this.#inbox.clear();
    if (this.#task?.kind === 'close' && code !== NO_CLOSE_FRAME) {
      this.#sawFirstByte();
      this.#complete({ close: { code, reason } });
      return;
    }
    const failure = code === NO_CLOSE_FRAME ? brokenError(this.#socketError) : null;
    if (failure === null) this.#wire.traffic.totals.closedByServer++;
    this.#brokenBy = failure ?? closedError(code, reason);
    this.#fail(this.#brokenBy);
  }

  /** @type {(socket: WebSocket, error: any) => void} */
  #onError(socket, error) {
    this.#socket = null;
    const { limits, connectFailed } = this.#wire;
    if (this.#task?.kind === 'connect') {
      if (!this.wasSent) connectFailed(this.#endpoint, error);
      this.#fail(explainHandshake(error, this, limits));
      return;
    }
    // Ws answers with a close frame, which the server may never answer.
    this.#wire.closeUnawaited(socket);
    this.#brokenBy = explainFrame(error, limits);
    this.#fail(this.#brokenBy);
  }

  /** @type {(result: ConstructorParameters<typeof WebSocketResponse>[1], now?: number) => void} */
  #complete(result, now = this.#wire.now()) {
    this.#task = null;
    this.endedAt = now;
    const handshake = /** @type {Handshake} */ (this.#handshake);
    const response =
      result === undefined
        ? (this.#response ??= new WebSocketResponse(handshake))
        : new WebSocketResponse(handshake, result);
    try {
      this.#receiver.onResponse(response, now);
    } catch (error) {
      // An internal error. The package ws, which has called, would never read this connection again, nor see its end.
      queueMicrotask(() => {
        throw error;
      });
    }
  }

  /** @type {(error: Error) => void} */
  #fail(error) {
    if (this.#task === null) return;
    this.#task = null;
    this.#receiver.onError(error);
  }
}

/** @type {(fields: string[]) => Record<string, string | string[]>} */
function headersOf(fields) {
  /** @type {Record<string, string | string[]>} */
  const headers = {};
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i];
    headers[name] = Object.hasOwn(headers, name) ? [headers[name], fields[i + 1]].flat() : fields[i + 1];
  }
  return headers;
}
