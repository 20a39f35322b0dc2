import { makeError } from '../../ground/errors.js';
import { countAnswer } from '../addresses.js';
import { ExchangeProgress, closerOf } from '../exchange-parts.js';
import { asksToClose, isServersEnd } from './connection.js';
import { ResponseParser } from './parser.js';
import { WireResponse } from './response.js';

/** @import { Socket } from 'node:net' */
/** @import { Request } from '../../contracts/request.js' */
/** @import { Needs, Receiver, Response } from '../../contracts/response.js' */
/** @import { AddressFigures } from '../../contracts/stats.js' */
/** @import { Endpoint } from '../../http/endpoint.js' */
/** @import { BodyAccount } from '../../process/body-memory.js' */
/** @import { Wire } from './connection.js' */

/**
 * With --pipelining, one connection that the lanes of a virtual user share: requests are sent together, and responses
 * arrive in the same order (RFC 9112 9.3.2). Each lane has a slot of it, which is its Connection:
 *
 *     slot.send -> #outgoing -> (outbox) -> flush -+-> #write -> #waiting -> onData … -> #complete -> slot.complete
 *                                                  +-> #open -> onOpen -> #write
 */
export class Pipeline {
  #endpoint;
  #wire;
  #parser;
  /** @type {Socket | null} */
  #socket = null;
  #isOpen = false;
  /** @type {Slot['link']} */
  #link = null;
  /** The address of the socket, if the name has several. @type {AddressFigures | null} */
  #peer = null;
  /** Requests sent on the current socket. */
  #carried = 0;
  /** From this instant on, the server may have closed the socket. */
  #reuseUntil = Infinity;
  /** Slots with a request to be written. @type {Slot[]} */
  #outgoing = [];
  /** Slots with a response to arrive, in this order. @type {Slot[]} */
  #waiting = [];
  /** @type {Set<Slot>} */
  #slots = new Set();

  /** @param {Endpoint} endpoint @param {Wire} wire */
  constructor(endpoint, wire) {
    this.#endpoint = endpoint;
    this.#wire = wire;
    this.#parser = new ResponseParser({ ...wire.limits, memo: wire.memo });
  }

  /** Adds a slot. `bodies` counts its kept bodies. @type {(bodies?: BodyAccount) => Slot} */
  addSlot(bodies) {
    const slot = new Slot(this, bodies);
    this.#slots.add(slot);
    return slot;
  }

  /** Closes the connection with its last slot. @type {(slot: Slot) => void} */
  removeSlot(slot) {
    this.#slots.delete(slot);
    if (this.#slots.size === 0) this.#drop();
  }

  /** @type {(slot: Slot, request: Request, needs: Needs) => void} */
  send(slot, request, needs) {
    slot.body = request.body === null ? null : Buffer.from(request.body);
    slot.head = this.#wire.encodeHead(request, slot.body?.length ?? 0);
    slot.expected = {
      method: request.method,
      head: needs !== 'status',
      body: needs === 'body',
      maxBodySize: this.#wire.limits.maxBodySize,
      bodies: slot.bodies,
      receiver: slot,
    };
    if (this.#outgoing.push(slot) === 1) this.#wire.outbox.add(this);
  }

  /** Writes the requests of this turn together. @type {(now: number) => void} */
  flush(now) {
    if (this.#outgoing.length === 0) return;
    if (this.#socket === null || (this.#waiting.length === 0 && now >= this.#reuseUntil)) this.#open();
    else if (this.#isOpen) this.#write(now);
  }

  /**
   * Ends the exchange of one slot. If its request was sent, the connection ends too: responses that are on their way
   * can no longer be assigned. Requests that were not written yet go to the next connection.
   * @type {(slot: Slot, error: Error) => void}
   */
  abort(slot, error) {
    const isSent = this.#waiting.includes(slot);
    const others = this.#waiting.filter((other) => other !== slot);
    this.#outgoing = this.#outgoing.filter((other) => other !== slot);
    // A connection that does not open may be why this exchange took too long: the others open another one.
    if (isSent || !this.#isOpen) this.#drop({ keepsOutgoing: true });
    this.removeSlot(slot);
    slot.fail(error);
    if (isSent) for (const other of others) other.fail(makeError('E_PIPELINE'));
    if (this.#outgoing.length > 0) this.#wire.outbox.add(this);
  }

  /** @type {(socket: Socket, at: number) => void} */
  onConnect(socket, at) {
    if (socket !== this.#socket) return;
    for (const slot of this.#outgoing) slot.connectedAt = at;
  }

  /** @type {(dialled: Socket, socket: Socket) => void} */
  onOpen(dialled, socket) {
    if (dialled !== this.#socket) return;
    this.#socket = socket;
    this.#isOpen = true;
    this.#link = this.#wire.traffic.linkOf(dialled);
    this.#peer = this.#wire.peerOf(dialled);
    this.#write(this.#wire.now());
  }

  /** @type {(socket: Socket, size: number) => void} */
  onData(socket, size) {
    if (socket !== this.#socket) return;
    const now = this.#wire.now();
    for (let at = 0; at < size && socket === this.#socket;) {
      const [slot] = this.#waiting;
      if (!slot) {
        // After unexpected bytes, requests that were not written yet go to the next connection.
        this.#wire.traffic.totals.discarded++;
        this.#drop({ keepsOutgoing: true });
        return;
      }
      if (!slot.sawBytes) {
        slot.sawBytes = true;
        slot.firstByteAt = now;
        this.#wire.timings.ttfb.update(now - slot.sentAt);
      }
      const next = this.#feed(at, size);
      if (next === null) return;
      slot.bytesIn += next - at;
      at = next;
      if (this.#parser.isDone) this.#complete(slot, now);
    }
  }

  /** @type {(at: number, size: number) => number | null} where it stopped; null: the bytes are no response */
  #feed(at, size) {
    try {
      return this.#parser.feed(this.#wire.buffer, at, size);
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
      return null;
    }
  }

  /** @type {(socket: Socket) => void} */
  onEnd(socket) {
    if (socket !== this.#socket || this.#carried === 0) return;
    const [slot] = this.#waiting;
    const code = slot ? this.#parser.end('closed') : 'E_RESET_BEFORE_HEAD';
    if (slot && code === null) this.#complete(slot, this.#wire.now());
    if (socket !== this.#socket) return;
    this.#wire.traffic.totals.closedByServer++;
    this.#fail(this.#resetError(code ?? 'E_RESET_BEFORE_HEAD'));
  }

  /** @type {(socket: Socket, error: any) => void} */
  onError(socket, error) {
    if (socket !== this.#socket) return;
    if (!this.#isOpen) {
      if (error) this.#wire.connectFailed(this.#endpoint, error);
      this.#failAll(error ?? this.#resetError('E_RESET_BEFORE_HEAD'));
    } else if (isServersEnd(error)) {
      this.#wire.traffic.totals.closedByServer++;
      this.#fail(this.#resetError(this.#parser.end('reset') ?? 'E_BODY_SHORT', { cause: error }));
    } else this.#fail(error);
  }

  /** @type {(code: string, options?: ErrorOptions) => Error} */
  #resetError(code, options) {
    const closer = closerOf(this.#endpoint.proxy);
    return makeError(code, { closer, received: this.#parser.received }, options);
  }

  #open() {
    this.#drop({ keepsOutgoing: true });
    try {
      this.#socket = this.#wire.open(this.#endpoint, this.#wire, this);
    } catch (error) {
      this.#failAll(/** @type {Error} */ (error));
    }
  }

  /** @type {(now: number) => void} */
  #write(now) {
    const { totals } = this.#wire.traffic;
    const socket = /** @type {Socket} */ (this.#socket);
    const slots = this.#outgoing;
    let heads = '';
    this.#outgoing = [];
    socket.cork();
    for (const slot of slots) {
      if (this.#waiting.push(slot) === 1) this.#parser.begin(slot.expected);
      slot.wasSent = true;
      slot.sentAt = now;
      slot.link = this.#link;
      slot.wasReused = this.#carried++ > 0;
      if (slot.wasReused) totals.reused++;
      heads += slot.head;
      if (slot.body) {
        socket.write(heads, 'latin1');
        socket.write(slot.body);
        heads = '';
      }
    }
    if (heads) socket.write(heads, 'latin1');
    socket.uncork();
  }

  /** @type {(slot: Slot, now: number) => void} */
  #complete(slot, now) {
    const parser = this.#parser;
    const response = new WireResponse();
    response.take(parser);
    const {
      keepsConnection,
      head: { lifetimeMs },
    } = parser;
    this.#waiting.shift();
    this.#reuseUntil = lifetimeMs === Infinity ? Infinity : now + lifetimeMs;
    if (!keepsConnection) {
      if (!asksToClose(slot.head)) this.#wire.traffic.totals.closedByServer++;
      // Later requests will not be answered.
      this.#fail(this.#resetError('E_RESET_BEFORE_HEAD'));
    } else if (this.#waiting.length > 0) parser.begin(this.#waiting[0].expected);
    slot.endedAt = now;
    if (this.#peer !== null) countAnswer(this.#peer, now - slot.sentAt);
    slot.complete(response, now);
  }

  /** The first request gets this error; the later ones were never answered. @type {(error: Error) => void} */
  #fail(error) {
    const [first, ...others] = this.#waiting;
    this.#drop({ keepsOutgoing: true });
    first?.fail(error);
    for (const other of others) other.fail(this.#resetError('E_RESET_BEFORE_HEAD'));
    if (this.#outgoing.length > 0) this.#wire.outbox.add(this);
  }

  /** @type {(error: Error) => void} */
  #failAll(error) {
    const slots = [...this.#waiting, ...this.#outgoing];
    this.#drop();
    for (const slot of slots) slot.fail(error);
  }

  #drop({ keepsOutgoing = false } = {}) {
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    this.#carried = 0;
    this.#reuseUntil = Infinity;
    this.#waiting = [];
    if (!keepsOutgoing) this.#outgoing = [];
    this.#parser.drop();
    socket?.destroy();
  }
}

/** The connection of one lane: a slot of a pipeline. */
class Slot extends ExchangeProgress {
  #pipeline;
  /** The receiver of the current exchange. @type {Receiver | null} */
  #receiver = null;
  head = '';
  /** @type {Buffer | null} */
  body = null;
  /** @type {import('./parser.js').Expected} */
  expected = { method: 'GET', head: false, body: false, maxBodySize: 0 };

  /** @param {Pipeline} pipeline @param {BodyAccount} [bodies] counts the bodies that are kept */
  constructor(pipeline, bodies) {
    super();
    this.#pipeline = pipeline;
    this.bodies = bodies;
  }

  /** @type {(request: Request, needs: Needs, receiver: Receiver) => void} */
  send(request, needs, receiver) {
    this.restart();
    this.#receiver = receiver;
    this.#pipeline.send(this, request, needs);
  }

  /** @override */
  get bytesOut() {
    return this.head.length + (this.body?.length ?? 0);
  }

  /** @type {NonNullable<Receiver['readsExcerpt']>} */
  readsExcerpt(statusCode) {
    return this.#receiver?.readsExcerpt?.(statusCode) === true;
  }

  /** Ends the exchange; only the first end counts. @type {(response: Response, now: number) => void} */
  complete(response, now) {
    this.#takeReceiver()?.onResponse(response, now);
  }

  /** Ends the exchange without one. @type {(error: Error) => void} */
  fail(error) {
    this.#takeReceiver()?.onError(error);
  }

  /** @type {(error: Error) => void} */
  abort(error) {
    // This comes before the receiver, which may send again.
    this.isDead = true;
    this.#pipeline.abort(this, error);
  }

  close() {
    this.isDead = true;
    this.#pipeline.removeSlot(this);
  }

  #takeReceiver() {
    const receiver = this.#receiver;
    this.#receiver = null;
    return receiver;
  }
}
