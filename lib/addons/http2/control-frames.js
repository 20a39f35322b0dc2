import { makeError } from '../../core/ground/errors.js';
import {
  connectionError,
  ACK,
  ENABLE_PUSH,
  FRAME_BYTES,
  GOAWAY,
  HEADER_TABLE_SIZE,
  INITIAL_WINDOW_SIZE,
  MAX_CONCURRENT_STREAMS,
  MAX_FRAME_SIZE,
  MAX_STREAM_ID,
  MAX_WINDOW,
  NO_ERROR,
  PING,
  PRIORITY,
  PUSH_PROMISE,
  REFUSED_STREAM,
  RST_STREAM,
  SETTINGS,
  WINDOW_UPDATE,
  countCode,
  frame,
  goAwayError,
  goAwayOf,
  nameOfCode,
  streamError,
} from './frames.js';

/** @import { TransportTotals } from '../../core/contracts/connection.js' */
/** @import { GoAway } from './frames.js' */
/** @import { OpenStreams } from './open-streams.js' */
/** @import { RequestWriter } from './request-writer.js' */
/** @import { Session } from './session.js' */

/** The streams that a server is expected to accept before its first settings (RFC 9113 6.5.2). */
const FIRST_MAX_STREAMS = 100;
/** The most frames in a row that advance no exchange. More of them are a flood. */
const MAX_IDLE_FRAMES = 10_000;

/**
 * Follows the frames of a server that are no part of a response: settings, windows, resets, GOAWAY and PING. They count
 * as idle until an exchange advances: a frame of its response arrives, or a piece of its body is written or read.
 */
export class ControlFrames {
  #session;
  #streams;
  #writer;
  #totals;
  /** The code of the last GOAWAY; null: there was none. @type {number | null} */
  #goAwayCode = null;
  /** The last GOAWAY that has the code of an error. @type {GoAway | null} */
  goAway = null;
  maxStreams = FIRST_MAX_STREAMS;
  /** The most streams if the first settings name no limit: what the run allows. */
  #maxIfUnlimited;
  /** The server has sent settings, so it speaks HTTP/2. */
  hasSettings = false;
  /** The server has acknowledged the settings of this client. */
  isAcknowledged = false;
  /** The frames since the last one that advanced a response, or the body of a request. */
  idleFrames = 0;

  /**
   * @param {Session} session
   * @param {{ streams: OpenStreams, writer: RequestWriter, totals: TransportTotals, maxStreams: number }} parts
   *   maxStreams: the most that the run allows
   */
  constructor(session, { streams, writer, totals, maxStreams }) {
    this.#maxIfUnlimited = Number.isFinite(maxStreams) ? maxStreams : FIRST_MAX_STREAMS;
    this.#session = session;
    this.#streams = streams;
    this.#writer = writer;
    this.#totals = totals;
  }

  /** @type {import('./frames.js').FrameHandler['onFrame']} */
  take(type, flags, id, bytes, from, to) {
    const size = to - from;
    // Those two may advance an exchange: see #onReset and #onWindowUpdate.
    if (type !== RST_STREAM && type !== WINDOW_UPDATE) this.countIdle();
    switch (type) {
      case SETTINGS:
        checkFrame(id === 0, size % 6 === 0 && ((flags & ACK) === 0 || size === 0));
        if ((flags & ACK) !== 0) this.isAcknowledged = true;
        else this.#onSettings(bytes, from, to);
        break;
      case PING:
        checkFrame(id === 0, size === 8);
        if ((flags & ACK) === 0) this.#writer.control(frame(PING, ACK, 0, bytes.subarray(from, to)));
        break;
      case GOAWAY:
        checkFrame(id === 0, size >= 8);
        this.#onGoAway(bytes.readUInt32BE(from) & MAX_STREAM_ID, goAwayOf(bytes, from, to));
        break;
      case RST_STREAM:
        checkFrame(id !== 0, size === 4);
        this.#onReset(id, bytes.readUInt32BE(from));
        break;
      case WINDOW_UPDATE:
        checkFrame(true, size === 4);
        this.#onWindowUpdate(id, bytes.readUInt32BE(from) & MAX_WINDOW);
        break;
      case PRIORITY:
        checkFrame(id !== 0, size === 5);
        break;
      case PUSH_PROMISE:
        throw connectionError('PROTOCOL_ERROR', 'a pushed response, which was refused');
    }
  }

  /** Counts a frame that advances no exchange. @throws {Error} E_HTTP2 */
  countIdle() {
    if (++this.idleFrames > MAX_IDLE_FRAMES)
      throw connectionError('ENHANCE_YOUR_CALM', `more than ${MAX_IDLE_FRAMES} frames without a response`);
  }

  /** @type {(bytes: Buffer, from: number, to: number) => void} */
  #onSettings(bytes, from, to) {
    const announced = applySettings(bytes.subarray(from, to), this.#writer);
    this.maxStreams = announced ?? (this.hasSettings ? this.maxStreams : this.#maxIfUnlimited);
    this.hasSettings = true;
    this.#writer.control(frame(SETTINGS, ACK, 0));
    this.#session.onRoom();
  }

  /** Ends streams after `last`, which the server did not process. @type {(last: number, goAway: GoAway) => void} */
  #onGoAway(last, goAway) {
    if (this.#goAwayCode === null) this.#totals.http2GoAways++;
    // A graceful end repeats GOAWAY with a smaller id (RFC 9113 6.8); an error may follow.
    if (this.#goAwayCode !== goAway.code) countCode(this.#totals, 'goAway', goAway.code, goAway.reason);
    this.#goAwayCode = goAway.code;
    if (goAway.code !== NO_ERROR) this.goAway = goAway;
    // Such a request is sent again as often as needed (`mayRetry` of iteration/failure.js): each time another request
    // of the connection has ended, so the run advances even if the server ends all its connections like that.
    const isLeftOut = goAway.code === NO_ERROR && last > 0;
    for (const stream of this.#streams.all()) {
      if (stream.id <= last) continue;
      this.#streams.delete(stream.id);
      this.#writer.drop(stream);
      const error = goAwayError(goAway, 'before it processed the request');
      this.#session.endStream(stream, Object.assign(error, { isUnprocessed: true, isLeftOut }));
    }
    this.#session.stopUse();
    this.#session.afterStream();
  }

  /** @type {(id: number, code: number) => void} */
  #onReset(id, code) {
    const stream = this.#streams.findLate(id);
    if (stream === null) {
      this.#streams.forgetReset(id);
      this.countIdle();
      return;
    }
    this.#streams.delete(id);
    this.#writer.drop(stream);
    this.#totals.http2Resets++;
    countCode(this.#totals, 'reset', code);
    const isUnprocessed = code === REFUSED_STREAM && !stream.sawBytes;
    const ownCode = nameOfCode(code);
    const error = makeError('E_STREAM_RESET', { code: ownCode });
    this.#session.endStream(stream, Object.assign(error, { ownCode, isUnprocessed }));
    this.#session.afterStream();
  }

  /** @type {(id: number, more: number) => void} */
  #onWindowUpdate(id, more) {
    // The server has read a part of a body.
    if (this.#writer.takeReturned(more)) this.idleFrames = 0;
    else this.countIdle();
    const stream = id === 0 ? null : this.#streams.findLate(id);
    if (more === 0 && id === 0) throw connectionError('PROTOCOL_ERROR', 'WINDOW_UPDATE by 0');
    if (id !== 0 && stream === null) return;
    if (more > 0 && this.#writer.addWindow(stream, more)) return;
    const code = more > 0 ? 'FLOW_CONTROL_ERROR' : 'PROTOCOL_ERROR';
    const reason = `WINDOW_UPDATE by ${more}`;
    if (stream === null) throw connectionError(code, reason);
    this.#session.reset(stream, streamError(code, reason));
  }
}

/** @type {(isOfStream: boolean, hasSize: boolean) => void} */
function checkFrame(isOfStream, hasSize) {
  if (!isOfStream) throw connectionError('PROTOCOL_ERROR', 'a frame of the wrong stream');
  if (!hasSize) throw connectionError('FRAME_SIZE_ERROR', 'a frame of the wrong size');
}

/** RFC 9113 6.5.2 */
const MAX_FRAME_BYTES = 2 ** 24 - 1;

/**
 * Applies the settings of a server to the writer (RFC 9113 6.5.2), and returns how many streams it accepts; null: the
 * settings do not change that.
 * @throws {Error} E_HTTP2
 * @type {(payload: Buffer, writer: Pick<RequestWriter, 'setTableSize' | 'setStreamWindow' | 'setMaxFrame'>) => number |
 *   null}
 */
function applySettings(payload, writer) {
  let maxStreams = null;
  for (let at = 0; at < payload.length; at += 6) {
    const value = payload.readUInt32BE(at + 2);
    switch (payload.readUInt16BE(at)) {
      case HEADER_TABLE_SIZE:
        writer.setTableSize(value);
        break;
      case ENABLE_PUSH:
        if (value !== 0) throw connectionError('PROTOCOL_ERROR', 'the setting ENABLE_PUSH of a server');
        break;
      case MAX_CONCURRENT_STREAMS:
        maxStreams = value;
        break;
      case INITIAL_WINDOW_SIZE:
        if (value > MAX_WINDOW || !writer.setStreamWindow(value))
          throw connectionError('FLOW_CONTROL_ERROR', 'a window of more than 2^31 - 1 bytes');
        break;
      case MAX_FRAME_SIZE:
        if (value < FRAME_BYTES || value > MAX_FRAME_BYTES)
          throw connectionError('PROTOCOL_ERROR', `the setting MAX_FRAME_SIZE with ${value}`);
        writer.setMaxFrame(value);
    }
  }
  return maxStreams;
}
