import { COMPLETED } from '../ground/end-reasons.js';
import { makeError } from '../ground/errors.js';
import { ABORTED, AFTER_CUT, teardownIncomplete } from '../measure/incomplete.js';
import { watchesWindows } from '../measure/judge-thresholds.js';
import { BodyMemory, countersOf } from '../process/body-memory.js';
import { clock } from './clock.js';
import { modulePath } from './flow-source.js';
import { createErrorLimits } from './load/ending.js';
import { LoadGenerator } from './load/generator.js';
import { severalLoads } from './loads.js';
import { openParticipants } from './participants.js';
import { RunFigures } from './run-figures.js';

/** @import { ResponseEvent } from '../contracts/run.js' */
/** @import { Stats } from '../contracts/stats.js' */
/** @import { EndReason } from '../ground/end-reasons.js' */
/** @import { Phase } from '../ground/phases.js' */
/** @import { PrecisionWatch } from '../measure/confidence.js' */
/** @import { FiguresOfLoads, FlowSource, LoadPlan, Participant, RunPlan, Service } from './types.js' */
/** @import { Controls, RunResult, Run } from './run.js' */
/** @import { WorkerPool } from './workers/worker-pool.js' */

/** @typedef {typeof import('./response-events.js')} ResponseEvents */

/** The measured iterations start this much later than the message to the workers, so that all have received it. */
const START_MS = 10;
const JUDGE_MS = 1000;
/** Of a run that no host provides with a service. @type {Service} */
const NO_SERVICE = { meter: null, sharesLoop: false };
/** Grace period of running iterations whose service is lost. */
const WITHOUT_SERVICE_MS = 1000;

/**
 * One benchmark: before, warm-up, the measured iterations, after. It leads the load generator of this thread, or a pool
 * of workers instead of it for what is measured, and closes them.
 */
export class Benchmark {
  #run;
  #plan;
  #errorLimits;
  /** Of several loads. @type {SharedArrayBuffer | undefined} */
  #loadsMemory;
  #runCtx = {};
  #vars;
  /** Counters of kept bodies, shared by all threads. */
  #bodyCounters;
  #bodyMemory;
  /** Generates the load without workers; with workers it runs `before` and `after`. @type {LoadGenerator} */
  // @ts-expect-error set first by #open
  #generator;
  /** @type {WorkerPool | null} */
  #workers = null;
  #service;
  /** @type {Phase} */
  #phase = 'before';
  /** The figures of each load; null: the run has one. @type {FiguresOfLoads | null} */
  #loads = null;
  /** From the start of the run. @type {RunFigures} */
  // @ts-expect-error set first by #open
  #figures;
  /** @type {Participant[]} */
  #participants = [];
  /** A time limit ended `after` before it was complete. */
  #isAfterCut = false;
  /** The precision that ends the run, if it has one. @type {PrecisionWatch | null} */
  #precision = null;
  /** @type {(() => void)[]} */
  #cleanups = [];

  /** @param {Run} run @param {LoadPlan & RunPlan} plan @param {Service} [service] of its host */
  constructor(run, plan, service = NO_SERVICE) {
    this.#run = run;
    this.#plan = plan;
    this.#vars = plan.createVars();
    this.#service = service;
    this.#errorLimits = createErrorLimits(plan.options);
    if (plan.loads.length > 1) this.#loadsMemory = severalLoads().loadsMemory(plan.loads.length);
    this.#bodyCounters = countersOf(1 + (plan.options.workers ?? 0));
    this.#bodyMemory = new BodyMemory(plan.options.maxBodyMemory, this.#bodyCounters);
  }

  /** @type {() => Promise<RunResult>} */
  async run() {
    const { options, flow } = this.#plan;
    this.#participants = await openParticipants({
      ...{ options, flow, service: this.#service },
      counted: () => this.#figures?.counted() ?? null,
      isAborted: () => this.#generator.ending.isAborted,
    });
    /** @type {() => Promise<RunResult>} */
    let perform = () => this.#perform();
    for (const { around } of this.#participants) if (around) perform = around.bind(null, perform);
    return perform();
  }

  async #perform() {
    await this.#open();
    try {
      this.#attach();
      this.#emitStart();
      await this.#runPhases();
    } catch (fault) {
      // An internal error: neither lanes nor timers may outlive the run.
      this.#generator.ending.abort();
      notify(this.#participants, 'cancel');
      throw fault;
    } finally {
      await this.#close();
    }
    return this.#result();
  }

  /** Opens what the run has: most modules are loaded only by a run that needs them. */
  async #open() {
    const { options, loads } = this.#plan;
    if (options.precision) {
      const { PrecisionWatch: Watch } = await import('../measure/confidence.js');
      this.#precision = new Watch(options.precision);
    }
    // Later listeners get no event: without one at the start, a response costs nothing.
    const events = this.#run.listenerCount('response') > 0 ? await import('./response-events.js') : null;
    this.#generator = await this.#openGenerator(events);
    if (loads.length > 1) {
      const { recorder: whole } = this.#generator;
      const loadsMemory = /** @type {SharedArrayBuffer} */ (this.#loadsMemory);
      this.#loads = await severalLoads().openFigures(this.#plan, { whole, loadsMemory });
    }
    if (options.workers !== undefined) this.#workers = await this.#openWorkers(events);
    this.#figures = new RunFigures(this.#plan, {
      generator: this.#generator,
      workers: this.#workers,
      service: this.#service,
      precision: this.#precision,
      loads: this.#loads,
    });
  }

  /** @type {(events: ResponseEvents | null) => Promise<LoadGenerator>} */
  #openGenerator(events) {
    const { options, source } = this.#plan;
    // With workers, the generator of this thread runs `before` and `after` alone.
    const own = options.workers === undefined ? {} : { options: { ...options, prealloc: 0 }, pacing: null };
    return LoadGenerator.open(
      { ...this.#plan, ...own },
      {
        onFailure: (error, phase) => this.#onFailures([{ error, phase }]),
        onResponse: events?.responseEmitter(this.#emitResponse),
        runCtx: this.#runCtx,
        vars: this.#vars,
        flowPath: modulePath(source),
        bodyMemory: this.#bodyMemory,
        loadsMemory: this.#loadsMemory,
        onStates: (states) => this.#loads?.add(states),
      },
    );
  }

  /** @type {(events: ResponseEvents | null) => Promise<WorkerPool>} */
  async #openWorkers(events) {
    const generator = this.#generator;
    try {
      const { WorkerPool } = await import('./workers/worker-pool.js');
      return await WorkerPool.open(/** @type {FlowSource} */ (this.#plan.source), this.#plan.options, {
        recorder: generator.recorder,
        addLoads: (states) => this.#loads?.add(states),
        cancel: (position, counts) => {
          if (this.#loads) this.#loads.cancel(position, counts);
          else generator.recorder.cancelled(counts);
        },
        ending: generator.ending,
        runCtx: this.#runCtx,
        vars: this.#vars,
        tables: this.#plan.feeders?.tables() ?? {},
        bodies: { memory: this.#bodyMemory, counters: this.#bodyCounters },
        onFailures: (failures) => this.#onFailures(failures),
        fail: (error, phase) => generator.fail(error, phase),
        emitResponses: events && ((batch) => events.emitBatch(batch, this.#emitResponse)),
        emitsErrors: () => this.#run.listenerCount('error') > 0,
        pacing: this.#plan.pacing,
        loadsMemory: this.#loadsMemory,
        live: this.#plan.live,
      });
    } catch (error) {
      await generator.close();
      throw error;
    }
  }

  /** @type {(event: ResponseEvent) => void} */
  #emitResponse = (event) => void this.#run.emit('response', event);

  #emitStart() {
    const { shape, origins, operations } = this.#plan.summary;
    const { title } = this.#plan.options;
    const { startedAt } = this.#figures;
    this.#run.emit('start', { ...(title !== undefined && { title }), startedAt, load: shape, origins, operations });
  }

  /** Connects the controls of the run, and starts what #close ends: listeners, and timers that watch the run. */
  #attach() {
    const generator = this.#generator;
    const { ending } = generator;
    const { signal, abortOnFail, abortOnFailOf, shard, progress } = this.#plan.options;
    /** @type {Controls['stop']} */
    const stop = (reason, options) => ending.stop(/** @type {EndReason} */ (reason), options);
    this.#run.attach({
      stop,
      abort: () => {
        ending.abort();
        notify(this.#participants, 'cancel');
      },
      snapshot: (options) => this.#figures.snapshot(options),
      inFlight: () => this.#figures.inFlight(),
      counters: () => this.#figures.counters(),
      intervalsAfter: (ms) => this.#figures.intervalsAfter(ms),
      uncaught: (error) => this.#uncaught(error),
    });
    this.#cleanups.push(onAbort(signal, () => stop('aborted')));
    this.#service.onLost?.((error, why) => this.#lostService(error, why));
    if (abortOnFail || abortOnFailOf) this.#cleanups.push(clock.every(() => this.#judge(), JUDGE_MS));
    // #judge watches windows itself, and those of a shard are judged in the sum of all shards.
    if (!abortOnFail && shard === undefined && watchesWindows(this.#plan.options))
      this.#cleanups.push(clock.every(() => this.#figures.watchWindows(), JUDGE_MS));
    const precision = this.#precision;
    if (precision) this.#cleanups.push(clock.every(() => this.#watchPrecision(precision), JUDGE_MS));
    if (progress > 0) {
      const pace = this.#figures.pace();
      this.#cleanups.push(clock.every(() => this.#emitProgress(this.#figures.snapshot(), pace()), progress));
    }
  }

  async #runPhases() {
    const generator = this.#generator;
    const load = this.#workers ?? generator;
    const { ending } = generator;
    this.#begin('before');
    if (!ending.isOver && (await generator.once('before')) === 'failed') ending.stop('before');
    if (this.#plan.warmUp && !ending.isOver) this.#figures.warmUp = await load.warmUp();
    if (this.#workers === null) await generator.followMain();
    // A run that has ended measures nothing.
    const participants = ending.isOver ? [] : this.#participants;
    await Promise.all(participants.map((one) => one.prepare?.(this.#plan.schedule.end)));
    const start = await this.#startOfMain();
    this.#figures.measureFrom(start);
    notify(participants, 'begin');
    generator.beginLog(start);
    this.#begin('main');
    await load.run(start, {
      end: this.#plan.schedule.end,
      onBegun: (instant) => this.#run.agreement?.started(instant),
    });
    this.#figures.endMeasuring();
    notify(participants, 'end');
    ending.drained();
    this.#begin('after');
    if (generator.endsUsers) await load.endUsers();
    const outcome = ending.isAborted ? null : await generator.once('after');
    this.#isAfterCut = outcome === 'cancelled';
    if (this.#isAfterCut && !ending.isAborted) generator.fail(makeError('E_AFTER_CUT'), 'after');
  }

  /** Returns the start, an instant of the clock: with workers just after the message. @type {() => Promise<number>} */
  async #startOfMain() {
    const { agreement } = this.#run;
    const start = agreement?.ready() ?? this.#plan.options.startAt;
    const at = start === undefined ? clock.now() : await this.#instantOf(start);
    return Math.max(at, clock.now() + (this.#workers ? START_MS : 0));
  }

  /** @type {(start: Promise<number> | number) => Promise<number>} */
  async #instantOf(start) {
    const { startInstant } = await import('./start.js');
    return startInstant(start, { leadMs: START_MS, ending: this.#generator.ending });
  }

  /** @type {(phase: Phase) => void} */
  #begin(phase) {
    this.#phase = phase;
    this.#run.onPhase(phase);
  }

  /** Ends the run: running requests fail, no new ones start. @type {Parameters<NonNullable<Service['onLost']>>[0]} */
  #lostService(error, why) {
    if (this.#figures.isOver) return;
    this.#generator.fail(error, this.#phase);
    this.#generator.ending.stop(why, { within: WITHOUT_SERVICE_MS });
  }

  /** Ends the run where a hook that throws would. @type {(error: Error) => void} */
  #uncaught(error) {
    if (this.#figures.isOver) return;
    const isCounted = this.#generator.uncaught(error, this.#phase);
    if (isCounted && this.#phase === 'before') this.#generator.ending.stop('before');
  }

  async #close() {
    await this.#workers?.close();
    await this.#generator.close();
    this.#loads?.close();
    for (const cleanup of this.#cleanups) cleanup();
    this.#figures.close([...(this.#workers?.missing ?? []), ...this.#missingTeardown()]);
  }

  /** @type {() => string[]} */
  #missingTeardown() {
    const { recorder, ending } = this.#generator;
    if (ending.isAborted) return [ABORTED, ...teardownIncomplete(this.#plan.flow, recorder.iterations.cancelled)];
    return this.#isAfterCut ? [AFTER_CUT] : [];
  }

  /** Returns the result of the closed run. After an abort nothing is waited for. */
  async #result() {
    const { ending } = this.#generator;
    // The last figures of the service arrive later.
    if (!ending.isAborted) await this.#service.meter?.ended;
    const { addConfidence } = await import('../measure/confidence.js');
    const stats = this.#figures.snapshot({ addConfidence });
    if (!ending.isAborted) for (const one of this.#participants) await one.result?.(stats);
    if (this.#plan.section && !ending.isAborted) await this.#addSection(this.#plan.section, stats);
    const { outcomeOfResult } = await import('../measure/outcome-reasons.js');
    stats.outcome = outcomeOfResult(stats);
    if (this.#plan.options.progress > 0) this.#emitProgress(stats, stats.iterations.completedRate);
    const missedResponses = this.#workers?.missedResponses ?? 0;
    return {
      stats,
      errorCount: stats.errors.count,
      endReason: ending.why ?? COMPLETED,
      ...(missedResponses > 0 && { missedResponses }),
    };
  }

  /** @type {(sectionFunction: NonNullable<RunPlan['section']>, stats: Stats) => Promise<void>} */
  async #addSection(sectionFunction, stats) {
    const { sectionOf } = await import('./flow-section.js');
    const { section, error } = await sectionOf(sectionFunction, stats);
    if (section) stats.section = section;
    if (error) this.#run.emit('error', error, 'section');
  }

  /** @type {(failures: { error: Error, phase: Phase }[]) => void} */
  #onFailures(failures) {
    const { recorder, ending } = this.#generator;
    for (const { error, phase } of failures) this.#run.emit('error', error, phase);
    const reason = this.#errorLimits(recorder, () => this.#figures.traffic().opened);
    if (reason) ending.stop(reason);
  }

  #judge() {
    const { ending } = this.#generator;
    const elapsedMs = this.#figures.elapsedMs();
    const isTooEarly = elapsedMs === null || elapsedMs < (this.#plan.options.abortAfter ?? 0);
    if (isTooEarly || ending.isOver) return;
    if (!this.#figures.meetsThresholds()) ending.stop('threshold');
  }

  /** @type {(precision: PrecisionWatch) => void} */
  #watchPrecision(precision) {
    const { ending, recorder } = this.#generator;
    const elapsedMs = this.#figures.elapsedMs() ?? 0;
    if (ending.isOver || !precision.isDue(elapsedMs)) return;
    if (precision.isReached(elapsedMs, () => recorder.series.wholePoints())) ending.stop('precision');
  }

  /**
   * @type {(stats: Stats, ips: number) => void} ips: iterations per second since the last time; at the end, of the run
   */
  #emitProgress(stats, ips) {
    const { recorder } = this.#generator;
    const percent = Math.round(this.#figures.share() * 100);
    this.#run.emit('progress', this.#run.forProgram(stats), percent, recorder.active, Math.round(ips));
  }
}

/** @type {(participants: Participant[], moment: 'begin' | 'end' | 'cancel') => void} */
function notify(participants, moment) {
  for (const one of participants) one[moment]?.();
}

/**
 * The runs that each signal stops. They share one listener, because Node warns of more than ten on one signal.
 * @type {WeakMap<AbortSignal, Set<() => void>>}
 */
const stopsOf = new WeakMap();

/**
 * Calls `stop` when the signal is aborted, at once if it already is. The returned function unsubscribes; the last one
 * removes the listener.
 * @type {(signal: AbortSignal | undefined, stop: () => void) => () => void}
 */
export function onAbort(signal, stop) {
  if (!signal) return () => {};
  if (signal.aborted) stop();
  const stops = stopsOf.get(signal) ?? new Set();
  stopsOf.set(signal, stops.add(stop));
  // Adding the same listener again has no effect.
  signal.addEventListener('abort', stopAll);
  return () => {
    stops.delete(stop);
    if (stops.size === 0) signal.removeEventListener('abort', stopAll);
  };
}

/** @type {(event: Event) => void} */
function stopAll({ target }) {
  for (const stop of stopsOf.get(/** @type {AbortSignal} */ (target)) ?? []) stop();
}
