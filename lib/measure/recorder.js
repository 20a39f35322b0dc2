import { Exemplars } from './exemplars.js';
import { Histogram } from './histogram.js';
import { createMeter, markAll } from './meter.js';
import { createOperations } from './operations.js';
import { PointMaker } from './point-maker.js';
import { Series } from './series.js';
import { createUserTimers } from './user-timers.js';

/**
 * @import { Exemplar } from './exemplars.js'
 * @import { Point } from './point-maker.js'
 * @import { ErrorSample } from './types.js'
 * @typedef {'count' | 'retries' | 'redirects'} Role
 * @typedef {ReturnType<Recorder['take']>} RecorderState can be sent to another thread
 *
 * @typedef {object} Holder what runs one iteration at a time: a lane
 * @property {boolean} isUnderWay its iteration has begun and not ended: kept here
 *
 * @typedef {object} Failure
 * @property {string} kind
 * @property {string} code
 * @property {string} context the phase
 * @property {string} operation `flow.main[0] GET /items`
 * @property {number | undefined} index
 * @property {number} now
 * @property {() => string} message
 */

const MOST_SAMPLES = 20;
const MOST_KEYS = 1000;

/**
 * Takes scalars while the run goes; nothing is kept of an iteration that ended. What was recorded in one thread can be
 * taken there and added in another: any split adds up to the whole.
 */
export class Recorder {
  meter = createMeter();
  timers = createUserTimers();
  operations = createOperations();
  exemplars = new Exemplars();
  series = new Series();
  points;
  histograms = {
    /** response times of completed and failed iterations: from when one was due, where the plan says when */
    ok: new Histogram(),
    notOk: new Histogram(),
    /** from when it started */
    serviceTime: new Histogram(),
    /** how late iterations started although a lane was free */
    startDelay: new Histogram(),
    connect: new Histogram(),
    tls: new Histogram(),
    /** from the request to the first byte of its response */
    ttfb: new Histogram(),
  };
  iterations = { started: 0, completed: 0, failed: 0, cancelled: 0, teardownFailed: 0 };
  /** of an open plan: were due and found no lane free; how many at most; given up */
  backlog = { late: 0, most: 0, dropped: 0 };
  requests = { count: 0, sent: 0, answered: 0, failed: 0, cancelled: 0, retries: 0, redirects: 0, ok: 0 };
  /** lanes that sent something, and those that got an answer */
  lanes = { asked: 0, reached: 0 };
  /** ms of all iterations that ended, pauses and all phases included */
  spent = 0;
  /** answers by status; a fixed list, as the status is three digits */
  #statuses = new Float64Array(1000);
  #errorCount = 0;
  /** @type {Map<string, number>} */
  #kinds = new Map();
  /** @type {Map<string, ErrorSample>} */
  #samples = new Map();
  /** points to be taken @type {Point[] | null} */
  #fresh;

  /**
   * @param {object} [options]
   * @param {() => number} [options.utilization] of the event loop since it was last asked for
   * @param {boolean} [options.isPart] it will be taken, and added elsewhere
   */
  constructor({ utilization, isPart = false } = {}) {
    this.#fresh = isPart ? [] : null;
    this.points = new PointMaker((point) => (this.#fresh ? this.#fresh.push(point) : this.series.add(point)), {
      utilization,
    });
  }

  /** An iteration begins; each ends exactly once. @type {(holder: Holder, now: number) => void} */
  started(holder, now) {
    if (holder.isUnderWay) throw new Error('an iteration began before the last one of its lane had ended');
    holder.isUnderWay = true;
    this.iterations.started++;
    this.points.started(now);
  }

  /** @type {(holder: Holder, outcome: 'completed' | 'failed' | 'cancelled', now: number, ms: number) => void} */
  ended(holder, outcome, now, ms) {
    if (!holder.isUnderWay) throw new Error('an iteration ended twice, or never began');
    holder.isUnderWay = false;
    this.iterations[outcome]++;
    this.spent += ms;
    this.points.ended(now);
  }

  /**
   * The time of `main`. `waited`: how long after its due time the iteration started, NaN where there is no such time.
   * @type {(ms: number, waited: number, outcome: string, now: number) => void}
   */
  main(ms, waited, outcome, now) {
    if (outcome === 'cancelled') return;
    const { ok, notOk, serviceTime } = this.histograms;
    this.meter.mark();
    const isOpen = waited === waited;
    const response = isOpen ? ms + waited : ms;
    (outcome === 'completed' ? ok : notOk).update(response);
    if (isOpen) serviceTime.update(ms);
    this.points.record(now, response);
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

  /** Groups are keyed by kind, code and operation, never by text that varies. @type {(failure: Failure) => void} */
  failure({ kind, code, context, operation, index, now, message }) {
    this.#errorCount++;
    if (index !== undefined) this.points.failed(now);
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    const key = keyOf({ kind, code, context, operation });
    if (this.#samples.has(key) || this.#samples.size < MOST_KEYS) {
      this.#addSample(key, {
        message: this.#samples.has(key) ? '' : message(),
        context,
        kind,
        code,
        operation,
        count: 1,
        firstIndex: index ?? null,
      });
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
    return {
      count: this.#errorCount,
      kinds: Object.fromEntries(this.#kinds),
      samples: samples.map((sample) => ({ ...sample })),
    };
  }

  /** What was recorded since it was last taken; that is here no more. */
  take() {
    const taken = {
      iterations: takeCounts(this.iterations),
      backlog: takeCounts(this.backlog),
      requests: takeCounts(this.requests),
      lanes: takeCounts(this.lanes),
      spent: this.spent,
      histograms: mapped(this.histograms, (histogram) => histogram.take()),
      operations: this.operations.take(),
      timers: this.timers.take(),
      exemplars: this.exemplars.take(),
      points: this.#fresh?.splice(0) ?? [],
      statuses: this.statusCodes(),
      errors: { count: this.#errorCount, kinds: [...this.#kinds], samples: [...this.#samples.values()] },
    };
    this.spent = this.#errorCount = 0;
    this.#statuses.fill(0);
    this.#kinds.clear();
    this.#samples.clear();
    return taken;
  }

  /** Adds what was taken of another one, of the same flow. @type {(state: RecorderState) => void} */
  add(state) {
    addCounts(this.iterations, state.iterations);
    addCounts(this.requests, state.requests);
    addCounts(this.lanes, state.lanes);
    this.backlog.late += state.backlog.late;
    this.backlog.dropped += state.backlog.dropped;
    this.backlog.most = Math.max(this.backlog.most, state.backlog.most);
    this.spent += state.spent;
    for (const name of keysOf(this.histograms)) this.histograms[name].addState(state.histograms[name]);
    markAll(this.meter, state.histograms.ok.count + state.histograms.notOk.count);
    this.operations.addState(state.operations);
    this.timers.addState(state.timers);
    this.exemplars.add(state.exemplars);
    for (const point of state.points) this.series.add(point);
    for (const [status, count] of Object.entries(state.statuses)) this.#statuses[Number(status)] += count;
    this.#errorCount += state.errors.count;
    for (const [kind, count] of state.errors.kinds) this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + count);
    for (const sample of state.errors.samples) this.#addSample(keyOf(sample), sample);
  }

  /** What does not balance, in words; nothing if all is well. @returns {string[]} */
  imbalances() {
    const { started, completed, failed, cancelled } = this.iterations;
    const { sent, answered, failed: unanswered, cancelled: cut } = this.requests;
    return [
      started !== completed + failed + cancelled &&
        `books: ${started} iterations started, but ${completed} completed + ${failed} failed + ${cancelled} cancelled`,
      sent !== answered + unanswered + cut &&
        `books: ${sent} requests sent, but ${answered} answered + ${unanswered} failed + ${cut} cancelled`,
    ].filter((reason) => reason !== false);
  }

  /** Ends what ticks. */
  close() {
    this.meter.end();
    this.timers.end();
  }

  /** @type {(key: string, sample: ErrorSample) => void} */
  #addSample(key, sample) {
    const known = this.#samples.get(key);
    if (!known) {
      if (this.#samples.size < MOST_KEYS) this.#samples.set(key, { ...sample });
      return;
    }
    known.count += sample.count;
    if (sample.firstIndex !== null && (known.firstIndex === null || sample.firstIndex < known.firstIndex))
      known.firstIndex = sample.firstIndex;
  }
}

/** @type {(group: { kind: string, code: string, context: string, operation: string }) => string} */
function keyOf({ kind, code, context, operation }) {
  return `${kind} ${code} ${context} ${operation}`;
}

/** @type {<T extends object>(values: T) => (keyof T)[]} */
function keysOf(values) {
  return /** @type {any[]} */ (Object.keys(values));
}

/** @type {<T extends Record<string, any>, V>(values: T, change: (value: T[keyof T]) => V) => Record<keyof T, V>} */
function mapped(values, change) {
  return /** @type {any} */ (Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)])));
}

/** @type {<T extends Record<string, number>>(counts: T) => T} */
function takeCounts(counts) {
  const taken = { ...counts };
  for (const name of keysOf(counts)) /** @type {any} */ (counts)[name] = 0;
  return taken;
}

/** @type {<T extends Record<string, number>>(counts: T, more: T) => void} */
function addCounts(counts, more) {
  for (const name of keysOf(counts)) /** @type {any} */ (counts)[name] += more[name];
}
