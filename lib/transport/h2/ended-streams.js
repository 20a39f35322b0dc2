/** @import { Wire } from '../wire/connection.js' */
/** @import { Stream } from './stream.js' */

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
