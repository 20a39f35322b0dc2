import { ITERATION_PHASES } from '../ground/phases.js';
import { Histogram, recordable } from './histogram.js';
import { OPERATION_FIGURES, figuresNamed } from './operation-figures.js';
import { MOST_SERIES } from './series.js';
import { TagValues } from './tags.js';

/** @import { FiguresRecorder } from '../contracts/recorders.js' */
/** @import { Labels, OperationFacts, OperationSummary, OperationTimes } from '../contracts/summaries.js' */
/** @import { HistogramState } from './histogram.js' */
/** @import { RecordedPoint } from './series.js' */

/**
 * @typedef {object} OperationCounts the measurements of an operation, for another thread or machine
 * @property {string} name
 * @property {string} phase
 * @property {true} [other] those beyond the bound
 * @property {string} [protocol] default: `http`
 * @property {Labels} [labels]
 * @property {number} errors
 * @property {number} [skipped]
 * @property {number} [oldest] the longest that `main` had taken when it was answered, ms
 * @property {number} unanswered
 * @property {[status: number | 'other', times: HistogramState][]} times
 * @property {HistogramState} [least] the times without what the load generator may have added
 * @property {HistogramState} [failed] those of `times` whose response was an error
 * @property {HistogramState} [failedLeast] those of `least` whose response was one; of a saved result none, as its
 *   `least` has no times of errors
 * @property {HistogramState} [cancelled] how long those waited that the end of the run cut off
 * @property {{ statusCodes: Record<string, number>, times: HistogramState }} [mixed] times of several statuses
 *   together, from a file that does not separate them
 *
 * @typedef {OperationCounts & Record<string, any>} OperationState with figures that only some operations have, by key
 */

/** @type {Labels} */
const NO_LABELS = Object.freeze({});

const MAX_OPERATIONS = 1000;
const MAX_STATUSES = 10;
/** The status of a measured call, which has none. */
const NO_STATUS = 0;

/**
 * Measures each operation separately: at most 1,000 of them, then one `other` for each phase and labels, so that their
 * tags and scenarios have all of theirs.
 */
export class OperationRows {
  /** In the order of the flow; those that became known during the run follow. @type {OperationRecorder[]} */
  #all = [];
  /** Operations that became known during the run, by phase and name. @type {Map<string, OperationRecorder>} */
  #named = new Map();
  /** Those beyond the bound, by what they have in common. @type {Map<string, OperationRecorder>} */
  #others = new Map();
  #tags = new TagValues();

  /**
   * Adds an operation of the flow; two of them may be equal.
   * @type {(name: string, phase: string, facts?: OperationFacts) => OperationRecorder}
   */
  add(name, phase, facts) {
    return this.#create(name, phase, this.#bounded(facts));
  }

  /**
   * Finds or adds the operation that functions request under a name.
   * @type {(name: string, phase: string, facts?: OperationFacts) => OperationRecorder}
   */
  named(name, phase, given) {
    const facts = this.#bounded(given);
    const key = keyOf({ phase, name, ...facts });
    const known = this.#named.get(key);
    if (known) return known;
    const operation = this.#create(name, phase, facts);
    if (!operation.isOther) this.#named.set(key, operation);
    return operation;
  }

  /** Functions may compute tags, so their number is bounded. @type {(facts?: OperationFacts) => OperationFacts} */
  #bounded({ protocol, labels = NO_LABELS } = {}) {
    return { protocol, labels: this.#tags.bounded(labels) };
  }

  /** @type {(name: string, phase: string, facts: OperationFacts) => OperationRecorder} facts: with bounded labels */
  #create(name, phase, facts) {
    if (this.#all.length - this.#others.size >= MAX_OPERATIONS) return this.#other(phase, facts);
    const operation = new OperationRecorder(name, phase, facts);
    this.#all.push(operation);
    return operation;
  }

  /** Finds or adds a row beyond the bound. @type {(phase: string, facts: OperationFacts) => OperationRecorder} */
  #other(phase, facts) {
    // Functions may combine tags in any way: beyond the bound of rows, they have none.
    const own = this.#others.size < MAX_OPERATIONS ? facts : { protocol: facts.protocol };
    const key = keyOf({ name: own.protocol ?? '', phase, ...own });
    const known = this.#others.get(key);
    if (known) return known;
    const operation = new OperationRecorder('other', phase, own);
    operation.isOther = true;
    this.#others.set(key, operation);
    this.#all.push(operation);
    return operation;
  }

  /** @type {(count: number) => OperationRecorder[]} */
  first(count) {
    return this.#all.slice(0, count);
  }

  /** In the order of the flow. @type {(options?: { withCounts: boolean }) => OperationSummary[]} */
  summary(options) {
    return this.#all.map((operation) => operation.summary(options));
  }

  /** Returns times of the operation at a position. @type {(i: number, key: keyof OperationTimes) => Histogram} */
  times(i, key) {
    return this.#all[i].times(key);
  }

  /** Returns undefined if the operation has none. @type {(i: number, key: string) => FiguresRecorder | undefined} */
  figures(i, key) {
    return this.#all[i].more.get(key);
  }

  /** How long the end of the run let those wait that it cut off, by operation. */
  cancelled() {
    return this.#all.map((operation) => operation.cancelled);
  }

  /**
   * The first operations in the interval since the last call. A single one has no series, unless it has
   * figures of its own.
   * @returns {RecordedPoint[]}
   */
  points() {
    const all = this.#all;
    if (all.length < 2 && this.#named.size === 0 && all.every(({ more }) => more.size === 0)) return [];
    const ofIterations = all.filter(({ phase }) => ITERATION_PHASES.some((one) => one === phase));
    return ofIterations.slice(0, MOST_SERIES).flatMap((operation) => operation.points());
  }

  /** Returns the measurements since the last call. @returns {OperationState[]} */
  drain() {
    return this.#all.map((operation) => operation.drain());
  }

  /** Matches operations by phase and name, and equal ones in their order. @type {(states: OperationState[]) => void} */
  addState(states) {
    const known = numbered(this.#all);
    for (const [key, state] of numbered(states)) {
      const own = state.other ? this.#other(state.phase, this.#bounded(state)) : known.get(key);
      (own ?? this.add(state.name, state.phase, state)).addState(state);
    }
  }
}

/**
 * Identifies an operation by phase, name, labels and the number of equal ones before it.
 * @type {<T extends { name: string, phase?: string, labels?: Labels }>(all: T[]) => Map<string, T>}
 */
export function numbered(all) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  return new Map(
    all.map((one) => {
      const key = keyOf(one);
      const number = counts.get(key) ?? 0;
      counts.set(key, number + 1);
      return [`${number} ${key}`, one];
    }),
  );
}

/** @type {(operation: { name: string, phase?: string, labels?: Labels }) => string} */
function keyOf({ name, phase, labels = NO_LABELS }) {
  const pairs = Object.entries(labels);
  return pairs.length === 0 ? `${phase} ${name}` : `${phase} ${name} ${JSON.stringify(pairs.sort())}`;
}

/** Few operations are cut off: the others share one empty histogram. */
const NONE_CANCELLED = new Histogram();

class OperationRecorder {
  /** Times of exchanges with a response, by status. @type {Map<number | 'other', Histogram>} */
  #times = new Map();
  /** The latest status and its histogram: the next response most likely has the same. */
  #status = 0;
  /** @type {Histogram | null} */
  #histogram = null;
  /** @type {{ statusCodes: Record<string, number>, times: Histogram } | null} */
  #mixed = null;
  #unanswered = 0;
  #least = new Histogram();
  /** Times of responses that were errors: a part of the others. */
  #failed = new Histogram();
  #failedLeast = new Histogram();
  /** Points were read: a new histogram counts for them from its beginning, or they would lack what is drained first. */
  #hasPoints = false;
  /** It is a row of the operations beyond the bound. */
  isOther = false;
  errors = 0;
  skipped = 0;
  oldest = 0;
  cancelled = NONE_CANCELLED;
  /** Figures that only some operations have, by their key. @type {Map<string, FiguresRecorder>} */
  more = new Map();

  /** @param {string} name @param {string} phase @param {OperationFacts} [facts] */
  constructor(name, phase, { protocol = 'http', labels = NO_LABELS } = {}) {
    this.name = name;
    this.phase = phase;
    this.protocol = protocol;
    this.labels = labels;
  }

  /**
   * @type {(status: number, ms: number, leastMs?: number) => void} leastMs: without what the load generator may have
   *   added
   */
  answered(status, ms, leastMs = ms) {
    if (status !== this.#status || this.#histogram === null) {
      this.#status = status;
      this.#histogram = this.#histogramOf(status);
    }
    this.#histogram.update(ms);
    this.#least.update(recordable(leastMs));
  }

  /** A response that was measured is an error. @type {(ms: number, leastMs: number) => void} its times, as measured */
  answeredWithError(ms, leastMs) {
    this.#failed.update(ms);
    this.#failedLeast.update(recordable(leastMs));
  }

  /** @type {(ms: number) => void} ms: how long `main` has taken; in other phases how long the request has waited */
  cutOff(ms) {
    this.#ownCancelled().update(ms);
  }

  /** Finds or adds the recorder of figures that only some operations have. @type {(key: string) => FiguresRecorder} */
  figures(key) {
    const known = this.more.get(key);
    if (known) return known;
    const recorder = figuresNamed(key).load().createRecorder();
    if (this.#hasPoints) recorder.points();
    this.more.set(key, recorder);
    return recorder;
  }

  /** Reports whether there was a response with a status, in this recorder. @type {(status: number) => boolean} */
  hasAnswered(status) {
    return (this.#times.get(status)?.count ?? 0) > 0;
  }

  unanswered() {
    this.#unanswered++;
  }

  /** By status, since the last call: the histograms less what they were then. @returns {RecordedPoint[]} */
  points() {
    this.#hasPoints = true;
    const { name, phase, labels } = this;
    const operation = { name, phase, ...(labels.scenario && { labels: { scenario: labels.scenario } }) };
    const own = [...this.#times.values()].flatMap((histogram) => {
      const fresh = histogram.sincePoint();
      return fresh ? [{ ...operation, ...fresh }] : [];
    });
    const more = this.#eachMore((recorder) => recorder.points()).flatMap(([figures, points]) =>
      points.map((/** @type {any} */ point) => ({ ...operation, figures, ...point })),
    );
    return [...own, ...more];
  }

  /** Service times of all statuses; read-only, as these may be the recorder's own. @type {() => Histogram} */
  serviceTime() {
    const [only] = this.#times.values();
    if (this.#times.size === 1 && this.#mixed === null) return only;
    const all = new Histogram();
    for (const histogram of this.#times.values()) all.add(histogram);
    if (this.#mixed) all.add(this.#mixed.times);
    return all;
  }

  /** @type {(options?: { withCounts: boolean }) => OperationSummary} */
  summary({ withCounts } = { withCounts: false }) {
    const all = this.serviceTime();
    const statusCodes = this.#statusCodes();
    const least = this.#leastOfOk();
    const { name, phase, protocol, labels, skipped } = this;
    return {
      name,
      ...((this.isOther || phase === '') && { other: true }),
      ...(phase !== '' && { phase, protocol }),
      labels,
      count: all.count + this.#unanswered,
      errors: this.errors,
      ...(skipped > 0 && { skipped }),
      ...(phase === 'main' && this.oldest > 0 && { oldest: this.oldest }),
      statusCodes,
      times: {
        serviceTime: all.summary(withCounts),
        ...(this.#failed.count > 0 && { withoutErrors: all.without(this.#failed).summary(withCounts) }),
        ...(least.count > 0 && { least: least.summary(withCounts) }),
        ...(this.cancelled.count > 0 && { cancelled: this.cancelled.summary(withCounts) }),
      },
      ...(this.#hasTimesByStatus() && {
        serviceTimeByStatus: Object.fromEntries(
          [...this.#times].map(([status, histogram]) => [status, histogram.summary(withCounts)]),
        ),
      }),
      ...Object.fromEntries(this.#eachMore((recorder) => recorder.summary({ withCounts }))),
    };
  }

  /** @type {(key: keyof OperationTimes) => Histogram} */
  times(key) {
    if (key === 'serviceTime') return this.serviceTime();
    if (key === 'withoutErrors') return this.serviceTime().without(this.#failed);
    return key === 'least' ? this.#leastOfOk() : this.cancelled;
  }

  /** @type {() => OperationState} */
  drain() {
    const { name, phase, errors, skipped, protocol, labels } = this;
    const mixed = this.#mixed && { statusCodes: this.#mixed.statusCodes, times: this.#mixed.times.drain() };
    const state = {
      name,
      phase,
      errors,
      unanswered: this.#unanswered,
      ...(this.isOther && { other: /** @type {true} */ (true) }),
      ...(protocol !== 'http' && { protocol }),
      ...(labels !== NO_LABELS && { labels }),
      ...(skipped > 0 && { skipped }),
      ...(this.oldest > 0 && { oldest: this.oldest }),
      times: [...this.#times].map(
        ([status, histogram]) => /** @type {OperationState['times'][0]} */ ([status, histogram.drain()]),
      ),
      least: this.#least.drain(),
      ...(this.#failed.count > 0 && { failed: this.#failed.drain(), failedLeast: this.#failedLeast.drain() }),
      ...(this.cancelled.count > 0 && { cancelled: this.cancelled.drain() }),
      ...(mixed && { mixed }),
      ...Object.fromEntries(this.#eachMore((recorder) => recorder.drain())),
    };
    this.errors = this.skipped = this.oldest = this.#unanswered = 0;
    this.#mixed = null;
    return state;
  }

  /** @type {(state: OperationState) => void} */
  addState({
    errors,
    skipped = 0,
    oldest = 0,
    unanswered,
    times,
    least,
    failed,
    failedLeast,
    cancelled,
    mixed,
    ...more
  }) {
    this.errors += errors;
    this.skipped += skipped;
    this.oldest = Math.max(this.oldest, oldest);
    this.#unanswered += unanswered;
    for (const [status, state] of times) if (state.count > 0) this.#histogramOf(status).addState(state);
    if (least) this.#least.addState(least);
    if (failed) this.#failed.addState(failed);
    if (failedLeast) this.#failedLeast.addState(failedLeast);
    if (cancelled) this.#ownCancelled().addState(cancelled);
    for (const { key } of OPERATION_FIGURES) if (more[key]) this.figures(key).addState(more[key]);
    if (mixed) {
      this.#mixed ??= { statusCodes: {}, times: new Histogram() };
      const { statusCodes } = this.#mixed;
      for (const [status, count] of Object.entries(mixed.statusCodes))
        statusCodes[status] = (statusCodes[status] ?? 0) + count;
      this.#mixed.times.addState(mixed.times);
    }
  }

  /** Counts the operations by their statuses, `none` without a response. @type {() => Record<string, number>} */
  counts() {
    const none = this.#unanswered + (this.#times.get(NO_STATUS)?.count ?? 0);
    return { ...this.#statusCodes(), ...(none > 0 && { none }) };
  }

  #statusCodes() {
    /** @type {Record<string, number>} */
    const statusCodes = { ...this.#mixed?.statusCodes };
    for (const [status, { count }] of this.#times)
      if (status !== NO_STATUS) statusCodes[status] = (statusCodes[status] ?? 0) + count;
    return statusCodes;
  }

  /** @type {<T>(of: (recorder: FiguresRecorder) => T) => [key: string, T][]} */
  #eachMore(of) {
    return [...this.more].map(([key, recorder]) => [key, of(recorder)]);
  }

  #ownCancelled() {
    if (this.cancelled === NONE_CANCELLED) this.cancelled = new Histogram();
    return this.cancelled;
  }

  #leastOfOk() {
    return this.#failed.count > 0 ? this.#least.without(this.#failedLeast).rounded() : this.#least;
  }

  /** Reports whether there are several statuses with separate times. */
  #hasTimesByStatus() {
    return this.#times.size > 1 && this.#mixed === null && !this.#times.has(NO_STATUS);
  }

  /** @type {(status: number | 'other') => Histogram} */
  #histogramOf(status) {
    const key = this.#times.has(status) || this.#times.size < MAX_STATUSES ? status : 'other';
    const known = this.#times.get(key);
    if (known) return known;
    const histogram = new Histogram();
    if (this.#hasPoints) histogram.sincePoint();
    this.#times.set(key, histogram);
    return histogram;
  }
}
