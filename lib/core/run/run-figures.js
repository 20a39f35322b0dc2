import { randomUUID } from 'node:crypto';
import os from 'node:os';

import { COMPLETED } from '../ground/end-reasons.js';
import { PACKAGE_VERSION } from '../ground/package.js';
import { perSecond } from '../ground/units.js';
import { failuresOfWindow, failuresSoFar } from '../measure/judge-thresholds.js';
import { soleGenerator } from '../measure/load-generators.js';
import { REPORTED_MS } from '../measure/series.js';
import { addAddresses, summarize } from '../measure/summary.js';
import { addSenders } from '../measure/thread.js';
import { endsRun } from '../measure/thresholds.js';
import { addTotals } from '../transport/traffic.js';
import { clock } from './clock.js';

/** @import { TransportTotals } from '../contracts/connection.js' */
/** @import { IntervalCounts } from '../contracts/run.js' */
/** @import { Schedule } from '../contracts/schedule.js' */
/** @import { Judgement, LoadGeneratorEntry, Machine, Stats } from '../contracts/stats.js' */
/** @import { PrecisionWatch, addConfidence } from '../measure/confidence.js' */
/** @import { LiveState } from '../measure/judge-thresholds.js' */
/** @import { Threshold } from '../measure/thresholds.js' */
/** @import { IterationLimit } from '../measure/validity.js' */
/** @import { Counted, FiguresOfLoads, WarmUpResult, Load, LoadPlan, RunPlan, Service } from './types.js' */
/** @import { LoadGenerator } from './load/generator.js' */
/** @import { Counters } from './run.js' */
/** @import { WorkerPool } from './workers/worker-pool.js' */

/**
 * @typedef {object} Sources of the figures
 * @property {LoadGenerator} generator
 * @property {WorkerPool | null} workers
 * @property {Service} service
 * @property {PrecisionWatch | null} [precision] that the run shall reach
 * @property {FiguresOfLoads | null} [loads] null: the run has one load
 */

/** Timers and the clocks of threads may end a run this much before its schedule ends. */
const EARLY_MS = 10;

/** The figures of a run, while it runs and at its end: when its parts began and ended, its counters and its stats. */
export class RunFigures {
  #plan;
  #generator;
  #workers;
  #service;
  #loads;
  #startInstant = clock.now();
  /** The start, by the wall clock. */
  #startDate = new Date();
  /** The start of the measured iterations. @type {Date | null} */
  #measuredDate = null;
  #measuredFrom = Infinity;
  #measuredTo = Infinity;
  /** The end, by the clock and by the wall clock; null: not yet. @type {{ instant: number, date: Date } | null} */
  #end = null;
  /** The id of the result. */
  #id = randomUUID();
  /** Descriptions of what the result lacks. @type {string[]} */
  #missing = [];
  /** Thresholds that ended the run. @type {Judgement[]} */
  #failedThresholds = [];
  #precision;
  /** @type {WarmUpResult | null} */
  warmUp = null;

  /** Created when the run starts. @param {LoadPlan & RunPlan} plan @param {Sources} sources */
  constructor(plan, { generator, workers, service, precision = null, loads = null }) {
    this.#plan = plan;
    this.#precision = precision;
    this.#loads = loads;
    this.#generator = generator;
    this.#workers = workers;
    this.#service = service;
  }

  get isOver() {
    return this.#end !== null;
  }

  get startedAt() {
    return this.#startDate.toISOString();
  }

  /** Begins to measure at an instant of the clock. @type {(instant: number) => void} */
  measureFrom(instant) {
    this.#measuredFrom = instant;
    this.#measuredDate = new Date(Date.now() + instant - clock.now());
    this.#service.meter?.begin(() => this.#generator.recorder.requests.answered);
  }

  /** The measured iterations have ended. A run that was stopped before them has measured no time. */
  endMeasuring() {
    this.#service.meter?.end();
    const isSkipped = this.#generator.ending.at <= this.#measuredFrom;
    this.#measuredTo = isSkipped ? this.#measuredFrom : clock.now();
  }

  /** Ends the run; `missing` describes the lacks of the result. @type {(missing: string[]) => void} */
  close(missing) {
    this.#end = { instant: clock.now(), date: new Date() };
    this.#missing = missing;
  }

  /** Returns the traffic of all threads. @type {() => TransportTotals} */
  traffic() {
    return addTotals([this.#generator.traffic(), ...(this.#workers?.traffic() ?? [])]);
  }

  /** Returns the figures that each thread counts by itself: addresses, and the lines of its log. */
  #threadFigures() {
    const generator = this.#generator;
    const workers = this.#workers;
    return {
      addresses: addAddresses([...generator.addresses(), ...(workers?.addresses() ?? [])]),
      logged: [generator.logged() ?? [], workers?.logged() ?? []].flat(),
    };
  }

  /** Returns the number of requests that were sent and are not answered yet. @type {() => number} */
  inFlight() {
    return this.#generator.inFlight() + (this.#workers?.inFlight() ?? 0);
  }

  /** Returns ms since the start of the measured iterations; null before it. */
  elapsedMs() {
    const elapsed = Math.min(clock.now(), this.#measuredTo) - this.#measuredFrom;
    return elapsed < 0 ? null : elapsed;
  }

  /** Judges the thresholds that end the run; false: one fails, and the result says so. @type {() => boolean} */
  meetsThresholds() {
    const { thresholds = [] } = this.#plan.options;
    const { thresholds: judged = [], ramped = false } = this.snapshot();
    const isEnding = thresholds.map((/** @type {Threshold} */ one) => endsRun(one, this.#plan.options));
    const failed = failuresSoFar(
      thresholds.filter((/** @type {Threshold} */ _, /** @type {number} */ i) => isEnding[i]),
      judged.filter((_, i) => isEnding[i]),
      this.#liveState(ramped),
    );
    this.#addFailed(failed);
    return failed.length === 0;
  }

  /** Keeps which windows fail while the run goes on: its end judges them as `abortOnFail` would. */
  watchWindows() {
    const { thresholds = [] } = this.#plan.options;
    this.#addFailed(failuresOfWindow(thresholds, this.#liveState(false)));
  }

  /** @type {(failed: Judgement[]) => void} */
  #addFailed(failed) {
    const known = new Set(this.#failedThresholds.map(({ expression }) => expression));
    this.#failedThresholds.push(...failed.filter(({ expression }) => !known.has(expression)));
  }

  /** @type {(isRamped: boolean) => LiveState} */
  #liveState(isRamped) {
    const { recorder } = this.#generator;
    const running = [this.#generator.running(), ...(this.#workers?.running() ?? [])];
    return {
      histograms: recorder.histograms,
      series: recorder.series,
      iterations: recorder.iterations,
      scenarios: recorder.scenarios,
      errorCount: recorder.errorCount,
      running: {
        response: running.flatMap(({ response }) => Array.from(response)),
        service: running.flatMap(({ service }) => Array.from(service)),
        scenario: running.flatMap(({ scenario }) => scenario),
      },
      nowMs: this.elapsedMs() ?? 0,
      graceMs: this.#plan.options.gracefulStop,
      isRamped,
    };
  }

  /** @type {() => Counters} */
  counters() {
    return {
      elapsedMs: this.elapsedMs(),
      share: this.share(),
      ended: this.ended(),
      errors: this.#generator.recorder.errorCount,
    };
  }

  /** Returns the part of the run that is over, 0 to 1. @type {() => number} */
  share() {
    const elapsed = Math.max(0, clock.now() - this.#measuredFrom);
    if (this.#loads !== null) return this.#loads.share(elapsed);
    const { iterations = Infinity } = this.#plan.options;
    const own = this.#plan.stride.countOf(iterations);
    return Math.max(
      shareOf(this.ended(), own),
      Math.min(1, elapsed / this.#plan.schedule.end),
      this.#precision?.share ?? 0,
    );
  }

  /** Returns the number of iterations that have ended. @type {() => number} */
  ended() {
    const { recorder } = this.#generator;
    return recorder.iterations.started - recorder.active;
  }

  /** Returns intervals that end after `ms` and that all threads reported. @type {(ms: number) => IntervalCounts[]} */
  intervalsAfter(ms) {
    const reportedMs = (this.elapsedMs() ?? 0) - REPORTED_MS;
    const points = this.#generator.recorder.series.pointsAfter(ms).filter(({ to }) => to <= reportedMs);
    return points.map(({ from, to, counts }) => ({ from, to, counts }));
  }

  /** Returns what participants of the run can read while it runs. @type {() => Counted} */
  counted() {
    const { recorder } = this.#generator;
    if (this.#workers === null) this.#generator.collect();
    const { options } = this.#plan;
    return { recorder, traffic: this.traffic(), id: this.#id, startedAt: this.#startDate, options };
  }

  /** Returns the iterations per second since the last call. @type {() => () => number} */
  pace() {
    let last = { now: clock.now(), ended: 0 };
    return () => {
      const [now, ended] = [clock.now(), this.ended()];
      const pace = perSecond(ended - last.ended, now - last.now);
      last = { now, ended };
      return pace;
    };
  }

  /**
   * Returns the stats so far; `withCounts`: with the counts of histograms, as at the end. `addConfidence` adds those of
   * the figures at the end.
   * @type {(options?: { withCounts?: boolean, addConfidence?: typeof addConfidence }) => Stats}
   */
  snapshot({ withCounts = false, addConfidence: add } = {}) {
    const { options } = this.#plan;
    const { meter, sharesLoop } = this.#service;
    const { at, why } = this.#generator.ending;
    const { isOver } = this;
    const now = this.#now();
    const measuredMs = Math.max(0, Math.min(now, this.#measuredTo) - this.#measuredFrom);
    const ending = { stoppedMs: at === Infinity ? Infinity : at - this.#measuredFrom, why };
    if (this.#workers === null) this.#generator.collect();
    const loadGenerator = this.#sender();
    return summarize(this.#generator.recorder, {
      title: options.title,
      label: options.label,
      startedAt: this.startedAt,
      ...(this.#measuredDate && { measuredAt: this.#measuredDate.toISOString() }),
      ...this.#identity(),
      percentiles: options.percentiles,
      elapsedMs: now - this.#startInstant,
      measuredMs,
      isOver,
      isRamped: this.#loads === null ? isRamped(options) : this.#loads.isRamped,
      withCounts,
      missing: this.#missing,
      ...(this.#loads === null
        ? this.#planned(measuredMs, ending)
        : this.#loads.summarize({ measuredMs, ending, loadGenerator, isOver, withCounts })),
      loadGenerator,
      server: meter && meter.toJSON({ isOver }),
      sharesLoop,
      workers: options.workers ?? 1,
      pacing: this.#workers ? this.#workers.pacing : this.#generator.pacing,
      pipelining: options.pipelining,
      iterationLimit: iterationLimitOf(this.#plan),
      warmup: this.warmUp,
      expectedInterval: options.expectedInterval,
      thresholds: options.thresholds,
      failedThresholds: this.#failedThresholds,
      ...(this.#precision && { precision: this.#precision }),
      ...(add && { addConfidence: add }),
      traffic: this.traffic(),
      ...this.#threadFigures(),
    });
  }

  #now() {
    return this.#end?.instant ?? clock.now();
  }

  /** Returns the properties that only the result of a whole run has. */
  #identity() {
    if (this.#end === null) return {};
    return { id: this.#id, endedAt: this.#end.date.toISOString(), loadGenerators: [this.#asGenerator()] };
  }

  #sender() {
    if (this.#workers === null) return this.#generator.thread();
    return addSenders(this.#workers.threads(), { isOneProcess: true });
  }

  /** @returns {LoadGeneratorEntry} */
  #asGenerator() {
    const { workers = 1, shard } = this.#plan.options;
    return soleGenerator({ shard, workers, toolVersion: PACKAGE_VERSION, machine: thisMachine() });
  }

  /** @type {(measuredMs: number, ending: { stoppedMs: number, why: string | null }) => ReturnType<typeof plannedIn>} */
  #planned(measuredMs, ending) {
    return plannedIn(this.#plan, measuredMs, ending);
  }
}

/** A shard may have no iterations: it has ended. @type {(ended: number, own: number) => number} */
export function shareOf(ended, own) {
  return own === 0 ? 1 : ended / own;
}

/** Reports whether a load has a ramp. @type {(options: Pick<Load['options'], 'stages' | 'rampUp'>) => boolean} */
export function isRamped({ stages, rampUp = 0 }) {
  return stages !== undefined || rampUp > 0;
}

/** What never changes: to ask for it takes 0.2 ms. @type {Machine | undefined} */
let machine;

/** @type {() => Machine} */
function thisMachine() {
  if (machine) return machine;
  const cpus = os.cpus();
  machine = {
    platform: process.platform,
    arch: process.arch,
    cores: cpus.length,
    ...(cpus.length > 0 && { cpuModel: cpus[0].model.trim() }),
    memory: os.totalmem(),
    runtime: runtimeName(process.versions),
  };
  return machine;
}

/** Others than Node name themselves, too. @type {(versions: NodeJS.ProcessVersions) => string} */
function runtimeName(versions) {
  const name = ['bun', 'deno'].find((one) => versions[one] !== undefined) ?? 'node';
  return `${name} ${versions[name]}`;
}

/** @type {(plan: Pick<LoadPlan & RunPlan, 'options' | 'stride'>) => IterationLimit | null} */
function iterationLimitOf({ options: { iterations = Infinity }, stride }) {
  return iterations === Infinity ? null : { own: stride.countOf(iterations), whole: iterations };
}

/**
 * Counts the iterations due so far in an open model (null in a closed one), and the time that they stand for: without
 * the drain, and until the next one would be due. `peakRate` is that of a ramp, iterations per second. All times count
 * from the start of the load; `stoppedMs` is negative if the run was stopped before it.
 * @type {(plan: Pick<Load, 'schedule'> & Pick<LoadPlan, 'stride'>, measuredMs: number, ending: { stoppedMs: number,
 *   why: string | null }) => { planned: number | null, plannedMs: number, peakRate?: number }}
 */
export function plannedIn({ schedule, stride }, measuredMs, { stoppedMs, why }) {
  const { arrived, end, span, peakRate } = schedule;
  const wasStopped = why !== null && why !== COMPLETED;
  // No iteration starts after the end of the schedule, or a stop: what is measured later is the drain.
  const startedMs = Math.max(0, Math.min(measuredMs, end, stoppedMs));
  // A run that ends as planned may end a little early.
  const endedMs = !wasStopped && end - startedMs < EARLY_MS ? end : startedMs;
  if (arrived === null) return { planned: null, plannedMs: endedMs };
  // After the last arrival of the schedule, all of them stand for its span, which has the interval of the last one.
  const isWhole = span !== undefined && !wasStopped && arrived(endedMs) === arrived(span);
  const dueMs = isWhole ? span : endedMs;
  // The number is that of all shards.
  const due = stoppedMs < 0 ? 0 : arrived(dueMs);
  const planned = stride.countOf(due);
  const plannedMs = wasStopped && due > 0 ? endOfInterval(schedule, due, dueMs) : dueMs;
  if (peakRate === undefined) return { planned, plannedMs };
  return { planned, plannedMs, peakRate: due > 0 ? (peakRate * planned) / due : 0 };
}

/**
 * A run of a constant or average rate that is stopped stands for the time until its next iteration would have been due:
 * one of `-r 0.05` that is stopped after a second has not planned one per second. `due` counts the iterations of all
 * shards, so all stand for the same time, and `merge` adds up their rates.
 * @type {(schedule: Schedule, due: number, dueMs: number) => number}
 */
function endOfInterval({ dueAt }, due, dueMs) {
  const nextMs = dueAt?.(due) ?? Infinity;
  return nextMs < Infinity ? Math.max(dueMs, nextMs) : dueMs;
}
