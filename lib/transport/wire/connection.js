import { makeError } from '../../errors.js';
import { isStillWriting } from '../still-writing.js';
import { SYSTEM_RESETS } from '../system-resets.js';
import { openSocket } from './open-socket.js';
import { ResponseParser } from './parser.js';
import { WireResponse } from './response.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Endpoint, Request } from '../../flow/types.js'
 * @import { Response, Timings, Wants } from '../types.js'
 * @import { Traffic } from '../traffic.js'
 * @import { Dial } from './dial.js'
 * @import { HeadMemo } from './head-memo.js'
 * @import { Outbox } from './outbox.js'
 *
 * @typedef {object} Wire what the connections of a thread share
 * @property {Dial} dial
 * @property {(request: Request, size: number) => string} encodeHead
 * @property {Buffer} buffer all reads go to it
 * @property {HeadMemo} memo
 * @property {Outbox} outbox
 * @property {Traffic} traffic
 * @property {Timings} timings
 * @property {() => number} now ms
 * @property {(hostname: string) => void} forgetAddress
 * @property {{ maxBodySize: number, maxHeadBytes: number, maxFields: number }} limits
 */

/**
 * One connection to an endpoint, opened when there is something to send, and again when it was closed.
 * One exchange at a time; the parser decides when it is over.
 */
export class WireConnection {
  #endpoint;
  #wire;
  #parser;
  /** what the parser is to keep of the response; one object for all exchanges */
  #wanted;
  /** of now; events of an earlier one are nobody's @type {Socket | null} */
  #socket = null;
  /** requests that the socket has carried */
  #carried = 0;
  /** ms, after which the server may have closed the socket */
  #reuseUntil = Infinity;
  /** an exchange is under way */
  #isWaiting = false;
  #text = '';
  /** of a body that is no ASCII @type {Buffer | null} */
  #bytes = null;
  /** @type {(response: Response) => void} */
  #resolve = () => {};
  /** @type {(error: Error) => void} */
  #reject = () => {};
  isDead = false;
  wasSent = false;
  wasReused = false;
  sawBytes = false;
  connectedAt = 0;
  sentAt = 0;
  firstByteAt = 0;
  endedAt = 0;

  /**
   * @param {Endpoint} endpoint
   * @param {Wire} wire
   */
  constructor(endpoint, wire) {
    this.#endpoint = endpoint;
    this.#wire = wire;
    this.#parser = new ResponseParser({ ...wire.limits, memo: wire.memo });
    this.#wanted = { method: 'GET', head: false, body: false, maxBodySize: wire.limits.maxBodySize };
  }

  get isConnecting() {
    return !this.wasSent;
  }

  /** @type {(request: Request, wants: Wants) => Promise<Response>} */
  send(request, wants) {
    this.wasSent = false;
    this.wasReused = false;
    this.sawBytes = false;
    this.connectedAt = this.sentAt = this.firstByteAt = 0;
    this.#wanted.method = request.method;
    this.#wanted.head = wants !== 'status';
    this.#wanted.body = wants === 'body';
    this.#encode(request);
    return new Promise((resolve, reject) => {
      this.#isWaiting = true;
      this.#resolve = resolve;
      this.#reject = reject;
      if (this.#socket !== null && (this.#reuseUntil === Infinity || this.#wire.now() < this.#reuseUntil))
        this.#wire.outbox.add(this);
      else this.#open();
    });
  }

  /** @type {(error: Error) => void} */
  abort(error) {
    this.close();
    this.#fail(error);
  }

  close() {
    this.isDead = true;
    this.#leave();
  }

  #open() {
    this.#leave();
    try {
      this.#socket = openSocket(this.#endpoint, this.#wire, this);
    } catch (error) {
      // options of TLS that OpenSSL cannot read are found out here
      this.#fail(/** @type {Error} */ (error));
      return;
    }
    this.#carried = 0;
    this.#reuseUntil = Infinity;
  }

  /** @type {(socket: Socket, at: number) => void} */
  connected(socket, at) {
    if (socket === this.#socket) this.connectedAt = at;
  }

  /** @type {(socket: Socket) => void} */
  opened(socket) {
    if (socket === this.#socket) this.#write(socket, this.#wire.now());
  }

  /** Its turn to write what was to be sent, if that is still so. @type {(now: number) => void} */
  flush(now) {
    if (!this.#isWaiting || this.wasSent) return;
    if (this.#socket === null) this.#open();
    else this.#write(this.#socket, now);
  }

  /** One write, head and body together. @type {(socket: Socket, now: number) => void} */
  #write(socket, now) {
    this.#parser.begin(this.#wanted);
    this.wasSent = true;
    this.sentAt = now;
    if (this.#carried++ > 0) {
      this.wasReused = true;
      this.#wire.traffic.totals.reused++;
    }
    const bytes = this.#bytes;
    if (bytes === null) {
      socket.write(this.#text, 'latin1');
      return;
    }
    socket.cork();
    socket.write(this.#text, 'latin1');
    socket.write(bytes);
    socket.uncork();
  }

  /** What is to be written: encoded before its turn comes, so that the writes of a turn follow close on each other. @type {(request: Request) => void} */
  #encode(request) {
    const { body } = request;
    const size = body === null ? 0 : Buffer.byteLength(body);
    const head = this.#wire.encodeHead(request, size);
    // as many bytes as characters: ASCII
    const isAscii = typeof body === 'string' && body.length === size;
    this.#text = isAscii ? head + body : head;
    this.#bytes = isAscii || body === null ? null : typeof body === 'string' ? Buffer.from(body) : body;
  }

  /** @type {(socket: Socket, size: number) => void} */
  received(socket, size) {
    if (socket !== this.#socket) return;
    if (!this.#isWaiting || !this.wasSent) {
      // bytes that answer no request (RFC 9112 9.2): nothing that follows can be trusted
      this.#wire.traffic.totals.discarded++;
      this.#leave();
      return;
    }
    const now = this.#wire.now();
    if (!this.sawBytes) {
      this.sawBytes = true;
      this.firstByteAt = now;
      this.#wire.timings.ttfb(this.firstByteAt - this.sentAt);
    }
    const parser = this.#parser;
    try {
      const end = parser.feed(this.#wire.buffer, 0, size);
      if (parser.isDone) this.#complete(socket, now, end < size);
    } catch (error) {
      this.#leave();
      this.#fail(/** @type {Error} */ (error));
    }
  }

  /** @type {(socket: Socket, now: number, hasExcess: boolean) => void} */
  #complete(socket, now, hasExcess) {
    const parser = this.#parser;
    const response = new WireResponse(parser);
    this.#isWaiting = false;
    this.endedAt = now;
    if (!parser.keepsConnection) this.#wire.traffic.totals.closedByServer++;
    else if (hasExcess) this.#wire.traffic.totals.discarded++;
    // bytes after the end belong to no request
    if (!parser.keepsConnection || hasExcess || isStillWriting(socket)) this.#leave();
    else if (parser.head.lifetimeMs !== Infinity) this.#reuseUntil = now + parser.head.lifetimeMs;
    this.#resolve(response);
  }

  /** The server sends no more. @type {(socket: Socket) => void} */
  ended(socket) {
    // before the first request the handshake was not finished: an error follows and tells it
    if (socket !== this.#socket || this.#carried === 0) return;
    const code = this.#isWaiting && this.wasSent ? this.#parser.end(true) : 'E_RESET_BEFORE_HEAD';
    if (code === null) {
      this.#complete(socket, this.#wire.now(), false);
      return;
    }
    this.#wire.traffic.totals.closedByServer++;
    this.#leave();
    if (this.wasSent) this.#fail(makeError(code, { received: this.#parser.received }));
  }

  /** @type {(socket: Socket, error: any) => void} */
  broke(socket, error) {
    if (socket !== this.#socket) return;
    this.#leave();
    if (this.#carried > 0) this.#wire.traffic.totals.closedByServer++;
    const isInOutbox = this.#carried > 0 && !this.wasSent;
    if (!this.#isWaiting || isInOutbox) return;
    if (!this.wasSent && error && error.syscall !== 'getaddrinfo') this.#wire.forgetAddress(this.#endpoint.hostname);
    const isReset = this.wasSent && (!error || SYSTEM_RESETS.has(error.code));
    if (!isReset && error) this.#fail(error);
    else
      this.#fail(
        makeError(this.#parser.end(false) ?? 'E_BODY_SHORT', { received: this.#parser.received }, { cause: error }),
      );
  }

  /** Gives the socket up; a request that waits for its turn opens another. */
  #leave() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.destroy();
  }

  /** @type {(error: Error) => void} */
  #fail(error) {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#reject(error);
  }
}
