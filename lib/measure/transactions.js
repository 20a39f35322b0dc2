import { Histogram, leastOf } from './histogram.js';
import { hasTag, sumOf } from './tags.js';

/**
 * @import { Stats } from '../contracts/stats.js'
 * @import { HistogramSummary, OperationSummary } from '../contracts/summaries.js'
 * @import { OperationTimes, TagSummary, TransactionSummary } from '../contracts/summaries.js'
 * @import { HistogramState } from './histogram.js'
 */

/**
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
  {
    key: 'scenarios',
    name: 'scenario',
    time: 'responseTime',
    least: 'scenariosLeast',
    cancelled: 'scenariosCancelled',
  },
  { key: 'groups', name: 'group', time: 'duration', least: 'groupsLeast', cancelled: 'groupsCancelled' },
]);

/** @typedef {typeof TRANSACTIONS[number]['key']} TransactionKey */

const MOST = 1000;

/** Measures transactions by their names, which come from the flow: at most 1,000 of them, then `other`. */
export class Transactions {
  /** @type {Map<string, TransactionRecorder>} */
  #all = new Map();
  #kind;

  /** @param {TransactionKey} key */
  constructor(key) {
    this.#kind = /** @type {typeof TRANSACTIONS[number]} */ (TRANSACTIONS.find((kind) => kind.key === key));
  }

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
    const isOther = this.#all.size >= MOST;
    const kept = isOther ? 'other' : name;
    const added = this.#all.get(kept) ?? new TransactionRecorder(kept, isOther);
    this.#all.set(kept, added);
    return added;
  }

  /** @returns {TransactionSummary[]} in the order of the flow */
  toJSON() {
    return [...this.#all.values()].map((one) => one.toJSON(this.#kind));
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

  /**
   * @param {string} name
   * @param {boolean} [isOther] beyond the bound
   */
  constructor(name, isOther = false) {
    this.name = name;
    this.isOther = isOther;
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

  /** @type {(kind: typeof TRANSACTIONS[number]) => TransactionSummary} */
  toJSON({ name: kind, time: key }) {
    const { name, isOther, time, least, cancelled } = this;
    return {
      ...{ name, ...(isOther && { other: true }), phase: 'main', labels: isOther ? {} : { [kind]: name } },
      ...{ count: this.#count, errors: this.#errors },
      times: {
        [key]: time.toJSON(),
        ...(least.count > 0 && { least: least.toJSON() }),
        ...(cancelled.count > 0 && { cancelled: cancelled.toJSON() }),
      },
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
 * @property {string} kind `scenario`, `group`, `tag`, or the phase of an operation
 * @property {OperationSummary | TransactionSummary | TagSummary} summary
 * @property {string} timeName of its times: `serviceTime`, `responseTime`, `duration`
 * @property {HistogramSummary} time
 * @property {() => Histogram} counts of its times; throws if they cannot be read
 * @property {() => Histogram} leastCounts the same without what the load generator may have added
 */

/**
 * The scenarios, groups, tags and operations of a result. Their names differ, except those of equal operations.
 * @type {(stats: Pick<Stats, 'operations' | 'scenarios' | 'groups' | 'tags' | 'histograms'>) => Part[]}
 */
export function partsOf(stats) {
  const { operations, tags = [], histograms } = stats;
  return [
    ...TRANSACTIONS.flatMap(({ key, name: kind, time: timeName, least }) =>
      (stats[key] ?? []).map((summary, i) => {
        const time = /** @type {HistogramSummary} */ (summary.times[timeName]);
        return {
          ...{ name: summary.name, kind, summary, timeName, time },
          counts: () => Histogram.decode(time, histograms?.[key]?.[i]),
          leastCounts: () => Histogram.decode(summary.times.least, histograms?.[least]?.[i]),
        };
      }),
    ),
    ...tags.map((summary) => {
      const own = operations.flatMap((one, i) => (hasTag(one, summary.name) ? i : []));
      return {
        ...{ name: summary.name, kind: 'tag', summary, timeName: 'serviceTime', time: goodTimes(summary) },
        counts: () => sumOf(own.map((i) => goodCounts(stats, i))),
        leastCounts: () => sumOf(own.map((i) => leastCounts(stats, i))),
      };
    }),
    ...operations.map((summary, i) => ({
      ...{ name: summary.name, kind: summary.phase ?? '', summary, timeName: 'serviceTime', time: goodTimes(summary) },
      counts: () => goodCounts(stats, i),
      leastCounts: () => leastCounts(stats, i),
    })),
  ];
}

/** The times of the responses that were no errors. @type {(row: { times: OperationTimes }) => HistogramSummary} */
function goodTimes({ times }) {
  return times.withoutErrors ?? times.serviceTime;
}

/** @type {(stats: Pick<Stats, 'operations' | 'histograms'>, i: number) => Histogram} */
function goodCounts({ operations, histograms }, i) {
  const { serviceTime, withoutErrors } = operations[i].times;
  if (withoutErrors) return Histogram.decode(withoutErrors, histograms?.operationsOk?.[i]);
  return Histogram.decode(serviceTime, histograms?.operations[i]);
}

/** @type {(stats: Pick<Stats, 'operations' | 'histograms'>, i: number) => Histogram} */
function leastCounts({ operations, histograms }, i) {
  return Histogram.decode(operations[i].times.least, histograms?.operationsLeast?.[i]);
}
