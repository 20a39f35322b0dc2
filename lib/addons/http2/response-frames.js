import { makeError } from '../../core/ground/errors.js';
import { NO_ERROR, WINDOW_UPDATE, numberFrame } from './frames.js';
import { Http2Head, checkFields } from './head.js';
import { HpackDecoder } from './hpack-decoder.js';
import { OWN_WINDOW } from './request-writer.js';

/** @import { ControlFrames } from './control-frames.js' */
/** @import { FrameHandler } from './frames.js' */
/** @import { KnownBlocks } from './hpack-decoder.js' */
/** @import { OpenStreams } from './open-streams.js' */
/** @import { RequestWriter } from './request-writer.js' */
/** @import { Session } from './session.js' */
/** @import { Stream } from './stream.js' */

/**
 * Gets the frames of a connection from its reader, and passes them on: HEADERS and DATA to their streams, others to
 * {@link ControlFrames}. Opens the windows of this side again, and resets streams whose response is malformed.
 */
export class ResponseFrames {
  #session;
  #control;
  #streams;
  #writer;
  #limits;
  #decoder;
  /** The bytes of responses that the window of the connection still allows. */
  #window = OWN_WINDOW;

  /**
   * @param {Session} session
   * @param {{ control: ControlFrames, streams: OpenStreams, writer: RequestWriter }} parts
   * @param {{ maxHeadBytes: number, maxFields: number }} limits
   * @param {KnownBlocks} knownBlocks of all connections to the endpoint
   */
  constructor(session, { control, streams, writer }, limits, knownBlocks) {
    this.#session = session;
    this.#control = control;
    this.#streams = streams;
    this.#writer = writer;
    this.#limits = limits;
    this.#decoder = new HpackDecoder({ maxListSize: limits.maxHeadBytes, maxFields: limits.maxFields }, knownBlocks);
  }

  get isOver() {
    return this.#session.isOver;
  }

  /** @type {FrameHandler['onDataFrame']} */
  onDataFrame(id, size) {
    const stream = this.#streams.find(id);
    this.#window -= size;
    if (this.#window < OWN_WINDOW / 2) {
      this.#writer.control(numberFrame(WINDOW_UPDATE, 0, OWN_WINDOW - this.#window));
      this.#window = OWN_WINDOW;
    }
    if (size === 0) this.#control.countIdle();
    else this.#control.idleFrames = 0;
    if (stream === null) return;
    stream.onFrame(size, this.#session.readAt);
    if (!stream.hasHead) {
      this.#session.reset(stream, makeError('E_PROTOCOL', { reason: 'a body without a head' }));
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
    if (stream === null) return;
    try {
      stream.onData(bytes, from, to, this.#session.readAt);
    } catch (error) {
      this.#session.reset(stream, error);
    }
  }

  /** @type {FrameHandler['onDataEnd']} */
  onDataEnd(id) {
    const stream = this.#streams.get(id);
    if (stream === null) this.#streams.forgetReset(id);
    else this.#end(stream);
  }

  /** @type {FrameHandler['onBlock']} */
  onBlock(id, ends, bytes, from, to) {
    const stream = this.#streams.find(id);
    // Every block is decoded, as it may change the table.
    const block = this.#decoder.decode(bytes, from, to);
    if (stream === null) {
      if (ends) this.#streams.forgetReset(id);
      this.#control.countIdle();
      return;
    }
    this.#control.idleFrames = 0;
    stream.onFrame(to - from, this.#session.readAt);
    try {
      if (block.refusal !== null) {
        const { maxFields, maxHeadBytes } = this.#limits;
        throw makeError(block.refusal, { limit: block.refusal === 'E_TOO_MANY_FIELDS' ? maxFields : maxHeadBytes });
      }
      if (stream.hasHead) {
        checkTrailers(block.fields, ends);
        stream.trailers = block.fields;
      } else stream.onHead((block.head ??= new Http2Head(block)), ends);
    } catch (error) {
      this.#session.reset(stream, error);
      return;
    }
    // The receiver of a head may have ended the stream.
    if (ends && this.#streams.get(id) === stream) this.#end(stream);
  }

  /** Ends a stream with its response. @type {(stream: Stream) => void} */
  #end(stream) {
    const session = this.#session;
    try {
      stream.checkEnd();
    } catch (error) {
      session.reset(stream, error);
      return;
    }
    this.#streams.delete(stream.id);
    if (stream.unsent !== null) {
      // The server has not read the whole request, and does not need it.
      session.resetId(stream.id, NO_ERROR);
      this.#writer.drop(stream);
    }
    stream.complete(session.readAt);
    if (stream.closesSession) session.stopUse();
    session.afterStream();
  }

  /** @type {FrameHandler['onFrame']} */
  onFrame(type, flags, id, bytes, from, to) {
    this.#control.take(type, flags, id, bytes, from, to);
  }
}

/** @type {(fields: string[], ends: boolean) => void} */
function checkTrailers(fields, ends) {
  const reason = ends ? checkFields(fields, { isTrailer: true }) : 'a second head';
  if (reason !== null) throw makeError('E_PROTOCOL', { reason });
}
