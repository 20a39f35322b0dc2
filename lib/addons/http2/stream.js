import { makeError } from '../../core/ground/errors.js';
import { JoinedBytes, UNCOUNTED } from '../../core/process/body-memory.js';
import { countAnswer } from '../../core/transport/addresses.js';
import { ExchangeProgress, NO_RECEIVER, excerptFor } from '../../core/transport/exchange-parts.js';
import { WireResponse } from '../../core/transport/wire/response.js';
import { MAX_INTERIM } from '../../core/transport/wire/parser.js';
import { FRAME_HEAD, goAwayError } from './frames.js';

/** @import { Connection } from '../../core/contracts/connection.js' */
/** @import { Request } from '../../core/contracts/request.js' */
/** @import { BodySink, Kept, Receiver } from '../../core/contracts/response.js' */
/** @import { BodyAccount } from '../../core/process/body-memory.js' */
/** @import { Wire } from '../../core/transport/wire/connection.js' */
/** @import { Channel } from './index.js' */
/** @import { GoAway } from './frames.js' */
/** @import { Http2Head } from './head.js' */
/** @import { Session } from './session.js' */

/**
 * The connection of a lane in HTTP/2: each exchange is a stream of a session, which other lanes may use, too. Unlike in
 * HTTP/1.1, an abort and `finish` end the stream alone: the session, and so this connection, can still be used.
 *
 *     send -> (wait for a stream) -> (outbox) -> onSent -> onHead -> onData … -> complete -> (inbox) -> deliver
 *
 * @implements {Connection}
 */
export class Stream extends ExchangeProgress {
  #channel;
  #wire;
  #bodies;
  /** The last request. @type {Request | null} */
  request = null;
  /** The session of the exchange; null: it waits for one. @type {Session | null} */
  session = null;
  /** The id of the stream; 0: the request was not sent. */
  id = 0;
  /** The unsent part of the body of the request. @type {Buffer | null} */
  unsent = null;
  /** The bytes of it that the server allows. */
  window = 0;
  /** Bytes under flow control that have arrived since the last WINDOW_UPDATE for this stream. */
  received = 0;
  /** When it began to wait for a free stream; 0: it did not. */
  waitsSince = 0;
  /** The session ends after the response. */
  closesSession = false;
  /** The next one in the list of {@link EndedStreams}, which sets it. @type {Stream | null} */
  nextEnded = null;
  /** Why it ended in this read, set by {@link EndedStreams}; null: its response has arrived. @type {Error | null} */
  failure = null;
  /** The fields after the body of its response: names and values in turn. @type {string[] | null} */
  trailers = null;
  #bytesOut = 0;
  #isWaiting = false;
  /** @type {Kept} */
  #needs = 'status';
  /** @type {Receiver} */
  #receiver = NO_RECEIVER;
  /** @type {Http2Head | null} */
  #head = null;
  #interim = 0;
  #bodyBytes = 0;
  /** @type {JoinedBytes | null} */
  #kept = null;
  /** @type {BodySink | null} */
  #sink = null;
  /** The whole response, if more than its status is read. @type {WireResponse | null} */
  #response = null;
  #hasArrived = false;

  /** @param {Channel} channel @param {Wire} wire @param {BodyAccount} [bodies] counts the bodies that are kept */
  constructor(channel, wire, bodies = UNCOUNTED) {
    super();
    this.#channel = channel;
    this.#wire = wire;
    this.#bodies = bodies;
    channel.addUser();
  }

  /** @type {Connection['send']} */
  send(request, needs, receiver) {
    this.restart();
    // The writer sets `window`, `unsent` and `closesSession`; a response that ended has left no kept bytes.
    this.request = request;
    this.#needs = needs;
    this.#receiver = receiver;
    this.#isWaiting = true;
    this.session = null;
    this.#head = null;
    this.#interim = 0;
    this.#bodyBytes = 0;
    this.#bytesOut = 0;
    this.id = 0;
    this.received = 0;
    this.waitsSince = 0;
    this.failure = null;
    this.trailers = null;
    this.#channel.send(this);
  }

  /** @override */
  get isConnecting() {
    return !this.wasSent && this.session?.isOpen !== true && this.waitsSince === 0;
  }

  /** The code of the error when its time is over; undefined: E_TIMEOUT_REQUEST. */
  get timeoutCode() {
    const { session } = this;
    if (!this.#isWaiting) return undefined;
    if (session === null) return this.waitsSince > 0 ? 'E_TIMEOUT_STREAM' : undefined;
    return session.isOpen && !session.hasSettings ? 'E_TIMEOUT_SETTINGS' : undefined;
  }

  /** @override */
  get hasArrived() {
    return this.#hasArrived;
  }

  /** @override */
  get bytesOut() {
    return this.#bytesOut;
  }

  /** Cancels the exchange, or delivers the response that has arrived. @type {(error: Error) => void} */
  abort(error) {
    if (this.#hasArrived) {
      // The receiver of another response may have caused the abort. It still reads `wire.response`, the object that
      // the responses of all lanes share, so this one gets an object of its own.
      this.#response ??= this.#takeResponse();
      this.deliver();
    } else if (this.#isWaiting) {
      this.#channel.cancel(this);
      this.fail(error);
    }
  }

  /** Ends a stream with the part of its response that has arrived. */
  finish() {
    const { session } = this;
    if (!this.#isWaiting || this.#head === null || session === null) return;
    session.cancel(this);
    // `cancel` has set it to null, and `complete` still needs it.
    this.session = session;
    this.complete(this.#wire.now());
  }

  close() {
    this.isDead = true;
    if (this.#isWaiting) {
      this.#channel.cancel(this);
      this.#endWait(this.#wire.now());
    }
    this.#isWaiting = false;
    this.#hasArrived = false;
    this.#release();
    this.#channel.removeUser();
  }

  /** The request was written. @type {(id: number, now: number, bytes: number) => void} */
  onSent(id, now, bytes) {
    const { session } = this;
    this.id = id;
    this.wasSent = true;
    this.sentAt = now;
    this.#bytesOut = bytes;
    this.link = session?.link ?? null;
    const { totals } = this.#wire.traffic;
    totals.http2Streams++;
    totals.http2InFlight += /** @type {Session} */ (session).active;
    // A wait for a stream is part of its time, as one for a connection is.
    if (this.waitsSince > 0) this.connectedAt = now;
    this.#endWait(now);
  }

  /** Counts the wait for a free stream, whether it got one or not. @type {(now: number) => void} */
  #endWait(now) {
    if (this.waitsSince === 0) return;
    const { totals } = this.#wire.traffic;
    totals.http2Waits++;
    totals.http2WaitTime += now - this.waitsSince;
    this.waitsSince = 0;
  }

  /** Counts bytes of a frame of its response. @type {(size: number, now: number) => void} */
  onFrame(size, now) {
    this.bytesIn += FRAME_HEAD + size;
    if (this.sawBytes) return;
    this.sawBytes = true;
    this.firstByteAt = now;
    this.#wire.timings.ttfb.update(now - this.sentAt);
  }

  get hasHead() {
    return this.#head !== null;
  }

  /**
   * Reads the head of a response, or an interim one.
   * @throws {Error} of kind protocol
   * @type {(head: Http2Head, ends: boolean) => void}
   */
  onHead(head, ends) {
    const { statusCode } = head;
    if (statusCode < 200) {
      if (statusCode === 101) throw makeError('E_PROTOCOL', { reason: 'the status 101, which HTTP/2 does not have' });
      if (ends) throw makeError('E_PROTOCOL', { reason: `the interim status ${statusCode} at the end of a response` });
      if (++this.#interim > MAX_INTERIM) throw makeError('E_1XX_FLOOD', { limit: MAX_INTERIM });
      return;
    }
    this.#head = head;
    if (this.#needs === 'body' || this.#needs === 'reader') this.#keepBody(head);
    else if (statusCode >= 400) this.#sink = excerptFor(statusCode, this.#receiver);
    // The time of the stream may have ended before this head arrived, so no byte of its body is awaited.
    if (this.#sink?.isOver) this.finish();
  }

  /** @type {(head: Http2Head) => void} */
  #keepBody(head) {
    if (this.#needs === 'reader') {
      this.readAt = this.#wire.now();
      this.#sink = this.#receiver.readerOf?.(head.statusCode, head.fields().toObject()) ?? null;
      if (this.#sink !== null) return;
    }
    if (this.#hasBody && (head.length ?? 0) > this.#wire.limits.maxBodySize) throw this.#tooLarge();
    this.#kept = new JoinedBytes(this.#bodies);
  }

  /** The response may have a body (RFC 9110 6.4.1). */
  get #hasBody() {
    const { statusCode } = /** @type {Http2Head} */ (this.#head);
    return statusCode !== 204 && statusCode !== 304 && this.request?.method !== 'HEAD';
  }

  /** @throws {Error} of kind protocol @type {(bytes: Buffer, from: number, to: number, now: number) => void} */
  onData(bytes, from, to, now) {
    const head = /** @type {Http2Head} */ (this.#head);
    if (!this.#hasBody) throw makeError('E_PROTOCOL', { reason: 'a body of a response that has none' });
    this.#bodyBytes += to - from;
    if (head.length !== null && this.#bodyBytes > head.length) throw this.#otherLength(head.length);
    if (this.#kept !== null) {
      const { maxBodySize } = this.#wire.limits;
      if (this.#bodyBytes > maxBodySize) throw this.#tooLarge();
      this.#kept.add(bytes, from, to, head.length ?? maxBodySize);
    } else if (this.#sink !== null) {
      this.readAt = now;
      this.#sink.add(bytes, from, to);
      if (this.#sink.isOver) this.finish();
    }
  }

  /** The response may end here. @throws {Error} E_PROTOCOL */
  checkEnd() {
    const { length } = /** @type {Http2Head} */ (this.#head);
    if (length !== null && this.#bodyBytes !== length && this.#hasBody) throw this.#otherLength(length);
  }

  /** The response has arrived. @type {(now: number) => void} */
  complete(now) {
    const session = /** @type {Session} */ (this.session);
    this.#isWaiting = false;
    this.#hasArrived = true;
    this.endedAt = now;
    if (this.#needs !== 'status' || this.#sink !== null) this.#response = this.#takeResponse();
    if (session.peer !== null) countAnswer(session.peer, now - this.sentAt);
    session.endStream(this, null);
  }

  #takeResponse() {
    const response = new WireResponse();
    response.takeHead(/** @type {Http2Head} */ (this.#head), this.#bodyBytes);
    response.body = this.#kept?.take() ?? null;
    response.excerpt = this.#sink?.take() ?? null;
    this.#kept = null;
    this.#sink = null;
    return response;
  }

  /** Ends the exchange with its response, unless that was delivered, or the connection was closed meanwhile. */
  deliver() {
    if (!this.#hasArrived) return;
    let response = this.#response;
    if (response === null) {
      ({ response } = this.#wire);
      response.takeHead(/** @type {Http2Head} */ (this.#head), this.#bodyBytes);
    }
    this.#hasArrived = false;
    this.#response = null;
    this.#receiver.onResponse(response, this.endedAt);
  }

  /** Ends the exchange without a response. @type {(error: Error) => void} */
  fail(error) {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.session = null;
    this.#endWait(this.#wire.now());
    this.#release();
    // The next connection of the lane speaks HTTP/1.1.
    if (/** @type {any} */ (error).code === 'E_HTTP_1_1') this.isDead = true;
    this.#receiver.onError(error);
  }

  /**
   * The connection ended. `isHttp2`: the server has spoken HTTP/2 on it.
   * @type {(end: { closer: string, goAway: GoAway | null, isHttp2: boolean }, options?: ErrorOptions) => void}
   */
  lost({ closer, goAway, isHttp2 }, options) {
    if (this.#sink?.isEnded) {
      this.complete(this.#wire.now());
      return;
    }
    const hasHead = this.#head !== null;
    const received = hasHead ? this.#received() : '';
    if (goAway !== null) {
      this.fail(goAwayError(goAway, hasHead ? `in the body of the response, after ${received}` : 'before a response'));
      return;
    }
    const code = hasHead ? 'E_BODY_SHORT' : isHttp2 ? 'E_HTTP2_CLOSED' : 'E_RESET_BEFORE_HEAD';
    this.fail(makeError(code, { closer, received }, options));
  }

  /** Describes the part of the body that has arrived. */
  #received() {
    const { length } = /** @type {Http2Head} */ (this.#head);
    const bytes = this.#bodyBytes;
    if (!this.#hasBody || bytes === length) return `all ${bytes} bytes, but before the end of the stream`;
    return length === null ? `${bytes} bytes` : `${bytes} of ${length} bytes`;
  }

  #release() {
    this.#kept?.drop();
    this.#kept = null;
    this.#sink = null;
    this.#response = null;
    this.unsent = null;
  }

  #tooLarge() {
    return makeError('E_BODY_TOO_LARGE', { limit: this.#wire.limits.maxBodySize });
  }

  /** @type {(length: number) => Error} */
  #otherLength(length) {
    return makeError('E_PROTOCOL', {
      reason: `a body of ${this.#bodyBytes} bytes${this.#bodyBytes > length ? ' or more' : ''}, and Content-Length ${length}`,
    });
  }
}
