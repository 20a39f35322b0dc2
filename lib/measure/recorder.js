import { makeError } from '../errors.js';
import { Histogram } from './histogram.js';
import { createMeter } from './meter.js';
import { createOperations } from './operations.js';

/**
 * @import { ErrorSample } from './types.js'
 * @typedef {'count' | 'retries' | 'redirects'} Role
 */

const MOST_SAMPLES = 20;
const MOST_KEYS = 1000;

/** Takes scalars while the run goes; nothing is kept of an iteration that ended. */
export class Recorder {
  meter = createMeter();
  operations = createOperations();
  /** response times: from when it was due, where the plan says when */
  ok = new Histogram();
  notOk = new Histogram();
  /** from when it started */
  serviceTime = new Histogram();
  iterations = { started: 0, completed: 0, failed: 0, cancelled: 0, teardownFailed: 0 };
  requests = { count: 0, sent: 0, answered: 0, failed: 0, cancelled: 0, retries: 0, redirects: 0, ok: 0 };
  /** answers by status; a fixed list, as the status is three digits */
  #statuses = new Float64Array(1000);
  #errorCount = 0;
  /** @type {Map<string, number>} */
  #kinds = new Map();
  /** @type {Map<string, ErrorSample>} */
  #samples = new Map();

  started() {
    this.iterations.started++;
  }

  /** @type {(outcome: 'completed' | 'failed' | 'cancelled') => void} */
  ended(outcome) {
    this.iterations[outcome]++;
  }

  /**
   * The time of `main`. `waited`: how long after its due time the iteration started, NaN where there is no such time.
   * @type {(ms: number, waited: number, outcome: string) => void}
   */
  main(ms, waited, outcome) {
    if (outcome === 'cancelled') return;
    this.meter.mark();
    const isOpen = waited === waited;
    (outcome === 'completed' ? this.ok : this.notOk).update(isOpen ? ms + waited : ms);
    if (isOpen) this.serviceTime.update(ms);
  }

  /**
   * A complete response. `role` says which counter the request goes to: `count` for the first of an operation,
   * `retries` or `redirects` for those that follow.
   * @type {(status: number, role: Role) => void}
   */
  answered(status, role) {
    const { requests } = this;
    requests.sent++;
    requests.answered++;
    requests[role]++;
    if (status < 400) requests.ok++;
    this.#statuses[status]++;
  }

  /** A request that went out and got no complete response. @type {(isCancelled: boolean, role: Role) => void} */
  unanswered(isCancelled, role) {
    const { requests } = this;
    requests.sent++;
    requests[isCancelled ? 'cancelled' : 'failed']++;
    requests[role]++;
  }

  teardownFailed() {
    this.iterations.teardownFailed++;
  }

  /**
   * Groups are keyed by kind, code and operation, never by text that varies.
   * @type {(failure: { kind: string, code: string, context: string, operation: string, index: number | undefined, message: () => string }) => void}
   */
  failure({ kind, code, context, operation, index, message }) {
    this.#errorCount++;
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    const key = `${kind} ${code} ${context} ${operation}`;
    const sample = this.#samples.get(key);
    if (sample) {
      sample.count++;
      if (index !== undefined && (sample.firstIndex === null || index < sample.firstIndex)) sample.firstIndex = index;
    } else if (this.#samples.size < MOST_KEYS) {
      this.#samples.set(key, { message: message(), context, kind, code, operation, count: 1, firstIndex: index ?? null });
    }
  }

  get errorCount() {
    return this.#errorCount;
  }

  get active() {
    const { started, completed, failed, cancelled } = this.iterations;
    return started - completed - failed - cancelled;
  }

  statusCodes() {
    /** @type {Record<string, number>} */
    const codes = {};
    this.#statuses.forEach((count, status) => {
      if (count > 0) codes[status] = count;
    });
    return codes;
  }

  errors() {
    const samples = [...this.#samples.values()].sort((a, b) => b.count - a.count).slice(0, MOST_SAMPLES);
    return { count: this.#errorCount, kinds: Object.fromEntries(this.#kinds), samples: samples.map((sample) => ({ ...sample })) };
  }

  /** @throws {Error} E_INTERNAL when the books do not balance */
  close() {
    this.meter.end();
    const { started, completed, failed, cancelled } = this.iterations;
    const { sent, answered, failed: unanswered, cancelled: cut } = this.requests;
    if (started !== completed + failed + cancelled) {
      throw makeError('E_INTERNAL', { reason: `${started} iterations started, ${completed} + ${failed} + ${cancelled} ended` });
    }
    if (sent !== answered + unanswered + cut) {
      throw makeError('E_INTERNAL', { reason: `${sent} requests sent, ${answered} + ${unanswered} + ${cut} ended` });
    }
  }
}
