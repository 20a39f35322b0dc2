import { count } from '../../core/ground/decimal.js';
import { endMessage, endReasonRow } from '../../core/ground/end-reasons.js';
import { reasonOf } from '../../core/ground/exit-codes.js';
import { createProblems } from '../../core/ground/problems.js';
import { writeMs } from '../../core/ground/units.js';
import { CAPACITY_HEAD } from './head.js';
import { valuesNeeded } from '../../core/measure/percentiles.js';
import { percentileOf } from '../../core/measure/threshold-figures.js';
import { ANY_NAMES, readThresholds } from '../../core/measure/thresholds.js';
import { LEAST_ITERATIONS } from '../../core/measure/validity.js';
import { loadText } from './report/rows.js';
import { thresholdTexts } from '../../core/run/options/checks.js';
import { optionsIn } from '../../core/run/options/layers.js';
import { readWarmup } from '../../core/run/options/load.js';
import { conclusionOf, scalabilityOf } from './conclusion.js';
import {
  FIRST_LOADS,
  STEP_MS,
  WITHIN,
  graceOf,
  leastRate,
  pauseOf,
  shortestOf,
  stepForPauses,
  stepLoadOf,
} from './load.js';
import { answerSoFar, nextStep } from './search.js';
import { boundOf, endOf, measuredStep } from './step.js';

/** @import { Capacity } from './capacity.js' */
/** @import { Stats } from '../../core/contracts/stats.js' */
/** @import { Reason } from '../../core/ground/exit-codes.js' */
/** @import { Layer } from '../../core/run/options/types.js' */
/** @import { KnownTimes, StepLoad } from './load.js' */
/** @import { Answer, NextStep, SearchOptions } from './types.js' */
/** @import { MeasuredStep } from './step.js' */

/**
 * The course of a search: it performs the steps that `search.js` decides on, until the capacity is known or something
 * ends it. The command and `program.js` say how the run of a step is performed.
 *
 * @typedef {object} CourseOptions
 * @property {'rate' | 'users'} by
 * @property {number} from load of the first step
 * @property {number} within precision, as a share
 * @property {number} stepMs the shortest step
 * @property {number} settleMs warm-up before each step
 * @property {number} [mostUsers] virtual users
 * @property {number} [fewestUsers] that a step by users can have; default: 1
 * @property {number} [maxDurationMs] of the search: no step begins that would end later
 * @property {StepThreshold[]} [thresholds] those that are known before the first step
 * @property {Record<'from' | 'step' | 'maxDuration', string>} names of the options, for messages
 *
 * @typedef {{ figure: string, unit: string, bound: number }} StepThreshold
 *
 * @typedef {object} Progress of a search
 * @property {MeasuredStep[]} steps so far
 * @property {Answer} answer so far
 *
 * @typedef {{ result: Stats, early?: string } | { ended: Reason, message?: string }} StepOutcome early: what ended the
 *   step before its time; ended: why the search ends with this step, which `message` explains
 *
 * @typedef {object} Steps what performs them
 * @property {(load: StepLoad, next: NextStep, progress: Progress) => Promise<StepOutcome>} run
 * @property {(step: MeasuredStep, progress: Progress) => void} [onStep]
 * @property {() => number} [now] ms
 */

/** The time to settle before a step, unless a warm-up is given, ms. */
const SETTLE_MS = 2000;
const MAX_STEPS = 12;
/** Tries of the first step: its iterations show how long they pause, but if none ends, only how long at least. */
const MOST_TRIES = 3;
/** What the start and the end of a step take, ms. */
const AROUND_MS = 1000;

/**
 * Completes the options of a search by its defaults, and by the run options that it uses itself.
 * @type {(given: Partial<CourseOptions>, runOptions: { warmup?: unknown, limit?: unknown }, names:
 *   CourseOptions['names']) => CourseOptions}
 */
export function courseOptions(given, { warmup, limit }, names) {
  const { by = 'rate', from = FIRST_LOADS[by], within = WITHIN, stepMs = STEP_MS, maxDurationMs } = given;
  const settleMs = readWarmup(warmup)?.duration ?? SETTLE_MS;
  const mostUsers = limit === undefined ? undefined : Number(limit);
  return { by, from, within, stepMs, settleMs, mostUsers, maxDurationMs, names };
}

/**
 * Runs steps until the capacity is known.
 * @param {CourseOptions} options
 * @param {Steps} perform
 * @returns {Promise<{ capacity: Capacity, ended: Reason | null, message?: string }>} ended: why the search was cut
 *   short, and in words; the capacity is the best answer so far
 * @throws {Error} E_RUN_OPTIONS: the first step cannot have what it needs
 */
export async function findCapacity(options, { run, onStep = () => {}, now = () => performance.now() }) {
  const startedAt = new Date();
  const startMs = now();
  /** @type {MeasuredStep[]} */
  const steps = [];
  /** The tool and the load generators of the last result. @type {Pick<Capacity, 'tool' | 'loadGenerators'>} */
  let about = {};
  const { thresholds = [], maxDurationMs = Infinity } = options;
  const needs = new StepNeeds(options);
  const end = (
    /** @type {Answer} */ answer,
    /** @type {{ ended: Reason | null, message?: string }} */ how,
    /** @type {string | undefined} */ cutBy = undefined,
  ) => ({
    capacity: { ...capacityOf({ steps, answer, options: needs.search, startedAt, cutBy }), ...about },
    ...how,
  });
  for (;;) {
    const known = steps.map((step) => step.search);
    const decided = nextStep(known, needs.search);
    if ('answer' in decided) return end(decided.answer, { ended: null });
    const { next } = decided;
    const times = { ...knownTimes(steps, thresholds), needed: needs.iterations, pauseMs: needs.pauseMs };
    const load = stepLoadOf(next, options, times);
    const answer = answerSoFar(known, needs.search);
    const spareMs = maxDurationMs - (now() - startMs + load.warmup + load.duration + AROUND_MS);
    // Without the first step there is no answer at all
    if (steps.length > 0 && spareMs < 0) return end(unfinished(answer), { ended: null }, options.names.maxDuration);
    const outcome = await run({ ...load, grace: graceOf(spareMs, times.boundMs) }, next, { steps, answer });
    if ('ended' in outcome) return end(answer, outcome);
    const ended = endOf(outcome.result);
    if (ended !== undefined) return end(answer, { ended });
    const isFirst = steps.length === 0;
    if (needs.learn({ next, load, times }, outcome.result, { isFirst, spentMs: now() - startMs })) continue;
    const { pauseMs } = needs;
    const step = measuredStep(next, load, outcome.result, { earlier: steps, options, pauseMs, early: outcome.early });
    steps.push(step);
    about = aboutOf(outcome.result);
    onStep(step, { steps, answer: answerSoFar([...known, step.search], needs.search) });
  }
}

/** That no load holds would have needed more steps. @type {(answer: Answer) => Answer} */
function unfinished(answer) {
  return answer.outcome === 'none' ? { ...answer, outcome: 'imprecise' } : answer;
}

/**
 * The needs of steps: enough iterations for the percentiles of their thresholds, and time for the pauses of the flow.
 * The first result has the thresholds of the flow, and may show that more of both is needed: then its step is repeated.
 */
class StepNeeds {
  #options;
  /** The first steps so far. */
  #tries = 0;
  /** Iterations that a step needs. */
  iterations;
  /** The time of an iteration beside its requests. */
  pauseMs = 0;
  /** The options of the search, with the lowest load whose steps have enough iterations. */
  search;

  /** @param {CourseOptions} options */
  constructor(options) {
    this.#options = options;
    this.iterations = iterationsNeeded(options.thresholds ?? []);
    this.search = searchOptionsOf(options, this.iterations);
    checkFirst(this.iterations, options);
  }

  /**
   * Learns from the result of a step; true: it was the first step, and is repeated with what it lacked.
   * @throws {Error} E_RUN_OPTIONS: the thresholds or the pauses of the flow need a step for which there is no time
   * @type {(step: { next: NextStep, load: StepLoad, times: KnownTimes }, result: Stats, about: { isFirst: boolean,
   *   spentMs: number }) => boolean}
   */
  learn({ next, load, times }, result, { isFirst, spentMs }) {
    const options = this.#options;
    const { by, maxDurationMs = Infinity } = options;
    const found = iterationsNeeded(result.thresholds ?? []);
    if (isFirst) {
      this.pauseMs = pauseOf(result);
      checkPauses(this.pauseMs, options);
    }
    if (found > this.iterations) {
      this.iterations = found;
      this.search = searchOptionsOf(options, found);
      if (by === 'rate' && load.duration < shortestOf(next, { ...options, needed: found })) {
        checkFirst(found, { ...options, from: this.search.from, spentMs });
        return true;
      }
    }
    this.#tries++;
    if (!isFirst || this.#tries >= MOST_TRIES) return false;
    const again = stepLoadOf(next, options, { ...times, needed: this.iterations, pauseMs: this.pauseMs });
    const isLarger = again.limit > load.limit || again.duration > load.duration;
    return isLarger && spentMs + again.warmup + again.duration < maxDurationMs;
  }
}

/** @type {(options: CourseOptions, needed: number) => SearchOptions & { by: CourseOptions['by'], least: number }} */
function searchOptionsOf({ by, from, within, stepMs, fewestUsers = 1 }, needed) {
  const isWhole = by === 'users';
  const least = isWhole ? fewestUsers : leastRate(needed, stepMs);
  return { by, from: Math.max(from, least), within, maxSteps: MAX_STEPS, isWhole, least };
}

/**
 * Refuses a first step that would have too few iterations, or no time.
 * @type {(needed: number, options: CourseOptions & { spentMs?: number }) => void} spentMs: on one that was too short
 */
function checkFirst(needed, { by, from, stepMs, settleMs, maxDurationMs = Infinity, names, spentMs = 0 }) {
  const problems = createProblems('E_RUN_OPTIONS');
  const least = leastRate(needed, stepMs);
  const lengthMs = by === 'rate' ? shortestOf({ load: from }, { stepMs, needed }) : stepMs;
  if (by === 'rate' && from < least)
    problems.add(
      names.from,
      `at ${loadText(from, by)} a step would take ${writeMs(lengthMs)} for the ${count(needed)} iterations that its figures need: begin at ${loadText(least, by)} or above, or use a longer ${names.step}`,
    );
  else if (spentMs + settleMs + lengthMs > maxDurationMs)
    problems.add(
      names.maxDuration,
      `ends before the first step, which takes ${writeMs(settleMs + lengthMs)}: use a longer one, a shorter ${names.step}, or a higher ${names.from}`,
    );
  problems.throwIfAny();
}

/**
 * Refuses steps that end before as many iterations pause as ever will.
 * @type {(pauseMs: number, options: CourseOptions) => void}
 */
function checkPauses(pauseMs, { stepMs, names }) {
  const least = stepForPauses(pauseMs);
  if (stepMs >= least) return;
  const problems = createProblems('E_RUN_OPTIONS');
  problems.add(
    names.step,
    `an iteration takes ${writeMs(Math.round(pauseMs / 100) * 100)} beside its requests, for pauses and the phases around main: use ${writeMs(least)} or longer`,
  );
  problems.throwIfAny();
}

/** `p99.9` of `serviceTime.p99.9`. */
const STATISTIC = /(?<=^|\.)p[\d.]+$/;

/** With fewer iterations, a percentile is the largest value. @type {(thresholds: { figure: string }[]) => number} */
export function iterationsNeeded(thresholds) {
  const shares = thresholds.map(({ figure }) => (percentileOf(STATISTIC.exec(figure)?.[0] ?? '') ?? 0) / 100);
  return Math.max(LEAST_ITERATIONS, ...shares.filter((share) => share > 0 && share < 1).map(valuesNeeded));
}

/**
 * Returns the thresholds of layers of run options, weakest first; the first step refuses those that cannot be read.
 * @type {(layers: Layer[]) => StepThreshold[]}
 */
export function thresholdsIn(layers) {
  const texts = thresholdTexts(optionsIn(layers).thresholds).filter((text) => typeof text === 'string');
  return readThresholds(texts, createProblems('E_RUN_OPTIONS'), ANY_NAMES);
}

/** The ends of a run that say nothing about its load. */
const CUT_SHORT = ['before', 'hook', 'server', 'worker', 'unreachable'];

/**
 * Returns why the run of a step has ended: a low rate ends before so many connections failed that the run stops. The
 * end of the server explains connections that failed, and that of an agent or its queue has an exit code of its own.
 * @type {(endReason: string, stats: Stats) => string}
 */
export function endReasonOf(endReason, { connections, requests, errors }) {
  if (endReason === 'server' || endReasonRow(endReason).exit !== undefined) return endReason;
  return connections.opened === 0 && requests.answered === 0 && errors.count > 0 ? 'unreachable' : endReason;
}

/** Returns the outcome of a step whose run has ended. @type {(endReason: string, stats: Stats) => StepOutcome} */
export function stepOutcomeOf(endReason, stats) {
  const why = endReasonOf(endReason, stats);
  const message = endMessage(why);
  if (why === 'bailout') return { result: stats, early: message };
  if (!CUT_SHORT.includes(why)) return { result: stats };
  return { ended: why === 'server' ? 'server' : 'errors', ...(message && { message }) };
}

/**
 * A step that was refused ends the search with its answer so far, unless it is the first one: nothing can be run.
 * @throws {Error} the error, of the first step
 * @type {(error: Error & { code?: string }, number: number) => StepOutcome}
 */
export function refusedStep(error, number) {
  if (number === 1) throw error;
  return { ended: endedBy(error.code), message: `step ${number} was refused: ${error.message}` };
}

/** What a step depends on besides the flow and its options. @type {Reason[]} */
const DEPENDENCIES = ['server', 'agents'];

/** @type {(code: string | undefined) => Reason} */
function endedBy(code) {
  if (code === 'E_RUN_OPTIONS') return 'undecided';
  const reason = reasonOf(code);
  return DEPENDENCIES.includes(reason) ? reason : 'errors';
}

/** Omits the figures of the load generators. @type {(result: Stats) => Pick<Capacity, 'tool' | 'loadGenerators'>} */
function aboutOf({ tool, loadGenerators = [] }) {
  const entries = loadGenerators.map(({ name, shard, toolVersion, workers, machine }) => ({
    name,
    workers,
    ...(shard && { shard }),
    ...(toolVersion && { toolVersion }),
    ...(machine && { machine }),
  }));
  return { tool, loadGenerators: entries };
}

/**
 * Returns the times of the highest load that held.
 * @type {(steps: MeasuredStep[], thresholds: StepThreshold[]) => Omit<KnownTimes, 'needed' | 'pauseMs'>}
 */
function knownTimes(steps, thresholds) {
  const held = steps.filter(({ search }) => search.verdict === 'passed').sort((a, b) => b.search.load - a.search.load);
  return { meanMs: held[0]?.meanMs ?? null, boundMs: steps[0]?.boundMs ?? boundOf(thresholds) };
}

/**
 * @type {(search: { steps: MeasuredStep[], answer: Answer, options: Pick<CourseOptions, 'by' | 'within'> & { least:
 *   number }, startedAt: Date, cutBy?: string }) => Capacity}
 */
function capacityOf({ steps, answer, options: { by, within, least }, startedAt, cutBy }) {
  const shown = steps.map((step) => step.shown);
  const scalability =
    by === 'users'
      ? scalabilityOf(
          shown
            .filter(({ outcome }) => outcome.status !== 'saturated')
            .map(({ load, iterations }) => ({ users: load.virtualUsers, throughput: iterations.completedRate })),
        )
      : null;
  return {
    ...CAPACITY_HEAD,
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    by,
    within,
    conclusion: conclusionOf(answer, shown, { by, within, scalability, least, ...(cutBy !== undefined && { cutBy }) }),
    steps: shown,
    ...(scalability && { scalability }),
  };
}
