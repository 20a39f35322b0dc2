import { makeError } from '../../core/ground/errors.js';
import { closerOf } from '../../core/transport/exchange-parts.js';
import { isServersEnd } from '../../core/transport/wire/connection.js';
import { ControlFrames } from './control-frames.js';
import { EndedStreams, OpenStreams } from './open-streams.js';
import {
  FrameReader,
  connectionError,
  CANCEL,
  COMPRESSION_ERROR,
  GOAWAY,
  MAX_STREAM_ID,
  NO_ERROR,
  PROTOCOL_ERROR,
  RST_STREAM,
  countCode,
  frame,
  numberFrame,
} from './frames.js';
import { RequestWriter } from './request-writer.js';
import { ResponseFrames } from './response-frames.js';

/** @import { Socket } from 'node:net' */
/** @import { Link } from '../../core/contracts/connection.js' */
/** @import { AddressFigures } from '../../core/contracts/stats.js' */
/** @import { Endpoint } from '../../core/http/endpoint.js' */
/** @import { SocketListener } from '../../core/transport/wire/socket.js' */
/** @import { Channel } from './index.js' */
/** @import { Stream } from './stream.js' */

const ACKNOWLEDGE_MS = 10_000;

/**
 * One connection of HTTP/2 (RFC 9113), which carries the exchanges of many streams:
 *
 *     open -> onOpen -+-> flush: waiting requests are written together
 *                     +-> onData -> (frames) -> streams; after them the responses that have arrived
 *     GOAWAY, retire -> no new streams -> close after the last one
 *
 * An error of one stream ends that stream, an error of the connection all of them; streams that were not sent get
 * another connection.
 */
export class Session {
  #channel;
  #endpoint;
  #wire;
  #client;
  #writer;
  #control;
  #reader;
  /** @type {Socket | null} */
  #socket = null;
  isOpen = false;
  #isRetired = false;
  /** Requests that were sent. */
  #streams = new OpenStreams();
  /** Requests to send. @type {Stream[]} */
  #outgoing = [];
  #isInOutbox = false;
  /** Until then the server has the time to acknowledge settings (RFC 9113 6.5.3). */
  #acknowledgedBy = Infinity;
  /** The streams that the current read has ended. */
  #ended;
  readAt = 0;
  /** @type {Link | null} */
  link = null;
  /** The address of the socket, if the name has several. @type {AddressFigures | null} */
  peer = null;

  /** @param {Channel} channel @param {Endpoint} endpoint */
  constructor(channel, endpoint) {
    const { wire, client, knownBlocks } = channel;
    const streams = this.#streams;
    const writer = new RequestWriter(wire.limits, client);
    const { totals } = wire.traffic;
    const control = new ControlFrames(this, { streams, writer, totals, maxStreams: client.maxStreams });
    const frames = new ResponseFrames(this, { control, streams, writer }, wire.limits, knownBlocks);
    this.#channel = channel;
    this.#endpoint = endpoint;
    this.#wire = wire;
    this.#client = client;
    this.#writer = writer;
    this.#control = control;
    this.#ended = new EndedStreams(wire);
    this.#reader = new FrameReader(frames, wire.limits.maxHeadBytes);
  }

  /** Streams that have not ended. */
  get active() {
    return this.#streams.size + this.#outgoing.length;
  }

  get hasRoom() {
    return this.active < Math.min(this.#control.maxStreams, this.#client.maxStreams);
  }

  get hasSettings() {
    return this.#control.hasSettings;
  }

  /** The reader needs no more frames. */
  get isOver() {
    return this.#socket === null;
  }

  open() {
    try {
      this.#socket = this.#client.openSession(this.#endpoint, this.#wire, this);
    } catch (error) {
      // OpenSSL cannot read the TLS options
      this.#failAll(/** @type {Error} */ (error));
    }
  }

  /** @type {(stream: Stream) => void} */
  add(stream) {
    stream.session = this;
    this.#outgoing.push(stream);
    this.#writeLater();
  }

  /** Cancels a stream. @type {(stream: Stream) => void} */
  cancel(stream) {
    stream.session = null;
    this.#writer.drop(stream);
    if (!stream.wasSent) this.#outgoing = this.#outgoing.filter((one) => one !== stream);
    else if (this.#streams.delete(stream.id)) {
      this.resetId(stream.id, CANCEL);
      // A connection that is silent may be dead: the next request gets another one.
      if (this.readAt <= stream.sentAt) this.stopUse();
    }
    // A connection that does not open may be why: the next request gets another one.
    if (!this.isOpen && this.active === 0) this.stopUse();
    // A server that sends nothing is noticed here.
    if (!this.#control.isAcknowledged && this.#wire.now() > this.#acknowledgedBy) this.#failAll(unacknowledged());
    else this.afterStream();
  }

  /** Takes no more streams, and closes the connection after the last one. */
  retire() {
    this.stopUse();
    this.afterStream();
  }

  /** Takes no more streams; those that were not sent get another connection. */
  stopUse() {
    if (this.#isRetired) return;
    this.#isRetired = true;
    const unsent = this.#outgoing;
    this.#outgoing = [];
    for (const stream of unsent) stream.session = null;
    this.#channel.onRetired(this, unsent);
  }

  afterStream() {
    if (!this.#isRetired) this.#channel.onRoom();
    else if (this.active === 0) this.#close(NO_ERROR);
  }

  /** The server may allow more streams. */
  onRoom() {
    if (!this.#isRetired) this.#channel.onRoom();
  }

  /** @type {(code: number) => void} */
  #close(code) {
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    if (!this.isOpen) {
      socket.destroy();
      return;
    }
    const payload = Buffer.alloc(8);
    payload.writeUInt32BE(code, 4);
    this.#writer.control(frame(GOAWAY, 0, 0, payload));
    this.#writer.begin(socket);
    this.#writer.end();
    socket.destroySoon();
  }

  /** @type {SocketListener['onConnect']} */
  onConnect(socket, at) {
    if (socket === this.#socket) for (const stream of this.#outgoing) stream.connectedAt = at;
  }

  /** @type {SocketListener['onOpen']} */
  onOpen(dialled, socket) {
    if (dialled !== this.#socket) return;
    const now = this.#wire.now();
    this.#socket = socket;
    this.link = this.#wire.traffic.linkOf(dialled);
    this.peer = this.#wire.peerOf(dialled);
    this.isOpen = true;
    this.readAt = now;
    this.#acknowledgedBy = now + ACKNOWLEDGE_MS;
    this.#wire.traffic.totals.http2Opened++;
    this.#writer.open();
    this.flush(now);
  }

  /** Fails all exchanges, as the server has no HTTP/2; the relay keeps the socket. @type {(error: Error) => void} */
  refuse(error) {
    this.#socket = null;
    this.#failAll(error);
  }

  #writeLater() {
    if (this.#isInOutbox || !this.isOpen) return;
    this.#isInOutbox = true;
    this.#wire.outbox.add(this);
  }

  /** Writes control frames, requests and bodies that wait. @type {(now: number) => void} */
  flush(now) {
    this.#isInOutbox = false;
    const socket = this.#socket;
    if (socket === null || !this.isOpen) return;
    const { totals } = this.#wire.traffic;
    const writer = this.#writer;
    const outgoing = this.#outgoing;
    writer.begin(socket);
    while (outgoing.length > 0 && writer.nextId <= MAX_STREAM_ID) {
      const [stream] = outgoing;
      stream.wasReused = writer.nextId > 1;
      if (stream.wasReused) totals.reused++;
      this.#streams.add(writer.write(stream, now), stream);
      outgoing.shift();
    }
    // A piece of a body was written: the frames that opened a window for it advanced an exchange.
    if (writer.end()) this.#control.idleFrames = 0;
    if (writer.nextId > MAX_STREAM_ID) this.retire();
  }

  /** @type {SocketListener['onData']} */
  onData(socket, size) {
    if (socket !== this.#socket) return;
    const now = this.#wire.now();
    this.readAt = now;
    this.#ended.begin();
    try {
      this.#reader.read(this.#wire.buffer, size);
      if (!this.#control.isAcknowledged && now > this.#acknowledgedBy) throw unacknowledged();
    } catch (error) {
      const failure = /** @type {any} */ (error);
      if (failure.code === 'E_HPACK') failure.goAway = COMPRESSION_ERROR;
      this.#failAll(failure);
    }
    this.#ended.passOn(now);
    if (this.#writer.hasWork) this.#writeLater();
  }

  /** Ends an exchange after the frames; null: it succeeded. @type {(stream: Stream, error: Error | null) => void} */
  endStream(stream, error) {
    this.#ended.add(stream, error);
  }

  /** @type {(socket: Socket) => void} */
  onEnd(socket) {
    // Before it is open, an error with the reason follows.
    if (socket === this.#socket && this.isOpen) this.#lose();
  }

  /** @type {SocketListener['onError']} */
  onError(socket, error) {
    if (socket !== this.#socket) return;
    if (this.isOpen) {
      if (isServersEnd(error)) this.#lose({ cause: error });
      else this.#failAll(error);
      return;
    }
    if (error) this.#wire.connectFailed(this.#endpoint, error);
    this.#failAll(error ?? makeError('E_RESET_BEFORE_HEAD', { closer: closerOf(this.#endpoint.proxy) }));
  }

  /** The connection has ended. Requests that were not sent get another one. @type {(options?: ErrorOptions) => void} */
  #lose(options) {
    const streams = this.#streams.clear();
    if (this.#writer.nextId > 1) this.#wire.traffic.totals.closedByServer++;
    this.#drop();
    this.stopUse();
    const { goAway, hasSettings: isHttp2 } = this.#control;
    for (const stream of streams) stream.lost({ closer: closerOf(this.#endpoint.proxy), goAway, isHttp2 }, options);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
  }

  /** Ends the connection and all exchanges on it. @type {(error: any) => void} */
  #failAll(error) {
    const isViolation = error.goAway !== undefined;
    const streams = this.#streams.clear();
    // Their bodies must not follow GOAWAY.
    for (const stream of streams) this.#writer.drop(stream);
    // After a violation, requests that were not sent get another connection; other errors may come again.
    if (!isViolation) streams.push(...this.#outgoing.splice(0));
    if (isViolation) {
      const { totals } = this.#wire.traffic;
      totals.http2Violations++;
      countCode(totals, 'violation', error.goAway, error.message);
      this.#close(error.goAway);
    } else this.#drop();
    this.stopUse();
    for (const stream of streams) this.endStream(stream, error);
  }

  /** Ends a stream because of its response. @type {(stream: Stream, error: any) => void} */
  reset(stream, error) {
    this.#streams.delete(stream.id);
    this.#writer.drop(stream);
    this.resetId(stream.id, error.goAway ?? (MALFORMED.has(error.code) ? PROTOCOL_ERROR : CANCEL));
    this.endStream(stream, error);
    this.afterStream();
  }

  /** Tells the server that a stream has ended. @type {(id: number, code: number) => void} */
  resetId(id, code) {
    this.#streams.addReset(id);
    this.#writer.control(numberFrame(RST_STREAM, id, code));
    this.#writeLater();
  }
}

function unacknowledged() {
  return connectionError('SETTINGS_TIMEOUT', `it has not acknowledged settings within ${ACKNOWLEDGE_MS} ms`);
}

/** Errors of responses that are the fault of the server. */
const MALFORMED = new Set(['E_PROTOCOL', 'E_CONTENT_LENGTH']);
