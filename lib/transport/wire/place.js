/**
 * @import { Request } from '../../flow/types.js'
 * @import { Response, Wants } from '../types.js'
 * @import { Pipeline } from './pipeline.js'
 */

/** Where one lane stands in a pipeline: its connection. */
export class Place {
  #pipeline;
  /** @type {((error: Error | null, response?: Response) => void) | null} */
  #settle = null;
  head = '';
  /** @type {Buffer | null} */
  body = null;
  wanted = { method: 'GET', head: false, body: false, maxBodySize: 0 };
  isDead = false;
  wasSent = false;
  wasReused = false;
  sawBytes = false;
  connectedAt = 0;
  sentAt = 0;
  firstByteAt = 0;
  endedAt = 0;

  /** @param {Pipeline} pipeline */
  constructor(pipeline) {
    this.#pipeline = pipeline;
  }

  get isConnecting() {
    return !this.wasSent;
  }

  /** @type {(request: Request, wants: Wants) => Promise<Response>} */
  send(request, wants) {
    this.wasSent = this.wasReused = this.sawBytes = false;
    this.connectedAt = this.sentAt = this.firstByteAt = 0;
    return new Promise((resolve, reject) => {
      this.#settle = (error, response) => (error ? reject(error) : resolve(/** @type {Response} */ (response)));
      this.#pipeline.send(this, request, wants);
    });
  }

  /** Only the first end counts. @type {(error: Error | null, response?: Response) => void} */
  settle(error, response) {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(error, response);
  }

  /** @type {(error: Error) => void} */
  abort(error) {
    this.#pipeline.abort(this, error);
    this.close();
  }

  close() {
    this.isDead = true;
    this.#pipeline.leave(this);
  }
}
