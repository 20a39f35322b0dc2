/** @import { Request } from '../contracts/request.js' */

/** The time before a stream is opened again, unless the server sets another one, ms. */
const RECONNECT_MS = 1000;

/** The first of the growing pauses after connections without an event, and the longest one, ms. */
const FIRST_PAUSE_MS = 100;
const MOST_PAUSE_MS = 5000;

/** Characters that a field of a request cannot have. */
const UNSENDABLE = /[\0-\x08\x0a-\x1f\x7f]/;

/** Decides when a stream whose connection has ended is opened again, and with which request. */
export class StreamReopening {
  /** The request of the first connection. @type {Request | null} */
  #request = null;
  /** The connections without an event since the last one that had some. */
  #barren = 0;
  /** An event came over the current connection. */
  hasEvent = false;

  /** Returns the pause before the next connection. @type {(retryMs: number | null) => number} retryMs: of the server */
  pauseMs(retryMs) {
    const barren = this.#barrenSoFar;
    const leastMs = barren === 0 ? 0 : Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (barren - 1));
    return Math.max(leastMs, retryMs ?? RECONNECT_MS);
  }

  /** Connections without an event, with the current one. */
  get #barrenSoFar() {
    return this.hasEvent ? 0 : this.#barren + 1;
  }

  /** Creates the request that continues after an event. @type {(own: Request, lastEventId: string) => Request} */
  next(own, lastEventId) {
    this.#request ??= own;
    this.#barren = this.#barrenSoFar;
    this.hasEvent = false;
    const id = Buffer.from(lastEventId).toString('latin1');
    if (id === '' || UNSENDABLE.test(id)) return this.#request;
    return { ...this.#request, extra: [...(this.#request.extra ?? []), 'last-event-id', id] };
  }
}
