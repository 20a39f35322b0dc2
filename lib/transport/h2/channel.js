import { Session } from './session.js';

/** @import { Endpoint } from '../../http/endpoint.js' */
/** @import { Wire } from '../wire/connection.js' */
/** @import { KnownBlocks } from './hpack-decoder.js' */
/** @import { Http2Client } from './index.js' */
/** @import { Stream } from './stream.js' */

/**
 * Opens one session after another to an endpoint, for the streams of one virtual user, or of several that share it.
 * Streams wait here while the session has no room.
 */
export class Channel {
  #endpoint;
  /** The session for the next streams. @type {Session | null} */
  #session = null;
  /** Streams that wait for a free one. @type {Set<Stream>} */
  #waiting = new Set();
  #users = 0;

  /**
   * @param {Endpoint} endpoint
   * @param {{ wire: Wire, client: Http2Client, knownBlocks: KnownBlocks }} parts wire: to the endpoint; knownBlocks: of
   *   its responses
   */
  constructor(endpoint, { wire, client, knownBlocks }) {
    this.#endpoint = endpoint;
    this.wire = wire;
    this.client = client;
    this.knownBlocks = knownBlocks;
  }

  add() {
    this.#users++;
  }

  /** Closes the session with its last user. */
  remove() {
    this.#users--;
    if (this.#users > 0) return;
    this.#session?.retire();
    this.#session = null;
  }

  /** @type {(stream: Stream) => void} */
  send(stream) {
    const session = this.#session;
    if (session === null || !session.isUsable()) this.#open(stream);
    else if (session.hasRoom) session.add(stream);
    else {
      if (stream.waitsSince === 0) stream.waitsSince = this.wire.now();
      this.#waiting.add(stream);
    }
  }

  /** @type {(stream: Stream) => void} */
  #open(stream) {
    const session = new Session(this, this.#endpoint);
    this.#session = session;
    session.add(stream);
    session.open();
  }

  /** Cancels an exchange. @type {(stream: Stream) => void} */
  cancel(stream) {
    const { session } = stream;
    if (session !== null) session.cancel(stream);
    else this.#waiting.delete(stream);
  }

  /** Sends waiting streams while the session has room. */
  onRoom() {
    if (this.#waiting.size === 0) return;
    for (const stream of this.#waiting) {
      if (!this.#session?.hasRoom) return;
      this.#waiting.delete(stream);
      this.#session.add(stream);
    }
  }

  /**
   * Moves the unsent and the waiting streams to another session, as this one takes no more.
   * @type {(session: Session, unsent: Stream[]) => void}
   */
  onRetired(session, unsent) {
    const waiting = session === this.#session ? [...this.#waiting] : [];
    if (session === this.#session) {
      this.#session = null;
      this.#waiting.clear();
    }
    for (const stream of [...unsent, ...waiting]) this.send(stream);
  }
}
