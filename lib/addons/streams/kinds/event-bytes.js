import { makeError } from '../../../core/ground/errors.js';
import { JoinedBytes } from '../../../core/process/body-memory.js';

/** @import { BodyAccount } from '../../../core/process/body-memory.js' */

const NOTHING = Buffer.alloc(0);
const LINE_FEED = Buffer.from('\n');

/**
 * The bytes of one event. Those that came in one piece are not copied; others are joined in memory that the next event
 * uses again. An event may have a limited number of bytes, kept or not.
 */
export class EventBytes {
  #most;
  #keeps;
  #joined;
  /** The piece in which the event began, until that is left. @type {Buffer} */
  #piece = NOTHING;
  #from = 0;
  #to = 0;
  size = 0;

  /** @param {{ maxEventBytes: number, keeps: boolean, account?: BodyAccount }} options */
  constructor({ maxEventBytes, keeps, account }) {
    this.#most = maxEventBytes;
    this.#keeps = keeps;
    this.#joined = new JoinedBytes(account);
  }

  /**
   * Adds bytes of a piece.
   * @throws {Error} E_EVENT_TOO_LARGE, E_BODY_MEMORY
   * @type {(bytes: Buffer, from: number, to: number) => void}
   */
  add(bytes, from, to) {
    const isFirst = this.size === 0;
    this.size += to - from;
    if (this.size > this.#most) throw makeError('E_EVENT_TOO_LARGE', { limit: this.#most });
    if (!this.#keeps) return;
    if (isFirst) {
      this.#piece = bytes;
      this.#from = from;
      this.#to = to;
      return;
    }
    this.leavePiece();
    this.#joined.add(bytes, from, to, this.#most);
  }

  addLineFeed() {
    this.add(LINE_FEED, 0, 1);
  }

  /** Copies what the event has of a piece, which may be overwritten afterwards. */
  leavePiece() {
    if (this.#piece === NOTHING) return;
    this.#joined.add(this.#piece, this.#from, this.#to, this.#most);
    this.#piece = NOTHING;
  }

  get text() {
    if (this.#piece !== NOTHING) return this.#piece.toString('utf8', this.#from, this.#to);
    return this.#joined.view.toString();
  }

  /** Removes the last byte. */
  dropLast() {
    this.size--;
    if (this.#piece !== NOTHING) this.#to--;
    else this.#joined.dropLast();
  }

  /** Returns the text, and begins the next one. @type {() => string} */
  take() {
    const { text } = this;
    this.clear();
    return text;
  }

  /** Begins the next event. */
  clear() {
    this.#piece = NOTHING;
    this.#joined.clear();
    this.size = 0;
  }

  /** Discards all bytes and their memory. */
  release() {
    this.clear();
    this.#joined.drop();
  }
}
