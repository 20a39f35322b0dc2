import { Histogram } from './histogram.js';

/**
 * @import { HistogramState, HistogramSummary } from './histogram.js'
 *
 * @typedef {object} TransactionSummary the iterations of a scenario, or the transactions of a group
 * @property {string} name
 * @property {number} count those that have ended, except cancelled ones
 * @property {number} [rate] of them per second
 * @property {number} errors those of them that failed
 * @property {HistogramSummary} time ms, without pauses; of a scenario the response times of `main`
 *
 * @typedef {object} TransactionState the measurements of one, for another thread or machine
 * @property {string} name
 * @property {number} count
 * @property {number} errors
 * @property {HistogramState} time
 */

/**
 * The units that are measured as a whole besides iterations: recorder, summary, merge, thresholds, reports and `result.schema.json` walk
 * this table.
 */
export const TRANSACTIONS = /** @type {const} */ ([
  { key: 'scenarios', name: 'scenario' },
  { key: 'groups', name: 'group' },
]);

/** @typedef {typeof TRANSACTIONS[number]['key']} TransactionKey */

/** Measures transactions by their names, which come from the flow. */
export class Transactions {
  /** @type {Map<string, TransactionRecorder>} */
  #all = new Map();

  get isEmpty() {
    return this.#all.size === 0;
  }

  /**
   * @param {string} name
   * @returns {TransactionRecorder} the same one for the same name
   */
  add(name) {
    const known = this.#all.get(name);
    if (known) return known;
    const added = new TransactionRecorder(name);
    this.#all.set(name, added);
    return added;
  }

  /** @returns {TransactionSummary[]} in the order of the flow */
  toJSON() {
    return [...this.#all.values()].map((one) => one.toJSON());
  }

  /** Their times, for files. @returns {(string | null)[]} */
  encoded() {
    return [...this.#all.values()].map(({ time }) => time.encoded());
  }

  /** Returns the measurements since the last call. @returns {TransactionState[]} */
  drain() {
    return [...this.#all.values()].map((one) => one.drain());
  }

  /** @param {TransactionState[]} states of another thread or run */
  addState(states) {
    for (const state of states) this.add(state.name).addState(state);
  }
}

export class TransactionRecorder {
  #count = 0;
  #errors = 0;
  time = new Histogram();

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** @type {(outcome: 'completed' | 'failed' | 'cancelled') => void} */
  ended(outcome) {
    if (outcome === 'cancelled') return;
    this.#count++;
    if (outcome === 'failed') this.#errors++;
  }

  /** @returns {TransactionSummary} */
  toJSON() {
    return { name: this.name, count: this.#count, errors: this.#errors, time: this.time.toJSON() };
  }

  /** @returns {TransactionState} */
  drain() {
    const state = { name: this.name, count: this.#count, errors: this.#errors, time: this.time.drain() };
    this.#count = this.#errors = 0;
    return state;
  }

  /** @param {TransactionState} state */
  addState({ count, errors, time }) {
    this.#count += count;
    this.#errors += errors;
    this.time.addState(time);
  }
}
