import { PHASES } from '../ground/phases.js';

/** @import { ResponseEvent } from '../contracts/run.js' */
/** @import { CompiledFlow } from '../contracts/step.js' */
/** @import { OnResponse } from '../iteration/step.js' */

/** Numbers of one response in a batch: index, number of the step, status, ms, bytes. */
const FIELDS = 5;

/** Creates a function that emits responses. @type {(emit: (event: ResponseEvent) => void) => OnResponse} */
export function responseEmitter(emit) {
  return (step, index, status, serviceTime, bodyBytes) =>
    emit({
      index: index ?? null,
      phase: step.phase,
      operation: step.name,
      status,
      serviceTime,
      bodyBytes,
    });
}

/** The responses of a worker, collected for the main thread as numbers. */
export class ResponseBatch {
  #most;
  #numbers;
  #rows;
  #count = 0;

  /** @param {CompiledFlow} flow @param {number} most responses in a batch */
  constructor(flow, most) {
    this.#most = most;
    this.#rows = new Float64Array(most * FIELDS);
    this.#numbers = new Map(PHASES.flatMap((phase) => flow[phase]).map((step, i) => [step, i]));
  }

  get isEmpty() {
    return this.#count === 0;
  }

  get isFull() {
    return this.#count === this.#most;
  }

  /** @type {OnResponse} */
  add(step, index, status, ms, bytes) {
    const row = [index ?? NaN, /** @type {number} */ (this.#numbers.get(step.caller ?? step)), status, ms, bytes];
    this.#rows.set(row, this.#count++ * FIELDS);
  }

  /** Returns a copy of the rows, and empties the batch. @type {() => Float64Array<ArrayBuffer>} */
  take() {
    const rows = this.#rows.slice(0, this.#count * FIELDS);
    this.#count = 0;
    return rows;
  }
}

/**
 * Creates a function that emits the events of a batch, in the main thread. The flow is the same as in the worker.
 * @type {(flow: CompiledFlow, emit: (event: ResponseEvent) => void) => (rows: Float64Array) => void}
 */
export function batchEmitter(flow, emit) {
  const steps = PHASES.flatMap((phase) => flow[phase].map(({ name }) => ({ phase, operation: name })));
  return (rows) => {
    for (let i = 0; i < rows.length; i += FIELDS) {
      const [index, number, status, serviceTime, bodyBytes] = rows.subarray(i, i + FIELDS);
      emit({ index: Number.isNaN(index) ? null : index, ...steps[number], status, serviceTime, bodyBytes });
    }
  };
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
  #isPending = false;
  #missed = 0;

  /**
   * @param {CompiledFlow} flow
   * @param {(rows: Float64Array<ArrayBuffer>, missed: number) => void} post missed: responses that were dropped since
   *   the last call
   * @param {number} [most] responses in a batch
   */
  constructor(flow, post, most = MOST_ROWS) {
    this.#batch = new ResponseBatch(flow, most);
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

  /** Notes that the main thread has emitted the last batch. */
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
