import { NONE_RUNNING } from '../../measure/abort-judge.js';
import { startedCounts } from '../load/index-allocator.js';

/**
 * @import { Recorder } from '../../measure/recorder.js'
 * @import { SenderSummary } from '../../measure/thread.js'
 * @import { AddressFigures, LogFileSummary } from '../../measure/types.js'
 * @import { TransportTotals } from '../../transport/types.js'
 * @import { Clock } from '../clock.js'
 * @import { Report } from './types.js'
 */

/** The reports of one worker, added up: the only data of a worker that is lost. */
export class WorkerProgress {
  #part;
  #startedCounts;
  #clock;
  #started = 0;
  #ended = 0;
  #reportedAt;
  /** requests that were sent and are not answered yet */
  inFlight = 0;
  /** of the iterations that wait for the server */
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
   * @param {number} part number of the worker, from 0
   * @param {SharedArrayBuffer} memory made by `indexMemory`
   * @param {Clock} clock
   */
  constructor(part, memory, clock) {
    this.#part = part;
    this.#startedCounts = startedCounts(memory);
    this.#clock = clock;
    this.#reportedAt = clock.now();
  }

  /** @returns {number} ms since the last report */
  get silentMs() {
    return this.#clock.now() - this.#reportedAt;
  }

  /** Starts the measurement of silence. */
  begin() {
    this.#reportedAt = this.#clock.now();
  }

  /** @param {Report} report */
  add({ state, traffic, addresses, thread, inFlight, running, log }) {
    const { started, completed, failed, cancelled } = state.counters.iterations;
    this.#started += started;
    this.#ended += completed + failed + cancelled;
    this.traffic = traffic;
    this.addresses = addresses;
    this.thread = thread;
    this.inFlight = inFlight;
    this.running = running;
    this.log = log;
    this.begin();
  }

  /**
   * Counts iterations and requests that the worker started and did not report as cancelled.
   *
   * @param {Pick<Recorder, 'iterations' | 'requests'>} recorder
   */
  cancelUnreported({ iterations, requests }) {
    const started = this.#startedCounts[this.#part];
    iterations.started += started - this.#started;
    iterations.cancelled += started - this.#ended;
    requests.count += this.inFlight;
    requests.sent += this.inFlight;
    requests.cancelled += this.inFlight;
    this.inFlight = 0;
    this.running = NONE_RUNNING;
  }
}
