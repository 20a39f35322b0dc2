import { Checks } from './checks.js';
import { COUNTERS, RECORDED_HISTOGRAMS, recordOf, zeroCounters } from './figures.js';
import { Histogram, recordable } from './histogram.js';
import { OperationRows } from './operations.js';
import { PointMaker, summable } from './point-maker.js';
import { ErrorGroups, Exemplars } from './samples.js';
import { OperationSeries, RecentPoints, Series } from './series.js';
import { TRANSACTIONS, Transactions } from './transactions.js';
import { Meter, UserMetrics } from './user-metrics.js';

/** @import { HistogramKey } from '../contracts/figure-names.js' */
/** @import { Holder, Role } from '../contracts/recorders.js' */
/** @import { Stats } from '../contracts/stats.js' */
/** @import { TimerSummary } from '../contracts/summaries.js' */
/** @import { Point } from './point-maker.js' */
/** @import { RecordedFailure } from './samples.js' */
/** @import { RecorderState } from './state.js' */

/** Origins that are counted separately; a server may name a new one in each response. */
const MOST_ORIGINS = 100;

/** The counters of a recorder. */
const GROUPS = /** @type {const} */ (['iterations', 'requests', 'outside', 'virtualUsers']);

/** How two values of a counter become one. */
const ADD = {
  sum: (/** @type {number} */ one, /** @type {number} */ other) => one + other,
  max: (/** @type {number} */ one, /** @type {number} */ other) => Math.max(one, other),
};

/**
 * Records scalars during the run and keeps no object per iteration. The state of a recorder can be drained and added to
 * another one, in this thread or elsewhere: the sum of any split equals the whole. Times come in pairs: the time as
 * measured, and `least`, the same without the part that the load generator may have added (`ownMs`).
 */
export class Recorder {
  meter = new Meter();
  metrics = new UserMetrics(() => this.#timers());
  operations = new OperationRows();
  checks = new Checks();
  scenarios = new Transactions('scenarios');
  groups = new Transactions('groups');
  exemplars = new Exemplars();
  series;
  operationSeries;
  points;
  /** Set in the constructor. */
  histograms = /** @type {Record<HistogramKey, Histogram>} */ (
    /** @type {unknown} */ (recordOf(RECORDED_HISTOGRAMS, null))
  );
  iterations = zeroCounters('iterations');
  requests = zeroCounters('requests');
  virtualUsers = zeroCounters('virtualUsers');
  /** Requests of `before` and `after`; the other ones are those of iterations. */
  outside = zeroCounters('requests');
  /** Responses by status, which has three digits. */
  #statuses = new Float64Array(1000);
  /** What counts the requests of now: in `before` and `after` {@link Recorder#outside}, and no statuses. */
  #counted = this.requests;
  #countedStatuses = this.#statuses;
  #errors = new ErrorGroups();
  /** How late the last iteration of an idle virtual user started. */
  #lateMs = 0;
  /** Requests without the credentials of the run, by origin. @type {Map<string, number>} */
  #withheld = new Map();
  /** Points for the next state; null: the state is not drained, and points go to the series. @type {Point[] | null} */
  #fresh;

  /**
   * @param {object} [options]
   * @param {() => number} [options.utilization] of the event loop since the last call
   * @param {() => number} [options.received] bytes so far
   * @param {number} [options.interval] of the series, ms; default: those of {@link
   *   import('./point-maker.js').Intervals}
   * @param {boolean} [options.isDrained] its state will be drained and added elsewhere
   * @param {boolean} [options.isSum] it records no iteration itself: those of several loads are added
   */
  constructor({ utilization, received, interval, isDrained = false, isSum = false } = {}) {
    this.series = new Series({ interval });
    this.recentPoints = new RecentPoints({ interval });
    this.operationSeries = new OperationSeries({ interval });
    for (const key of RECORDED_HISTOGRAMS) this.histograms[key] = new Histogram();
    this.#fresh = isDrained ? [] : null;
    this.points = new PointMaker((point) => (this.#fresh ? this.#fresh.push(point) : this.#addPoint(point)), {
      utilization,
      received,
      // The points of loads have their iterations.
      ...(!isSum && { times: this.histograms.completed, operations: () => this.operations.points() }),
      interval,
    });
  }

  /**
   * Records how late an iteration started although a virtual user was idle, and how far it was from its planned
   * distance to the last one.
   * @type {(lateMs: number) => void}
   */
  startedIdle(lateMs) {
    const { startDelay, spacing } = this.histograms;
    startDelay.update(lateMs);
    spacing.update(Math.abs(lateMs - this.#lateMs));
    this.#lateMs = lateMs;
  }

  /** Requests and events of hooks are those of `before` or `after` from now on, or of iterations. */
  setOutside(/** @type {boolean} */ isOutside) {
    this.#counted = isOutside ? this.outside : this.requests;
    this.#countedStatuses = isOutside ? new Float64Array(1000) : this.#statuses;
    this.metrics.setOutside(isOutside);
  }

  /** Counts the start of an iteration; each ends exactly once. @type {(holder: Holder, now: number) => void} */
  started(holder, now) {
    if (holder.isRunning) throw new Error('an iteration began before the previous one of its lane had ended');
    holder.isRunning = true;
    this.iterations.started++;
    this.points.started(now);
  }

  /** The end of the run cuts off an iteration whose `main` has taken so long. @type {(ms: number) => void} */
  cutOff(ms) {
    this.histograms.cancelled.update(ms);
  }

  /** Counts iterations that ended elsewhere. @type {(counts: { started: number, cancelled: number }) => void} */
  cancelled({ started, cancelled }) {
    this.iterations.started += started;
    this.iterations.cancelled += cancelled;
  }

  /** @type {(holder: Holder, outcome: 'completed' | 'failed' | 'cancelled', now: number, ms: number) => void} */
  ended(holder, outcome, now, ms) {
    if (!holder.isRunning) throw new Error('an iteration ended twice, or never began');
    holder.isRunning = false;
    const { iterations } = this;
    iterations[outcome]++;
    iterations.busyTime += summable(ms);
    this.points.ended(now, outcome === 'failed');
  }

  /**
   * Records the time of `main`. `waitedMs`: how long the iteration was due and waited for a virtual user; NaN in a
   * closed run. `ownMs` and `ownWaitMs`: the parts of `ms` and `waitedMs` that are the load generator's at most.
   * @type {(ms: number, waitedMs: number, outcome: string, now: number, ownMs?: number, ownWaitMs?: number) => void}
   */
  main(ms, waitedMs, outcome, now, ownMs = 0, ownWaitMs = 0) {
    if (outcome === 'cancelled') return;
    const { completed, failed, serviceTime, least, serviceLeast } = this.histograms;
    const { iterations } = this;
    this.meter.mark();
    const isOpen = !Number.isNaN(waitedMs);
    const response = isOpen ? ms + waitedMs : ms;
    if (outcome !== 'completed') {
      failed.update(response);
      return;
    }
    if (ms > iterations.slowest) iterations.slowest = ms;
    this.points.completes(now, response);
    completed.update(response);
    least.update(recordable(response - ownMs - ownWaitMs));
    if (isOpen) {
      serviceTime.update(ms);
      serviceLeast.update(recordable(ms - ownMs));
      if (waitedMs === 0) iterations.promptTime += summable(recordable(ms - ownMs));
    }
  }

  /**
   * Counts a complete response. `role` is the counter of its request: `count` for the first of an operation, others for
   * those that follow. The status is 0 for a call, which has none.
   * @type {(status: number, role: Role) => void}
   */
  answered(status, role) {
    const requests = this.#counted;
    requests.sent++;
    requests.answered++;
    requests[role]++;
    this.#countedStatuses[status]++;
  }

  /** Counts a request that was sent and got no complete response. @type {(isCancelled: boolean, role: Role) => void} */
  unanswered(isCancelled, role) {
    const requests = this.#counted;
    requests.sent++;
    requests[isCancelled ? 'cancelled' : 'unanswered']++;
    requests[role]++;
  }

  /** Records a wait after which a request is sent again. @type {(ms: number) => void} */
  throttled(ms) {
    this.#counted.throttledTime += ms;
  }

  /** Counts such a wait that the end of the run has cut. */
  waitCut() {
    this.#counted.waitsCut++;
  }

  /** Counts a response that asks for a further request, which is not sent. */
  exhausted() {
    this.#counted.exhausted++;
  }

  /** Counts a request that lacked the run's credentials. @type {(origin: string, count?: number) => void} */
  withheld(origin, count = 1) {
    const key = this.#withheld.size < MOST_ORIGINS || this.#withheld.has(origin) ? origin : 'other';
    this.#withheld.set(key, (this.#withheld.get(key) ?? 0) + count);
  }

  /** Counts an operation that `when` or a hook left out. */
  skipped() {
    this.#counted.skipped++;
  }

  teardownFailed() {
    this.iterations.teardownFailed++;
  }

  /** Counts an error in its group. @type {(failure: RecordedFailure) => void} */
  failure(failure) {
    // Errors of before and after have no INDEX: they are in no interval of the load.
    if (failure.index !== undefined) this.points.addError(failure.now);
    this.#errors.add(failure);
  }

  get errorCount() {
    return this.#errors.count;
  }

  get active() {
    const { started, completed, failed, cancelled } = this.iterations;
    return started - completed - failed - cancelled;
  }

  statusCodes() {
    /** @type {Record<string, number>} */
    const codes = {};
    for (let status = 1; status < this.#statuses.length; status++)
      if (this.#statuses[status] > 0) codes[status] = this.#statuses[status];
    return codes;
  }

  /** Returns the requests without credentials by origin. @type {() => Record<string, number>} */
  withheldCredentials() {
    return Object.fromEntries(this.#withheld);
  }

  errors() {
    return this.#errors.toJSON();
  }

  /** Returns the state recorded since the last call, and clears the recorder. @type {() => RecorderState} */
  drain() {
    const state = {
      counters: Object.fromEntries(GROUPS.map((group) => [group, { ...this[group] }])),
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
      withheld: this.withheldCredentials(),
      errors: this.#errors.drain(),
    };
    for (const group of GROUPS) Object.assign(this[group], zeroCounters(group));
    this.#statuses.fill(0);
    this.#withheld.clear();
    return state;
  }

  /** Adds the state of a recorder of the same flow: of a thread, a run, … @type {(state: RecorderState) => void} */
  add(state) {
    for (const { group, name, source, add } of COUNTERS) {
      if (source !== 'recorder') continue;
      /** @type {Record<string, number>} */
      const own = this[/** @type {typeof GROUPS[number]} */ (group)];
      own[name] = ADD[add](own[name], state.counters[group]?.[name] ?? 0);
    }
    for (const key of RECORDED_HISTOGRAMS) this.histograms[key].addState(state.histograms[key]);
    if (state.meter) this.meter.addFinished(state.meter);
    else this.meter.markAll(state.histograms.completed.count + state.histograms.failed.count);
    this.operations.addState(state.operations);
    this.checks.addState(state.checks);
    for (const { key } of TRANSACTIONS) this[key].addState(state[key]);
    this.metrics.addState(state.metrics);
    this.exemplars.add(state.exemplars);
    for (const point of state.points) this.#addPoint(point);
    for (const [status, count] of Object.entries(state.statusCodes)) this.#statuses[Number(status)] += count;
    for (const [origin, count] of Object.entries(state.withheld ?? {})) this.withheld(origin, count);
    this.#errors.addState(state.errors);
  }

  /** @type {(point: Point) => void} */
  #addPoint({ operations = [], ...point }) {
    this.series.add(point);
    this.recentPoints.add(point);
    this.operationSeries.add(point, operations);
  }

  /**
   * The timers that programs for bench-rest 1 find beside the metrics of hooks: `main` of this thread so far, and the
   * total, which is known at the end.
   * @returns {Record<string, TimerSummary>}
   */
  #timers() {
    const histogram = new Histogram();
    histogram.add(this.histograms.completed);
    histogram.add(this.histograms.failed);
    const total = new Meter();
    total.end();
    return {
      totalElapsed: { meter: total.toJSON(), histogram: new Histogram().toJSON() },
      main: { meter: this.meter.toJSON(), histogram: histogram.toJSON() },
    };
  }

  /** Stops the intervals of the meters. */
  close() {
    this.meter.end();
    this.metrics.end();
  }
}

/**
 * Checks the accounting of a run that has ended: started = completed + failed + cancelled, and sent = answered +
 * unanswered + cancelled, of iterations and outside of them. Lists one sentence per violated equation.
 * @type {(counts: Pick<Recorder | Stats, 'iterations' | 'requests' | 'outside'>) => string[]}
 */
export function accountingErrors({ iterations, requests, outside }) {
  const { started, completed, failed, cancelled } = iterations;
  const errors = [requests, outside ?? NO_REQUESTS].flatMap(({ sent, answered, unanswered, cancelled: cut }) =>
    sent === answered + unanswered + cut
      ? []
      : `accounting: ${sent} requests sent, but ${answered} answered + ${unanswered} unanswered + ${cut} cancelled`,
  );
  if (started === completed + failed + cancelled) return errors;
  return [
    `accounting: ${started} iterations started, but ${completed} completed + ${failed} failed + ${cancelled} cancelled`,
    ...errors,
  ];
}

const NO_REQUESTS = { sent: 0, answered: 0, unanswered: 0, cancelled: 0 };
