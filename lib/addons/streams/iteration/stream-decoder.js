import { makeError } from '../../../core/ground/errors.js';
import { decodeError, decoderOf } from '../../../core/iteration/session/decode.js';

/** @import { Transform } from 'node:stream' */
/** @import { BodyAccount } from '../../../core/process/body-memory.js' */

/** Bytes of the beginning that tell how deflate is wrapped. */
const HEAD_BYTES = 2;
/** Memory of a decoder: its window and its output. */
const DECODER_BYTES = 64 * 1024;

/**
 * Decodes a stream as it arrives. The input that waits for the decoder is bounded, and it goes on when its output was
 * read, so a small response that becomes a large one takes no more memory than any other.
 */
export class StreamDecoder {
  #coding;
  #account;
  #most;
  #onData;
  #onError;
  /** @type {Transform | null} */
  #transform = null;
  /** The beginning, until there are enough bytes for a decoder. */
  #head = Buffer.alloc(0);
  /** When the pieces that are not decoded yet arrived. @type {number[]} */
  #arrivals = [];
  #waitingBytes = 0;
  /** When the last piece arrived. */
  #lastAt = NaN;
  /** Called when all pieces so far are decoded. @type {(() => void) | null} */
  #onIdle = null;
  /** Called when the last piece of the response is decoded. @type {(() => void) | null} */
  #onEnd = null;
  #isOver = false;

  /**
   * @param {object} options
   * @param {string} options.coding that {@link decoderOf} knows
   * @param {BodyAccount} options.account counts the memory
   * @param {number} options.most bytes that may wait to be decoded
   * @param {(bytes: Buffer, arrivedAt: number) => void} options.onData
   * @param {(error: Error) => void} options.onError receives the error of the decoder, or of `onData`
   */
  constructor({ coding, account, most, onData, onError }) {
    this.#coding = coding;
    this.#account = account;
    this.#most = most;
    this.#onData = onData;
    this.#onError = onError;
    account.reserve(DECODER_BYTES);
  }

  get isIdle() {
    return this.#arrivals.length === 0;
  }

  /**
   * Takes a piece, which may be overwritten afterwards.
   * @throws {Error} E_BODY_TOO_LARGE, E_BODY_MEMORY
   * @type {(bytes: Buffer, from: number, to: number, now: number) => void}
   */
  write(bytes, from, to, now) {
    if (this.#isOver) return;
    const piece = Buffer.from(bytes.subarray(from, to));
    this.#lastAt = now;
    if (this.#transform !== null) this.#send(this.#transform, piece);
    else {
      this.#head = Buffer.concat([this.#head, piece]);
      if (this.#head.length >= HEAD_BYTES) this.#begin();
    }
  }

  /** Ends the input: `onEnd` is called when all of it is decoded. @type {(onEnd: () => void) => void} */
  end(onEnd) {
    if (this.#transform === null && this.#head.length > 0) this.#begin();
    if (this.#transform === null || this.#isOver) onEnd();
    else {
      this.#onEnd = onEnd;
      this.#transform.end();
    }
  }

  /** Calls `onIdle` when all pieces so far are decoded. @type {(onIdle: () => void) => void} */
  whenIdle(onIdle) {
    if (this.isIdle || this.#isOver) onIdle();
    else this.#onIdle = onIdle;
  }

  /** Discards the pieces that are not decoded yet. */
  release() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#account.free(DECODER_BYTES + this.#waitingBytes);
    this.#arrivals = [];
    this.#transform?.destroy();
    // In a later turn, because the stream may release it while it reads an event.
    if (this.#onIdle !== null || this.#onEnd !== null)
      setImmediate(() => {
        this.#idle();
        this.#ended();
      });
  }

  #begin() {
    const { create } = /** @type {NonNullable<ReturnType<typeof decoderOf>>} */ (decoderOf(this.#coding));
    const transform = (this.#transform = create(this.#head));
    transform.on('readable', () => this.#read(transform));
    transform.on('end', () => this.#ended());
    transform.on('error', (cause) => this.#fail(decodeError(this.#coding, cause)));
    this.#send(transform, this.#head);
  }

  /** @type {(transform: Transform, piece: Buffer) => void} */
  #send(transform, piece) {
    const { length } = piece;
    if (this.#waitingBytes + length > this.#most) throw makeError('E_BODY_TOO_LARGE', { limit: this.#most });
    this.#account.reserve(length);
    this.#waitingBytes += length;
    this.#arrivals.push(this.#lastAt);
    transform.write(piece, () => {
      if (this.#isOver) return;
      this.#read(transform);
      this.#account.free(length);
      this.#waitingBytes -= length;
      this.#arrivals.shift();
      if (this.isIdle) this.#idle();
    });
  }

  /** Reads the output of the decoder, which belongs to the oldest piece. @type {(transform: Transform) => void} */
  #read(transform) {
    while (!this.#isOver) {
      const bytes = transform.read();
      if (bytes === null) return;
      try {
        this.#onData(bytes, this.#arrivals[0] ?? this.#lastAt);
      } catch (error) {
        this.#fail(/** @type {Error} */ (error));
      }
    }
  }

  /** @type {(error: Error) => void} */
  #fail(error) {
    if (this.#isOver) return;
    this.#onError(error);
    this.release();
  }

  #idle() {
    const onIdle = this.#onIdle;
    this.#onIdle = null;
    onIdle?.();
  }

  #ended() {
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    onEnd?.();
  }
}
