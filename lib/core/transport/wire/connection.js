import { makeError } from '../../ground/errors.js';
import { isResetCode } from '../../ground/system-errors.js';
import { UNCOUNTED, copyOf } from '../../process/body-memory.js';
import { countAnswer } from '../addresses.js';
import { ExchangeProgress, NO_RECEIVER, closerOf } from '../exchange-parts.js';
import { isStillWriting } from '../traffic.js';
import { WireResponse } from './response.js';

/** @import { OnReadOpts, Socket } from 'node:net' */
/** @import { Connection, Timings } from '../../contracts/connection.js' */
/** @import { Request } from '../../contracts/request.js' */
/** @import { Kept, Receiver } from '../../contracts/response.js' */
/** @import { AddressFigures } from '../../contracts/stats.js' */
/** @import { Endpoint } from '../../http/endpoint.js' */
/** @import { Traffic } from '../traffic.js' */
/** @import { HeadMemo } from './head-memo.js' */
/** @import { ResponseHead } from './head.js' */
/** @import { EncodedRequests, ParserPool } from './index.js' */
/** @import { Expected, ResponseParser } from './parser.js' */
/** @import { Dial, Inbox, Outbox, SocketListener } from './socket.js' */

/**
 * @typedef {object} Wire shared by all connections of a thread
 * @property {Dial} dial
 * @property {(endpoint: Endpoint, wire: Wire, listener: SocketListener) => Socket} open
 * @property {(error: any) => Error} explain an error before a socket is open
 * @property {(request: Request, size: number) => string} encodeHead
 * @property {EncodedRequests} encoded
 * @property {Buffer} buffer for all reads
 * @property {OnReadOpts} onread reads into it
 * @property {HeadMemo} memo
 * @property {ParserPool} parsers
 * @property {WireResponse} response one object for all responses of which only the status is read: nothing keeps it
 *   after it was delivered
 * @property {Inbox} inbox
 * @property {Outbox} outbox
 * @property {Traffic} traffic
 * @property {Timings} timings
 * @property {() => number} now ms
 * @property {(socket: Socket) => AddressFigures | null} peerOf
 * @property {(endpoint: Pick<Endpoint, 'hostname' | 'port'>, error: any) => void} connectFailed
 * @property {{ maxBodySize: number, maxHeadBytes: number, maxFields: number }} limits
 */

/**
 * One connection to an endpoint. Opens its socket for the first request, and again after it was closed. Carries one
 * exchange at a time; the parser decides when it is complete:
 *
 *     send -+-> (outbox) -> flush -+-> #write -> onData … -> #complete -> (inbox) -> deliver -> onResponse
 *           +-> #open --> onOpen --+                |                        ^
 *                                                   |                 abort -+
 *                                                   +-> onEnd, onError, abort -> #fail -> onError
 *
 * A response that has arrived completely counts, whatever happens before it is delivered: if the server closes or
 * resets the connection then, the next request opens another one, and an abort delivers it at once.
 */
export class WireConnection extends ExchangeProgress {
  #endpoint;
  #wire;
  /** The parser of the current response; idle connections borrow none. @type {ResponseParser | null} */
  #parser = null;
  /** The method of the last request. */
  #method = '';
  /** The parts of its response that are needed. @type {Kept} */
  #needs = 'status';
  /** Counts the bodies that are kept. */
  #bodies;
  /** The current socket; events from earlier sockets are ignored. @type {Socket | null} */
  #socket = null;
  /** The address of the socket, if the name has several. @type {AddressFigures | null} */
  #peer = null;
  /** Requests sent on the current socket. */
  #carried = 0;
  /** From this instant on, the server may have closed the socket; null: it announces no lifetime, as most. */
  #reuseUntil = /** @type {number | null} */ (null);
  #isWaiting = false;
  /** The last request. @type {Request | null} */
  #request = null;
  /** The text of the request, see EncodedRequest. */
  #text = '';
  /** @type {Buffer | null} */
  #bytes = null;
  /** The receiver of the last exchange. @type {Receiver} */
  #receiver = NO_RECEIVER;
  /** The head of the response between its last byte and its delivery. @type {ResponseHead | null} */
  #head = null;
  /** The bytes of its body. */
  #bodyBytes = 0;
  /** The whole response, if more than its status is read. @type {WireResponse | null} */
  #response = null;

  /**
   * @param {Endpoint} endpoint
   * @param {Wire} wire
   * @param {import('../../process/body-memory.js').BodyAccount} [bodies]
   */
  constructor(endpoint, wire, bodies = UNCOUNTED) {
    super();
    this.#endpoint = endpoint;
    this.#wire = wire;
    this.#bodies = bodies;
  }

  /** @type {(request: Request, needs: Kept, receiver: Receiver) => void} */
  send(request, needs, receiver) {
    this.restart();
    this.#method = request.method;
    this.#needs = needs;
    if (request !== this.#request) this.#encode(request);
    this.#isWaiting = true;
    this.#receiver = receiver;
    if (this.#socket !== null && (this.#reuseUntil === null || this.#wire.now() < this.#reuseUntil))
      this.#wire.outbox.add(this);
    else this.#open();
  }

  /** @type {NonNullable<Connection['encode']>} */
  encode(request) {
    return this.#wire.encoded.of(request, this.#wire.encodeHead);
  }

  /** @type {NonNullable<Connection['sendEncoded']>} */
  sendEncoded(request, needs, receiver, { text, bytes }) {
    this.#text = text;
    this.#bytes = bytes;
    // So `send` takes it for the request whose text is known.
    this.#request = request;
    this.send(request, needs, receiver);
    // The next request may have another text.
    this.#request = null;
  }

  /** @override */
  get bytesOut() {
    return this.#text.length + (this.#bytes?.length ?? 0);
  }

  /** @type {(error: Error) => void} */
  abort(error) {
    if (this.#head === null) {
      const isWaiting = this.#isWaiting;
      this.close();
      if (isWaiting) this.#receiver.onError(error);
      return;
    }
    if (this.#response === null) {
      // Not the shared response: a receiver that is reading it may be what aborts this connection.
      this.#response = new WireResponse();
      this.#response.takeHead(this.#head, this.#bodyBytes);
    }
    this.deliver();
  }

  close() {
    this.isDead = true;
    this.#isWaiting = false;
    this.#head = null;
    this.#response = null;
    this.#releaseParser();
    this.#dropSocket();
  }

  #open() {
    this.#dropSocket();
    this.link = null;
    try {
      this.#socket = this.#wire.open(this.#endpoint, this.#wire, this);
    } catch (error) {
      // OpenSSL cannot read the TLS options
      this.#fail(/** @type {Error} */ (error));
      return;
    }
    this.#carried = 0;
  }

  /** @type {(socket: Socket, at: number) => void} */
  onConnect(socket, at) {
    if (socket === this.#socket) this.connectedAt = at;
  }

  /** @type {(dialled: Socket, socket: Socket) => void} */
  onOpen(dialled, socket) {
    if (dialled !== this.#socket) return;
    this.#socket = socket;
    this.link = this.#wire.traffic.linkOf(dialled);
    this.#peer = this.#wire.peerOf(dialled);
    this.#write(socket, this.#wire.now());
  }

  /** Writes the request, unless it was aborted meanwhile. @type {(now: number) => void} */
  flush(now) {
    if (!this.#isWaiting || this.wasSent) return;
    if (this.#socket === null) this.#open();
    else this.#write(this.#socket, now);
  }

  /** Writes head and body together. @type {(socket: Socket, now: number) => void} */
  #write(socket, now) {
    this.wasSent = true;
    this.sentAt = now;
    if (this.#carried++ > 0) {
      this.wasReused = true;
      this.#wire.traffic.totals.reused++;
    }
    const bytes = this.#bytes;
    if (bytes === null) {
      socket.write(this.#text, 'latin1');
      return;
    }
    socket.cork();
    socket.write(this.#text, 'latin1');
    socket.write(bytes);
    socket.uncork();
  }

  /** It is done ahead, so that the writes follow each other closely. @type {(request: Request) => void} */
  #encode(request) {
    const { encoded, encodeHead } = this.#wire;
    const { text, bytes } = encoded.of(request, encodeHead);
    this.#request = request;
    this.#text = text;
    this.#bytes = bytes;
  }

  /** @type {(socket: Socket, size: number) => void} */
  onData(socket, size) {
    if (socket !== this.#socket) return;
    if (!this.#isWaiting || !this.wasSent) {
      // After unexpected bytes (RFC 9112 9.2) nothing that follows can be trusted.
      this.#wire.traffic.totals.discarded++;
      this.#dropSocket();
      return;
    }
    const now = this.#wire.now();
    this.bytesIn += size;
    if (!this.sawBytes) {
      this.sawBytes = true;
      this.firstByteAt = now;
      this.#wire.timings.ttfb.update(this.firstByteAt - this.sentAt);
    }
    if (this.#needs === 'reader') this.readAt = now;
    let end;
    try {
      end = this.#read(size);
    } catch (error) {
      this.#dropSocket();
      this.#fail(/** @type {Error} */ (error));
      return;
    }
    // What reads the body may have ended the exchange.
    if (!this.#isWaiting) return;
    const head = this.#head;
    const parser = this.#parser;
    if (head !== null) this.#end(socket, now, head.keepsConnection);
    else if (parser?.isDone) this.#complete(parser, socket, now, end < size);
    else if (parser?.isOver) this.finish();
  }

  /** Returns where the response ends, or the size. @throws {Error} of kind protocol @type {(size: number) => number} */
  #read(size) {
    if (this.#parser === null && this.#takeWhole(size)) return size;
    this.#parser ??= this.#wire.parsers.borrow(this.#expected());
    return this.#parser.feed(this.#wire.buffer, 0, size);
  }

  /** @type {() => Expected} */
  #expected() {
    const needs = this.#needs;
    return {
      method: this.#method,
      head: needs !== 'status',
      body: needs === 'body' || needs === 'reader',
      hasReader: needs === 'reader',
      maxBodySize: this.#wire.limits.maxBodySize,
      bodies: this.#bodies,
      receiver: this.#receiver,
    };
  }

  /** Its head was seen before. @throws {Error} E_BODY_MEMORY @type {(size: number) => boolean} size: of the read */
  #takeWhole(size) {
    const needs = this.#needs;
    if (needs === 'reader' || this.#method === 'HEAD') return false;
    const { buffer, memo, limits } = this.#wire;
    const isKept = needs === 'body';
    const head = memo.findWhole(buffer, size);
    if (head === null) return false;
    const bodyBytes = /** @type {number} */ (head.framing);
    // The parser refuses it.
    if (isKept && bodyBytes > limits.maxBodySize) return false;
    const response = needs !== 'status' ? new WireResponse() : null;
    if (isKept) /** @type {WireResponse} */ (response).body = copyOf(buffer, size - bodyBytes, size, this.#bodies);
    response?.takeHead(head, bodyBytes);
    this.#head = head;
    this.#bodyBytes = bodyBytes;
    this.#response = response;
    return true;
  }

  /** @type {(parser: ResponseParser, socket: Socket, now: number, hasExcess?: boolean) => void} */
  #complete(parser, socket, now, hasExcess = false) {
    const { head, keepsConnection } = parser;
    this.#head = head;
    this.#bodyBytes = parser.bodyBytes;
    if (this.#needs !== 'status' || parser.hasExcerpt) {
      this.#response = new WireResponse();
      this.#response.take(parser);
    }
    this.#releaseParser();
    this.#end(socket, now, keepsConnection, hasExcess);
  }

  /** Ends a stream with what of it has arrived; its connection cannot be used again. */
  finish() {
    const parser = this.#parser;
    // The time of a stream may end before the head of its response is complete: then onData calls this at the head.
    if (!this.#isWaiting || parser === null || !parser.hasHead) return;
    const response = new WireResponse();
    this.#head = parser.head;
    this.#bodyBytes = parser.bodyBytes;
    response.take(parser);
    this.#response = response;
    this.#releaseParser();
    this.#isWaiting = false;
    this.endedAt = this.#wire.now();
    if (this.#peer !== null) countAnswer(this.#peer, this.endedAt - this.sentAt);
    this.#dropSocket();
    this.#wire.inbox.add(this, this.endedAt);
  }

  /** @type {(socket: Socket, now: number, keepsConnection: boolean, hasExcess?: boolean) => void} */
  #end(socket, now, keepsConnection, hasExcess = false) {
    const { lifetimeMs } = /** @type {ResponseHead} */ (this.#head);
    this.#isWaiting = false;
    this.endedAt = now;
    if (this.#peer !== null) countAnswer(this.#peer, now - this.sentAt);
    if (!keepsConnection && !asksToClose(this.#text)) this.#wire.traffic.totals.closedByServer++;
    else if (keepsConnection && hasExcess) this.#wire.traffic.totals.discarded++;
    const isWriting = socket.writableLength > 0 && isStillWriting(socket);
    this.#reuseUntil = lifetimeMs === Infinity ? null : now + lifetimeMs;
    if (!keepsConnection || hasExcess || isWriting) this.#dropSocket();
    this.#wire.inbox.add(this, now);
  }

  /** The code of the error when its time is over; undefined: E_TIMEOUT_REQUEST. */
  get timeoutCode() {
    return this.#parser?.isUnreadEvents ? 'E_TIMEOUT_EVENTS' : undefined;
  }

  /** @override */
  get hasArrived() {
    return this.#head !== null;
  }

  /** Ends the exchange with its response, unless that was delivered, or the connection was closed meanwhile. */
  deliver() {
    const head = this.#head;
    if (head === null) return;
    let response = this.#response;
    if (response === null) {
      response = this.#wire.response;
      response.takeHead(head, this.#bodyBytes);
    }
    this.#head = null;
    this.#response = null;
    this.#receiver.onResponse(response, this.endedAt);
  }

  /** Handles the end: the server has closed its side. @type {(socket: Socket) => void} */
  onEnd(socket) {
    // Before the first request, the handshake was not finished: an error with the reason follows.
    if (socket !== this.#socket || this.#carried === 0) return;
    const parser = this.#parser;
    if (parser !== null && parser.end('closed') === null) {
      this.#complete(parser, socket, this.#wire.now());
      return;
    }
    this.#wire.traffic.totals.closedByServer++;
    this.#dropSocket();
    if (parser?.isEnded) this.finish();
    else if (this.wasSent) this.#fail(this.#incomplete(parser, 'closed'));
  }

  /** @type {(socket: Socket, error: any) => void} */
  onError(socket, error) {
    if (socket !== this.#socket) return;
    this.#dropSocket();
    if (this.#carried > 0 && isServersEnd(error)) this.#wire.traffic.totals.closedByServer++;
    // Such a request opens another socket when the outbox is flushed.
    const isInOutbox = this.#carried > 0 && !this.wasSent;
    if (!this.#isWaiting || isInOutbox) return;
    if (this.#parser?.isEnded) {
      this.finish();
      return;
    }
    if (!this.wasSent && error) this.#wire.connectFailed(this.#endpoint, error);
    const isReset = this.wasSent && isServersEnd(error);
    if (!isReset && error) this.#fail(error);
    else this.#fail(this.#incomplete(this.#parser, 'reset', { cause: error }));
  }

  /** Destroys the socket; a request that waits in the outbox opens another one. */
  #dropSocket() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
  }

  /** @type {(error: Error) => void} */
  #fail(error) {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#releaseParser();
    this.#receiver.onError(error);
  }

  /** @type {(parser: ResponseParser | null, how: 'closed' | 'reset', options?: ErrorOptions) => Error} */
  #incomplete(parser, how, options) {
    const closer = closerOf(this.#endpoint.proxy);
    if (parser === null) return makeError('E_RESET_BEFORE_HEAD', { closer }, options);
    return makeError(parser.end(how) ?? 'E_BODY_SHORT', { closer, received: parser.received }, options);
  }

  #releaseParser() {
    if (this.#parser !== null) this.#wire.parsers.release(this.#parser);
    this.#parser = null;
  }
}

/** Reports whether a field of the request makes the server close. @type {(text: string) => boolean} */
export function asksToClose(text) {
  return /\r\nconnection:[^\r\n]*\bclose\b/i.test(text.slice(0, text.indexOf('\r\n\r\n') + 2));
}

/** Reports whether the socket was closed or reset, and did not fail in another way. @type {(error: any) => boolean} */
export function isServersEnd(error) {
  return !error || isResetCode(error.code);
}
