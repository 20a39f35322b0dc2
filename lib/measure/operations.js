import { Histogram } from './histogram.js';

/**
 * @import { HistogramState, HistogramSummary } from './histogram.js'
 *
 * @typedef {object} OperationSummary
 * @property {string} name
 * @property {string} phase
 * @property {number} count exchanges that ended, with an answer or without
 * @property {number} errors
 * @property {Record<string, number>} statusCodes
 * @property {HistogramSummary} serviceTime ms, of the answers, redirects included, hooks not
 * @property {Record<string, HistogramSummary>} [serviceTimeByStatus] where there were several: a 304 is no 200
 *
 * @typedef {{ errors: number, unanswered: number, times: [number | 'other', HistogramState][] }} OperationState
 */

const MOST_OPERATIONS = 1000;
const MOST_STATUSES = 10;

/** Measures each operation by itself. At most 1,000 of them, then `other`. */
export function createOperations() {
  /** @type {OperationRecorder[]} */
  const all = [];
  return {
    /** @type {(name: string, phase: string) => OperationRecorder} */
    add(name, phase) {
      if (all.length > MOST_OPERATIONS) return all[MOST_OPERATIONS];
      const isLast = all.length === MOST_OPERATIONS;
      const operation = new OperationRecorder(isLast ? 'other' : name, isLast ? '' : phase);
      all.push(operation);
      return operation;
    },
    /** @returns {OperationSummary[]} in the order of the flow */
    toJSON: () => all.map((operation) => operation.toJSON()),
    /** Service times of each, for files. */
    encoded: () => all.map((operation) => operation.serviceTime().encoded()),
    /** What was recorded since it was last taken. @returns {OperationState[]} */
    take: () => all.map((operation) => operation.take()),
    /** Adds what was taken in another thread, which has the same flow. @type {(states: OperationState[]) => void} */
    addState: (states) => states.forEach((state, i) => all[i].addState(state)),
  };
}

/** @typedef {ReturnType<typeof createOperations>} Operations */

export class OperationRecorder {
  /** of the answers, by status @type {Map<number | 'other', Histogram>} */
  #times = new Map();
  /** the last one, as the next answer is most likely of its kind */
  #status = 0;
  /** @type {Histogram | null} */
  #histogram = null;
  #name;
  #phase;
  #unanswered = 0;
  errors = 0;

  /**
   * @param {string} name
   * @param {string} phase
   */
  constructor(name, phase) {
    this.#name = name;
    this.#phase = phase;
  }

  /** @type {(status: number, ms: number) => void} */
  answered(status, ms) {
    if (status !== this.#status || this.#histogram === null) {
      this.#status = status;
      this.#histogram = this.#histogramOf(status);
    }
    this.#histogram.update(ms);
  }

  unanswered() {
    this.#unanswered++;
  }

  /** Of all statuses. */
  serviceTime() {
    const all = new Histogram();
    for (const histogram of this.#times.values()) all.add(histogram);
    return all;
  }

  /** @returns {OperationSummary} */
  toJSON() {
    const all = this.serviceTime();
    /** @type {Record<string, number>} */
    const statusCodes = {};
    for (const [status, histogram] of this.#times) statusCodes[status] = histogram.count;
    const byStatus = this.#times.size > 1 && {
      serviceTimeByStatus: Object.fromEntries(
        [...this.#times].map(([status, histogram]) => [status, histogram.toJSON()]),
      ),
    };
    return {
      name: this.#name,
      phase: this.#phase,
      count: all.count + this.#unanswered,
      errors: this.errors,
      statusCodes,
      serviceTime: all.toJSON(),
      ...byStatus,
    };
  }

  /** @returns {OperationState} */
  take() {
    const times = [...this.#times].map(
      ([status, histogram]) => /** @type {OperationState['times'][0]} */ ([status, histogram.take()]),
    );
    const taken = { errors: this.errors, unanswered: this.#unanswered, times };
    this.errors = this.#unanswered = 0;
    return taken;
  }

  /** @type {(state: OperationState) => void} */
  addState({ errors, unanswered, times }) {
    this.errors += errors;
    this.#unanswered += unanswered;
    for (const [status, state] of times) if (state.count > 0) this.#histogramOf(status).addState(state);
  }

  /** @type {(status: number | 'other') => Histogram} */
  #histogramOf(status) {
    const key = this.#times.has(status) || this.#times.size < MOST_STATUSES ? status : 'other';
    const histogram = this.#times.get(key) ?? new Histogram();
    this.#times.set(key, histogram);
    return histogram;
  }
}
