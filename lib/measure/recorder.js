import { createChecks } from './checks.js';
import { Exemplars } from './exemplars.js';
import { COUNTERS, RECORDED_HISTOGRAMS, recordOf, zeroCounters } from './figures.js';
import { Histogram } from './histogram.js';
import { Meter } from './meter.js';
import { createOperations } from './operations.js';
import { PointMaker } from './point-maker.js';
import { Series } from './series.js';
import { TRANSACTIONS, Transactions } from './transactions.js';
import { createUserMetrics } from './user-metrics.js';

/**
 * @import { HistogramKey } from './figures.js'
 * @import { Point } from './point-maker.js'
 * @import { RecorderState } from './state.js'
 * @import { CodePlace, ErrorSample } from './types.js'
 * @typedef {'count' | 'retries' | 'redirects' | 'challenges'} Role
 *
 * @typedef {object} Holder a lane, which runs one iteration at a time
 * @property {boolean} isRunning its iteration has begun and not ended; set by the recorder
 *
 * @typedef {object} Failure
 * @property {string} kind
 * @property {string} code
 * @property {string} context the phase
 * @property {string} operation `flow.main[0] GET /items`
 * @property {string} [name] of the operation, `GET /items`; undefined if no operation caused it
 * @property {number | undefined} index
 * @property {number} now
 * @property {() => string} message
 * @property {() => CodePlace | null} place of the user's code; called for the first of a group
 * @property {() => string[] | null} [exchange] lines of the request and its response; called for the first of a group
 */

const MAX_SAMPLES = 20;
const MAX_GROUPS = 1000;
/** groups of the hooks of one operation: messages of one code, and all */
const MAX_MESSAGES = 5;
const MAX_HOOK_GROUPS = 100;
const OTHER_CODES = 'E_HOOK';
const OTHER_MESSAGES = 'other messages of this hook';
/** how two values of a counter become one */
const ADD = {
  sum: (/** @type {number} */ one, /** @type {number} */ other) => one + other,
  max: (/** @type {number} */ one, /** @type {number} */ other) => Math.max(one, other),
};

/**
 * Records scalars during the run and keeps no object per iteration. The state of a recorder can be drained and added to
 * another one, in this thread or elsewhere: the sum of any split equals the whole.
 */
export class Recorder {
  meter = new Meter();
  metrics = createUserMetrics();
  operations = createOperations();
  checks = createChecks();
  scenarios = new Transactions();
  groups = new Transactions();
  exemplars = new Exemplars();
  series;
  points;
  /** `ok` and `notOk` are the response times of completed and failed iterations; figures.js describes the others */
  histograms = /** @type {Record<HistogramKey | 'notOk', Histogram>} */ (
    /** @type {unknown} */ (recordOf(RECORDED_HISTOGRAMS, null))
  );
  iterations = zeroCounters('iterations');
  requests = zeroCounters('requests');
  connections = zeroCounters('requests.connections');
  /** responses by status, which has three digits */
  #statuses = new Float64Array(1000);
  #errorCount = 0;
  /** @type {Map<string, number>} */
  #kinds = new Map();
  /** @type {Map<string, ErrorSample>} */
  #samples = new Map();
  /** groups of hooks, by operation and by code @type {Map<string, number>} */
  #hookGroups = new Map();
  /** points not drained yet @type {Point[] | null} */
  #fresh;

  /**
   * @param {object} [options]
   * @param {() => number} [options.utilization] of the event loop since the last call
   * @param {() => number} [options.received] bytes so far
   * @param {number} [options.interval] of the series, ms
   * @param {boolean} [options.isPart] its state will be drained and added elsewhere
   */
  constructor({ utilization, received, interval, isPart = false } = {}) {
    this.series = new Series({ interval });
    for (const key of RECORDED_HISTOGRAMS) this.histograms[key] = new Histogram();
    this.#fresh = isPart ? [] : null;
    this.points = new PointMaker((point) => (this.#fresh ? this.#fresh.push(point) : this.series.add(point)), {
      utilization,
      received,
      width: interval,
    });
  }

  /** Counts the start of an iteration; each ends exactly once. @type {(holder: Holder, now: number) => void} */
  started(holder, now) {
    if (holder.isRunning) throw new Error('an iteration began before the previous one of its lane had ended');
    holder.isRunning = true;
    this.iterations.started++;
    this.points.started(now);
  }

  /** @type {(holder: Holder, outcome: 'completed' | 'failed' | 'cancelled', now: number, ms: number) => void} */
  ended(holder, outcome, now, ms) {
    if (!holder.isRunning) throw new Error('an iteration ended twice, or never began');
    holder.isRunning = false;
    this.iterations[outcome]++;
    this.iterations.busyTime += ms;
    this.points.ended(now);
  }

  /**
   * Records the time of `main`. `waited`: from when the iteration was due to its start; NaN in a closed run.
   * @type {(ms: number, waited: number, outcome: string, now: number) => void}
   */
  main(ms, waited, outcome, now) {
    if (outcome === 'cancelled') return;
    const { ok, notOk, serviceTime } = this.histograms;
    this.meter.mark();
    const isOpen = !Number.isNaN(waited);
    const response = isOpen ? ms + waited : ms;
    (outcome === 'completed' ? ok : notOk).update(response);
    if (isOpen) serviceTime.update(ms);
    this.points.record(now, response);
  }

  /**
   * Counts a complete response. `role` is the counter of its request: `count` for the first of an operation, `retries`,
   * `redirects` or `challenges` for those that follow.
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

  /** Counts a request that was sent and got no complete response. @type {(isCancelled: boolean, role: Role) => void} */
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
   * Counts an error. Groups are keyed by kind, code and operation, not by text that varies, except for the first few
   * messages of a hook: what it checks is in them.
   * @type {(failure: Failure) => void}
   */
  failure({ kind, code, context, operation, name, index, now, message, place, exchange }) {
    this.#errorCount++;
    if (index !== undefined) this.points.failed(now);
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + 1);
    const group = { kind, code, context, operation };
    const isKnown = kind !== 'hook' && this.#samples.has(keyOf(group));
    if (isKnown || this.#samples.size < MAX_GROUPS)
      this.#addSample(
        { message: isKnown ? '' : message(), ...group, ...(name && { name }), count: 1, firstIndex: index ?? null },
        { place, exchange },
      );
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
    const samples = [...this.#samples.values()].sort((a, b) => b.count - a.count).slice(0, MAX_SAMPLES);
    return {
      count: this.#errorCount,
      kinds: Object.fromEntries(this.#kinds),
      samples: samples.map((sample) => ({ ...sample })),
    };
  }

  /**
   * Returns the state recorded since the last call, and clears the recorder.
   *
   * @returns {RecorderState}
   */
  drain() {
    const state = {
      counters: {
        iterations: { ...this.iterations },
        requests: { ...this.requests },
        'requests.connections': { ...this.connections },
      },
      histograms: /** @type {RecorderState['histograms']} */ (
        Object.fromEntries(RECORDED_HISTOGRAMS.map((key) => [key, this.histograms[key].drain()]))
      ),
      operations: this.operations.drain(),
      checks: this.checks.drain(),
      scenarios: this.scenarios.drain(),
      groups: this.groups.drain(),
      metrics: this.metrics.drain(),
      exemplars: this.exemplars.drain(),
      points: this.#fresh?.splice(0) ?? [],
      statusCodes: this.statusCodes(),
      errors: { count: this.#errorCount, kinds: Object.fromEntries(this.#kinds), samples: [...this.#samples.values()] },
    };
    Object.assign(this.iterations, zeroCounters('iterations'));
    Object.assign(this.requests, zeroCounters('requests'));
    Object.assign(this.connections, zeroCounters('requests.connections'));
    this.#errorCount = 0;
    this.#statuses.fill(0);
    this.#kinds.clear();
    this.#samples.clear();
    this.#hookGroups.clear();
    return state;
  }

  /**
   * Adds the state of another recorder of the same flow, from another thread, run or machine.
   *
   * @param {RecorderState} state
   */
  add(state) {
    /** @type {Record<string, Record<string, number>>} */
    const groups = { iterations: this.iterations, requests: this.requests, 'requests.connections': this.connections };
    for (const { group, name, source, add } of COUNTERS) {
      if (source === 'recorder') groups[group][name] = ADD[add](groups[group][name], state.counters[group][name]);
    }
    for (const key of RECORDED_HISTOGRAMS) this.histograms[key].addState(state.histograms[key]);
    if (state.meter) this.meter.addFinished(state.meter);
    else this.meter.markAll(state.histograms.ok.count + state.histograms.notOk.count);
    this.operations.addState(state.operations);
    this.checks.addState(state.checks);
    for (const { key } of TRANSACTIONS) this[key].addState(state[key]);
    this.metrics.addState(state.metrics);
    this.exemplars.add(state.exemplars);
    for (const point of state.points) this.series.add(point);
    for (const [status, count] of Object.entries(state.statusCodes)) this.#statuses[Number(status)] += count;
    this.#errorCount += state.errors.count;
    for (const [kind, count] of Object.entries(state.errors.kinds))
      this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + count);
    for (const sample of state.errors.samples) this.#addSample(sample);
  }

  /**
   * The accounting check: started = completed + failed + cancelled, and sent = answered + failed + cancelled.
   *
   * @returns {string[]} one sentence per violated equation
   */
  accountingErrors() {
    const { started, completed, failed, cancelled } = this.iterations;
    const { sent, answered, failed: unanswered, cancelled: cut } = this.requests;
    return [
      started !== completed + failed + cancelled &&
        `accounting: ${started} iterations started, but ${completed} completed + ${failed} failed + ${cancelled} cancelled`,
      sent !== answered + unanswered + cut &&
        `accounting: ${sent} requests sent, but ${answered} answered + ${unanswered} failed + ${cut} cancelled`,
    ].filter((reason) => reason !== false);
  }

  /** Stops the intervals of the meters. */
  close() {
    this.meter.end();
    this.metrics.end();
  }

  /** @type {(given: ErrorSample, details?: Partial<Pick<Failure, 'place' | 'exchange'>>) => void} */
  #addSample(given, details = {}) {
    const sample = given.kind === 'hook' ? this.#withFewMessages(given) : given;
    const key = keyOf(sample);
    const known = this.#samples.get(key);
    if (!known) {
      if (this.#samples.size === MAX_GROUPS) return;
      const [place, exchange] = [details.place?.(), details.exchange?.()];
      this.#samples.set(key, { ...sample, ...(place && { place }), ...(exchange && { exchange }) });
      return;
    }
    known.count += sample.count;
    if (sample.firstIndex !== null && (known.firstIndex === null || sample.firstIndex < known.firstIndex))
      known.firstIndex = sample.firstIndex;
  }

  /** @type {(sample: ErrorSample) => ErrorSample} */
  #withFewMessages(sample) {
    if (this.#samples.has(keyOf(sample))) return sample;
    const operation = baseOf({ ...sample, code: '' });
    const code = baseOf(sample);
    const ofOperation = this.#hookGroups.get(operation) ?? 0;
    const ofCode = this.#hookGroups.get(code) ?? 0;
    if (ofOperation >= MAX_HOOK_GROUPS) return { ...sample, code: OTHER_CODES, message: OTHER_MESSAGES };
    if (ofCode >= MAX_MESSAGES) return { ...sample, message: OTHER_MESSAGES };
    this.#hookGroups.set(operation, ofOperation + 1);
    this.#hookGroups.set(code, ofCode + 1);
    return sample;
  }
}

/** @type {(group: Pick<ErrorSample, 'kind' | 'code' | 'context' | 'operation'> & { message?: string }) => string} */
function keyOf({ message = '', ...group }) {
  return group.kind === 'hook' ? `${baseOf(group)} ${message}` : baseOf(group);
}

/** @type {(group: Pick<ErrorSample, 'kind' | 'code' | 'context' | 'operation'>) => string} */
function baseOf({ kind, code, context, operation }) {
  return `${kind} ${code} ${context} ${operation}`;
}
