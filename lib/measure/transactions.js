import { Histogram, leastOf } from './histogram.js';

/**
 * @import { HistogramState, HistogramSummary } from './histogram.js'
 * @import { OperationSummary } from './operations.js'
 * @import { Stats } from './types.js'
 */

/**
 * @typedef {object} TransactionSummary the iterations of a scenario, or the transactions of a group
 * @property {string} name
 * @property {number} count those that have ended, except cancelled ones
 * @property {number} [rate] of them per second
 * @property {number} errors those of them that failed
 * @property {HistogramSummary} time ms, without pauses; of a scenario the response times of `main`
 * @property {HistogramSummary} [least] the same without what the load generator may have added
 * @property {HistogramSummary} [cancelled] how long `main` had taken when the end of the run cut it off in one of them
 * @property {number} [overdue] those of the cancelled ones that had run longer than the slowest completed iteration:
 *   errors
 *
 * @typedef {object} TransactionState the measurements of one, for another thread or machine
 * @property {string} name
 * @property {number} count
 * @property {number} errors
 * @property {HistogramState} time
 * @property {HistogramState} [least]
 * @property {HistogramState} [cancelled]
 */

/**
 * The units that are measured as a whole besides iterations: recorder, summary, merge, thresholds, reports and
 * `result.schema.json` walk this table.
 */
export const TRANSACTIONS = /** @type {const} */ ([
  { key: 'scenarios', name: 'scenario', least: 'scenariosLeast', cancelled: 'scenariosCancelled' },
  { key: 'groups', name: 'group', least: 'groupsLeast', cancelled: 'groupsCancelled' },
]);

/** @typedef {typeof TRANSACTIONS[number]['key']} TransactionKey */

const MOST = 1000;

/** Measures transactions by their names, which come from the flow: at most 1,000 of them, then `other`. */
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
    const kept = this.#all.size < MOST ? name : 'other';
    const added = this.#all.get(kept) ?? new TransactionRecorder(kept);
    this.#all.set(kept, added);
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

  /** Their times without what the load generator may have added, for files. @returns {(string | null)[]} */
  encodedLeast() {
    return [...this.#all.values()].map(({ least }) => least.encoded());
  }

  /** How long `main` had taken when the end of the run cut it off, for files. @returns {(string | null)[]} */
  encodedCancelled() {
    return this.cancelled().map((one) => one.encoded());
  }

  /** How long `main` had taken when the end of the run cut it off. */
  cancelled() {
    return [...this.#all.values()].map(({ cancelled }) => cancelled);
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
  least = new Histogram();
  cancelled = new Histogram();

  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }

  /** One completed. @type {(ms: number, ownMs: number) => void} ownMs: the part that is the load generator's at most */
  took(ms, ownMs) {
    this.time.update(ms);
    this.least.update(leastOf(ms - ownMs));
  }

  /** The end of the run cuts it off. @type {(ms: number) => void} ms: how long `main` has taken */
  cutOff(ms) {
    this.cancelled.update(ms);
  }

  /** @type {(outcome: 'completed' | 'failed' | 'cancelled') => void} */
  ended(outcome) {
    if (outcome === 'cancelled') return;
    this.#count++;
    if (outcome === 'failed') this.#errors++;
  }

  /** @type {() => TransactionSummary} */
  toJSON() {
    const { name, time, least, cancelled } = this;
    return {
      ...{ name, count: this.#count, errors: this.#errors, time: time.toJSON() },
      ...(least.count > 0 && { least: least.toJSON() }),
      ...(cancelled.count > 0 && { cancelled: cancelled.toJSON() }),
    };
  }

  /** @type {() => TransactionState} */
  drain() {
    const { name, time, least, cancelled } = this;
    const state = {
      ...{ name, count: this.#count, errors: this.#errors, time: time.drain(), least: least.drain() },
      ...(cancelled.count > 0 && { cancelled: cancelled.drain() }),
    };
    this.#count = this.#errors = 0;
    return state;
  }

  /** @type {(state: TransactionState) => void} */
  addState({ count, errors, time, least, cancelled }) {
    this.#count += count;
    this.#errors += errors;
    this.time.addState(time);
    if (least) this.least.addState(least);
    if (cancelled) this.cancelled.addState(cancelled);
  }
}

/**
 * @typedef {object} Part a part of a run that is measured under a name
 * @property {string} name
 * @property {string} kind `scenario`, `group`, or the phase of an operation
 * @property {OperationSummary | TransactionSummary} summary
 * @property {HistogramSummary} time
 * @property {string | null | undefined} encoded the counts of its times
 * @property {string | null | undefined} encodedLeast the same without what the load generator may have added
 */

/**
 * The scenarios, groups and operations of a result. Their names differ, except those of equal operations.
 * @type {(stats: Pick<Stats, 'operations' | 'scenarios' | 'groups'> & { histograms?: Stats['histograms'] }) => Part[]}
 */
export function partsOf(stats) {
  const { operations, histograms } = stats;
  return [
    ...TRANSACTIONS.flatMap(({ key, name: kind, least }) =>
      (stats[key] ?? []).map((summary, i) => ({
        name: summary.name,
        kind,
        summary,
        time: summary.time,
        encoded: histograms?.[key]?.[i],
        encodedLeast: histograms?.[least]?.[i],
      })),
    ),
    ...operations.map((summary, i) => ({
      name: summary.name,
      kind: summary.phase,
      summary,
      time: summary.ok ?? summary.serviceTime,
      encoded: summary.ok ? histograms?.operationsOk?.[i] : histograms?.operations[i],
      encodedLeast: histograms?.operationsLeast?.[i],
    })),
  ];
}
