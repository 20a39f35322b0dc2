import { connectionError } from './frames.js';

/** @import { Wire } from '../../core/transport/wire/connection.js' */
/** @import { Stream } from './stream.js' */

const MAX_RESET = 10_000;

/** The open streams of a connection by their ids (RFC 9113 5.1), and the ids that were reset from here. */
export class OpenStreams {
  /** One stream is outside the map: with one in flight no frame needs a lookup. @type {Stream | null} */
  #one = null;
  #oneId = 0;
  /** @type {Map<number, Stream>} */
  #others = new Map();
  /** Ids that were reset from here: the server may send more frames before it knows. @type {Set<number>} */
  #reset = new Set();
  /** Frames of ended streams with smaller ids are ignored, too: their ids are no longer remembered. */
  #ignoredBelow = 0;
  /** All streams with smaller ids were opened. */
  #nextId = 1;

  get size() {
    return this.#others.size + (this.#one === null ? 0 : 1);
  }

  /** @type {(id: number, stream: Stream) => void} */
  add(id, stream) {
    if (this.#one === null) {
      this.#one = stream;
      this.#oneId = id;
    } else this.#others.set(id, stream);
    this.#nextId = id + 2;
  }

  /** @type {(id: number) => Stream | null} */
  get(id) {
    return id === this.#oneId ? this.#one : (this.#others.get(id) ?? null);
  }

  /** @type {(id: number) => boolean} */
  delete(id) {
    if (id !== this.#oneId) return this.#others.delete(id);
    this.#one = null;
    this.#oneId = 0;
    return true;
  }

  /** Removes all streams, and returns them in their order. */
  clear() {
    const all = this.all();
    this.#one = null;
    this.#oneId = 0;
    this.#others.clear();
    return all;
  }

  all() {
    const all = [...this.#others.values()];
    return this.#one === null ? all : [...all, this.#one].sort((a, b) => a.id - b.id);
  }

  /** Remembers that a stream was reset from here. @type {(id: number) => void} */
  addReset(id) {
    if (this.#reset.size >= MAX_RESET) {
      const [oldest] = this.#reset;
      this.#reset.delete(oldest);
      this.#ignoredBelow = Math.max(this.#ignoredBelow, oldest + 1);
    }
    this.#reset.add(id);
  }

  /** Call it when the server has ended a stream that was reset: no frame of it follows. @type {(id: number) => void} */
  forgetReset(id) {
    this.#reset.delete(id);
  }

  /**
   * Returns the stream of a frame; null: it was reset from here, and the frame is ignored.
   * @throws {Error} E_HTTP2
   * @type {(id: number) => Stream | null}
   */
  find(id) {
    const stream = this.get(id);
    if (stream !== null) return stream;
    this.#checkId(id);
    if (id < this.#ignoredBelow || this.#reset.has(id)) return null;
    throw connectionError('STREAM_CLOSED', `a frame of stream ${id}, which has ended`);
  }

  /**
   * Returns the stream of a frame that may come after its end; null: it has ended.
   * @throws {Error} E_HTTP2
   * @type {(id: number) => Stream | null}
   */
  findLate(id) {
    const stream = this.get(id);
    if (stream === null) this.#checkId(id);
    return stream;
  }

  /** @type {(id: number) => void} */
  #checkId(id) {
    if (id % 2 === 0 || id >= this.#nextId)
      throw connectionError('PROTOCOL_ERROR', `a frame of stream ${id}, which no request has`);
  }
}

/**
 * The streams that the frames of a read have ended, a list by their `nextEnded`. They are passed on after the frames: a
 * receiver may send, abort or close, and its errors are not those of the server.
 */
export class EndedStreams {
  #wire;
  #isReading = false;
  /** @type {Stream | null} */
  #first = null;
  /** @type {Stream | null} */
  #last = null;

  /** @param {Pick<Wire, 'inbox' | 'now'>} wire */
  constructor(wire) {
    this.#wire = wire;
  }

  /** Keeps the streams that end from here on, until `passOn`. */
  begin() {
    this.#isReading = true;
  }

  /** Ends an exchange; null: its response has arrived. @type {(stream: Stream, error: Error | null) => void} */
  add(stream, error) {
    stream.failure = error;
    if (!this.#isReading) this.#pass(stream, this.#wire.now());
    else if (this.#last === null) this.#first = this.#last = stream;
    else this.#last = this.#last.nextEnded = stream;
  }

  /** @type {(now: number) => void} */
  passOn(now) {
    let stream = this.#first;
    this.#isReading = false;
    this.#first = null;
    this.#last = null;
    while (stream !== null) {
      const next = stream.nextEnded;
      stream.nextEnded = null;
      this.#pass(stream, now);
      stream = next;
    }
  }

  /** @type {(stream: Stream, now: number) => void} */
  #pass(stream, now) {
    const { failure } = stream;
    stream.failure = null;
    if (failure === null) this.#wire.inbox.add(stream, now);
    else stream.fail(failure);
  }
}
