import { resolve } from 'node:path';

import {
  flag,
  given,
  list,
  mapOf,
  number,
  optional,
  rebuild,
  record,
  tagged,
  text,
  where,
} from '../../ground/shape.js';
import { openFilesError } from '../../ground/system-errors.js';
import { ABORTED, cutShort, lastKnownState, teardownIncomplete } from '../../measure/incomplete.js';
import { afterTimeToAnswer } from '../../run/clock.js';
import { THREAD_MS, settlesWithin } from '../../run/closing.js';
import { hide, maskText } from '../../text/mask.js';
import { EngineThread } from './engine-thread.js';
import { OverdueRun } from './overdue.js';

/**
 * @import { FlowInput } from '../../flow/source/load.js'
 * @import { Stats } from '../../measure/types.js'
 * @import { Tick } from '../../report/types.js'
 * @import { Layer } from '../../run/options/layers.js'
 * @import { PlanSummary } from '../../run/plan.js'
 * @import { StartSettings, StartedServer } from '../../run/server/started-server.js'
 * @import { TracedExchange } from '../../text/exchange-lines.js'
 * @import { Worker } from 'node:worker_threads'
 */

/**
 * @typedef {object} EngineRequest
 * @property {FlowInput} source
 * @property {string} cwd
 * @property {Layer} config run options of the configuration file
 * @property {Layer[]} commandLine run options of flags, weakest first
 * @property {boolean} debug run one iteration and post every exchange
 * @property {string[]} [outputs] files of the result, which the log of requests may not replace
 * @property {string} [logLabel] of the log of requests, if several runs have these options
 * @property {boolean} [ticks] post where the run is, several times per second
 * @property {{ keepMs: number, permitMemory?: SharedArrayBuffer }} [asPart] of a run on several machines: the states
 *   have the counts of histograms, one each `keepMs`, the measured iterations start when {@link Engine.startAt} is
 *   called, and only those that a permit allows
 *
 * @typedef {object} Listener
 * @property {NodeJS.WritableStream} log receives the output of the flow's own code
 * @property {(begun: { plan: PlanSummary, from: string, hash: string, notices: string[], hints: string[] }) => void}
 *   onBegin `hints` are about the load and likely mistakes in the flow
 * @property {(progress: { stats: Stats, percent: number, concurrent: number, ips: number }) => void} onProgress
 * @property {(tick: Tick) => void} [onTick] several times per second, if the request has `ticks`
 * @property {(stats: Stats) => void} [onState] the state that is kept twice a second, and when a phase begins
 * @property {(exchange: TracedExchange) => void} onExchange
 * @property {() => void} [onReady] of a part: it waits for `startAt`
 * @property {(time: number) => void} [onStarted] of a part: when its measured iterations started, in the same time
 * @property {(known: { stats: Stats | null, inFlight: number, phase: string }) => void} [onKept] the whole state that
 *   is kept
 *
 * @typedef {{ kind: 'ended', stats: Stats, why: string }
 *   | { kind: 'refused', error: { code?: string, message: string, stack?: string } }
 *   | { kind: 'aborted', stats: Stats | null }
 *   | { kind: 'lost', stats: Stats | null, message: string, isFault: boolean }} Outcome `aborted`: by the user;
 *   `lost`: the thread died. Both have the last known stats
 *
 * @typedef {object} Known what the thread reported last
 * @property {Stats | null} stats
 * @property {number} inFlight requests in flight
 * @property {string} phase
 * @property {number} at instant of performance.now()
 */

/** Time to cancel running iterations after an abort; then the last known state is the result. */
const ABORT_MS = 500;
/** Time for the thread to end after an abort: with ABORT_MS less than a second. */
const ABORTED_THREAD_MS = 300;

const FOREIGN_MESSAGE =
  'code of the flow posted a message to parentPort, which bench-rest uses itself: remove it, or use a worker thread of its own';

/** A run in its own thread, so that the terminal and signals are served here whatever its hooks do. */
export class Engine {
  #listener;
  #cwd;
  #worker;
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
  /** that the run starts @type {EngineServer | null} */
  #server = null;
  /** about processes that the server had put into the background; empty if there are none */
  serverNotice = '';
  /** The first call counts. @type {(outcome: Outcome) => void} */
  #settle = () => {};

  /**
   * @param {EngineRequest} request
   * @param {Listener} listener
   * @param {EngineThread} [thread] one that was started before
   */
  constructor(request, listener, thread = new EngineThread()) {
    this.#listener = listener;
    this.#cwd = request.cwd;
    this.#worker = thread.take();
    this.#worker.stdout.pipe(listener.log, { end: false });
    /** @type {Promise<Outcome>} */
    const first = new Promise((resolve) => (this.#settle = resolve));
    /** How the run ended. The thread is terminated then, and awaited only if it responds. */
    this.outcome = first.then(async (outcome) => {
      this.#overdue.close();
      this.#cancelAbort();
      const terminated = this.#worker.terminate();
      if (this.#hasEnded) await settlesWithin(terminated);
      return outcome;
    });
    this.#worker.on('message', (message) => this.#receive(message));
    /** @type {(() => void) | undefined} */
    let fail;
    // states that were posted before an error may arrive after it, but not after the exit
    this.#worker.on('error', (error) => {
      fail = () => this.#fail(error);
      this.#worker.terminate();
    });
    this.#worker.on('exit', (code) => {
      if (fail) fail();
      else this.#lose(`the flow ended its process with code ${code}`);
    });
    if (thread.error) this.#fail(thread.error);
    // code of the configuration may have changed it after the thread was started
    const env = { ...process.env };
    this.#worker.postMessage({ type: 'run', request, env });
  }

  /** Stops gracefully. @type {(reason: string, options?: { within?: number }) => void} */
  stop = (reason, options) => {
    if (this.#plan === null) return this.#settle({ kind: 'aborted', stats: null });
    this.#worker.postMessage({ type: 'stop', reason, options });
    return this.#overdue.stop(options?.within);
  };

  /**
   * Starts the measured iterations of a part.
   * @type {(time: number) => void} time: that all threads of this process share
   */
  startAt = (time) => this.#worker.postMessage({ type: 'startAt', time });

  /** Aborts the run. A second call does not wait for the thread. */
  abort = () => {
    const settle = () => this.#settle({ kind: 'aborted', stats: this.#lastState(ABORTED) });
    if (this.#isAborted) settle();
    else this.#cancelAbort = afterTimeToAnswer(settle, ABORT_MS);
    this.#isAborted = true;
    this.#worker.postMessage({ type: 'abort' });
  };

  /** @returns {Promise<boolean>} false: the thread is blocked and still exists */
  close = async () => {
    const limit = this.#isAborted ? ABORTED_THREAD_MS : THREAD_MS;
    const [isTerminated] = await Promise.all([settlesWithin(this.#worker.terminate(), limit), this.endServer()]);
    return isTerminated;
  };

  /** Ends the server that the run started, if any. */
  endServer = async () => {
    this.serverNotice = (await this.#server?.end({ isAborted: this.#isAborted })) || this.serverNotice;
  };

  /** @returns {string} the last output of a server that ended by itself; empty if there is none */
  get serverOutput() {
    return this.#server?.output ?? '';
  }

  /** Code of the flow can post other messages, as it runs in the same thread. @type {(posted: unknown) => void} */
  #receive(posted) {
    let message;
    try {
      message = readFromEngine(posted);
    } catch (error) {
      return this.#lose(`${FOREIGN_MESSAGE} (${/** @type {Error} */ (error).message})`);
    }
    return this.#handle(message);
  }

  /** @type {(message: { type: string } & Record<string, any>) => void} */
  #handle({ type, ...message }) {
    this.#overdue.reported();
    if (type === 'begun') {
      message.hidden.forEach(hide);
      this.#plan = message.plan;
      this.#overdue.begin(message.plan.limits);
      this.#listener.onBegin(/** @type {any} */ (message));
    } else if (type === 'progress') this.#listener.onProgress(/** @type {any} */ (message));
    else if (type === 'tick') this.#listener.onTick?.(message.tick);
    else if (type === 'kept') this.#keep(/** @type {any} */ (message));
    else if (type === 'start') this.#server = this.#startServer(message.settings);
    else if (type === 'part') this.#onPart(/** @type {any} */ (message));
    else if (type === 'exchange') this.#listener.onExchange(message.exchange);
    else if (type === 'refused' && this.#known?.stats) this.#lose(message.error.stack ?? message.error.message, true);
    else this.#end(type, message);
  }

  /** @type {(type: string, message: any) => void} */
  #end(type, { error, stats, why }) {
    this.#hasEnded = true;
    if (type === 'refused') return this.#settle({ kind: 'refused', error });
    return this.#settle(this.#isAborted ? { kind: 'aborted', stats } : { kind: 'ended', stats, why });
  }

  /** Of a run on several machines. @type {(message: { startedAt: number | null }) => void} */
  #onPart({ startedAt }) {
    if (startedAt === null) this.#listener.onReady?.();
    else this.#listener.onStarted?.(startedAt);
  }

  /** @type {(settings: StartSettings) => EngineServer} */
  #startServer({ cwd, ...settings }) {
    return new EngineServer(this.#worker, { ...settings, cwd: resolve(this.#cwd, cwd) });
  }

  /** @type {(message: Omit<Known, 'at'>) => void} */
  #keep({ phase, ...state }) {
    this.#overdue.start();
    if (phase === 'main' && this.#known?.phase !== phase) this.#overdue.measure();
    this.#known = { ...state, phase, at: performance.now() };
    this.#listener.onKept?.({ ...state, phase });
    if (state.stats) this.#listener.onState?.(state.stats);
  }

  /** @type {(error: any) => void} */
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

/** Grace period of a server after an abort, ms: with the other limits of an abort less than a second. */
const ABORTED_MS = 300;

/**
 * The server of a run, started by this thread for the thread of the run: hooks may block that one, end it, or keep it
 * too busy to read the output of the server.
 */
class EngineServer {
  #worker;
  #loaded;
  /** @type {StartedServer | null} */
  #server = null;

  /**
   * @param {Pick<Worker, 'postMessage'>} worker
   * @param {StartSettings} settings
   */
  constructor(worker, settings) {
    this.#worker = worker;
    this.#loaded = this.#start(settings);
  }

  /** @returns {string} why it ended, with its last output; empty if it has not ended by itself */
  get output() {
    if (!this.#server?.hasEnded) return '';
    const lines = this.#server.outputText();
    return lines === '' ? 'the server wrote nothing' : `last output of the server:${lines}`;
  }

  /**
   * @type {(how: { isAborted: boolean }) => Promise<string>} a sentence about processes that had left the server, or
   *   empty
   */
  async end({ isAborted }) {
    await this.#loaded;
    return (await this.#server?.stop(...(isAborted ? [ABORTED_MS] : []))) ?? '';
  }

  /** Resolves when the server can be ended. @type {(settings: StartSettings) => Promise<void>} */
  async #start(settings) {
    const { StartedServer } = await import('../../run/server/started-server.js');
    const server = new StartedServer(settings);
    this.#server = server;
    server.start().then(
      (ready) => {
        this.#worker.postMessage({ type: 'serverReady', ...ready });
        server.onEnd((end) => this.#worker.postMessage({ type: 'serverEnded', end }));
      },
      ({ code, message }) => this.#worker.postMessage({ type: 'serverRefused', error: { code, message } }),
    );
  }
}

/**
 * The messages of the thread of a run, as the main thread reads them. Results are passed on as they are: they are
 * posted twice per second, and the thread that made them is our own. A command is only started as it is declared here.
 */

const long = text({ most: Infinity });
const texts = list(long, { most: Infinity });
const whole = number({ least: 0, isWhole: true });
const figure = where(given, (value) => typeof value === 'number', 'a number');

const SETTINGS = record({
  command: given,
  env: mapOf(long),
  cwd: long,
  timeout: number({ least: 0 }),
  ready: optional(long),
  origins: list(long, { least: 1 }),
  socketPath: optional(long),
  insecure: flag,
  port: optional(long),
  isPortFree: flag,
});

const FROM_ENGINE = tagged('type', {
  begun: { plan: given, from: long, hash: long, hidden: texts, notices: texts, hints: texts },
  progress: { stats: given, percent: figure, concurrent: figure, ips: figure },
  tick: { tick: given },
  kept: { stats: given, inFlight: whole, phase: long },
  start: { settings: SETTINGS },
  part: { startedAt: given },
  exchange: { exchange: given },
  refused: { error: record({ code: optional(given), message: long, stack: optional(given) }) },
  ended: { stats: given, why: long },
});

/**
 * Reads a message of the thread of a run. Code of the flow can post other ones.
 *
 * @throws {import('../../ground/shape.js').ShapeError}
 * @type {(message: unknown) => { type: string } & Record<string, any>}
 */
export function readFromEngine(message) {
  return rebuild(FROM_ENGINE, message, { name: 'message' });
}
