import { connectionError } from './frame-reader.js';

/** @import { Stream } from './stream.js' */

/** The most ids of reset streams that a connection remembers. */
const MAX_RESET = 10_000;

/** The open streams of a connection by their ids (RFC 9113 5.1), and the ids that were reset from here. */
export class OpenStreams {
  /** @type {Map<number, Stream>} */
  #open = new Map();
  /** Ids that were reset from here: the server may send more frames before it knows. @type {Set<number>} */
  #reset = new Set();
  /** Frames of streams with smaller ids are ignored, too: those ids are not remembered. */
  #ignoredBelow = 0;
  /** All streams with smaller ids were opened. */
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

  /** Remembers that a stream was reset from here. @type {(id: number) => void} */
  addReset(id) {
    if (this.#reset.size >= MAX_RESET) {
      const [oldest] = this.#reset;
      this.#reset.delete(oldest);
      this.#ignoredBelow = Math.max(this.#ignoredBelow, oldest + 1);
    }
    this.#reset.add(id);
  }

  /** The server has ended a stream that was reset. @type {(id: number) => void} */
  end(id) {
    this.#reset.delete(id);
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
    if (isLate || id < this.#ignoredBelow || this.#reset.has(id)) return null;
    throw connectionError('STREAM_CLOSED', `a frame of stream ${id}, which has ended`);
  }
}
