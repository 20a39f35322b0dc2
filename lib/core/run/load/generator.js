import { setImmediate } from 'node:timers/promises';

import { originsOf } from '../../flow/origins.js';
import { compileCookies } from '../../flow/request-fields.js';
import { offered } from '../../ground/addons.js';
import { ITERATION_PHASES, PHASES } from '../../ground/phases.js';
import { createRandom } from '../../ground/random.js';
import { drawMs } from '../../ground/units.js';
import { prepareIteration } from '../../iteration/iteration.js';
import { CookieJars } from '../../iteration/session/cookies.js';
import { Recorder } from '../../measure/recorder.js';
import { ThreadWatch, cpuMs, cpuTimes, runnableMs } from '../../measure/thread.js';
import { BodyMemory } from '../../process/body-memory.js';
import { afterRunnableTime, clock } from '../clock.js';
import { recordFailure } from '../flow-failures.js';
import { severalLoads } from '../loads.js';
import { flowOfLoad } from '../options/fit-to-flow.js';
import { Arrivals, localIndexes, stridedIndexes } from './arrivals.js';
import { createContext, preallocate, reserveBodies, runWarmUp } from './before-start.js';
import { Ending } from './ending.js';
import { LaneSet } from './lane-set.js';
import { runLanes } from './lanes.js';
import { MeasuredTransport, loadTransport } from './measured-transport.js';
import { Pacer, openAlarm } from './pacer.js';
import { ReadDelay, loopIdleMs } from './read-delay.js';
import { RequestLimits } from './request-limits.js';

/** @import { TransportEntry, TransportTotals } from '../../contracts/connection.js' */
/** @import { Schedule } from '../../contracts/schedule.js' */
/** @import { SenderSummary } from '../../contracts/summaries.js' */
/** @import { Phase } from '../../ground/phases.js' */
/** @import { OnResponse } from '../../iteration/step.js' */
/** @import { IterationOutcome } from '../../contracts/recorders.js' */
/** @import { RecorderState } from '../../measure/state.js' */
/** @import { LoadPlan, IndexAllocator, WarmUpResult, LanesOptions, PacingMemory } from '../types.js' */
/** @import { LoadsOfThread, RequestLog, RequestLogEntry, ThreadLoad } from '../types.js' */
/** @import { Context } from './before-start.js' */

/**
 * @typedef {object} GeneratorOptions
 * @property {(error: Error, phase: Phase) => void} [onFailure] called after a failure was counted
 * @property {OnResponse} [onResponse] called with each response, except during the warm-up
 * @property {string | null} [flowPath] the module of the flow, for places of errors in it
 * @property {(reason: 'hook' | 'limit') => void} [onOwnStop] called after a hook or a limit has stopped this thread
 * @property {(position: number) => void} [onStart] called when an iteration of the load at a position starts
 * @property {IndexAllocator[]} [indexes] of each load, shared by all threads of a run
 * @property {(states: RecorderState[]) => void} [onStates] gets what each of several loads has recorded since the last
 *   call; a worker is drained instead
 * @property {number} [worker] number of this thread, from 0
 * @property {number} [workers] number of threads
 * @property {boolean} [isWorker] another thread drains the recorder
 * @property {Record<string, any>} [runCtx]
 * @property {Record<string, any>} [vars] the variables of the run
 * @property {BodyMemory} [bodyMemory] of all threads
 * @property {PacingMemory | null} [pacingMemory] of the thread that wakes all load threads; default: an own one
 * @property {SharedArrayBuffer} [loadsMemory] of a run with several loads, shared by all threads
 */

/**
 * Generates the load of one thread, phase by phase, when Benchmark or a worker calls: `once` (before and after),
 * `warmUp`, `run` (the measured iterations), `endUsers`. It owns the transport, the lanes, the recorder and the ending
 * of the thread. A plain run has one load, which uses these; of several, each has its own.
 */
export class LoadGenerator {
  /** @type {Recorder} */
  recorder;
  ending;
  #plan;
  #thread;
  /** @type {MeasuredTransport} */
  #transport;
  #readDelay;
  #lanes;
  #pacer;
  #closePacing;
  /** How it waits until iterations are due; null in a closed run. */
  pacing;
  /** The log; undefined: the run has none. */
  #log;
  #random;
  #context;
  #iteration;
  /** The environment of `before` and `after`. */
  #onceEnv;
  /** Counts the memory of the bodies that this thread sends. */
  #requestBodies;
  /** The first iterations of each load, rendered; null for a load without any. */
  #preallocated;
  /** The loads of the run, as this thread generates them. @type {LoadsOfThread} */
  #loads;
  /** The allocators of iterations that all threads share, one for each load. */
  #indexes;
  /** What the run may send at most; null: as much as it can. */
  #limits;
  #options;
  /** Errors of the flow that nothing caught during the warm-up; null: it is not running. @type {number | null} */
  #uncaughtInWarmUp = null;
  /** The start of the measured iterations, instant of the clock. */
  #origin = clock.now();
  /** The load of the thread, when the measured iterations have ended. @type {SenderSummary | null} */
  #measuredThread = null;

  /** @type {(plan: LoadPlan, options?: GeneratorOptions) => Promise<LoadGenerator>} */
  static async open(plan, options = {}) {
    const { cookies } = plan.options;
    const runCookies = cookies && { cookies: compileCookies(cookies), origins: originsOf(plan.flow) };
    const { pacingMemory: memory, worker } = options;
    // The log is the first one: if its file cannot be written, nothing has to be closed.
    const log = await openLog(plan, options);
    const alarm = openAlarm(plan.pacing, {
      clock,
      memory,
      loadThread: worker,
      isRequired: plan.options.pacing === 'thread',
    });
    try {
      const [openTransport, jars, pacing] = await Promise.all([
        loadTransport(plan),
        CookieJars.open(plan.flow, runCookies),
        alarm,
      ]);
      return new LoadGenerator(plan, { openTransport, jars, pacing, log }, options);
    } catch (error) {
      // The pacing thread would keep the process alive.
      const closePacing = alarm.then(
        ({ close }) => close(),
        () => {},
      );
      await Promise.all([log?.close(), closePacing]);
      throw error;
    }
  }

  /**
   * @param {LoadPlan} plan
   * @param {object} loaded
   * @param {Awaited<ReturnType<TransportEntry['load']>>['open']} loaded.openTransport
   * @param {CookieJars} loaded.jars
   * @param {Awaited<ReturnType<typeof openAlarm>>} loaded.pacing
   * @param {RequestLog} [loaded.log]
   * @param {GeneratorOptions} options
   */
  constructor(plan, { openTransport, jars, pacing, log }, options) {
    const { worker = 0, workers = 1, isWorker = false } = options;
    const { bodyMemory = new BodyMemory(plan.options.maxBodyMemory) } = options;
    const numberOfAll = plan.stride.indexOf(worker);
    this.#plan = plan;
    this.#options = { ...options, worker, workers, isWorker };
    this.#indexes = options.indexes ?? plan.loads.map(localIndexes);
    this.#random = createRandom(plan.options.seed + numberOfAll);
    this.#log = log;

    // Memory comes before anything is opened, as the requests may not fit.
    this.#requestBodies = bodyMemory.open();
    this.#preallocated = this.#preallocate(plan);

    const pacer = new Pacer(clock, pacing.alarm, cpuMs);
    this.#pacer = pacer;
    this.#closePacing = pacing.close;
    this.pacing = pacing.pacing;

    this.#thread = new ThreadWatch({ idleMs: () => pacer.idleMs, pollMs: () => pacer.pollMs });
    const readDelay = new ReadDelay({ clock, idleMs: idleTimeOf(plan, pacer), cpuTimes });
    this.#readDelay = readDelay;
    this.recorder = new Recorder({
      utilization: () => this.#thread.utilization(),
      received: () => this.#transport.totals().bytesReceived,
      interval: plan.options.seriesInterval,
      isDrained: isWorker,
      isSum: plan.loads.length > 1,
    });

    const limits = RequestLimits.of(workers, clock);
    this.#limits = limits;
    this.#transport = new MeasuredTransport(limits ? limits.around(openTransport) : openTransport, plan.options, {
      histograms: this.recorder.histograms,
      turn: numberOfAll,
      connections: plan.stride.partOfThread(plan.options.connections, { worker, workers }),
      reads: readDelay,
      tracksLinks: log !== undefined,
    });
    this.#lanes = new LaneSet({
      plan,
      transport: this.#transport.transport,
      bodyMemory,
      worker,
      workers,
      readDelay,
      limits,
    });
    this.ending = openEnding(plan, (teardownBy) => this.#lanes.cancel(teardownBy));
    limits?.onReached(() => {
      this.ending.stop('limit', { within: 0 });
      this.#options.onOwnStop?.('limit');
    });

    this.#context = this.#createContext(jars);
    this.#iteration = prepareIteration(plan.flow, this.#context, plan.recompile === null ? PHASES : []);
    this.#onceEnv = this.#iteration.createEnv(undefined, this.#lanes.once);
    this.#loads = plan.loads.length > 1 ? this.#openLoads() : this.#onlyLoad();
  }

  /** Renders the first iterations of each load. @type {(plan: LoadPlan) => ReturnType<typeof preallocate>[]} */
  #preallocate({ flow, loads, options: { prealloc }, stride }) {
    const account = this.#requestBodies;
    reserveBodies(flow, account);
    return loads.map((load) => preallocate(flowOfLoad(flow, load), prealloc, load, { stride, account }));
  }

  /** Creates what iterations and hooks get of this thread. @type {(jars: CookieJars) => Context} */
  #createContext(jars) {
    const { options, feeders, createIterCtx, createVars } = this.#plan;
    const { onResponse, runCtx = {}, vars = createVars() } = this.#options;
    return createContext(options, {
      recorder: this.recorder,
      onError: (error, phase, step, index, exchange) =>
        this.#onError(this.recorder, error, { phase, step, index, exchange }),
      onResponse,
      log: this.#log,
      stop: () => this.#stopForHook(),
      ending: this.ending,
      runCtx,
      vars,
      feeders,
      createIterCtx,
      origin: () => this.#origin,
      isPaced: options.ratePerUser !== undefined || this.#limits !== null,
      random: this.#random,
      jars,
    });
  }

  /** The load of a plain run is the run itself. @returns {LoadsOfThread} */
  #onlyLoad() {
    const { recorder, ending } = this;
    /** @type {ThreadLoad} */
    const part = {
      load: this.#plan.loads[0],
      flow: this.#plan.flow,
      indexes: this.#indexes[0],
      context: this.#context,
      iteration: this.#iteration,
      ...{ recorder, ending, pacer: this.#pacer },
    };
    const run = (/** @type {number} */ start, /** @type {Parameters<LoadsOfThread['run']>[1]} */ runOne) =>
      runOne(part, start);
    return { each: [part], run, bind() {}, collect() {}, drain: () => undefined, close() {} };
  }

  /** @returns {LoadsOfThread} */
  #openLoads() {
    const { isWorker, workers: threads, onStates = () => {}, loadsMemory } = this.#options;
    const lanes = this.#lanes;
    return severalLoads().openLoads(this.#plan, {
      ...{ context: this.#context, recorder: this.recorder, ending: this.ending, pacer: this.#pacer },
      ...{ threads, indexes: this.#indexes },
      loadsMemory: /** @type {SharedArrayBuffer} */ (loadsMemory),
      onStates: isWorker ? null : onStates,
      openEnding: (position) => openEnding(this.#plan, (teardownBy) => lanes.cancelLoad(position, teardownBy)),
      onError: (recorder, error, place) => this.#onError(recorder, error, place),
    });
  }

  /**
   * Follows what code has changed in the flow, before it begins phases.
   * @throws {Error} E_NO_MAIN, E_FLOW
   * @type {(phases: readonly Phase[]) => Promise<void>}
   */
  async #follow(phases) {
    const changed = this.#plan.recompile?.(phases) ?? null;
    if (changed === null) return;
    const flow = { ...this.#plan.flow, ...Object.fromEntries(phases.map((phase) => [phase, changed[phase]])) };
    this.#plan = { ...this.#plan, flow };
    if (phases.includes('main')) {
      this.#preallocated = this.#loads.each.map(() => null);
      for (const part of this.#loads.each) part.flow = flowOfLoad(flow, part.load);
    }
    this.#lanes.follow(flow);
    await this.#context.jars.follow(flow);
  }

  /**
   * Follows what code has changed in the flow until its iterations begin; false: it has become wrong, and the run ends.
   * @type {() => Promise<boolean>}
   */
  async followMain() {
    if (this.ending.isOver) return false;
    try {
      await this.#follow(ITERATION_PHASES);
      return true;
    } catch (error) {
      this.fail(/** @type {any} */ (error), 'before');
      this.ending.stop('before');
      return false;
    }
  }

  /**
   * Follows the flow, and binds a phase that is run once; false: the flow has become wrong. The operations of `after`
   * that were planned run nevertheless: they remove what the run has created.
   * @type {(phase: 'before' | 'after') => Promise<boolean>}
   */
  async #beginOnce(phase) {
    if (this.#plan.recompile === null) return true;
    let isRight = true;
    try {
      await this.#follow(phase === 'before' ? PHASES : [phase]);
    } catch (error) {
      this.fail(/** @type {any} */ (error), phase);
      isRight = false;
    }
    this.#iteration.bind(this.#plan.flow, [phase]);
    return isRight;
  }

  /** Runs a phase that is run once. @type {(phase: 'before' | 'after') => Promise<IterationOutcome>} */
  async once(phase) {
    const lane = this.#lanes.once;
    if (!(await this.#beginOnce(phase)) && phase === 'before') return 'failed';
    // Nothing waits longer for the end of a run that was cut short.
    if (phase === 'after' && this.ending.isCutShort)
      lane.deadline.limitTo(clock.now() + this.#plan.options.teardownTimeout);
    this.recorder.setOutside(true);
    const outcome = await this.#iteration.once(phase, this.#onceEnv, lane);
    await lastRejections();
    this.recorder.setOutside(false);
    return outcome;
  }

  /** @type {() => Promise<WarmUpResult>} */
  async warmUp() {
    const { warmUp } = this.#plan;
    if (warmUp === null || !(await this.followMain())) return { iterations: 0, errors: 0 };
    const start = clock.now();
    this.#uncaughtInWarmUp = 0;
    const results = await Promise.all(this.#loads.each.map((part) => this.#warmUpLoad(part, start, warmUp.duration)));
    if (!this.ending.isOver) this.#lanes.endWarmUp();
    // `uncaught` may have counted errors meanwhile.
    const errors = results.reduce((sum, one) => sum + one.errors, this.#uncaughtInWarmUp);
    this.#uncaughtInWarmUp = null;
    return { iterations: results.reduce((sum, one) => sum + one.iterations, 0), errors };
  }

  /** @type {(part: ThreadLoad, start: number, duration: number) => Promise<WarmUpResult>} */
  #warmUpLoad(part, start, duration) {
    const { load, flow, context } = part;
    const schedule = /** @type {Schedule} */ (load.warmUp);
    const { worker, workers } = this.#options;
    const indexes = stridedIndexes(worker, workers);
    return runWarmUp(flow, context, {
      duration,
      ending: openEnding(this.#plan, (teardownBy) => this.#lanes.cancelLoad(load.position, teardownBy)),
      runEnding: this.ending,
      indexOf: (n) => n * load.of + load.position,
      lanesFor: (recorder) => this.#lanesFor(part, start, { schedule, indexes, recorder }),
    });
  }

  /**
   * Runs the measured iterations of this thread.
   * @param {number} start instant of the clock
   * @param {object} [options]
   * @param {(instant: number) => void} [options.onBegun] called when they begin, which may be a little later
   */
  async run(start, { onBegun } = {}) {
    const { recorder, ending } = this;
    const { schedule, recompile, flow } = this.#plan;
    if (recompile !== null) {
      this.#iteration.bind(flow, ITERATION_PHASES);
      this.#loads.bind();
    }
    if (start > clock.now()) await this.#pacer.until(start);
    this.#origin = start;
    this.beginLog(start);
    this.#thread.begin();
    this.#lanes.restartDeadlines();
    this.#transport.begin();
    recorder.points.begin(start);
    onBegun?.(clock.now());
    const cancelEnd = ending.stopAt(start + schedule.end);
    try {
      await this.#loads.run(start, (part, begin) => this.#runLoad(part, begin));
    } finally {
      cancelEnd();
    }
    this.#thread.end();
    this.#measuredThread = this.#threadSoFar();
    recorder.points.close(clock.now());
    this.#transport.end();
    for (const { load, recorder: own } of this.#loads.each) this.#lanes.countReached(load.position, own.virtualUsers);
    await lastRejections();
    this.#loads.collect();
  }

  /** Runs the measured iterations of a load. @type {(part: ThreadLoad, start: number) => Promise<void>} */
  async #runLoad(part, start) {
    const { load, iteration, recorder, ending } = part;
    const { schedule, position, of } = load;
    const preallocated = this.#preallocated[position];
    const { onStart } = this.#options;
    const lanes = this.#lanesFor(part, start, { schedule, indexes: part.indexes, recorder });
    const isOpen = schedule.arrived !== null;
    let backlog = 0;
    /** @type {LanesOptions['perform']} */
    const perform = (index, lane, due, wasIdle, listener) => {
      onStart?.(position);
      const lateMs = lane.now - due;
      if (wasIdle) {
        // An idle virtual user that starts late is the load generator's delay, not one of the service.
        recorder.startedIdle(lateMs);
        lane.iteration.startsLate(lateMs);
      }
      const rendered = preallocated === null ? undefined : preallocated.take(index);
      lane.iteration.start(iteration, index, due, wasIdle ? 0 : lateMs, listener, rendered);
      if (isOpen) backlog = recorder.points.running;
    };
    await runLanes({
      ...lanes,
      mostOfLane: load.options.iterationsOfLane,
      ending,
      perform: of === 1 ? perform : (n, ...rest) => perform(n * of + position, ...rest),
    });
    recorder.iterations.backlog = backlog;
  }

  collect() {
    this.#loads.collect();
  }

  /** Returns what each load has recorded since; undefined: one load. @type {() => RecorderState[] | undefined} */
  drainLoads() {
    return this.#loads.drain();
  }

  /** The flow has a function that ends each virtual user. */
  get endsUsers() {
    // The main thread of a run with workers binds no phase of its own.
    return this.#plan.flow.after.some(({ userPart }) => userPart === 'end');
  }

  /** Ends the virtual users of this thread, when what is measured is over. An abort leaves no time for it. */
  async endUsers() {
    const { ending } = this;
    if (!this.endsUsers || ending.isAborted) return;
    this.recorder.setOutside(true);
    await this.#lanes.endUsers(this.#iteration, ending.isCutShort ? this.#plan.options.teardownTimeout : Infinity);
    await lastRejections();
    this.recorder.setOutside(false);
  }

  /** Counts a failure that belongs to no operation. @type {(error: Error & { code: string }, phase: Phase) => void} */
  fail(error, phase) {
    this.#onError(this.recorder, error, { phase });
  }

  /**
   * Counts an error of the flow that nothing caught (E_UNCAUGHT). It belongs to no iteration: its own may have ended.
   * Returns false for an error of the warm-up, which is not part of the result.
   * @type {(error: Error, phase: Phase) => boolean}
   */
  uncaught(error, phase) {
    if (this.#uncaughtInWarmUp === null) {
      this.#onError(this.recorder, error, { phase });
      return true;
    }
    this.#uncaughtInWarmUp++;
    return false;
  }

  /** Returns the traffic of the measured iterations. @type {() => TransportTotals} */
  traffic() {
    return this.#transport.totals();
  }

  /** Returns the addresses of names that have several. */
  addresses() {
    return this.#transport.addresses();
  }

  /** Returns the load of this thread during measured iterations: a later stop, such as in `after`, does not count. */
  thread() {
    return this.#measuredThread ?? this.#threadSoFar();
  }

  /** @returns {SenderSummary} */
  #threadSoFar() {
    const stops = structuredClone({ ...this.#readDelay.stops, gc: this.#thread.pauses });
    return { ...this.#thread.toJSON(), stall: this.#lanes.stall(), stops };
  }

  /** Begins the log with the measured iterations, in this thread or in workers. @type {(start: number) => void} */
  beginLog(start) {
    this.#log?.begin(start);
  }

  logged() {
    return this.#log?.toJSON() ?? null;
  }

  inFlight() {
    return this.#lanes.inFlight();
  }

  running() {
    return this.#lanes.running();
  }

  async close() {
    this.ending.close();
    this.#lanes.close();
    this.#requestBodies.close();
    await Promise.all([this.#transport.close(), this.#closePacing(), this.#log?.close()]);
    this.#loads.close();
    this.recorder.close();
  }

  #stopForHook() {
    this.ending.stop('hook');
    this.#options.onOwnStop?.('hook');
  }

  /** @type {(recorder: Recorder, error: Error, place: Parameters<typeof recordFailure>[2]) => void} */
  #onError(recorder, error, place) {
    const { flowPath = null, onFailure } = this.#options;
    recordFailure(recorder, error, place, flowPath);
    onFailure?.(error, place.phase);
  }

  /**
   * Returns options of the lane loop that warm-up and run share.
   * @type {(part: ThreadLoad, start: number, parts: { schedule: Schedule, indexes: IndexAllocator, recorder: Recorder
   *   }) => Omit<LanesOptions, 'ending' | 'perform' | 'arrivals'> & { arrivals: Arrivals }}
   */
  #lanesFor({ load, pacer }, start, { schedule, indexes, recorder }) {
    const { pause, maxBacklog } = load.options;
    const { ratePerUser } = this.#plan.options;
    const lanes = this.#lanes;
    return {
      start,
      schedule,
      shareOf: (count) => lanes.shareOf(count, load.position),
      lanes: lanes.create(lanes.shareOf(schedule.most, load.position), load),
      arrivals: new Arrivals(schedule, {
        indexes,
        stride: this.#plan.stride,
        elapsed: () => clock.now() - start,
        backlog: recorder.iterations,
        maxBacklog,
      }),
      pacer,
      clock,
      pauseMs: pause && (() => drawMs(pause, this.#random)),
      isPaced: ratePerUser !== undefined || this.#limits !== null,
    };
  }
}

/** @type {(plan: Pick<LoadPlan, 'options'>, cancel: (teardownBy: number) => void) => Ending} */
function openEnding({ options: { gracefulStop, teardownTimeout } }, cancel) {
  const after = (/** @type {() => void} */ fn, /** @type {number} */ ms) => afterRunnableTime(fn, ms, runnableMs);
  return new Ending({ clock, gracefulStopMs: gracefulStop, teardownMs: teardownTimeout, cancel, after });
}

/**
 * Returns how to read the time in which the event loop had no work.
 * @type {(plan: Pick<LoadPlan, 'pacing'>, pacer: Pacer) => (now: number) => number}
 */
function idleTimeOf({ pacing }, pacer) {
  return pacing === null ? loopIdleMs : (now) => loopIdleMs() + pacer.idleAt(now);
}

/** @type {RequestLogEntry[]} */
const REQUEST_LOGS = offered('requestLogs');

/** @type {(plan: LoadPlan, options: GeneratorOptions) => Promise<RequestLog | undefined>} */
async function openLog({ options }, { worker = 0, isWorker = false }) {
  const entry = REQUEST_LOGS.find(({ suits }) => suits(options));
  return entry && (await entry.load()).open(options, { worker, isWorker });
}

/**
 * A promise that the last hook rejected, and that nothing awaits, is reported at the end of the turn: it belongs to
 * this phase.
 */
const lastRejections = setImmediate;
