import { connectionError } from './frame-reader.js';

/** @import { Stream } from './stream.js' */

/** Ids of streams that were reset and are remembered. */
const MAX_FORGOTTEN = 10_000;

/** The streams of a connection by their ids (RFC 9113 5.1), and those that were reset from here. */
export class OpenStreams {
  /** @type {Map<number, Stream>} */
  #open = new Map();
  /** What the server has sent of them, before it knows that they were reset, is ignored. @type {Set<number>} */
  #forgotten = new Set();
  /** Frames of streams below are ignored, too: their ids are not remembered. */
  #ignoredBelow = 0;
  /** Streams below were opened. */
  #nextId = 1;

  get size() {
    return this.#open.size;
  }

  /** @type {(id: number, stream: Stream) => void} */
  add(id, stream) {
    this.#open.set(id, stream);
    this.#nextId = id + 2;
  }

  /** @type {(id: number) => Stream | undefined} */
  get(id) {
    return this.#open.get(id);
  }

  /** @type {(id: number) => boolean} */
  delete(id) {
    return this.#open.delete(id);
  }

  clear() {
    this.#open.clear();
  }

  all() {
    return [...this.#open.values()];
  }

  /** The stream was reset from here. @type {(id: number) => void} */
  forget(id) {
    if (this.#forgotten.size >= MAX_FORGOTTEN) {
      const [oldest] = this.#forgotten;
      this.#forgotten.delete(oldest);
      this.#ignoredBelow = Math.max(this.#ignoredBelow, oldest + 1);
    }
    this.#forgotten.add(id);
  }

  /** The server has ended a stream that was reset. @type {(id: number) => void} */
  end(id) {
    this.#forgotten.delete(id);
  }

  /**
   * Returns the stream of a frame; null: the frame is ignored. `isLate`: it may come after the end of its stream.
   * @throws {Error} E_HTTP2
   * @type {(id: number, options?: { isLate?: boolean }) => Stream | null}
   */
  find(id, { isLate = false } = {}) {
    const stream = this.#open.get(id);
    if (stream !== undefined) return stream;
    if (id % 2 === 0 || id >= this.#nextId)
      throw connectionError('PROTOCOL_ERROR', `a frame of stream ${id}, which no request has`);
    if (isLate || id < this.#ignoredBelow || this.#forgotten.has(id)) return null;
    throw connectionError('STREAM_CLOSED', `a frame of stream ${id}, which has ended`);
  }
}
