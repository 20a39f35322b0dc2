import {
  CONTINUATION,
  DATA,
  DEFAULT_WINDOW,
  ENABLE_PUSH,
  END_HEADERS,
  END_STREAM,
  FRAME_BYTES,
  FRAME_HEAD,
  HEADERS,
  INITIAL_WINDOW_SIZE,
  MAX_HEADER_LIST_SIZE,
  MAX_WINDOW,
  WINDOW_UPDATE,
  numberFrame,
  preface,
  writeFrameHead,
} from './frames.js';
import { HpackEncoder } from './hpack-encoder.js';
import { ownFields } from './request-head.js';

/** @import { Socket } from 'node:net' */
/** @import { Request } from '../../contracts/request.js' */
/** @import { HeadParts, PreparedHead } from './hpack-encoder.js' */
/** @import { Http2Wire } from './index.js' */
/** @import { Stream } from './stream.js' */

/** The windows for the bodies of responses, of a stream and of a connection: 1 GiB. */
export const OWN_WINDOW = 2 ** 30;

/**
 * Writes the frames of one connection: control frames first, then requests, then the bodies that the server has room
 * for. Frames that are written together are one write, except for large bodies.
 *
 *     begin -> write … -> end
 */
export class RequestWriter {
  #wire;
  #encoder = new HpackEncoder();
  /** @type {Map<HeadParts, PreparedHead>} */
  #heads = new Map();
  /** Frames to write first. @type {Buffer[]} */
  #control = [];
  /** Streams whose bodies are not sent. @type {Set<Stream>} */
  #uploads = new Set();
  /** The windows of the server: for all bodies of the connection, and for the body of a new stream. */
  #window = DEFAULT_WINDOW;
  #streamWindow = DEFAULT_WINDOW;
  #maxFrame = FRAME_BYTES;
  /** @type {Socket | null} */
  #socket = null;
  #isCorked = false;
  /** Bytes in the buffer of the thread that are not written. */
  #at = 0;
  nextId = 1;

  /** @param {Http2Wire} wire */
  constructor(wire) {
    this.#wire = wire;
  }

  /** Adds the first bytes of the connection. */
  open() {
    const { maxHeadBytes } = this.#wire.limits;
    const settings = /** @type {[number, number][]} */ ([
      [ENABLE_PUSH, 0],
      [INITIAL_WINDOW_SIZE, OWN_WINDOW],
      [MAX_HEADER_LIST_SIZE, maxHeadBytes],
    ]);
    this.#control.push(preface(settings), numberFrame(WINDOW_UPDATE, 0, OWN_WINDOW - DEFAULT_WINDOW));
  }

  /** Adds a frame that does not belong to a request. @type {(bytes: Buffer) => void} */
  control(bytes) {
    this.#control.push(bytes);
  }

  /** Drops the unsent rest of the body of a stream. @type {(stream: Stream) => void} */
  drop(stream) {
    if (stream.unsent === null) return;
    this.#uploads.delete(stream);
    stream.unsent = null;
  }

  /** @type {(socket: Socket) => void} */
  begin(socket) {
    this.#socket = socket;
    this.#at = 0;
    for (const bytes of this.#control) this.#put(bytes);
    this.#control.length = 0;
  }

  end() {
    this.#writeBodies();
    const socket = /** @type {Socket} */ (this.#socket);
    if (this.#at > 0) this.#write(socket);
    if (this.#isCorked) socket.uncork();
    this.#isCorked = false;
    this.#socket = null;
  }

  /**
   * Writes a request, with the part of its body that the windows allow; returns the id of its stream.
   * @type {(stream: Stream, now: number) => number}
   */
  write(stream, now) {
    const request = /** @type {Request} */ (stream.request);
    const { body } = request;
    const size = body === null ? 0 : Buffer.byteLength(body);
    const id = this.nextId;
    this.nextId += 2;
    const headBytes = this.#writeHead(stream, { id, size });
    stream.window = this.#streamWindow;
    stream.onSent(id, now, headBytes + size);
    if (body === null || size === 0) return id;
    const out = this.#wire.scratch;
    const isSmall = size <= Math.min(this.#maxFrame, this.#window, stream.window, out.length - FRAME_HEAD - this.#at);
    if (isSmall && this.#uploads.size === 0) {
      const at = writeFrameHead(out, this.#at, size, DATA, END_STREAM, id);
      if (typeof body === 'string') out.write(body, at);
      else body.copy(out, at);
      this.#at = at + size;
      this.#window -= size;
    } else {
      stream.unsent = typeof body === 'string' ? Buffer.from(body) : body;
      this.#uploads.add(stream);
    }
    return id;
  }

  /**
   * Writes a head, and returns its size in bytes.
   * @type {(stream: Stream, sent: { id: number, size: number }) => number}
   */
  #writeHead(stream, { id, size }) {
    const request = /** @type {Request} */ (stream.request);
    const { path } = request;
    const head = this.#wire.headOf(request);
    const own = ownFields(request, head, size);
    const prepared = this.#prepared(head.parts);
    const flags = size === 0 ? END_STREAM : 0;
    const most = FRAME_HEAD + prepared.maxLength(path, own);
    const { scratch } = this.#wire;
    stream.closesSession = head.closes;
    if (most > scratch.length) {
      const bytes = Buffer.allocUnsafe(most);
      this.#putHead(bytes.subarray(0, prepared.write(bytes, 0, path, own)), { id, flags });
      return most;
    }
    if (most > scratch.length - this.#at) this.#flush();
    const from = this.#at + FRAME_HEAD;
    const end = prepared.write(scratch, from, path, own);
    const length = end - from;
    if (length <= this.#maxFrame) {
      writeFrameHead(scratch, this.#at, length, HEADERS, flags | END_HEADERS, id);
      this.#at = end;
    } else this.#putHead(Buffer.from(scratch.subarray(from, end)), { id, flags });
    return FRAME_HEAD + length;
  }

  /** Splits a long head. @type {(block: Buffer, frame: { id: number, flags: number }) => void} */
  #putHead(block, { id, flags }) {
    for (let at = 0; at < block.length; at += this.#maxFrame) {
      const end = Math.min(block.length, at + this.#maxFrame);
      const last = end === block.length ? END_HEADERS : 0;
      this.#putFrame(block.subarray(at, end), at === 0 ? HEADERS : CONTINUATION, (at === 0 ? flags : 0) | last, id);
    }
  }

  /** @type {(parts: HeadParts) => PreparedHead} */
  #prepared(parts) {
    const found = this.#heads.get(parts);
    if (found !== undefined) return found;
    if (this.#heads.size >= MAX_HEADS) this.#heads.clear();
    const prepared = this.#encoder.prepare(parts);
    this.#heads.set(parts, prepared);
    return prepared;
  }

  /** Sends a frame of each body in turn, until the windows are used up. */
  #writeBodies() {
    for (let hasSent = true; hasSent && this.#uploads.size > 0;) {
      hasSent = false;
      for (const stream of this.#uploads) {
        const unsent = /** @type {Buffer} */ (stream.unsent);
        const size = Math.min(unsent.length, this.#maxFrame, this.#window, stream.window);
        if (size <= 0) continue;
        const isLast = size === unsent.length;
        this.#window -= size;
        stream.window -= size;
        this.#putFrame(unsent.subarray(0, size), DATA, isLast ? END_STREAM : 0, stream.id);
        hasSent = true;
        if (isLast) this.drop(stream);
        else stream.unsent = unsent.subarray(size);
      }
    }
  }

  /** @type {(payload: Buffer, type: number, flags: number, id: number) => void} */
  #putFrame(payload, type, flags, id) {
    if (this.#wire.scratch.length - this.#at < FRAME_HEAD) this.#flush();
    this.#at = writeFrameHead(this.#wire.scratch, this.#at, payload.length, type, flags, id);
    this.#put(payload);
  }

  /** Large pieces are not copied. @type {(bytes: Buffer) => void} */
  #put(bytes) {
    if (bytes.length > MOST_COPIED) {
      this.#flush();
      /** @type {Socket} */ (this.#socket).write(bytes);
      return;
    }
    if (bytes.length > this.#wire.scratch.length - this.#at) this.#flush();
    bytes.copy(this.#wire.scratch, this.#at);
    this.#at += bytes.length;
  }

  /** Empties the buffer. More writes follow. */
  #flush() {
    const socket = /** @type {Socket} */ (this.#socket);
    if (!this.#isCorked) socket.cork();
    this.#isCorked = true;
    if (this.#at > 0) this.#write(socket);
  }

  /** Writes a copy of the buffer, which other connections use, too. @type {(socket: Socket) => void} */
  #write(socket) {
    socket.write(Buffer.from(this.#wire.scratch.subarray(0, this.#at)));
    this.#at = 0;
  }

  /** Follows SETTINGS_HEADER_TABLE_SIZE. @type {(size: number) => void} */
  setTableSize(size) {
    this.#encoder.setMaxTableSize(size);
  }

  /** Follows SETTINGS_MAX_FRAME_SIZE. @type {(size: number) => void} */
  setMaxFrame(size) {
    this.#maxFrame = size;
  }

  /**
   * Follows SETTINGS_INITIAL_WINDOW_SIZE; false: a window becomes too large (RFC 9113 6.9.2).
   * @type {(size: number) => boolean}
   */
  setStreamWindow(size) {
    const change = size - this.#streamWindow;
    this.#streamWindow = size;
    for (const stream of this.#uploads) stream.window += change;
    return [...this.#uploads].every(({ window }) => window <= MAX_WINDOW);
  }

  /**
   * Follows WINDOW_UPDATE; false: the window becomes too large.
   * @type {(stream: Stream | null, more: number) => boolean}
   */
  addWindow(stream, more) {
    if (stream === null) this.#window += more;
    else stream.window += more;
    return (stream === null ? this.#window : stream.window) <= MAX_WINDOW;
  }

  /** A body or a control frame waits to be written. */
  get hasWork() {
    return this.#control.length > 0 || this.#uploads.size > 0;
  }
}

/** Steps whose heads a connection remembers; a flow may compute operations in each iteration. */
const MAX_HEADS = 1000;
const MOST_COPIED = 2048;
