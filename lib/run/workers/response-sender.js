import { ResponseBatch } from '../response-events.js';

/**
 * @import { CompiledFlow } from '../../flow/types.js'
 * @import { OnResponse } from '../../iteration/exchange-plan.js'
 */

/** 400 kB: what a worker receives in 0.2 s at 50,000 responses per second. */
const MOST = 10_000;

/**
 * Sends the responses of a worker to the main thread in batches. The next batch is sent when the main thread has emitted
 * the last one, so a slow listener cannot fill the memory: responses that do not fit are counted, and dropped.
 */
export class ResponseSender {
  #batch;
  #post;
  #isPending = false;
  #missed = 0;

  /**
   * @param {CompiledFlow} flow
   * @param {(rows: Float64Array<ArrayBuffer>, missed: number) => void} post missed: responses that were dropped since the last call
   * @param {number} [most] responses in a batch
   */
  constructor(flow, post, most = MOST) {
    this.#batch = new ResponseBatch(flow, most);
    this.#post = post;
  }

  /** @type {OnResponse} */
  add = (...response) => {
    if (this.#batch.isFull) this.flush();
    if (this.#batch.isFull) this.#missed++;
    else this.#batch.add(...response);
  };

  /** Sends what has been collected, unless the main thread is still busy with the last batch. */
  flush() {
    if (!this.#isPending) this.end();
  }

  /** The main thread has emitted the last batch. */
  acknowledge() {
    this.#isPending = false;
    if (this.#batch.isFull) this.end();
  }

  /** Sends the rest. */
  end() {
    if (this.#batch.isEmpty && this.#missed === 0) return;
    this.#isPending = true;
    this.#post(this.#batch.take(), this.#missed);
    this.#missed = 0;
  }
}
