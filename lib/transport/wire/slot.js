/**
 * @import { BodyAccount } from '../../body-memory.js'
 * @import { Request } from '../../flow/types.js'
 * @import { Response, Needs } from '../types.js'
 * @import { Pipeline } from './pipeline.js'
 */

/** The connection of one lane: a slot of a pipeline. */
export class Slot {
  #pipeline;
  /** @type {((error: Error | null, response?: Response) => void) | null} */
  #settle = null;
  head = '';
  /** @type {Buffer | null} */
  body = null;
  /** @type {import('./parser.js').Expected} */
  expected = { method: 'GET', head: false, body: false, maxBodySize: 0 };
  isDead = false;
  wasSent = false;
  wasReused = false;
  sawBytes = false;
  connectedAt = 0;
  sentAt = 0;
  firstByteAt = 0;
  endedAt = 0;

  /**
   * @param {Pipeline} pipeline
   * @param {BodyAccount} [bodies] counts the bodies that are kept
   */
  constructor(pipeline, bodies) {
    this.#pipeline = pipeline;
    this.bodies = bodies;
  }

  get isConnecting() {
    return !this.wasSent;
  }

  /** @type {(request: Request, needs: Needs) => Promise<Response>} */
  send(request, needs) {
    this.wasSent = this.wasReused = this.sawBytes = false;
    this.connectedAt = this.sentAt = this.firstByteAt = 0;
    return new Promise((resolve, reject) => {
      this.#settle = (error, response) => (error ? reject(error) : resolve(/** @type {Response} */ (response)));
      this.#pipeline.send(this, request, needs);
    });
  }

  /** Ends the exchange; only the first call counts. @type {(error: Error | null, response?: Response) => void} */
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
    this.#pipeline.removeSlot(this);
  }
}
