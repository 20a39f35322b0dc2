import { makeError } from '../../ground/errors.js';
import { workerLost } from '../../measure/incomplete.js';
import { clock, fromCommonTime, toCommonTime } from '../clock.js';
import { settlesWithin } from '../closing.js';
import { indexMemory } from '../load/arrivals.js';
import { startThread } from '../load/pacer.js';
import { FlowChanges } from './flow-changes.js';
import { fromPlain } from './plain-error.js';
import { WorkerHandle } from './worker-handle.js';

/** @import { RunOptions } from '../../contracts/run-options.js' */
/** @import { Pacing } from '../../contracts/run.js' */
/** @import { LiveFlow } from '../../flow/live-flow.js' */
/** @import { Table } from '../../flow/data/types.js' */
/** @import { Phase } from '../../ground/phases.js' */
/** @import { RunningTimes } from '../../measure/judge-thresholds.js' */
/** @import { Recorder } from '../../measure/recorder.js' */
/** @import { RecorderState } from '../../measure/state.js' */
/** @import { BodyMemory, SharedCounters } from '../../process/body-memory.js' */
/** @import { FlowSource, WarmUpResult } from '../types.js' */
/** @import { Ending } from '../load/ending.js' */
/** @import { PacingThread } from '../load/pacing-thread.js' */
/** @import { PostedBatch } from '../response-events.js' */
/** @import { Report, WorkerListener } from './types.js' */
/** @import { CancelledCounts } from './worker-handle.js' */

/**
 * @typedef {object} PoolContext the run that a pool works for
 * @property {Recorder} recorder gets what all workers record
 * @property {(states: RecorderState[]) => void} addLoads gets what each of several loads has recorded
 * @property {(position: number, counts: CancelledCounts) => void} cancel counts what a lost worker has cut off in the
 *   load at a position
 * @property {Ending} ending
 * @property {Record<string, any>} runCtx
 * @property {Record<string, any>} vars the variables of the run
 * @property {Record<string, Table>} tables rows of the flow's feeders, shared by all threads
 * @property {{ memory: BodyMemory, counters: SharedCounters }} bodies counters of kept bodies, shared by all threads;
 *   the first one belongs to this thread
 * @property {(failures: { error: Error, phase: Phase }[]) => void} onFailures called after failures were counted
 * @property {(error: Error & { code: string }, phase: Phase) => void} fail counts a failure of no operation
 * @property {((batch: PostedBatch) => void) | null} emitResponses emits the responses of a batch; null without a
 *   listener
 * @property {() => boolean} emitsErrors whether workers report each error, not only counts
 * @property {Pacing | null} pacing
 * @property {SharedArrayBuffer} [loadsMemory] of several loads
 * @property {LiveFlow | null} live the flow of this thread; null: no code can change it
 */

/** Time for a worker to answer after all deadlines, ms. */
const SPARE_MS = 1000;

/**
 * Worker threads that share the lanes and the iterations of a run. They allocate INDEX from shared memory and follow
 * one schedule; this pool adds up their recorders.
 */
export class WorkerPool {
  #options;
  #run;
  #workers;
  /** What code of this thread changes in the flow; null: it cannot. @type {FlowChanges | null} */
  #changes;
  #unsubscribe;
  /** The threads cannot have the same flow, which was reported. */
  #disagrees = false;
  /** When the workers started, instants of the clock. @type {number[]} */
  #started = [];
  /** @type {(instant: number) => void} */
  #onAllStarted = () => {};
  /** Descriptions of the lacks of the result. @type {string[]} */
  missing = [];
  /** Responses that were not emitted, because the listener was slower than the workers. */
  missedResponses = 0;

  /**
   * Starts the workers and waits until all have read the flow.
   * @throws {Error} any error of the flow; E_WORKER
   * @type {(source: FlowSource, options: RunOptions, run: PoolContext) => Promise<WorkerPool>}
   */
  static async open(source, options, run) {
    const { workers = 1, pacing } = options;
    const isRequired = pacing === 'thread';
    const pacingThread = run.pacing === 'thread' ? await startThread(workers, { isRequired }) : null;
    const pool = new WorkerPool(source, options, { ...run, pacingThread });
    const starts = await Promise.allSettled(pool.#workers.map(({ ready }) => ready));
    const failed = starts.find((start) => start.status === 'rejected');
    if (!failed) return pool;
    await pool.close();
    throw failed.reason;
  }

  /**
   * @param {FlowSource} source
   * @param {RunOptions} options
   * @param {PoolContext & { pacingThread: PacingThread | null }} run pacingThread: wakes all workers
   */
  constructor(source, { signal: _signal, target: _target, ...options }, run) {
    const { workers = 1 } = options;
    const memory = indexMemory(workers, options.loads?.length);
    // Without the pacing thread, which the system may have refused, all workers use timers.
    this.pacing = run.pacing === 'thread' && run.pacingThread === null ? 'timer' : run.pacing;
    this.#options = options;
    this.#run = run;
    this.#changes = run.live && new FlowChanges(run.live);
    const shared = {
      source,
      options: { ...options, ...(this.pacing && { pacing: this.pacing }) },
      memory,
      workers,
      bodies: run.bodies.counters,
      tables: run.tables,
      pacingMemory: run.pacingThread?.memory ?? null,
      loadsMemory: run.loadsMemory,
      emitsResponses: run.emitResponses !== null,
    };
    const listener = this.#createListener();
    this.#workers = Array.from({ length: workers }, (_, worker) => new WorkerHandle({ ...shared, worker }, listener));
    this.#unsubscribe = run.ending.onStop((reason, { within }) => {
      for (const worker of this.#workers) worker.stop(reason, { within });
      this.#expect(clock.now() + within + options.teardownTimeout + SPARE_MS);
    });
    run.ending.onAbort(() => {
      for (const worker of this.#workers) worker.abort();
    });
  }

  /** @type {() => WorkerListener} */
  #createListener() {
    const { emitResponses, ending } = this.#run;
    return {
      onReport: (report) => this.#onReport(report),
      onResponses: ({ missed, ...batch }) => {
        this.missedResponses += missed;
        emitResponses?.(batch);
      },
      onStarted: (time) => this.#onStarted(fromCommonTime(time)),
      onStop: (reason) => ending.stop(reason, reason === 'limit' ? { within: 0 } : {}),
      onDisagreement: (error, phase) => this.#onDisagreement(error, phase),
      onLost: (error, worker) => this.#onWorkerLost(error, worker),
    };
  }

  /** @type {() => Promise<WarmUpResult>} */
  async warmUp() {
    const { warmup, gracefulStop, teardownTimeout } = this.#options;
    if (!this.#sendContext()) return { iterations: 0, errors: 0 };
    this.#expect(clock.now() + (warmup?.duration ?? 0) + gracefulStop + teardownTimeout);
    const results = await Promise.all(this.#workers.map((worker) => worker.warmUp()));
    this.#expect(Infinity);
    return {
      iterations: sum(results.map((result) => result?.iterations ?? 0)),
      errors: sum(results.map((result) => result?.errors ?? 0)),
    };
  }

  /**
   * Runs the measured iterations.
   * @param {number} start instant of the clock
   * @param {object} options
   * @param {number} options.end of the schedule, ms after the start
   * @param {(instant: number) => void} options.onBegun called when all workers have begun, with the instant of the last
   */
  async run(start, { end, onBegun }) {
    const { gracefulStop, teardownTimeout, timeout } = this.#options;
    if (this.#run.ending.isOver || !this.#sendContext()) return;
    // Nothing else ends a run without a duration if a hook computes for longer than it may wait.
    const mostSilentMs = (timeout || Infinity) + SPARE_MS;
    this.#expect(start + end + gracefulStop + teardownTimeout + SPARE_MS, mostSilentMs);
    this.#onAllStarted = onBegun;
    const added = await Promise.all(this.#workers.map((worker) => worker.startAt(toCommonTime(start))));
    try {
      this.#changes?.addTeardown(added.flatMap((packed) => packed ?? []));
    } catch (error) {
      this.#onDisagreement(/** @type {any} */ (error), 'main');
    }
  }

  /** Ends the virtual users of all workers, when the measured iterations are over. */
  async endUsers() {
    const { timeout, teardownTimeout } = this.#options;
    const limitMs = this.#run.ending.isCutShort ? teardownTimeout : timeout || Infinity;
    this.#expect(clock.now() + limitMs + SPARE_MS);
    await Promise.all(this.#workers.map((worker) => worker.endUsers()));
  }

  // Figures of the workers that have reported, each as LoadGenerator has it for one thread.

  traffic() {
    return this.#workers.flatMap(({ progress: { traffic } }) => traffic ?? []);
  }

  addresses() {
    return this.#workers.flatMap(({ progress: { addresses } }) => addresses);
  }

  logged() {
    return this.#workers.flatMap(({ progress: { log } }) => log ?? []);
  }

  threads() {
    return this.#workers.flatMap(({ progress: { thread } }) => thread ?? []);
  }

  inFlight() {
    return sum(this.#workers.map(({ progress: { inFlight } }) => inFlight));
  }

  /** Returns the times of each worker, at its last report. @type {() => RunningTimes[]} */
  running() {
    return this.#workers.map(({ progress: { running } }) => running);
  }

  async close() {
    this.#unsubscribe();
    await settlesWithin(Promise.all(this.#workers.map((worker) => worker.close())));
    await this.#run.pacingThread?.close();
    this.#workers.forEach((_, worker) => this.#run.bodies.memory.freeThread(worker + 1));
  }

  /** @type {(instant: number) => void} */
  #onStarted(instant) {
    if (this.#started.push(instant) === this.#workers.length) this.#onAllStarted(Math.max(...this.#started));
  }

  /** @type {(report: Report) => void} */
  #onReport(report) {
    const { recorder, addLoads, onFailures } = this.#run;
    const { state, loads = [] } = report;
    recorder.add(state);
    if (loads.length > 0) addLoads(loads);
    if ([state, ...loads].some(({ errors }) => errors.count > 0))
      onFailures(report.errors.map(({ error, phase }) => ({ error: fromPlain(error), phase })));
  }

  /** @type {WorkerListener['onDisagreement']} */
  #onDisagreement(error, phase) {
    if (this.#disagrees) return;
    this.#disagrees = true;
    this.#run.fail(error, phase);
    this.#run.ending.stop(phase === 'before' ? 'before' : 'hook');
  }

  /**
   * Counts the worker's unreported iterations as cancelled and stops the other workers.
   * @type {(error: Error & { code: string }, worker: WorkerHandle) => void}
   */
  #onWorkerLost(error, { name, progress }) {
    const { recorder, bodies, ending, fail, cancel } = this.#run;
    progress.cancelUnreported(recorder.requests, cancel);
    this.missing.push(workerLost(name, progress.silentMs));
    fail(error, 'main');
    bodies.memory.freeThread(progress.worker + 1);
    ending.stop('worker');
  }

  /**
   * Sets when the workers should have answered: one stuck in synchronous code cannot receive "stop".
   * @type {(at: number, mostSilentMs?: number) => void} at: instant of the clock
   */
  #expect(at, mostSilentMs) {
    for (const worker of this.#workers) worker.expect(at, mostSilentMs);
  }

  /** Sends `runCtx`, variables and a changed flow; returns false if one cannot be cloned. @type {() => boolean} */
  #sendContext() {
    const { runCtx, vars, emitsErrors, fail, ending } = this.#run;
    let flow = null;
    try {
      flow = this.#changes?.packed() ?? null;
    } catch (error) {
      fail(/** @type {any} */ (error), 'before');
      ending.stop('before');
      return false;
    }
    try {
      const message = { type: 'context', runCtx, vars, flow, emitsErrors: emitsErrors() };
      for (const worker of this.#workers) worker.post(message);
      return true;
    } catch (cause) {
      fail(makeError('E_RUN_CTX', { reason: /** @type {Error} */ (cause).message }, { cause }), 'before');
      ending.stop('before');
      return false;
    }
  }
}

/** @type {(numbers: number[]) => number} */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
