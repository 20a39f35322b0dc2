import { makeError } from '../../../core/ground/errors.js';
import { isResetCode } from '../../../core/ground/system-errors.js';
import { explainBind } from '../../../core/transport/addresses.js';
import { fieldsOf } from '../../../core/transport/exchange-parts.js';
import { printable } from '../../../core/transport/wire/octets.js';
import { errorOfClose } from '../close-codes.js';

/** @import { IncomingMessage } from 'node:http' */
/** @import { WebSocket } from 'ws' */
/** @import { TransportTotals } from '../../../core/contracts/connection.js' */
/** @import { Request } from '../../../core/contracts/request.js' */
/** @import { MessageTask } from '../types.js' */

/** @typedef {{ data: Buffer, isBinary: boolean }} ReceivedMessage */

/** Limits of the messages that arrived early and are kept until an operation expects them; the last is always kept. */
const MAX_EARLY = 1000;
const MAX_EARLY_BYTES = 1024 * 1024;

/** @type {MessageTask} */
const NO_TASK = { kind: 'message', messages: [], expected: [], isAnswer: null };

/** The messages of a connection: those that its task expects, and those that arrived before one expected them. */
export class MessageInbox {
  #totals;
  /** @type {ReceivedMessage[]} */
  #early = [];
  #earlyBytes = 0;
  /** @type {MessageTask} */
  #task = NO_TASK;
  #accepted = 0;
  /** Nothing was sent on this connection. */
  #isFresh = true;
  /** An operation of this connection has taken any message as its answer. */
  #takesAny = false;
  /** Messages of the current task, if hooks read them. @type {ReceivedMessage[]} */
  messages = [];
  /** Hooks read the messages. */
  keeps = false;

  /** @param {TransportTotals} totals */
  constructor(totals) {
    this.#totals = totals;
  }

  /** No message arrived early. */
  get isEmpty() {
    return this.#early.length === 0;
  }

  get isAwaiting() {
    return this.#accepted < this.#task.expected.length;
  }

  /** Call it when a connection begins, or was aborted. */
  reset() {
    this.clear();
    this.#isFresh = true;
    this.#takesAny = false;
  }

  /** @type {(task: MessageTask, keeps: boolean) => void} */
  begin(task, keeps) {
    this.#task = task;
    this.#accepted = 0;
    this.keeps = keeps;
    if (keeps) this.messages = [];
  }

  /** @type {(data: Buffer) => boolean} false: it is passed over, because it is not the answer to this task */
  isAnswer(data) {
    const { isAnswer } = this.#task;
    const is = isAnswer === null || isAnswer(data);
    if (!is) this.#totals.messagesUnread++;
    return is;
  }

  /**
   * Takes a message of the task.
   * @param {Buffer} data
   * @param {boolean} isBinary
   * @returns {boolean} it was the last one
   * @throws {Error} E_WS_EXPECT
   */
  accept(data, isBinary) {
    const { messages, expected, isAnswer } = this.#task;
    const refuse = expected[this.#accepted++];
    const reason = refuse === null ? null : refuse(data, isBinary);
    if (reason !== null) throw makeError('E_WS_EXPECT', { number: this.#accepted, reason });
    if (refuse === null && isAnswer === null && messages.length > 0) this.#takesAny = true;
    if (this.keeps) this.messages.push({ data, isBinary });
    return this.#accepted === expected.length;
  }

  /** Keeps a message that nothing expects yet; drops the oldest. @type {(data: Buffer, isBinary: boolean) => void} */
  add(data, isBinary) {
    this.#early.push({ data, isBinary });
    this.#earlyBytes += data.length;
    while (this.#early.length > MAX_EARLY || (this.#earlyBytes > MAX_EARLY_BYTES && this.#early.length > 1)) {
      this.next();
      this.#countUnread(1);
    }
  }

  /** The oldest message that arrived early. @returns {ReceivedMessage} */
  next() {
    const oldest = /** @type {ReceivedMessage} */ (this.#early.shift());
    this.#earlyBytes -= oldest.data.length;
    return oldest;
  }

  /** Call it before the messages of the task are sent: what arrived earlier cannot be their answer. */
  discardEarly() {
    if (this.#isFresh && this.#task.isAnswer === null) this.#totals.greetingsUnread += this.#early.length;
    this.#isFresh = false;
    this.clear();
  }

  clear() {
    this.#countUnread(this.#early.length);
    this.#early.length = 0;
    this.#earlyBytes = 0;
  }

  /** Counts a message that arrives while the connection is closed. */
  addLate() {
    this.#totals.messagesReceived++;
    this.#countUnread(1);
  }

  /** If an operation takes any message, it may have taken another one as its answer. @type {(count: number) => void} */
  #countUnread(count) {
    this.#totals.messagesUnread += count;
    if (this.#takesAny) this.#totals.messagesSurplus += count;
  }
}

/** The answer of a server to a handshake, as long as the connection lives. */
export class Handshake {
  /** @type {Record<string, any> | null} */
  #headers = null;

  /** @param {IncomingMessage} message */
  constructor({ statusCode = 0, statusMessage = '', rawHeaders, httpVersion, headers }) {
    this.statusCode = statusCode;
    this.statusMessage = statusMessage;
    this.rawHeaders = rawHeaders;
    this.httpVersion = httpVersion;
    this.setCookies = headers['set-cookie'] ?? null;
  }

  /** A copy that may be changed. */
  get headers() {
    this.#headers ??= fieldsOf(this.rawHeaders).toObject();
    return { ...this.#headers };
  }
}

/** The response of a WebSocket operation: the status and the fields are those of the handshake. */
export class WebSocketResponse {
  #handshake;
  #received;
  contentEncoding = undefined;
  /** @type {Request | undefined} */
  request = undefined;

  /**
   * @param {Handshake} handshake
   * @param {object} [result]
   * @param {ReceivedMessage[]} [result.messages] those that hooks read
   * @param {{ code: number, reason: string }} [result.close] of the server
   * @param {boolean} [result.isHandshake] the operation was the handshake itself: only then its cookies are stored
   */
  constructor(handshake, { messages = [], close, isHandshake = false } = {}) {
    this.#handshake = handshake;
    this.#received = messages;
    this.statusCode = handshake.statusCode;
    this.statusMessage = handshake.statusMessage;
    this.httpVersion = handshake.httpVersion;
    this.setCookies = isHandshake ? handshake.setCookies : null;
    this.close = close;
  }

  get headers() {
    return this.#handshake.headers;
  }

  get rawHeaders() {
    return [...this.#handshake.rawHeaders];
  }

  /** The messages as hooks read them: text, or a Buffer of binary data. */
  get messages() {
    return this.#received.map(({ data, isBinary }) => (isBinary ? data : data.toString()));
  }

  /** All messages, one after the other. */
  get body() {
    const [first, ...more] = this.#received;
    if (first === undefined) return null;
    return more.length === 0 ? first.data : Buffer.concat(this.#received.flatMap(({ data }) => [data, LINE_END]));
  }

  get bodyBytes() {
    return this.#received.reduce((sum, { data }) => sum + data.length, 0);
  }
}

const LINE_END = Buffer.from('\n');

/**
 * Answers pings, one pong at a time: of those that arrive meanwhile, the last is kept (RFC 6455 5.5.3), so that a flood
 * takes no memory. The automatic pongs of ws end the connection after 60 of them.
 * @type {(socket: WebSocket) => void}
 */
export function answerPings(socket) {
  let isWriting = false;
  /** Of the last ping that is not answered. @type {Buffer | null} */
  let waiting = null;

  /** @type {(data: Buffer) => void} */
  const answer = (data) => {
    isWriting = true;
    socket.pong(data, true, () => {
      isWriting = false;
      const next = waiting;
      waiting = null;
      if (next !== null && socket.readyState === socket.OPEN) answer(next);
    });
  };

  socket.on('ping', (data) => {
    if (socket.readyState !== socket.OPEN) return;
    if (isWriting) waiting = data;
    else answer(data);
  });
}

/**
 * Converts an error of a handshake.
 * @param {any} error of ws, node:http or a socket
 * @param {{ wasSent: boolean, sawBytes: boolean }} progress
 * @param {{ maxHeaderSize: number }} limits
 * @returns {Error}
 */
export function explainHandshake(error, { wasSent, sawBytes }, { maxHeaderSize }) {
  const { code } = error;
  if (code === 'HPE_HEADER_OVERFLOW')
    return makeError('E_HEADERS_TOO_LARGE', { limit: maxHeaderSize }, { cause: error });
  if (code === 'HPE_INVALID_CONSTANT' && error.rawPacket && !sawBytes)
    return makeError(
      'E_STATUS_LINE',
      { line: printable(error.rawPacket, 0, error.rawPacket.length) },
      { cause: error },
    );
  if (typeof code === 'string' && code.startsWith('HPE_'))
    return makeError('E_PROTOCOL', { reason: error.reason ?? error.message }, { cause: error });
  if (wasSent && isResetCode(code))
    return makeError(sawBytes ? 'E_RESET_IN_HEAD' : 'E_RESET_BEFORE_HEAD', {}, { cause: error });
  if (code !== undefined) return explainBind(error);
  // Checks of ws throw plain errors, whose messages are sentences.
  const reason = error.message.replace(/^./, (/** @type {string} */ first) => first.toLowerCase());
  return makeError('E_WS_HANDSHAKE', { reason }, { cause: error });
}

/** Parts of a message, or pieces of a frame, that ws keeps until it is complete: parts of no bytes fill memory, too. */
export const MAX_PARTS = 2 ** 18;

/**
 * Converts an error of an open connection: what the server sent is no valid frame or message.
 * @param {any} error of ws
 * @param {{ maxBodySize: number }} limits
 * @returns {Error}
 */
export function explainFrame(error, { maxBodySize }) {
  if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
    return makeError('E_WS_MESSAGE_TOO_LARGE', { limit: maxBodySize }, { cause: error });
  if (error.code === 'WS_ERR_TOO_MANY_BUFFERED_PARTS')
    return makeError('E_WS_TOO_MANY_PARTS', { limit: MAX_PARTS }, { cause: error });
  const reason = error.message.replace(/^Invalid WebSocket frame: /, '');
  return makeError('E_WS_FRAME', { reason }, { cause: error });
}

/**
 * The error of a connection that ended without a close frame, if the server did not end it.
 * @param {any} error of the socket
 * @returns {Error | null} null: the server closed or reset the connection
 */
export function brokenError(error) {
  return error === null || isResetCode(error.code) ? null : error;
}

/** The error of a connection that the server closed. @type {(code: number, reason: string) => Error} */
export function closedError(code, reason) {
  return makeError(errorOfClose(code), { code, reason: reason === '' ? '' : `: ${reason}` });
}
