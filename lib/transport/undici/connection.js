import { makeError } from '../../errors.js';
import { isStillWriting } from '../still-writing.js';
import { SYSTEM_RESETS } from '../system-resets.js';
import { explain } from './explain.js';
import { UndiciResponse } from './response.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Client } from 'undici'
 * @import { Request } from '../../flow/types.js'
 * @import { Response, Timings, TransportTotals, Wants } from '../types.js'
 */

/**
 * A Client and the handler of its exchanges in one: nothing is made for a request but its promise.
 * The old form of the handler (onConnect, onHeaders, …) is what undici 7 uses inside; the new one costs 13 % more.
 */
export class UndiciConnection {
  #limits;
  #totals;
  /** @type {(response: Response) => void} */
  #resolve = () => {};
  /** @type {((error: Error) => void) | null} */
  #reject = null;
  /** @type {(error: Error) => void} */
  #abort = () => {};
  #wantsBody = false;
  #statusCode = 0;
  /** @type {Buffer[]} */
  #rawFields = [];
  /** @type {Buffer[]} */
  #chunks = [];
  #bodyBytes = 0;
  /** requests sent on the present socket @type {Socket | null} */
  #usedSocket = null;
  /** set before the first request @type {Client} */
  client = /** @type {any} */ (null);
  /** @type {Socket | null} */
  socket = null;
  /** what ended the present socket, other than its end in order @type {Error | null} */
  brokenBy = null;
  isDead = false;
  wasSent = false;
  wasReused = false;
  sawBytes = false;
  sawHead = false;
  connectedAt = 0;
  sentAt = 0;
  firstByteAt = 0;
  endedAt = 0;

  /**
   * @param {{ maxBodySize: number, maxHeaderSize: number, timings: Timings }} limits
   * @param {TransportTotals} totals
   */
  constructor(limits, totals) {
    this.#limits = limits;
    this.#totals = totals;
  }

  get maxHeaderSize() {
    return this.#limits.maxHeaderSize;
  }

  get bodyBytes() {
    return this.#bodyBytes;
  }

  get isConnecting() {
    return !this.wasSent;
  }

  /** @type {(request: Request, wants: Wants) => Promise<Response>} */
  send(request, wants) {
    this.wasSent = false;
    this.wasReused = false;
    this.sawBytes = false;
    this.sawHead = false;
    this.connectedAt = this.sentAt = this.firstByteAt = 0;
    this.#wantsBody = wants === 'body';
    this.#bodyBytes = 0;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      const { method, path, fields, extra, body } = request;
      this.client.dispatch(
        /** @type {any} */ ({ method, path, headers: extra ? fields.concat(extra) : fields, body, blocking: false }),
        /** @type {any} */ (this),
      );
    });
  }

  /** @type {(error: Error) => void} */
  abort(error) {
    const reject = this.#reject;
    this.#reject = null;
    this.close();
    reject?.(error);
  }

  close() {
    if (this.isDead) return;
    this.isDead = true;
    // what undici says of the exchange under way has been said already
    this.client.destroy().catch(() => {});
    this.socket?.destroy();
  }

  /** @type {(abort: (error: Error) => void) => void} */
  onConnect(abort) {
    if (this.isDead) {
      abort(makeError('E_CANCELLED'));
      return;
    }
    this.#abort = abort;
    this.wasSent = true;
    this.sentAt = performance.now();
    if (this.#usedSocket === this.socket) {
      this.wasReused = true;
      this.#totals.reused++;
    }
    this.#usedSocket = this.socket;
  }

  /** @type {(error: any) => void} */
  broke(error) {
    this.brokenBy = error;
    if (SYSTEM_RESETS.has(error.code)) this.#totals.closedByServer++;
    else if (!this.#reject && (error.name === 'HTTPParserError' || error.message === 'bad response'))
      this.#totals.discarded++;
  }

  onResponseStarted() {
    this.sawBytes = true;
    this.firstByteAt = performance.now();
    this.#limits.timings.ttfb(this.firstByteAt - this.sentAt);
  }

  /** @type {(statusCode: number, rawFields: Buffer[]) => boolean} */
  onHeaders(statusCode, rawFields) {
    this.sawHead = statusCode >= 200;
    this.#statusCode = statusCode;
    this.#rawFields = rawFields;
    return true;
  }

  /** @type {(chunk: Buffer) => boolean} */
  onData(chunk) {
    this.#bodyBytes += chunk.length;
    if (this.#wantsBody) {
      if (this.#bodyBytes > this.#limits.maxBodySize)
        this.#abort(makeError('E_BODY_TOO_LARGE', { limit: this.#limits.maxBodySize }));
      else this.#chunks.push(chunk);
    }
    return true;
  }

  onComplete() {
    if (!this.#reject) return;
    // a reset is no end of a body, though undici takes it for one where the connection closes after it
    if (this.brokenBy) return this.onError(this.brokenBy);
    this.#reject = null;
    this.endedAt = performance.now();
    if (isStillWriting(/** @type {Socket} */ (this.socket))) this.close();
    const body = this.#wantsBody ? joinChunks(this.#chunks) : null;
    if (body) this.#chunks = [];
    this.#resolve(new UndiciResponse(this.#statusCode, this.#rawFields, body, this.#bodyBytes));
  }

  /** @type {(error: Error) => void} */
  onError(error) {
    this.#chunks = [];
    const reject = this.#reject;
    this.#reject = null;
    // after a certificate of another host the Client lets every second request wait for ever
    if (!this.wasSent) this.close();
    reject?.(explain(error, this));
  }
}

/** @type {(chunks: Buffer[]) => Buffer} */
function joinChunks(chunks) {
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}
