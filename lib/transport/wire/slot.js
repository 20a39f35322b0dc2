import { ExchangeProgress } from '../exchange-progress.js';

/**
 * @import { BodyAccount } from '../../body-memory.js'
 * @import { Request } from '../../flow/types.js'
 * @import { Needs, Receiver, Response } from '../types.js'
 * @import { Pipeline } from './pipeline.js'
 */

/** The connection of one lane: a slot of a pipeline. */
export class Slot extends ExchangeProgress {
  #pipeline;
  /** of the current exchange @type {Receiver | null} */
  #receiver = null;
  head = '';
  /** @type {Buffer | null} */
  body = null;
  /** @type {import('./parser.js').Expected} */
  expected = { method: 'GET', head: false, body: false, maxBodySize: 0 };

  /**
   * @param {Pipeline} pipeline
   * @param {BodyAccount} [bodies] counts the bodies that are kept
   */
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

  /** Ends the exchange with its response; only the first end counts. @type {(response: Response, now: number) => void} */
  complete(response, now) {
    this.#takeReceiver()?.onResponse(response, now);
  }

  /** Ends the exchange without one. @type {(error: Error) => void} */
  fail(error) {
    this.#takeReceiver()?.onError(error);
  }

  /** @type {(error: Error) => void} */
  abort(error) {
    // before the receiver, which may send again
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
