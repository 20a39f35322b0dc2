import { makeError } from '../../errors.js';
import { openSocket } from './open-socket.js';
import { ResponseParser } from './parser.js';
import { Place } from './place.js';
import { WireResponse } from './response.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Endpoint, Request } from '../../flow/types.js'
 * @import { Wants } from '../types.js'
 * @import { Wire } from './connection.js'
 */

/**
 * One connection that several lanes share: requests go out together, responses come back in the same order (RFC 9112
 * 9.3.2). Each lane has a place in it, which is its connection.
 */
export class Pipeline {
  #endpoint;
  #wire;
  #parser;
  /** @type {Socket | null} */
  #socket = null;
  #isOpen = false;
  /** requests that the socket has carried */
  #carried = 0;
  #reuseUntil = Infinity;
  /** whose requests are to be written @type {Place[]} */
  #outgoing = [];
  /** whose responses are to come @type {Place[]} */
  #waiting = [];
  /** @type {Set<Place>} */
  #places = new Set();

  /**
   * @param {Endpoint} endpoint
   * @param {Wire} wire
   */
  constructor(endpoint, wire) {
    this.#endpoint = endpoint;
    this.#wire = wire;
    this.#parser = new ResponseParser({ ...wire.limits, memo: wire.memo });
  }

  get size() {
    return this.#places.size;
  }

  enter() {
    const place = new Place(this);
    this.#places.add(place);
    return place;
  }

  /** The last one closes the connection. @type {(place: Place) => void} */
  leave(place) {
    this.#places.delete(place);
    if (this.#places.size === 0) this.#drop();
  }

  /** @type {(place: Place, request: Request, wants: Wants) => void} */
  send(place, request, wants) {
    place.body = request.body === null ? null : Buffer.from(request.body);
    place.head = this.#wire.encodeHead(request, place.body?.length ?? 0);
    place.wanted = {
      method: request.method,
      head: wants !== 'status',
      body: wants === 'body',
      maxBodySize: this.#wire.limits.maxBodySize,
    };
    if (this.#outgoing.push(place) === 1) this.#wire.outbox.add(this);
  }

  /** All that came together in this turn goes out in one write. @type {(now: number) => void} */
  flush(now) {
    if (this.#outgoing.length === 0) return;
    if (this.#socket === null || (this.#waiting.length === 0 && now >= this.#reuseUntil)) this.#open();
    else if (this.#isOpen) this.#write(now);
  }

  /** One gives up: what else is on its way cannot be told from its response, so that the connection ends. @type {(place: Place, error: Error) => void} */
  abort(place, error) {
    const others = [...this.#waiting, ...this.#outgoing].filter((other) => other !== place);
    this.#drop();
    place.settle(error);
    for (const other of others) other.settle(makeError('E_PIPELINE'));
  }

  /** @type {(socket: Socket, at: number) => void} */
  connected(socket, at) {
    if (socket !== this.#socket) return;
    for (const place of this.#outgoing) place.connectedAt = at;
  }

  /** @type {(socket: Socket) => void} */
  opened(socket) {
    if (socket !== this.#socket) return;
    this.#isOpen = true;
    this.#write(this.#wire.now());
  }

  /** @type {(socket: Socket, size: number) => void} */
  received(socket, size) {
    if (socket !== this.#socket) return;
    const now = this.#wire.now();
    try {
      for (let at = 0; at < size && socket === this.#socket;) {
        const [place] = this.#waiting;
        if (!place) {
          // bytes that answer no request
          this.#wire.traffic.totals.discarded++;
          return this.#drop();
        }
        if (!place.sawBytes) {
          place.sawBytes = true;
          place.firstByteAt = now;
          this.#wire.timings.ttfb(now - place.sentAt);
        }
        at = this.#parser.feed(this.#wire.buffer, at, size);
        if (this.#parser.isDone) this.#complete(place, now);
      }
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
    }
  }

  /** @type {(socket: Socket) => void} */
  ended(socket) {
    if (socket !== this.#socket || this.#carried === 0) return;
    const [place] = this.#waiting;
    const code = place ? this.#parser.end(true) : 'E_RESET_BEFORE_HEAD';
    if (place && code === null) this.#complete(place, this.#wire.now());
    if (socket !== this.#socket) return;
    this.#wire.traffic.totals.closedByServer++;
    this.#fail(makeError(code ?? 'E_RESET_BEFORE_HEAD', { received: this.#parser.received }));
  }

  /** @type {(socket: Socket, error: any) => void} */
  broke(socket, error) {
    if (socket !== this.#socket) return;
    if (this.#isOpen)
      this.#fail(
        makeError(this.#parser.end(false) ?? 'E_BODY_SHORT', { received: this.#parser.received }, { cause: error }),
      );
    else {
      if (error && error.syscall !== 'getaddrinfo') this.#wire.forgetAddress(this.#endpoint.hostname);
      this.#failAll(error ?? makeError('E_RESET_BEFORE_HEAD'));
    }
  }

  #open() {
    this.#drop({ keepsOutgoing: true });
    try {
      this.#socket = openSocket(this.#endpoint, this.#wire, this);
    } catch (error) {
      this.#failAll(/** @type {Error} */ (error));
    }
  }

  /** @type {(now: number) => void} */
  #write(now) {
    const { totals } = this.#wire.traffic;
    const socket = /** @type {Socket} */ (this.#socket);
    const places = this.#outgoing;
    let heads = '';
    this.#outgoing = [];
    socket.cork();
    for (const place of places) {
      if (this.#waiting.push(place) === 1) this.#parser.begin(place.wanted);
      place.wasSent = true;
      place.sentAt = now;
      place.wasReused = this.#carried++ > 0;
      if (place.wasReused) totals.reused++;
      heads += place.head;
      if (place.body) {
        socket.write(heads, 'latin1');
        socket.write(place.body);
        heads = '';
      }
    }
    if (heads) socket.write(heads, 'latin1');
    socket.uncork();
  }

  /** @type {(place: Place, now: number) => void} */
  #complete(place, now) {
    const parser = this.#parser;
    const response = new WireResponse(parser);
    const {
      keepsConnection,
      head: { lifetimeMs },
    } = parser;
    this.#waiting.shift();
    this.#reuseUntil = lifetimeMs === Infinity ? Infinity : now + lifetimeMs;
    if (!keepsConnection) {
      this.#wire.traffic.totals.closedByServer++;
      // what was sent behind it will not be answered
      this.#fail(makeError('E_RESET_BEFORE_HEAD'));
    } else if (this.#waiting.length > 0) parser.begin(this.#waiting[0].wanted);
    place.endedAt = now;
    place.settle(null, response);
  }

  /** The first that waits has this error, the others none of their own: they were never answered. @type {(error: Error) => void} */
  #fail(error) {
    const [first, ...others] = this.#waiting;
    this.#drop({ keepsOutgoing: true });
    first?.settle(error);
    for (const other of others) other.settle(makeError('E_RESET_BEFORE_HEAD'));
    if (this.#outgoing.length > 0) this.#wire.outbox.add(this);
  }

  /** @type {(error: Error) => void} */
  #failAll(error) {
    const places = [...this.#waiting, ...this.#outgoing];
    this.#drop();
    for (const place of places) place.settle(error);
  }

  #drop({ keepsOutgoing = false } = {}) {
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    this.#carried = 0;
    this.#reuseUntil = Infinity;
    this.#waiting = [];
    if (!keepsOutgoing) this.#outgoing = [];
    socket?.destroy();
  }
}
