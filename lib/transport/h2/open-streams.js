import { connectionError } from './frame-reader.js';

/** @import { Stream } from './stream.js' */

/** The most ids of reset streams that a connection remembers. */
const MAX_RESET = 10_000;

/** The open streams of a connection by their ids (RFC 9113 5.1), and the ids that were reset from here. */
export class OpenStreams {
  /**
   * One stream is kept outside the map: with one in flight, as a virtual user has, no frame needs a lookup.
   * @type {Stream | null}
   */
  #one = null;
  #oneId = 0;
  /** @type {Map<number, Stream>} */
  #others = new Map();
  /** Ids that were reset from here: the server may send more frames before it knows. @type {Set<number>} */
  #reset = new Set();
  /** Frames of streams with smaller ids are ignored, too: those ids are not remembered. */
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

  /** The server has ended a stream that was reset. @type {(id: number) => void} */
  end(id) {
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
