import { UNCOUNTED } from './body-memory.js';

const NOTHING = Buffer.alloc(0);

/** Joins pieces in a Buffer that doubles, so that a body in pieces of one byte costs no more than a single piece. */
export class JoinedBytes {
  #account;
  #bytes = NOTHING;
  #size = 0;

  /** @param {import('./body-memory.js').BodyAccount} [account] counts what is allocated */
  constructor(account = UNCOUNTED) {
    this.#account = account;
  }

  /**
   * Copies a piece.
   *
   * @param {Buffer} source
   * @param {number} from
   * @param {number} to
   * @param {number} most bytes of all pieces together at most
   * @throws {Error} E_BODY_MEMORY
   */
  add(source, from, to, most) {
    const size = this.#size + to - from;
    if (size > this.#bytes.length) this.#grow(Math.max(size, Math.min(most, 2 * this.#bytes.length)));
    source.copy(this.#bytes, this.#size, from, to);
    this.#size = size;
  }

  /** Returns all bytes and becomes empty; the account still counts them. @returns {Buffer} */
  take() {
    const { length } = this.#bytes;
    // up to an eighth may be unused
    if (length - this.#size > this.#size / 8) {
      this.#account.free(length - this.#size);
      this.#bytes = Buffer.from(this.#bytes.subarray(0, this.#size));
    }
    const whole = this.#bytes.subarray(0, this.#size);
    this.#bytes = NOTHING;
    this.#size = 0;
    return whole;
  }

  /** Discards all bytes. */
  drop() {
    this.#account.free(this.#bytes.length);
    this.#bytes = NOTHING;
    this.#size = 0;
  }

  /** @type {(capacity: number) => void} */
  #grow(capacity) {
    this.#account.take(capacity - this.#bytes.length);
    const grown = Buffer.allocUnsafe(capacity);
    this.#bytes.copy(grown, 0, 0, this.#size);
    this.#bytes = grown;
  }
}
