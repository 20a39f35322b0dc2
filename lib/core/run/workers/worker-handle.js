import { makeError } from '../../ground/errors.js';
import { given, number, optional, rebuild, record, tagged, text, where } from '../../ground/shape.js';
import { openFilesError } from '../../ground/system-errors.js';
import { NONE_RUNNING } from '../../measure/judge-thresholds.js';
import { afterTimeToAnswer, clock } from '../clock.js';
import { startedCounts } from '../load/arrivals.js';
import { RunnerThread } from '../runner.js';
import { Overdue } from '../silence.js';
import { fromPlain } from './plain-error.js';

/** @import { Clock } from '../../contracts/clock.js' */
/** @import { TransportTotals } from '../../contracts/connection.js' */
/** @import { AddressFigures, LogFileSummary } from '../../contracts/stats.js' */
/** @import { SenderSummary } from '../../contracts/summaries.js' */
/** @import { Recorder } from '../../measure/recorder.js' */
/** @import { WarmUpResult, Loss } from '../types.js' */
/** @import { FromWorker, Report, Responses, WorkerData, WorkerListener } from './types.js' */

/** Time for a worker to answer after an abort, ms; the event loop of one that does not answer is blocked. */
const ABORT_MS = 1000;
/** At least this much of it is left for a worker that has been silent for a while. */
const SILENT_ABORT_MS = 250;

/** @typedef {{ resolve: (result: any) => void, reject: (error: Error) => void }} PendingRequest */

/** One worker thread of a pool, as the main thread sees it. */
export class WorkerHandle extends RunnerThread {
  #listener;
  #overdue = new Overdue((silentMs) => this.#terminateSilent(silentMs));
  #cancelAbort = () => {};
  /** The request that is not answered yet, at first the start of the worker. @type {PendingRequest | null} */
  #pending = null;
  /** Its first request, the start, was answered. */
  #isReady = false;
  /** It was refused, lost or closed: its messages are ignored. */
  #hasEnded = false;
  name;
  progress;
  /** Resolves when the worker has read the flow; rejects with the error of reading it. @type {Promise<void>} */
  ready;

  /** @param {WorkerData} data @param {WorkerListener} listener */
  constructor(data, listener) {
    const name = `worker ${data.worker + 1} of ${data.workers}`;
    super(new URL('./entry.js', import.meta.url), { data, name });
    this.name = name;
    const { worker, memory, options } = data;
    this.progress = new WorkerProgress(worker, memory, clock, options.loads?.length);
    this.#listener = listener;
    this.listen({
      read: readFromWorker,
      onMessage: (message) => this.#handle(message),
      onLost: (loss) => this.#onLost(loss),
    });
    this.ready = this.#nextAnswer().then(() => {
      this.#isReady = true;
    });
  }

  /** @type {() => Promise<WarmUpResult | null>} null: the worker was lost */
  warmUp() {
    return this.#request(() => this.post({ type: 'warmUp' }));
  }

  /** Runs the measured iterations. @type {(at: number) => Promise<any>} at: common time of their start */
  startAt(at) {
    return this.#request(() => super.startAt(at));
  }

  /** Ends the virtual users. @type {() => Promise<null>} */
  endUsers() {
    return this.#request(() => this.post({ type: 'endUsers' }));
  }

  /** Aborts. A worker that reported a moment ago is slow rather than stuck, so it gets longer. */
  abort() {
    super.abort();
    const ms = Math.max(SILENT_ABORT_MS, ABORT_MS - this.progress.silentMs);
    this.#cancelAbort = afterTimeToAnswer(() => this.terminateStuck(), ms, ABORT_MS);
  }

  /**
   * Sets when a pending request should be answered, and how long the worker may be silent before that.
   * @type {(at: number, mostSilentMs?: number) => void} at: instant of the clock
   */
  expect(at, mostSilentMs) {
    this.#overdue.expect(at, undefined, mostSilentMs);
  }

  /** @type {(silentMs: number) => void} */
  #terminateSilent(silentMs) {
    const isOver = clock.now() >= this.#overdue.at;
    const seconds = Math.round(silentMs / 1000);
    this.terminateStuck(
      isOver ? undefined : `code of the flow, such as an endless loop, has blocked it for ${seconds} s`,
    );
  }

  /** Terminates the worker if a request is pending: its event loop is blocked, so it cannot receive messages. */
  terminateStuck(reason = 'it did not stop') {
    if (this.#hasEnded || this.#pending === null) return;
    this.#lose(reason);
    void this.terminate();
  }

  async close() {
    this.#hasEnded = true;
    this.#cancelAbort();
    this.#overdue.close();
    await this.terminate();
  }

  /** @type {(post: () => void) => Promise<any>} */
  #request(post) {
    if (this.#hasEnded) return Promise.resolve(null);
    this.progress.begin();
    this.#overdue.reported();
    post();
    return this.#nextAnswer();
  }

  #nextAnswer() {
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
  }

  /** Returns the pending request, which is answered now. */
  #takePending() {
    const pending = this.#pending;
    this.#pending = null;
    return pending;
  }

  /** @type {(loss: Loss) => void} */
  #onLost(loss) {
    if ('error' in loss) this.#lose(String(/** @type {any} */ (loss.error).message ?? loss.error), loss.error);
    else this.#lose('code' in loss ? `it ended with code ${loss.code}` : loss.reason);
  }

  /** @type {(message: FromWorker) => void} */
  #handle(message) {
    // The unreported work of a lost worker is already counted as cancelled.
    if (this.#hasEnded) return;
    this.#overdue.reported();
    if (message.type === 'report') this.#onReport(message);
    else if (message.type === 'responses') this.#emitted(message);
    else if (message.type === 'started') this.#listener.onStarted(message.at);
    else if (message.type === 'ownStop') this.#listener.onStop(message.reason);
    else if (message.type === 'disagrees')
      this.#listener.onDisagreement(/** @type {any} */ (fromPlain(message.error)), message.phase);
    else if (message.type === 'answer') this.#takePending()?.resolve(message.result);
    else {
      this.#hasEnded = true;
      this.#takePending()?.reject(fromPlain(message.error));
    }
  }

  /** @type {(report: Report) => void} */
  #onReport(report) {
    this.progress.add(report);
    this.#listener.onReport(report);
  }

  /** @type {(responses: Responses) => void} */
  #emitted(responses) {
    this.#listener.onResponses(responses);
    this.post({ type: 'responsesEmitted' });
  }

  /** The worker sends nothing more: its pending request gets null. @type {(reason: string, cause?: unknown) => void} */
  #lose(reason, cause) {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const error = makeError('E_WORKER', { name: this.name, reason });
    const pending = this.#takePending();
    if (this.#isReady) {
      this.#listener.onLost(error, this);
      pending?.resolve(null);
    } else pending?.reject(openFilesError(cause) ?? error);
  }
}

/**
 * The messages of workers. Only their own properties are checked: reports are made five times per second, and code of
 * the flow, which runs in the same thread, could change what they contain anyway.
 */

const whole = number({ least: 0, isWhole: true });
const long = text({ most: Infinity });
const ERROR = record({
  name: long,
  message: long,
  stack: optional(long),
  code: optional(given),
  kind: optional(given),
});

const FROM_WORKER = tagged('type', {
  report: {
    state: given,
    loads: optional(where(given, Array.isArray, 'an array')),
    traffic: given,
    addresses: where(given, Array.isArray, 'an array'),
    thread: given,
    inFlight: whole,
    running: given,
    log: given,
    errors: where(given, Array.isArray, 'an array'),
  },
  responses: {
    steps: where(given, Array.isArray, 'an array'),
    rows: where(given, (rows) => rows instanceof Float64Array, 'a Float64Array'),
    missed: whole,
  },
  started: { at: number() },
  ownStop: { reason: where(given, (reason) => ['hook', 'limit'].includes(reason), 'hook or limit') },
  disagrees: { error: ERROR, phase: where(given, (phase) => ['before', 'main'].includes(phase), 'before or main') },
  answer: { result: given },
  refused: { error: ERROR },
});

/**
 * Reads a message of a worker. Code of the flow can post other ones.
 * @throws {import('../../ground/shape.js').ShapeError}
 * @type {(message: unknown) => FromWorker}
 */
export function readFromWorker(message) {
  return rebuild(FROM_WORKER, message, { name: 'message' });
}

/** @typedef {{ started: number, cancelled: number }} CancelledCounts iterations that were not reported before */

/** The reports of one worker, added up: the only data of a worker that is lost. */
export class WorkerProgress {
  /** The number of the worker, from 0. */
  worker;
  #startedCounts;
  #clock;
  /** What each load has reported. @type {{ started: number, ended: number }[]} */
  #reported;
  #reportedAt;
  /** Requests that were sent and are not answered yet. */
  inFlight = 0;
  /** The times of the iterations that wait for the server. */
  running = NONE_RUNNING;
  /** @type {TransportTotals | null} */
  traffic = null;
  /** @type {SenderSummary | null} */
  thread = null;
  /** @type {AddressFigures[]} */
  addresses = [];
  /** @type {LogFileSummary | null} */
  log = null;

  /**
   * @param {number} worker number of the worker, from 0
   * @param {SharedArrayBuffer} memory made by `indexMemory`
   * @param {Clock} clock
   * @param {number} [loads] how many loads the run has
   */
  constructor(worker, memory, clock, loads = 1) {
    this.worker = worker;
    this.#reported = Array.from({ length: loads }, () => ({ started: 0, ended: 0 }));
    this.#startedCounts = startedCounts(memory, loads);
    this.#clock = clock;
    this.#reportedAt = clock.now();
  }

  /** Returns ms since the last report. @type {number} */
  get silentMs() {
    return this.#clock.now() - this.#reportedAt;
  }

  begin() {
    this.#reportedAt = this.#clock.now();
  }

  /** @type {(report: Report) => void} */
  add({ state, loads = [], traffic, addresses, thread, inFlight, running, log }) {
    (loads.length > 0 ? loads : [state]).forEach(({ counters }, position) => {
      const { started, completed, failed, cancelled } = counters.iterations;
      this.#reported[position].started += started;
      this.#reported[position].ended += completed + failed + cancelled;
    });
    Object.assign(this, { traffic, addresses, thread, inFlight, running, log });
    this.begin();
  }

  /**
   * Counts iterations and requests that the worker started and did not report as cancelled: the requests in those of
   * the run, the iterations of each load by `cancel`.
   * @type {(requests: Recorder['requests'], cancel: (position: number, counts: CancelledCounts) => void) => void}
   */
  cancelUnreported(requests, cancel) {
    this.#reported.forEach(({ started, ended }, position) => {
      const all = this.#startedCounts[this.worker * this.#reported.length + position];
      cancel(position, { started: all - started, cancelled: all - ended });
    });
    requests.count += this.inFlight;
    requests.sent += this.inFlight;
    requests.cancelled += this.inFlight;
    this.inFlight = 0;
    this.running = NONE_RUNNING;
  }
}
