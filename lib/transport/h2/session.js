import { makeError } from '../../ground/errors.js';
import { isResetCode } from '../../ground/system-errors.js';
import { closerOf } from '../proxy.js';
import { FrameReader, connectionError } from './frame-reader.js';
import {
  ACK,
  CANCEL,
  COMPRESSION_ERROR,
  GOAWAY,
  MAX_STREAM_ID,
  MAX_WINDOW,
  NO_ERROR,
  PING,
  PRIORITY,
  PROTOCOL_ERROR,
  PUSH_PROMISE,
  REFUSED_STREAM,
  RST_STREAM,
  SETTINGS,
  WINDOW_UPDATE,
  frame,
  nameOfCode,
  numberFrame,
} from './frames.js';
import { checkFields } from './check-fields.js';
import { goAwayError, goAwayOf } from './go-away.js';
import { Http2Head } from './head.js';
import { HpackDecoder } from './hpack-decoder.js';
import { OpenStreams } from './open-streams.js';
import { applySettings } from './peer-settings.js';
import { OWN_WINDOW, RequestWriter } from './request-writer.js';

/** @import { Socket } from 'node:net' */
/** @import { Link } from '../../contracts/connection.js' */
/** @import { AddressFigures } from '../../contracts/stats.js' */
/** @import { Endpoint } from '../../http/endpoint.js' */
/** @import { FrameHandler } from './frame-reader.js' */
/** @import { SocketListener } from '../wire/socket.js' */
/** @import { Channel } from './channel.js' */
/** @import { Http2Wire } from './index.js' */
/** @import { GoAway } from './go-away.js' */
/** @import { Stream } from './stream.js' */

/** @typedef {{ stream: Stream, error: Error | null }} Ended an exchange; null: its response has arrived */

/** The streams that a server is expected to accept before its settings arrive (RFC 9113 6.5.2). */
const FIRST_MAX_STREAMS = 100;
const ACKNOWLEDGE_MS = 10_000;
/** Frames without a response, in a row: more of them are a flood. */
const MAX_IDLE_FRAMES = 10_000;

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
  #reader;
  #decoder;
  #writer;
  /** @type {Socket | null} */
  #socket = null;
  isOpen = false;
  #isRetired = false;
  /** The server has sent GOAWAY. */
  #isEnding = false;
  /** That GOAWAY, if it has the code of an error. @type {GoAway | null} */
  #goAwayError = null;
  /** The server has sent settings, so it speaks HTTP/2. */
  #hasSettings = false;
  /** Requests that were sent. */
  #streams = new OpenStreams();
  /** Requests to send. @type {Set<Stream>} */
  #outgoing = new Set();
  #isInOutbox = false;
  #maxStreams = FIRST_MAX_STREAMS;
  /** The bytes of responses that the window of the connection still allows. */
  #window = OWN_WINDOW;
  #isAcknowledged = false;
  #openedAt = 0;
  #idleFrames = 0;
  #now = 0;
  /** The exchanges that the frames of this read have ended; null between reads. @type {Ended[] | null} */
  #ended = null;
  /** When bytes were read last. */
  readAt = 0;
  /** @type {Link | null} */
  link = null;
  /** The address of the socket, if the name has several. @type {AddressFigures | null} */
  peer = null;

  /**
   * @param {Channel} channel
   * @param {Endpoint} endpoint
   * @param {Http2Wire} wire
   */
  constructor(channel, endpoint, wire) {
    const { maxHeadBytes, maxFields } = wire.limits;
    this.#channel = channel;
    this.#endpoint = endpoint;
    this.#wire = wire;
    this.#reader = new FrameReader(this, maxHeadBytes);
    this.#decoder = new HpackDecoder({ maxListSize: maxHeadBytes, maxFields });
    this.#writer = new RequestWriter(wire);
  }

  /** Streams that have not ended. */
  get active() {
    return this.#streams.size + this.#outgoing.size;
  }

  get hasRoom() {
    return this.active < Math.min(this.#maxStreams, this.#wire.maxStreams);
  }

  /** Reports whether it takes new streams. */
  isUsable() {
    return !this.#isRetired;
  }

  /** The reader needs no more frames. */
  get isOver() {
    return this.#socket === null;
  }

  open() {
    try {
      this.#socket = this.#wire.openSession(this.#endpoint, this);
    } catch (error) {
      // OpenSSL cannot read the TLS options
      this.#failAll(/** @type {Error} */ (error));
    }
  }

  /** @type {(stream: Stream) => void} */
  add(stream) {
    stream.session = this;
    this.#outgoing.add(stream);
    this.#writeLater();
  }

  /** Cancels a stream. @type {(stream: Stream) => void} */
  cancel(stream) {
    stream.session = null;
    this.#writer.drop(stream);
    if (!this.#outgoing.delete(stream) && this.#streams.delete(stream.id)) {
      this.#resetId(stream.id, CANCEL);
      // A connection that is silent may be dead: the next request gets another one.
      if (this.readAt <= stream.sentAt) this.#stopUse();
    }
    if (!this.isOpen && this.active === 0) this.#stopUse();
    this.#afterStream();
  }

  /** Takes no more streams, and closes the connection after the last one. */
  retire() {
    this.#stopUse();
    this.#afterStream();
  }

  #stopUse() {
    if (this.#isRetired) return;
    this.#isRetired = true;
    const unsent = [...this.#outgoing];
    this.#outgoing.clear();
    for (const stream of unsent) stream.session = null;
    this.#channel.onRetired(this, unsent);
  }

  #afterStream() {
    if (!this.#isRetired) this.#channel.onRoom();
    else if (this.active === 0) this.#close(NO_ERROR);
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
    this.#openedAt = this.#now = this.readAt = now;
    this.#wire.traffic.totals.http2Opened++;
    this.#writer.open();
    this.flush(now);
  }

  /** Fails all exchanges, as the server does not speak HTTP/2. @type {(error: Error) => void} */
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
    this.#writer.begin(socket);
    for (const stream of this.#outgoing) {
      if (this.#writer.nextId > MAX_STREAM_ID) break;
      stream.wasReused = this.#writer.nextId > 1;
      if (stream.wasReused) totals.reused++;
      this.#streams.add(this.#writer.write(stream, now), stream);
      this.#outgoing.delete(stream);
    }
    this.#writer.end();
    if (this.#writer.nextId > MAX_STREAM_ID) this.retire();
  }

  /** @type {SocketListener['onData']} */
  onData(socket, size) {
    if (socket !== this.#socket) return;
    const now = this.#wire.now();
    /** @type {Ended[]} */
    const ended = [];
    this.#now = this.readAt = now;
    this.#ended = ended;
    try {
      this.#reader.read(this.#wire.buffer, size);
      if (!this.#isAcknowledged && now - this.#openedAt > ACKNOWLEDGE_MS)
        throw connectionError('SETTINGS_TIMEOUT', `it has not acknowledged settings within ${ACKNOWLEDGE_MS} ms`);
    } catch (error) {
      const failure = /** @type {any} */ (error);
      if (failure.code === 'E_HPACK') failure.goAway = COMPRESSION_ERROR;
      this.#failAll(failure);
    }
    this.#ended = null;
    // After the frames: a receiver may send, abort or close, and its errors are not those of the server.
    for (const { stream, error } of ended) {
      if (error === null) this.#wire.inbox.add(stream, now);
      else stream.fail(error);
    }
    if (this.#writer.hasWork) this.#writeLater();
  }

  /**
   * Passes the end of an exchange on, after the frames that are read.
   * @type {(stream: Stream, error: Error | null) => void}
   */
  #onEnded(stream, error) {
    if (this.#ended !== null) this.#ended.push({ stream, error });
    else if (error === null) this.#wire.inbox.add(stream, this.#wire.now());
    else stream.fail(error);
  }

  /** The response of a stream has arrived. @type {(stream: Stream) => void} */
  arrived(stream) {
    this.#onEnded(stream, null);
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
      if (!error || isResetCode(error.code)) this.#lose({ cause: error });
      else this.#failAll(error);
      return;
    }
    if (error) this.#wire.connectFailed(this.#endpoint, error);
    this.#failAll(error ?? makeError('E_RESET_BEFORE_HEAD', { closer: closerOf(this.#endpoint.proxy) }));
  }

  /** The connection has ended. Requests that were not sent get another one. @type {(options?: ErrorOptions) => void} */
  #lose(options) {
    const streams = this.#streams.all();
    if (this.#writer.nextId > 1) this.#wire.traffic.totals.closedByServer++;
    this.#streams.clear();
    this.#drop();
    this.#stopUse();
    const end = { closer: closerOf(this.#endpoint.proxy), goAway: this.#goAwayError, isHttp2: this.#hasSettings };
    for (const stream of streams) stream.lost(end, options);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
  }

  /** Ends the connection and all exchanges on it. @type {(error: any) => void} */
  #failAll(error) {
    // Unsent requests may succeed on another connection, if there can be one.
    const streams = [...this.#streams.all(), ...(this.isOpen && error.goAway !== undefined ? [] : this.#outgoing)];
    for (const stream of streams) this.#outgoing.delete(stream);
    this.#streams.clear();
    if (error.goAway === undefined) this.#drop();
    else {
      this.#wire.traffic.totals.http2Violations++;
      this.#close(error.goAway);
    }
    this.#stopUse();
    for (const stream of streams) this.#onEnded(stream, error);
  }

  /** @type {FrameHandler['onDataFrame']} */
  onDataFrame(id, size) {
    const stream = this.#streams.find(id);
    this.#window -= size;
    if (this.#window < OWN_WINDOW / 2) {
      this.#writer.control(numberFrame(WINDOW_UPDATE, 0, OWN_WINDOW - this.#window));
      this.#window = OWN_WINDOW;
    }
    if (size === 0) this.#countIdle();
    else this.#idleFrames = 0;
    if (stream === null) return;
    stream.onFrame(size, this.#now);
    if (!stream.hasHead) {
      this.#reset(stream, makeError('E_PROTOCOL', { reason: 'a body without a head' }));
      return;
    }
    stream.received += size;
    if (stream.received < OWN_WINDOW / 2) return;
    this.#writer.control(numberFrame(WINDOW_UPDATE, id, stream.received));
    stream.received = 0;
  }

  /** @type {FrameHandler['onBody']} */
  onBody(id, bytes, from, to) {
    const stream = this.#streams.get(id);
    if (stream === undefined) return;
    try {
      stream.onData(bytes, from, to, this.#now);
    } catch (error) {
      this.#reset(stream, error);
    }
  }

  /** @type {FrameHandler['onDataEnd']} */
  onDataEnd(id) {
    const stream = this.#streams.get(id);
    if (stream === undefined) this.#streams.end(id);
    else this.#endResponse(stream);
  }

  /** @type {FrameHandler['onBlock']} */
  onBlock(id, ends, bytes, from, to) {
    const stream = this.#streams.find(id);
    // Every block is decoded, as it may change the table.
    const block = this.#decoder.decode(bytes, from, to);
    if (stream === null) {
      if (ends) this.#streams.end(id);
      this.#countIdle();
      return;
    }
    this.#idleFrames = 0;
    stream.onFrame(to - from, this.#now);
    try {
      const { limits } = this.#wire;
      if (block.refusal !== null)
        throw makeError(block.refusal, {
          limit: block.refusal === 'E_TOO_MANY_FIELDS' ? limits.maxFields : limits.maxHeadBytes,
        });
      if (stream.hasHead) checkTrailers(block.fields, ends);
      else stream.onHead((block.head ??= new Http2Head(block)), ends);
    } catch (error) {
      this.#reset(stream, error);
      return;
    }
    if (ends && this.#streams.get(id) === stream) this.#endResponse(stream);
  }

  /** @type {(stream: Stream) => void} */
  #endResponse(stream) {
    try {
      stream.checkEnd();
    } catch (error) {
      this.#reset(stream, error);
      return;
    }
    this.#streams.delete(stream.id);
    // The server has not read the whole request, and does not need it.
    if (stream.unsent !== null) this.#resetId(stream.id, NO_ERROR);
    this.#writer.drop(stream);
    stream.complete(this.#now);
    if (stream.closesSession) this.#stopUse();
    this.#afterStream();
  }

  /** @type {FrameHandler['onFrame']} */
  onFrame(type, flags, id, bytes, from, to) {
    const size = to - from;
    if (type !== RST_STREAM) this.#countIdle();
    switch (type) {
      case SETTINGS:
        checkFrame(id === 0, size % 6 === 0 && ((flags & ACK) === 0 || size === 0));
        if ((flags & ACK) !== 0) this.#isAcknowledged = true;
        else this.#takeSettings(bytes, from, to);
        break;
      case PING:
        checkFrame(id === 0, size === 8);
        if ((flags & ACK) === 0) this.#writer.control(frame(PING, ACK, 0, bytes.subarray(from, to)));
        break;
      case GOAWAY:
        checkFrame(id === 0, size >= 8);
        this.#goAway(bytes.readUInt32BE(from) & MAX_STREAM_ID, goAwayOf(bytes, from, to));
        break;
      case RST_STREAM:
        checkFrame(id !== 0, size === 4);
        this.#onReset(id, bytes.readUInt32BE(from));
        break;
      case WINDOW_UPDATE:
        checkFrame(true, size === 4);
        this.#addWindow(id, bytes.readUInt32BE(from) & MAX_WINDOW);
        break;
      case PRIORITY:
        checkFrame(id !== 0, size === 5);
        break;
      case PUSH_PROMISE:
        throw connectionError('PROTOCOL_ERROR', 'a pushed response, which was refused');
    }
  }

  /** @type {(bytes: Buffer, from: number, to: number) => void} */
  #takeSettings(bytes, from, to) {
    this.#hasSettings = true;
    this.#maxStreams = applySettings(bytes.subarray(from, to), this.#writer) ?? this.#maxStreams;
    this.#writer.control(frame(SETTINGS, ACK, 0));
    if (!this.#isRetired) this.#channel.onRoom();
  }

  /**
   * The server takes no more streams; those after `last` were not processed.
   * @type {(last: number, goAway: GoAway) => void}
   */
  #goAway(last, goAway) {
    if (!this.#isEnding) this.#wire.traffic.totals.http2GoAways++;
    this.#isEnding = true;
    if (goAway.code !== NO_ERROR) this.#goAwayError = goAway;
    for (const stream of this.#streams.all()) {
      if (stream.id <= last) continue;
      this.#streams.delete(stream.id);
      this.#writer.drop(stream);
      const error = goAwayError(goAway, 'before it processed the request');
      this.#onEnded(stream, Object.assign(error, { isUnprocessed: true }));
    }
    this.#stopUse();
    this.#afterStream();
  }

  /** @type {(id: number, code: number) => void} */
  #onReset(id, code) {
    const stream = this.#streams.find(id, { isLate: true });
    if (stream === null) {
      this.#streams.end(id);
      this.#countIdle();
      return;
    }
    this.#streams.delete(id);
    this.#writer.drop(stream);
    this.#wire.traffic.totals.http2Resets++;
    const isUnprocessed = code === REFUSED_STREAM && !stream.sawBytes;
    const error = makeError('E_STREAM_RESET', { code: nameOfCode(code) });
    this.#onEnded(stream, Object.assign(error, { ownCode: nameOfCode(code), isUnprocessed }));
    this.#afterStream();
  }

  /** @type {(id: number, more: number) => void} */
  #addWindow(id, more) {
    const stream = id === 0 ? null : this.#streams.find(id, { isLate: true });
    if (more === 0 && id === 0) throw connectionError('PROTOCOL_ERROR', 'WINDOW_UPDATE by 0');
    if (id !== 0 && stream === null) return;
    if (more > 0 && this.#writer.addWindow(stream, more)) return;
    const error = connectionError(more > 0 ? 'FLOW_CONTROL_ERROR' : 'PROTOCOL_ERROR', `WINDOW_UPDATE by ${more}`);
    if (stream === null) throw error;
    this.#reset(stream, error);
  }

  /** Ends a stream because of its response. @type {(stream: Stream, error: any) => void} */
  #reset(stream, error) {
    this.#streams.delete(stream.id);
    this.#writer.drop(stream);
    this.#resetId(stream.id, error.goAway ?? (MALFORMED.has(error.code) ? PROTOCOL_ERROR : CANCEL));
    this.#onEnded(stream, error);
    this.#afterStream();
  }

  /** @type {(id: number, code: number) => void} */
  #resetId(id, code) {
    this.#streams.addReset(id);
    this.#writer.control(numberFrame(RST_STREAM, id, code));
    this.#writeLater();
  }

  #countIdle() {
    if (++this.#idleFrames > MAX_IDLE_FRAMES)
      throw connectionError('ENHANCE_YOUR_CALM', `more than ${MAX_IDLE_FRAMES} frames without a response`);
  }
}

/** Errors of responses that are the fault of the server. */
const MALFORMED = new Set(['E_PROTOCOL', 'E_CONTENT_LENGTH']);

/** @type {(isOfStream: boolean, hasSize: boolean) => void} */
function checkFrame(isOfStream, hasSize) {
  if (!isOfStream) throw connectionError('PROTOCOL_ERROR', 'a frame of the wrong stream');
  if (!hasSize) throw connectionError('FRAME_SIZE_ERROR', 'a frame of the wrong size');
}

/** @type {(fields: string[], ends: boolean) => void} */
function checkTrailers(fields, ends) {
  const reason = ends ? checkFields(fields, true) : 'a second head';
  if (reason !== null) throw makeError('E_PROTOCOL', { reason });
}
