import { createRequire } from 'node:module';

import { choice, given, list, number, optional, rebuild, record, tagged, text, where } from '../../ground/shape.js';
import { openFilesError } from '../../ground/system-errors.js';
import { ABORTED, cutShort, lastKnownState, teardownIncomplete } from '../../measure/incomplete.js';
import { afterTimeToAnswer } from '../../run/clock.js';
import { THREAD_MS, settlesWithin } from '../../run/closing.js';
import { OverdueRun } from '../../run/silence.js';
import { hide, maskText } from '../../text/mask.js';
import { EngineKeepers, KEEPERS, readForKeeper } from './engine-keepers.js';

/** @import { IntervalCounts, PlanSummary } from '../../contracts/run.js' */
/** @import { Stats } from '../../contracts/stats.js' */
/** @import { Loss, RunnerOutcome, ReportedPlan, RunnerListener, ShardRunner } from '../../run/types.js' */
/** @import { TracedExchange } from '../../text/types.js' */
/** @import { EngineRequest } from '../types.js' */
/** @import { EngineThread } from './engine-thread.js' */

/**
 * @typedef {RunnerListener & { log: NodeJS.WritableStream, onExchange: (exchange: TracedExchange) => void }} Listener
 *   `log`: receives the output of the flow's own code
 *
 * @typedef {object} Known what the thread reported last
 * @property {Stats | null} stats
 * @property {number} inFlight requests in flight
 * @property {string} phase
 * @property {number} at instant of performance.now()
 */

const requireHere = createRequire(import.meta.url);

/** A small run has none. @type {() => EngineThread} */
const openThread = () => new (requireHere('./engine-thread.js').EngineThread)();

/** Time to cancel running iterations after an abort, ms; then the last known state is the result. */
const ABORT_MS = 500;
/** Time for the thread to end after an abort, ms: with ABORT_MS less than a second. */
const ABORTED_THREAD_MS = 300;

/**
 * A run in its own thread, so that the terminal and signals are served here whatever its hooks do; a small one without
 * code of the user is in this thread (`engine-here.js`). It leads `engine-worker.js` by messages, and its last report
 * is the result if the thread does not answer. The command runs it, and an agent, as the {@link ShardRunner} of its
 * shard.
 */
export class Engine {
  #listener;
  #cwd;
  #thread;
  #overdue = new OverdueRun((silentMs) =>
    this.#lose(`its thread did not respond for ${(silentMs / 1000).toFixed(0)} s: a hook blocks the event loop`),
  );
  #isAborted = false;
  #cancelAbort = () => {};
  #hasEnded = false;
  /** @type {PlanSummary | null} */
  #plan = null;
  /** @type {Known | null} */
  #known = null;
  /** Those of the run, or of several. */
  #keepers;
  /** The first call counts. @type {(outcome: RunnerOutcome) => void} */
  #settle = () => {};

  /**
   * @param {EngineRequest} request
   * @param {Listener} listener
   * @param {EngineThread | import('./engine-here.js').EngineHere} [thread] one that was started before, or none
   * @param {EngineKeepers} [keepers] those of several runs; default: they end with this run
   */
  constructor(request, listener, thread = openThread(), keepers = new EngineKeepers()) {
    this.#listener = listener;
    this.#keepers = keepers;
    this.#cwd = request.cwd;
    this.#thread = thread;
    for (const output of [thread.stdout, thread.stderr]) output.pipe(listener.log, { end: false });
    /** @type {Promise<RunnerOutcome>} */
    const first = new Promise((resolve) => (this.#settle = resolve));
    /**
     * How the run ended. The thread is terminated then; only one that has answered is awaited, others may be blocked.
     */
    this.outcome = first.then(async (outcome) => {
      this.#overdue.close();
      this.#cancelAbort();
      const terminated = thread.terminate();
      if (this.#hasEnded) await settlesWithin(terminated);
      return outcome;
    });
    thread.listen({
      read: readFromEngine,
      onMessage: (message) => this.#handle(message),
      onLost: (loss) => this.#onLost(loss),
    });
    // Code of a configuration file may have changed the environment after the thread was started.
    const env = { ...process.env };
    thread.post({ type: 'run', request, env });
  }

  /** @type {(reason: string, options?: { within?: number }) => void} */
  stop = (reason, options) => {
    // Nothing has been sent before the plan is known.
    if (this.#plan === null) return this.#settle({ kind: 'aborted', stats: null });
    this.#thread.stop(reason, options);
    return this.#overdue.stop(options?.within);
  };

  /** Starts the measured iterations of a shard. @type {(time: number) => void} time: common time */
  startAt = (time) => this.#thread.startAt(time);

  /** Aborts the run. A second call does not wait for the thread. */
  abort = () => {
    const settle = () => this.#settle({ kind: 'aborted', stats: this.#lastState(ABORTED) });
    if (this.#isAborted) settle();
    else this.#cancelAbort = afterTimeToAnswer(settle, ABORT_MS);
    this.#isAborted = true;
    this.#thread.abort();
  };

  /** @returns {Promise<boolean>} false: the thread is blocked and still exists */
  close = async () => {
    const limit = this.#isAborted ? ABORTED_THREAD_MS : THREAD_MS;
    const [isTerminated] = await Promise.all([settlesWithin(this.#thread.terminate(), limit), this.endKeepers()]);
    return isTerminated;
  };

  endKeepers = () => this.#keepers.end({ isAborted: this.#isAborted, endsRun: true });

  /** Returns the last output of what ended by itself; empty if there is none. @type {() => Promise<string>} */
  lastKeeperOutput() {
    return this.#keepers.lastOutput();
  }

  /** @type {(loss: Loss) => void} */
  #onLost(loss) {
    if ('error' in loss) this.#fail(loss.error);
    else this.#lose('code' in loss ? `the flow ended its process with code ${loss.code}` : loss.reason);
  }

  /** @type {Record<string, (message: any) => void>} */
  #handlers = {
    planned: (message) => this.#begin(message),
    progress: (message) => this.#listener.onProgress(message),
    tick: ({ tick }) => this.#listener.onTick?.(tick),
    report: (message) => this.#keep(message),
    toKeeper: ({ name, message }) =>
      this.#keepers.receive(name, message, {
        cwd: this.#cwd,
        post: (answer) => this.#thread.post({ type: 'fromKeeper', name, message: answer }),
      }),
    ready: () => this.#listener.onReady?.(),
    started: ({ at }) => this.#listener.onStarted?.(at),
    exchange: ({ exchange }) => this.#listener.onExchange(exchange),
    refused: ({ error }) => {
      // An internal error during the run: the measurements before it are still a result.
      if (this.#known?.stats) this.#lose(error.stack ?? error.message, true);
      else this.#end({ kind: 'refused', error });
    },
    ended: ({ stats, why, waited }) =>
      this.#end(this.#isAborted ? { kind: 'aborted', stats } : { kind: 'ended', stats, why, waited }),
  };

  /** @type {(message: { type: string } & Record<string, any>) => void} */
  #handle({ type, ...message }) {
    this.#overdue.reported();
    this.#handlers[type](message);
  }

  /** @type {(message: ReportedPlan & { hidden: string[] }) => void} */
  #begin(begun) {
    begun.hidden.forEach(hide);
    this.#plan = begun.plan;
    this.#overdue.begin(begun.plan.limits);
    this.#listener.onBegin(begun);
  }

  /** @type {(outcome: RunnerOutcome) => void} */
  #end(outcome) {
    this.#hasEnded = true;
    this.#settle(outcome);
  }

  /** @type {(message: Omit<Known, 'at'> & { intervals?: IntervalCounts[] }) => void} */
  #keep({ phase, intervals, ...state }) {
    this.#overdue.start();
    // The planned time counts from now: `before` and the warm-up may have been longer or shorter than planned.
    if (phase === 'main' && this.#known?.phase !== phase) this.#overdue.measure();
    this.#known = { ...state, phase, at: performance.now() };
    this.#listener.onReport?.({ ...state, phase });
    if (state.stats) this.#listener.onState?.(state.stats, state.inFlight, intervals);
  }

  /** The thread threw an error that nothing caught. @type {(error: any) => void} */
  #fail(error) {
    const refusal = this.#plan === null ? openFilesError(error) : null;
    if (refusal) this.#settle({ kind: 'refused', error: refusal });
    else this.#lose(String(error?.stack ?? error), true);
  }

  /** @type {(cause: string, isFault?: boolean) => void} */
  #lose(cause, isFault = false) {
    const message = maskText(cause);
    this.#settle({ kind: 'lost', stats: this.#lastState(`lost: ${message.split('\n')[0]}`), message, isFault });
  }

  /** @type {(why: string) => Stats | null} */
  #lastState(why) {
    if (!this.#known?.stats || !this.#plan) return null;
    const { stats, inFlight, at } = this.#known;
    const { started, completed, failed } = stats.iterations;
    const missing = [
      why,
      lastKnownState(performance.now() - at),
      ...teardownIncomplete(this.#plan.operations, started - completed - failed),
    ];
    return cutShort(stats, { inFlight, missing });
  }
}

/**
 * Returns the error of a run that was refused, which its thread has posted as plain data.
 * @type {(refused: { error: { code?: string, message: string } }) => Error}
 */
export function errorOf({ error }) {
  return Object.assign(new Error(error.message), error);
}

/**
 * The messages of the thread of a run, as the main thread reads them. Results are passed on as they are: they are
 * posted twice per second at most, and the thread that made them is our own.
 */

const long = text({ most: Infinity });
const texts = list(long, { most: Infinity });
const whole = number({ least: 0, isWhole: true });
const figure = where(given, (value) => typeof value === 'number', 'a number');

const FROM_ENGINE = tagged('type', {
  planned: { plan: given, from: long, hash: long, hidden: texts, notices: texts, hints: texts },
  progress: { stats: given, percent: figure, concurrent: figure, ips: figure },
  tick: { tick: given },
  report: { stats: given, inFlight: whole, phase: long, intervals: optional(given) },
  toKeeper: { name: choice(...KEEPERS), message: given },
  ready: {},
  started: { at: number() },
  exchange: { exchange: given },
  refused: { error: record({ code: optional(given), message: long, stack: optional(given) }) },
  ended: { stats: given, why: long, waited: optional(whole) },
});

/**
 * Reads a message of the thread of a run. Code of the flow can post other ones.
 * @throws {import('../../ground/shape.js').ShapeError}
 * @type {(message: unknown) => { type: string } & Record<string, any>}
 */
export function readFromEngine(message) {
  const read = rebuild(FROM_ENGINE, message, { name: 'message' });
  return read.type === 'toKeeper' ? { ...read, message: readForKeeper(read.name, read.message) } : read;
}
