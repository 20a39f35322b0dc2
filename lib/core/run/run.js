import { EventEmitter } from 'node:events';

import { Recorder } from '../measure/recorder.js';
import { summarize } from '../measure/summary.js';
import { addSenders } from '../measure/thread.js';
import { recordFailure } from './flow-failures.js';

/** @import { IntervalCounts, PlanSummary, RunEvents } from '../contracts/run.js' */
/** @import { Stats } from '../contracts/stats.js' */
/** @import { Phase } from '../ground/phases.js' */

/**
 * @experimental
 * @typedef {object} ShowSettings
 * @property {boolean} [progress] show the progress, on stderr; default: true
 * @property {boolean} [report] print the report, on stdout; default: true
 * @property {boolean} [full] print everything, as with `--full`
 * @property {boolean} [latency] print the full percentile distribution, as with `--latency`
 * @property {'auto' | 'always' | 'never'} [color] as `--color`
 * @property {NodeJS.WritableStream} [stdout] default: that of the process
 * @property {NodeJS.WritableStream} [stderr] default: that of the process
 */

/**
 * @typedef {object} RunResult
 * @property {Stats} stats
 * @property {number} errorCount
 * @property {string} endReason a code of `END_REASONS`, or the reason passed to stop()
 * @property {number} [missedResponses] `response` events that were dropped, because the listener was slower than the
 *   workers
 *
 * @typedef {{ within?: number }} StopOptions within: a shorter grace period than `gracefulStop`, ms
 *
 * @typedef {object} StartAgreement
 * @property {() => Promise<number>} ready called when everything before the measured iterations is done; resolves
 *   with their start, in the time that all threads of this process share
 * @property {(instant: number) => void} started called when all threads have started, with the instant of the clock
 *   of the last
 *
 * @typedef {object} Controls
 * @property {(reason: string, options?: StopOptions) => void} stop
 * @property {() => void} abort
 * @property {(options?: { withCounts?: boolean }) => Stats} snapshot
 * @property {() => number} inFlight requests that were sent and are not answered yet
 * @property {() => Counters} counters
 * @property {(ms: number) => IntervalCounts[]} intervalsAfter
 * @property {(error: Error) => void} uncaught counts an error of the flow that nothing caught
 *
 * @typedef {object} Counters where a run is; cheap to read
 * @property {number | null} elapsedMs of the measured iterations; null before they start
 * @property {number} share of the run, 0 to 1; 0 if nothing ends it
 * @property {number} ended iterations
 * @property {number} errors
 */

/** An error of their listeners ended a program for 1.2.4. */
const STOPPING = ['error', 'progress'];

/** Errors before the start that are kept; more of them say the same. */
const MOST_EARLY = 100;

/**
 * Loads what shows a run; null: nothing can. The entry of the package sets it, as displays and reports do not belong to
 * runs.
 * @type {{ load: (() => Promise<{ showRun: (run: Run, ended: Promise<RunResult>, settings?: ShowSettings) => void }>) |
 *   null }}
 */
export const DISPLAY = { load: null };

/**
 * A run in progress. Emits `warning (warning)`, `start (start)`, `response (response)`, `error (err, phase)`,
 * `progress (stats, percent, concurrent, ips)` and `end (stats, errorCount)`; without an error listener errors are only
 * counted, and without a response listener, at the start of the run, responses are not reported.
 * @extends {EventEmitter<RunEvents>}
 */
export class Run extends EventEmitter {
  /** @type {Promise<RunResult>} */
  #result;
  /** The first error that a listener threw. @type {unknown[]} */
  #thrown = [];
  #isAwaited = false;
  /** The controls; null before the benchmark starts. @type {Controls | null} */
  #controls = null;
  /** Errors of the flow that nothing caught before the run started. @type {Error[]} */
  #early = [];
  /** @type {{ reason: string, options?: StopOptions } | null} */
  #stopped = null;
  #isAborted = false;
  /** The run starts when its display is loaded. @type {Promise<void> | null} */
  #display = null;
  /** Called when a phase begins: a thread may block in it. @type {(phase: Phase) => void} */
  onPhase = () => {};
  /** Called when a run is planned later than it is created. @type {(plan: PlanSummary) => void} */
  onPlan = () => {};
  /** Adds to the stats what programs for 1.2.4 read. @type {(stats: Stats) => Stats} */
  forProgram = (stats) => stats;
  /** How this part of a run on several machines starts together with the others. @type {StartAgreement | null} */
  agreement = null;

  /**
   * @param {(run: Run) => Promise<RunResult>} work
   * @param {PlanSummary | null} [plan] null if a file is read or a server is started first
   */
  constructor(work, plan = null) {
    super();
    this.plan = plan;
    const done = new Promise((resolve) => setImmediate(resolve)).then(() => this.#display).then(() => work(this));
    // An awaited run continues after its listeners.
    this.#result = new Promise((resolve, reject) => {
      done.then(
        (result) => process.nextTick(settle, () => this.#end(result), resolve, result),
        (error) => process.nextTick(settle, () => this.#refuse(error), reject, error),
      );
    });
    this.#result.catch(() => {});
  }

  /**
   * Stops the run: no iteration starts any more; running ones get up to `gracefulStop`, then they are cancelled.
   * @type {(reason?: string, options?: StopOptions) => void}
   */
  stop(reason = 'stopped', options) {
    this.#stopped ??= { reason, options };
    this.#controls?.stop(reason, options);
  }

  /** @returns {boolean} the run was stopped or aborted, perhaps before it started */
  get isStopped() {
    return this.#stopped !== null || this.#isAborted;
  }

  /** The run is planned, later than created: it read a file, or began a server. @type {(plan: PlanSummary) => void} */
  planned(plan) {
    this.plan = plan;
    this.onPlan(plan);
  }

  /** Emits `warning`: the run goes on, with something that is unlikely to be meant. @type {(text: string) => void} */
  warn(text) {
    this.emit('warning', Object.assign(new Error(text), { name: 'BenchRestWarning' }));
  }

  /**
   * Shows the run as the command does: its progress on stderr, and its report on stdout. Call it right after
   * `benchrest()`.
   *
   * @example await benchrest(flow, { limit: 10, duration: '10s' }).show();
   * @type {(settings?: ShowSettings) => this}
   */
  show(settings) {
    if (DISPLAY.load === null) return this;
    this.#display ??= DISPLAY.load().then(({ showRun }) => showRun(this, this.#result, settings));
    return this;
  }

  /** Aborts the run: running iterations are cancelled at once and `after` does not run. */
  abort() {
    this.#isAborted = true;
    this.#controls?.abort();
  }

  /** The earlier name of {@link Run.abort}. */
  leave() {
    this.abort();
  }

  /**
   * @param {{ withCounts?: boolean }} [options] withCounts: with the counts of histograms, as at the end
   * @returns {Stats | null} the stats so far; null before the run starts
   */
  snapshot(options) {
    const stats = this.#controls?.snapshot(options);
    return stats ? this.forProgram(stats) : null;
  }

  /** @returns {number} requests that were sent and are not answered yet */
  inFlight() {
    return this.#controls?.inFlight() ?? 0;
  }

  /** @returns {Counters | null} where the run is; null before it starts */
  counters() {
    return this.#controls?.counters() ?? null;
  }

  /** Returns the intervals that end after `ms`, with response times. @type {(ms: number) => IntervalCounts[]} */
  intervalsAfter(ms) {
    return this.#controls?.intervalsAfter(ms) ?? [];
  }

  /**
   * Counts an error of the flow that nothing caught: when the run starts, if it has not yet.
   * @param {Error} error E_UNCAUGHT
   */
  uncaught(error) {
    if (this.#controls) this.#controls.uncaught(error);
    else if (this.#early.length < MOST_EARLY) this.#early.push(error);
  }

  /** @type {Promise<RunResult>['then']} */
  then(onResult, onError) {
    this.#isAwaited = true;
    return this.#result.then(onResult, onError);
  }

  /** @type {Promise<RunResult>['catch']} */
  catch(onError) {
    this.#isAwaited = true;
    return this.#result.catch(onError);
  }

  /** @type {Promise<RunResult>['finally']} */
  finally(onEnd) {
    this.#isAwaited = true;
    return this.#result.finally(onEnd);
  }

  /**
   * Emits without failing the run: an error without a listener is only counted. An error of a listener is
   * thrown after the run; it stops the load if 1.2.4 had the event.
   * @template K
   * @param {keyof RunEvents | K} name
   * @param {K extends keyof RunEvents ? RunEvents[K] : never} values
   * @returns {boolean}
   */
  emit(name, ...values) {
    if (this.listenerCount(/** @type {any} */ (name)) === 0) return false;
    try {
      return super.emit(name, ...values);
    } catch (error) {
      if (this.#thrown.length === 0) {
        this.#thrown.push(error);
        if (STOPPING.includes(String(name))) this.stop();
      }
      return true;
    }
  }

  /** Connects the run with its benchmark. An earlier stop takes effect now. @type {(controls: Controls) => void} */
  attach(controls) {
    this.#controls = controls;
    for (const error of this.#early.splice(0)) controls.uncaught(error);
    if (this.#stopped) controls.stop(this.#stopped.reason, this.#stopped.options);
    if (this.#isAborted) controls.abort();
  }

  /**
   * Ends a run that failed before it started or by an internal error: emits `error`, then `end`, for which programs for
   * 1.2.4 wait. Throws the error if it has no listener and the run is not awaited, or what a listener threw.
   * @type {(error: Error) => void}
   */
  #refuse(error) {
    const isTaken = this.emit('error', error, 'internal') || this.#isAwaited;
    if (this.listenerCount('end') > 0) {
      const stats = this.snapshot() ?? this.forProgram(unstartedStats(error));
      this.emit('end', stats, Math.max(1, stats.errors.count));
    }
    if (!isTaken) throw error;
    this.#throwFirst();
  }

  /** @type {(result: RunResult) => void} */
  #end({ stats, errorCount }) {
    this.emit('end', this.forProgram(stats), errorCount);
    this.#throwFirst();
  }

  #throwFirst() {
    const [first] = this.#thrown;
    if (this.#thrown.length > 0) throw first;
  }
}

/**
 * Settles a promise with a value after `emit`. An error that this throws is thrown after the continuations of the
 * promise, so that they get the result before an uncaught error ends the process.
 * @template T
 * @param {() => void} emit
 * @param {(value: T) => void} resume
 * @param {T} value
 */
function settle(emit, resume, value) {
  try {
    emit();
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
  }
  resume(value);
}

/** Returns the stats of a run that failed before it started: nothing but its error. @type {(error: Error) => Stats} */
function unstartedStats(error) {
  const recorder = new Recorder();
  recordFailure(recorder, error, { phase: 'before' }, null);
  const now = new Date().toISOString();
  return summarize(recorder, {
    ...{ startedAt: now, endedAt: now, elapsedMs: 0, measuredMs: 0, isOver: true, planned: null },
    ...{ loadGenerator: addSenders([]), server: null, sharesLoop: false, workers: 1, warmup: null, traffic: {} },
  });
}
