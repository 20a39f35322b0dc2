import { makeError } from '../../../core/ground/errors.js';
import { UNCOUNTED } from '../../../core/process/body-memory.js';
import { NO_RECEIVER } from '../../../core/transport/exchange-parts.js';
import { statusOf } from '../flow/trailers.js';
import { printable } from '../schema/details.js';
import { MessageSink } from './message-sink.js';
import { CallResponse } from './response.js';

/** @import { Connection } from '../../../core/contracts/connection.js' */
/** @import { Request } from '../../../core/contracts/request.js' */
/** @import { BodySink, Kept, Receiver, Response } from '../../../core/contracts/response.js' */
/** @import { BodyAccount } from '../../../core/process/body-memory.js' */
/** @import { CallTask } from '../types.js' */

/** What a kept message costs besides its bytes. */
const KEPT_BYTES = 128;
/** Stands for a message that is only counted. */
const LINE = Buffer.from('0\n');

/**
 * The calls of a virtual user, each a stream of HTTP/2. Above it they are requests with JSON: they carry their encoded
 * messages, and those of responses are decoded if something reads them. Messages of a stream are lines of JSON.
 *
 *     send -> (HTTP/2) -> readerOf -> MessageSink -> #take … -> onResponse -> receiver.onResponse
 *
 * @implements {Connection}
 */
export class CallConnection {
  #inner;
  #write;
  #limit;
  #bodies;
  /** @type {Kept} */
  #needs = 'status';
  /** @type {Receiver} */
  #receiver = NO_RECEIVER;
  /** @type {CallTask | null} */
  #task = null;
  /** @type {MessageSink | null} */
  #sink = null;
  /** What reads the messages of a stream as they arrive. @type {BodySink | null} */
  #reader = null;
  /** The messages that something reads, as JSON has them. @type {unknown[]} */
  #messages = [];
  #keptBytes = 0;

  /**
   * @param {Connection} inner
   * @param {{ write: (request: Request) => Request, limit: number, bodies?: BodyAccount }} options limit: bytes of a
   *   message
   */
  constructor(inner, { write, limit, bodies = UNCOUNTED }) {
    this.#inner = inner;
    this.#write = write;
    this.#limit = limit;
    this.#bodies = bodies;
  }

  /** @type {Connection['send']} */
  send(request, needs, receiver) {
    this.#task = /** @type {CallTask} */ (request.task);
    this.#needs = needs;
    this.#receiver = receiver;
    this.#sink = null;
    this.#reader = null;
    this.#messages = [];
    this.#keptBytes = 0;
    this.#inner.send(this.#write(request), 'reader', this);
  }

  /** @type {NonNullable<Receiver['readsExcerpt']>} */
  readsExcerpt(statusCode) {
    return this.#receiver.readsExcerpt?.(statusCode) ?? false;
  }

  /** @type {NonNullable<Receiver['readerOf']>} */
  readerOf(statusCode, headers) {
    // Another server answers in another way.
    if (statusCode !== 200 || !isCall(headers)) return null;
    if (this.#needs === 'reader') this.#reader = this.#receiver.readerOf?.(statusCode, headers) ?? null;
    const encoding = printable(headers['grpc-encoding'] ?? 'identity');
    this.#sink = new MessageSink(encoding, this.#limit, (message) => this.#take(message));
    return this.#sink;
  }

  /** @type {(message: Buffer) => void} */
  #take(message) {
    const reader = this.#reader;
    const sink = /** @type {MessageSink} */ (this.#sink);
    if (reader !== null) {
      const line = reader.readsData === false ? LINE : this.#lineOf(message);
      reader.add(line, 0, line.length, message.length);
      sink.isOver = reader.isOver;
    } else {
      const { answersStream } = /** @type {CallTask} */ (this.#task);
      if (sink.count > 1 && !answersStream)
        throw makeError('E_GRPC_PROTOCOL', { reason: 'several messages in place of one' });
      if (this.#needs === 'body' || this.#needs === 'reader') this.#keep(message);
    }
  }

  /** @type {(message: Buffer) => void} */
  #keep(message) {
    this.#keptBytes += message.length + KEPT_BYTES;
    if (this.#keptBytes > this.#limit + KEPT_BYTES) throw makeError('E_BODY_TOO_LARGE', { limit: this.#limit });
    this.#bodies.reserve(message.length + KEPT_BYTES);
    this.#messages.push(/** @type {CallTask} */ (this.#task).decode(message));
  }

  /** @type {(message: Buffer) => Buffer} */
  #lineOf(message) {
    return Buffer.from(`${JSON.stringify(/** @type {CallTask} */ (this.#task).decode(message))}\n`);
  }

  /** @type {Receiver['onResponse']} */
  onResponse(response, now) {
    const task = /** @type {CallTask} */ (this.#task);
    const sink = this.#sink;
    const trailers = this.#trailersOf(response);
    const fault = this.#faultOf(response, trailers);
    const messages = this.#messages;
    this.#messages = [];
    if (fault !== null) this.#receiver.onError(makeError('E_GRPC_PROTOCOL', { reason: fault }));
    else
      this.#receiver.onResponse(new CallResponse(response, { task, trailers, isCall: sink !== null, messages }), now);
  }

  /** A call that ends at once has its status in the head. @type {(response: Response) => string[] | null} */
  #trailersOf(response) {
    const { trailers = null } = /** @type {{ trailers?: string[] | null }} */ (this.#inner);
    return trailers === null && this.#sink?.count === 0 ? response.rawHeaders : trailers;
  }

  /** Returns null if nothing is wrong. @type {(response: Response, trailers: string[] | null) => string | null} */
  #faultOf({ statusCode, headers }, trailers) {
    const sink = this.#sink;
    // Another status is an error by itself.
    if (sink === null && statusCode >= 400) return null;
    if (sink === null)
      return statusCode === 200
        ? `the content type ${printable(headers['content-type'] ?? 'is missing')}`
        : `the status ${statusCode} of HTTP`;
    if (sink.isOver) return null;
    if (sink.isCut) return 'the response ended within a message';
    const status = statusOf({ trailers });
    if (status === null || !Number.isInteger(status)) return 'the response ended without grpc-status';
    const { answersStream } = /** @type {CallTask} */ (this.#task);
    if (status === 0 && sink.count !== 1 && !answersStream) return `${sink.count} messages in place of one`;
    return null;
  }

  /** @type {Receiver['onError']} */
  onError(error, response) {
    this.#messages = [];
    this.#receiver.onError(error, response);
  }

  finish() {
    this.#inner.finish?.();
  }

  /** @type {Connection['abort']} */
  abort(error) {
    this.#inner.abort(error);
  }

  close() {
    this.#inner.close();
  }

  get isDead() {
    return this.#inner.isDead;
  }

  get hasArrived() {
    return this.#inner.hasArrived;
  }

  get isConnecting() {
    return this.#inner.isConnecting;
  }

  get timeoutCode() {
    return this.#inner.timeoutCode;
  }

  get wasSent() {
    return this.#inner.wasSent;
  }

  get wasReused() {
    return this.#inner.wasReused;
  }

  get sawBytes() {
    return this.#inner.sawBytes;
  }

  get connectedAt() {
    return this.#inner.connectedAt;
  }

  get sentAt() {
    return this.#inner.sentAt;
  }

  get firstByteAt() {
    return this.#inner.firstByteAt;
  }

  get endedAt() {
    return this.#inner.endedAt;
  }

  /** A stream may end before its response. */
  set endedAt(instant) {
    this.#inner.endedAt = instant;
  }

  get readAt() {
    return this.#inner.readAt;
  }

  get bytesOut() {
    return this.#inner.bytesOut;
  }

  get bytesIn() {
    return this.#inner.bytesIn;
  }

  get link() {
    return this.#inner.link;
  }
}

/** @type {(headers: Record<string, any>) => boolean} */
export function isCall(headers) {
  return /^application\/grpc(?:$|[+;])/i.test(String(headers['content-type'] ?? ''));
}
