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
import { ownFields } from './head.js';
import { HpackEncoder } from './hpack-encoder.js';

/** @import { Socket } from 'node:net' */
/** @import { Request } from '../../core/contracts/request.js' */
/** @import { HeadParts, PreparedHead } from './hpack-encoder.js' */
/** @import { Http2Client } from './index.js' */
/** @import { Stream } from './stream.js' */

/** The windows for the bodies of responses, of a stream and of a connection: 1 GiB. */
export const OWN_WINDOW = 2 ** 30;

const SLAB_BYTES = 64 * 1024;
/** With less room, another slab is used: a write that two of them share costs more. */
const LEAST_ROOM = 4096;
/** Bytes; larger pieces of a body are written as they are, without a copy. */
const MOST_COPIED = 2048;
/** Steps whose heads a connection remembers; a flow may compute operations in each iteration. */
const MAX_HEADS = 1000;

/**
 * Memory for the frames of all connections, which write one after the other. Each byte is used once, so a socket may
 * keep those that it writes.
 */
export class Slab {
  bytes = Buffer.allocUnsafeSlow(SLAB_BYTES);
  /** The bytes before it were given to a socket, which may still read them. */
  given = 0;

  renew() {
    this.bytes = Buffer.allocUnsafeSlow(SLAB_BYTES);
    this.given = 0;
  }
}

/**
 * Writes the frames of one connection: control frames first, then requests, then the bodies that the server has room
 * for. Frames that are written together are one write, except for large bodies.
 *
 *     begin -> write … -> end
 *
 * Between `begin` and `end` the slab belongs to this writer: frames are collected from `given` to `#at`, and `#flush`,
 * or `end`, gives them to the socket.
 */
export class RequestWriter {
  #limits;
  #client;
  #slab;
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
  /** Bytes of bodies that WINDOW_UPDATE may return: each once to its stream, and once to the connection. */
  #unreturned = 0;
  #maxFrame = FRAME_BYTES;
  /** @type {Socket | null} */
  #socket = null;
  #isCorked = false;
  /** The end of the collected frames in the slab. */
  #at = 0;
  nextId = 1;
  /** The last request, which most virtual users send again: the next four describe it. @type {Request | null} */
  #request = null;
  /** Bytes of its body. */
  #size = 0;
  /** The connection ends after its response. */
  #closes = false;
  /** The part of its head that other requests have, too. @type {PreparedHead | null} */
  #prepared = null;
  /** The other fields. @type {string[] | null} */
  #own = null;

  /** @param {{ maxHeadBytes: number }} limits @param {Http2Client} client */
  constructor(limits, client) {
    this.#limits = limits;
    this.#client = client;
    this.#slab = client.slab;
  }

  /** Adds the first bytes of the connection. */
  open() {
    const { maxHeadBytes } = this.#limits;
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
    const slab = this.#slab;
    this.#socket = socket;
    if (slab.bytes.length - slab.given < LEAST_ROOM) slab.renew();
    this.#at = slab.given;
    if (this.#control.length === 0) return;
    for (const bytes of this.#control) this.#put(bytes);
    this.#control.length = 0;
  }

  /** Writes the bodies that the windows allow, and gives all to the socket; returns whether it has written a body. */
  end() {
    const hasSent = this.#uploads.size > 0 && this.#writeBodies();
    const socket = /** @type {Socket} */ (this.#socket);
    if (this.#at > this.#slab.given) this.#write(socket);
    if (this.#isCorked) socket.uncork();
    this.#isCorked = false;
    this.#socket = null;
    return hasSent;
  }

  /** Writes what the windows allow; returns the id of the stream. @type {(stream: Stream, now: number) => number} */
  write(stream, now) {
    const request = /** @type {Request} */ (stream.request);
    if (request !== this.#request) this.#prepare(request);
    const { body } = request;
    const size = this.#size;
    const id = this.nextId;
    this.nextId += 2;
    const headBytes = this.#writeHead(request.path, id, size === 0 ? END_STREAM : 0);
    stream.closesSession = this.#closes;
    stream.window = this.#streamWindow;
    stream.onSent(id, now, headBytes + size);
    if (body === null || size === 0) return id;
    const out = this.#slab.bytes;
    const fitsNow = size <= Math.min(this.#maxFrame, this.#window, stream.window, this.#room - FRAME_HEAD);
    // Bodies that wait for the window of the connection come first.
    if (fitsNow && this.#uploads.size === 0) {
      const at = writeFrameHead(out, this.#at, size, DATA, END_STREAM, id);
      if (typeof body === 'string') out.write(body, at);
      else body.copy(out, at);
      this.#at = at + size;
      this.#useWindow(stream, size);
    } else {
      stream.unsent = typeof body === 'string' ? Buffer.from(body) : body;
      this.#uploads.add(stream);
    }
    return id;
  }

  /** @type {(request: Request) => void} */
  #prepare(request) {
    const { body } = request;
    const head = this.#client.headOf(request);
    // Fields of its own may turn out to be those of all iterations when the request comes again.
    this.#request = head.own === null ? request : null;
    this.#size = body === null ? 0 : Buffer.byteLength(body);
    this.#own = ownFields(request, head, this.#size);
    this.#closes = head.closes;
    this.#prepared = this.#preparedOf(head.parts);
  }

  /** @type {(parts: HeadParts) => PreparedHead} */
  #preparedOf(parts) {
    const found = this.#heads.get(parts);
    if (found !== undefined) return found;
    if (this.#heads.size >= MAX_HEADS) this.#heads.clear();
    const prepared = this.#encoder.prepare(parts);
    this.#heads.set(parts, prepared);
    return prepared;
  }

  /** Writes a head, and returns its size in bytes. @type {(path: string, id: number, flags: number) => number} */
  #writeHead(path, id, flags) {
    const prepared = /** @type {PreparedHead} */ (this.#prepared);
    const own = this.#own;
    const most = FRAME_HEAD + prepared.maxLength(path, own);
    // The head fits into no slab, not even an empty one.
    if (most > SLAB_BYTES) {
      const bytes = Buffer.allocUnsafe(most);
      const block = bytes.subarray(0, prepared.write(bytes, 0, path, own));
      this.#putHead(block, { id, flags });
      return FRAME_HEAD + block.length;
    }
    if (most > this.#room) this.#flush();
    const out = this.#slab.bytes;
    const from = this.#at + FRAME_HEAD;
    const end = prepared.write(out, from, path, own);
    const length = end - from;
    if (length <= this.#maxFrame) {
      writeFrameHead(out, this.#at, length, HEADERS, flags | END_HEADERS, id);
      this.#at = end;
    } else this.#putHead(Buffer.from(out.subarray(from, end)), { id, flags });
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

  /** Sends a frame of each body in turn, until the windows are used up; returns whether it has sent one. */
  #writeBodies() {
    let hasSentAny = false;
    for (let hasSent = true; hasSent && this.#uploads.size > 0; hasSentAny ||= hasSent) {
      hasSent = false;
      for (const stream of this.#uploads) {
        const unsent = /** @type {Buffer} */ (stream.unsent);
        const size = Math.min(unsent.length, this.#maxFrame, this.#window, stream.window);
        if (size <= 0) continue;
        const isLast = size === unsent.length;
        this.#useWindow(stream, size);
        this.#putFrame(unsent.subarray(0, size), DATA, isLast ? END_STREAM : 0, stream.id);
        hasSent = true;
        if (isLast) this.drop(stream);
        else stream.unsent = unsent.subarray(size);
      }
    }
    return hasSentAny;
  }

  /** @type {(stream: Stream, size: number) => void} */
  #useWindow(stream, size) {
    this.#window -= size;
    stream.window -= size;
    this.#unreturned += 2 * size;
  }

  /** @type {(payload: Buffer, type: number, flags: number, id: number) => void} */
  #putFrame(payload, type, flags, id) {
    if (this.#room < FRAME_HEAD) this.#flush();
    this.#at = writeFrameHead(this.#slab.bytes, this.#at, payload.length, type, flags, id);
    this.#put(payload);
  }

  /** Adds bytes to the slab; large pieces go to the socket after what is in it. @type {(bytes: Buffer) => void} */
  #put(bytes) {
    if (bytes.length > MOST_COPIED) {
      this.#writeFirst();
      /** @type {Socket} */ (this.#socket).write(bytes);
      return;
    }
    if (bytes.length > this.#room) this.#flush();
    bytes.copy(this.#slab.bytes, this.#at);
    this.#at += bytes.length;
  }

  get #room() {
    return this.#slab.bytes.length - this.#at;
  }

  /** Writes the collected frames, and takes another slab. */
  #flush() {
    this.#writeFirst();
    this.#slab.renew();
    this.#at = 0;
  }

  /** Writes the collected frames. More follow, so the socket is corked until `end`: all of them are one write. */
  #writeFirst() {
    const socket = /** @type {Socket} */ (this.#socket);
    if (!this.#isCorked) socket.cork();
    this.#isCorked = true;
    if (this.#at > this.#slab.given) this.#write(socket);
  }

  /** @type {(socket: Socket) => void} */
  #write(socket) {
    const slab = this.#slab;
    const bytes = slab.bytes.subarray(slab.given, this.#at);
    slab.given = this.#at;
    socket.write(bytes);
  }

  /** Follows SETTINGS_HEADER_TABLE_SIZE. @type {(size: number) => void} */
  setTableSize(size) {
    this.#encoder.setMaxTableSize(size);
  }

  /** Follows SETTINGS_MAX_FRAME_SIZE. @type {(size: number) => void} */
  setMaxFrame(size) {
    this.#maxFrame = size;
  }

  /** Follows SETTINGS_INITIAL_WINDOW_SIZE; false: too large (RFC 9113 6.9.2). @type {(size: number) => boolean} */
  setStreamWindow(size) {
    const change = size - this.#streamWindow;
    this.#streamWindow = size;
    for (const stream of this.#uploads) stream.window += change;
    return [...this.#uploads].every(({ window }) => window <= MAX_WINDOW);
  }

  /** Follows WINDOW_UPDATE; false: it is too large. @type {(stream: Stream | null, more: number) => boolean} */
  addWindow(stream, more) {
    if (stream === null) this.#window += more;
    else stream.window += more;
    return (stream === null ? this.#window : stream.window) <= MAX_WINDOW;
  }

  /** Notes a WINDOW_UPDATE; true: it returns bytes that were sent. @type {(more: number) => boolean} */
  takeReturned(more) {
    const returned = Math.min(more, this.#unreturned);
    this.#unreturned -= returned;
    return returned > 0;
  }

  get hasWork() {
    return this.#control.length > 0 || this.#uploads.size > 0;
  }
}
