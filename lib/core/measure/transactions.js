import { Histogram, recordable } from './histogram.js';
import { distinctNames, namesOf } from './tags.js';

/** @import { JudgedPart, Stats } from '../contracts/stats.js' */
/** @import { HistogramSummary, LoadSummary, OperationSummary, OperationTimes } from '../contracts/summaries.js' */
/** @import { TagSummary, TransactionSummary } from '../contracts/summaries.js' */
/** @import { HistogramState } from './histogram.js' */

/**
 * Transactions, which are scenarios and groups: their table, and their recorder. Then the parts of a result, in one
 * list: loads, scenarios, groups, tags and operations, each of which has times of its own (`partsOf`).
 */

/**
 * @typedef {object} TransactionState the measurements of one, for another thread or machine
 * @property {string} name
 * @property {number} count
 * @property {number} errors
 * @property {HistogramState} time
 * @property {HistogramState} [service] of a scenario in an open run: its times without the wait for a virtual user
 * @property {HistogramState} [least]
 * @property {HistogramState} [cancelled]
 */

/**
 * The units that are measured as a whole besides iterations: recorder, summary, merge, thresholds, reports and
 * `result.schema.json` walk this table.
 */
export const TRANSACTIONS = /** @type {const} */ ([
  { key: 'scenarios', name: 'scenario', time: 'responseTime' },
  { key: 'groups', name: 'group', time: 'duration' },
]);

/** @typedef {typeof TRANSACTIONS[number]['key']} TransactionKey */

/** @type {(stats: Pick<Stats, TransactionKey>, key: TransactionKey) => TransactionSummary[]} */
export function transactionsIn(stats, key) {
  return stats[key] ?? [];
}

const MOST = 1000;
const OTHER = 'other';

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

  /** Returns the recorder of a name, always the same one. @type {(name: string) => TransactionRecorder} */
  add(name) {
    const known = this.#all.get(name);
    if (known) return known;
    const isOther = this.#all.size >= MOST;
    const kept = isOther ? OTHER : name;
    const added = this.#all.get(kept) ?? new TransactionRecorder(kept, isOther);
    this.#all.set(kept, added);
    return added;
  }

  /** In the order of the flow. @type {(options?: { withCounts: boolean }) => TransactionSummary[]} */
  summary({ withCounts } = { withCounts: false }) {
    return [...this.#all.values()].map((one) => one.summary(this.#kind, withCounts));
  }

  /** Returns the recorder of each, in the order of the summary. @type {() => TransactionRecorder[]} */
  all() {
    return [...this.#all.values()];
  }

  /**
   * Returns the recorder of a name, or that of all further names; undefined: it has none.
   * @type {(name: string | undefined) => TransactionRecorder | undefined}
   */
  find(name) {
    return name === undefined ? undefined : (this.#all.get(name) ?? this.#all.get(OTHER));
  }

  /** Returns the measurements since the last call. @returns {TransactionState[]} */
  drain() {
    return [...this.#all.values()].map((one) => one.drain());
  }

  /** Adds states of another thread or run. @type {(states: TransactionState[]) => void} */
  addState(states) {
    for (const state of states) this.add(state.name).addState(state);
  }
}

class TransactionRecorder {
  #count = 0;
  #errors = 0;
  time = new Histogram();
  least = new Histogram();
  cancelled = new Histogram();
  /** null: the times have no wait. @type {Histogram | null} */
  #service = null;

  /** @param {string} name @param {boolean} [isOther] beyond the bound */
  constructor(name, isOther = false) {
    this.name = name;
    this.isOther = isOther;
  }

  /**
   * Records a completed one. `ownMs`: the load generator's part at most; `waitMs`: how long it waited for a virtual
   * user; NaN in a closed model.
   * @type {(ms: number, ownMs: number, waitMs?: number) => void}
   */
  took(ms, ownMs, waitMs = NaN) {
    if (!Number.isNaN(waitMs)) this.#ownService().update(ms - waitMs);
    this.time.update(ms);
    this.least.update(recordable(ms - ownMs));
  }

  /** Those that have ended, except cancelled ones. */
  get count() {
    return this.#count;
  }

  /** Its times without waits. */
  get service() {
    return this.#service ?? this.time;
  }

  #ownService() {
    if (this.#service !== null) return this.#service;
    this.#service = new Histogram();
    this.#service.add(this.time);
    return this.#service;
  }

  /** Records one that the end of the run cuts off. @type {(ms: number) => void} ms: how long `main` has taken */
  cutOff(ms) {
    this.cancelled.update(ms);
  }

  /** @type {(outcome: 'completed' | 'failed' | 'cancelled') => void} */
  ended(outcome) {
    if (outcome === 'cancelled') return;
    this.#count++;
    if (outcome === 'failed') this.#errors++;
  }

  /** @type {(kind: typeof TRANSACTIONS[number], withCounts: boolean) => TransactionSummary} */
  summary({ name: kind, time: key }, withCounts) {
    const { name, isOther, time, least, cancelled } = this;
    return {
      name,
      ...(isOther && { other: true }),
      phase: 'main',
      labels: isOther ? {} : { [kind]: name },
      count: this.#count,
      errors: this.#errors,
      times: {
        [key]: time.summary(withCounts),
        ...(this.#service && { serviceTime: this.#service.summary(withCounts) }),
        ...(least.count > 0 && { least: least.summary(withCounts) }),
        ...(cancelled.count > 0 && { cancelled: cancelled.summary(withCounts) }),
      },
    };
  }

  /** @type {() => TransactionState} */
  drain() {
    const { name, time, least, cancelled } = this;
    const state = {
      name,
      count: this.#count,
      errors: this.#errors,
      time: time.drain(),
      least: least.drain(),
      ...(this.#service && { service: this.#service.drain() }),
      ...(cancelled.count > 0 && { cancelled: cancelled.drain() }),
    };
    this.#count = this.#errors = 0;
    return state;
  }

  /** @type {(state: TransactionState) => void} */
  addState({ count, errors, time, service, least, cancelled }) {
    this.#count += count;
    this.#errors += errors;
    if (service || this.#service) this.#ownService().addState(service ?? time);
    this.time.addState(time);
    if (least) this.least.addState(least);
    if (cancelled) this.cancelled.addState(cancelled);
  }
}

/**
 * @typedef {object} MeasuredPart a part of a run that is measured under a name
 * @property {string} name different from those of operations in other scenarios
 * @property {string[]} names by which thresholds select it
 * @property {string} kind `load`, `scenario`, `group`, `tag`, or the phase of an operation
 * @property {OperationSummary | TransactionSummary | TagSummary | LoadSummary} summary
 * @property {string} timeName of its times: `serviceTime`, `responseTime`, `duration`
 * @property {HistogramSummary} time
 * @property {() => Histogram | null} counts of its times; null: not known; throws if they cannot be read
 */

/**
 * The loads, scenarios, groups, tags and operations of a result. Their names differ, except those of equal operations
 * of one scenario; a scenario with a load of its own is that load.
 * @type {(stats: Pick<Stats, 'operations' | 'loads' | 'scenarios' | 'groups' | 'tags'>) => MeasuredPart[]}
 */
export function partsOf(stats) {
  const { operations, loads = [], tags = [] } = stats;
  const names = distinctNames(operations);
  const isLoad = (/** @type {{ name: string }} */ { name }) => loads.some((load) => load.name === name);
  return [
    ...loads.map((summary) =>
      partOf(summary, { kind: 'load', timeName: 'responseTime', time: summary.times.responseTime }),
    ),
    ...TRANSACTIONS.flatMap(({ key, name: kind, time }) =>
      transactionsIn(stats, key)
        .filter((summary) => !isLoad(summary))
        .map((summary) => partOf(summary, { kind, timeName: time, time: summary.times[time] })),
    ),
    ...tags.map((summary) => partOf(summary, { kind: 'tag', timeName: 'serviceTime', time: goodTimes(summary) })),
    ...operations.map((summary, i) => ({
      ...partOf(summary, { kind: summary.phase ?? '', timeName: 'serviceTime', time: goodTimes(summary) }),
      name: names[i],
      names: namesOf(summary),
    })),
  ];
}

/**
 * Returns figures of a part that only some operations have; undefined if it has none of them.
 * @type {(part: { summary: MeasuredPart['summary'] | { count: number } } | undefined, key: string) => any}
 */
export function figuresOf(part, key) {
  return /** @type {any} */ (part?.summary)?.[key];
}

/** Names a part as results do: `{ group: 'checkout' }`. @type {(name: string, kind?: string) => JudgedPart} */
export function partNamed(name, kind = '') {
  return { [['load', 'scenario', 'group', 'tag'].includes(kind) ? kind : 'operation']: name };
}

/**
 * @type {(summary: MeasuredPart['summary'], about: { kind: string, timeName: string, time?: HistogramSummary }) =>
 *   MeasuredPart}
 */
function partOf(summary, about) {
  const time = /** @type {HistogramSummary} */ (about.time);
  return { ...about, name: summary.name, names: [summary.name], summary, time, counts: () => Histogram.decode(time) };
}

/** The times of the responses that were no errors. @type {(row: { times: OperationTimes }) => HistogramSummary} */
function goodTimes({ times }) {
  return times.withoutErrors ?? times.serviceTime;
}
