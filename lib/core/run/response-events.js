/** @import { ResponseEvent } from '../contracts/run.js' */
/** @import { Step } from '../contracts/step.js' */
/** @import { OnResponse } from '../iteration/step.js' */

/** Creates a function that emits responses. @type {(emit: (event: ResponseEvent) => void) => OnResponse} */
export function responseEmitter(emit) {
  return (step, index, status, serviceTime, bodyBytes) =>
    emit({ index: index ?? null, phase: step.phase, operation: step.name, status, serviceTime, bodyBytes });
}

/** 400 kB: a worker receives as much in 0.2 s at 50,000 responses per second. */
const MOST_ROWS = 10_000;

/**
 * Sends the responses of a worker to the main thread in batches. The next batch is sent when the main thread has
 * emitted the last one, so a slow listener cannot fill the memory: responses that do not fit are counted, and dropped.
 */
export class ResponseSender {
  #batch;
  #post;
  /** The main thread has not emitted the last batch yet. */
  #isPending = false;
  /** Responses that were dropped since the last batch. */
  #missed = 0;

  /**
   * @param {(batch: PostedBatch, missed: number) => void} post missed: responses that were dropped since the last
   *   call
   * @param {number} [most] responses in a batch
   */
  constructor(post, most = MOST_ROWS) {
    this.#batch = new ResponseBatch(most);
    this.#post = post;
  }

  /** @type {OnResponse} */
  add = (...response) => {
    if (this.#batch.isFull) this.flush();
    if (this.#batch.isFull) this.#missed++;
    else this.#batch.add(...response);
  };

  /** Sends the collected responses, unless the main thread is still busy with the last batch. */
  flush() {
    if (!this.#isPending) this.end();
  }

  /** Notes that the main thread has emitted the last batch. One that is not full waits for the next flush. */
  acknowledge() {
    this.#isPending = false;
    if (this.#batch.isFull) this.end();
  }

  /** Sends the rest, also while the main thread is busy: after the end nothing more is collected. */
  end() {
    if (this.#batch.isEmpty && this.#missed === 0) return;
    this.#isPending = true;
    this.#post(this.#batch.take(), this.#missed);
    this.#missed = 0;
  }
}

/**
 * @typedef {object} PostedBatch of responses, as a worker posts it
 * @property {{ phase: string, operation: string }[]} steps of its responses, each once
 * @property {Float64Array<ArrayBuffer>} rows {@link FIELDS} numbers of each response
 */

/** Numbers of one response in a batch: index, place of its step among those of the batch, status, ms, bytes. */
const FIELDS = 5;

/** The responses of a worker, collected for the main thread as numbers. */
export class ResponseBatch {
  #most;
  #rows;
  #count = 0;
  /** The places of steps by batch: a function may request new steps at any time. @type {Map<Step, number>} */
  #places = new Map();

  /** @param {number} most responses in a batch */
  constructor(most) {
    this.#most = most;
    this.#rows = new Float64Array(most * FIELDS);
  }

  get isEmpty() {
    return this.#count === 0;
  }

  get isFull() {
    return this.#count === this.#most;
  }

  /** @type {OnResponse} */
  add(step, index, status, ms, bytes) {
    const known = this.#places.get(step);
    const place = known ?? this.#places.size;
    if (known === undefined) this.#places.set(step, place);
    this.#rows.set([index ?? NaN, place, status, ms, bytes], this.#count++ * FIELDS);
  }

  /** Returns a copy, and empties the batch. @type {() => PostedBatch} */
  take() {
    const steps = Array.from(this.#places.keys(), ({ phase, name }) => ({ phase, operation: name }));
    const rows = this.#rows.slice(0, this.#count * FIELDS);
    this.#places.clear();
    this.#count = 0;
    return { steps, rows };
  }
}

/** Emits a batch in the main thread. @type {(batch: PostedBatch, emit: (event: ResponseEvent) => void) => void} */
export function emitBatch({ steps, rows }, emit) {
  for (let i = 0; i < rows.length; i += FIELDS) {
    const [index, place, status, serviceTime, bodyBytes] = rows.subarray(i, i + FIELDS);
    const { phase, operation } = /** @type {Pick<ResponseEvent, 'phase' | 'operation'>} */ (steps[place]);
    emit({ index: Number.isNaN(index) ? null : index, phase, operation, status, serviceTime, bodyBytes });
  }
}
