import { randomUUID } from 'node:crypto';

import { grouped } from '../../core/ground/decimal.js';
import { writeMs } from '../../core/ground/units.js';
import { reasonsOf } from '../../core/measure/outcome.js';
import { Engine, errorOf } from '../../core/cli/engine/engine.js';
import { describeRun } from '../../core/cli/result/describe-run.js';
import { withOutcome } from '../../core/cli/result/outputs.js';
import { endingMessage, endingReasons } from '../../core/cli/run/run-flow.js';
import { usageError } from '../../core/cli/usage-error.js';
import { LEAD_MS } from '../bounds/bounds.js';
import { OWN_OPTIONS, REFUSALS } from './refused-options.js';

/** @import { Tick } from '../../core/contracts/run.js' */
/** @import { FlowInput } from '../../core/flow/source/types.js' */
/** @import { Result } from '../../core/report/types.js' */
/** @import { RunnerOutcome, ReportedPlan } from '../../core/run/types.js' */
/** @import { EngineRequest, RunBounds } from '../../core/cli/types.js' */

/** Results that are kept for later questions. */
export const MOST_KEPT = 10;
/** Time of running iterations and of teardown after a stop, then for an abort, ms. */
const WITHIN_MS = 1000;
const ABORT_MS = 2000;
const CANCELLED = 'cancelled';
const CLOSED = 'the server was stopped';

/**
 * @typedef {object} RunRequest
 * @property {FlowInput} source
 * @property {Record<string, unknown>} options
 * @property {AbortSignal} [signal] stops the run
 * @property {(tick: Tick, plannedMs: number) => void} [onTick] plannedMs: Infinity if the end is not planned
 *
 * @typedef {object} EndedRun
 * @property {string} id `run-1`
 * @property {Result} result
 * @property {string | undefined} ending why it did not end as planned
 *
 * @typedef {object} Performed
 * @property {Exclude<RunnerOutcome, { kind: 'refused' }>} outcome
 * @property {ReportedPlan} begun
 * @property {string | undefined} why the run was stopped
 */

/** Runs flows of an assistant, one at a time, each in a thread of its own, and keeps the last results. */
export class Runs {
  #folder;
  #bounds;
  #log;
  /** Runs in progress, and plans that are being made. @type {Set<LimitedRun>} */
  #running = new Set();
  /** A run has not ended: plans are made beside it. */
  #isRunning = false;
  /** Plans are made in turn. @type {Promise<unknown>} */
  #planning = Promise.resolve();
  #isClosed = false;
  #count = 0;
  /** @type {Map<string, Result>} */
  #kept = new Map();

  /** @param {{ folder: string, bounds: RunBounds, log: NodeJS.WritableStream }} context log: of code of the flow */
  constructor({ folder, bounds, log }) {
    this.#folder = folder;
    this.#bounds = bounds;
    this.#log = log;
  }

  /** The result of a run by its id, or that of the last run. @type {(id: string) => Result | undefined} */
  resultOf(id) {
    return id === 'last' ? [...this.#kept.values()].at(-1) : this.#kept.get(id);
  }

  /**
   * Plans a run; nothing is sent.
   * @throws {Error} as {@link run}
   * @type {(request: Omit<RunRequest, 'onTick'>) => Promise<ReportedPlan>}
   */
  async plan(request) {
    const planned = this.#planning.then(() => this.#perform(request, { plansOnly: true }));
    this.#planning = planned.catch(() => {});
    return (await planned).begun;
  }

  /**
   * Runs a flow to its end.
   * @throws {Error} E_USAGE: another one runs; any error of the flow and its options
   * @type {(request: RunRequest) => Promise<EndedRun>}
   */
  async run(request) {
    if (this.#isRunning) throw usageError('another run has not ended yet: wait for it, or cancel it');
    this.#isRunning = true;
    try {
      return this.#keep(await this.#perform(request, { plansOnly: false }));
    } finally {
      this.#isRunning = false;
    }
  }

  /** Stops what runs, and waits for its end. */
  async close() {
    this.#isClosed = true;
    await Promise.all([...this.#running].map((run) => run.stop(CLOSED)));
  }

  /** @type {(performed: Performed) => EndedRun} */
  #keep(performed) {
    const { outcome, begun, why } = performed;
    if (!outcome.stats) throw withoutResult(outcome, why);
    const ending = endingReasons(outcome);
    if (why === CANCELLED || why === CLOSED) ending.push('interrupted');
    const reasons = new Set(reasonsOf(outcome.stats, {}, ending));
    const endReason = outcome.kind === 'ended' ? outcome.why : outcome.kind;
    const run = { ...describeRun(begun, this.#folder), endReason };
    const result = withOutcome({ ...outcome.stats, id: outcome.stats.id ?? randomUUID(), run }, reasons);
    const id = `run-${++this.#count}`;
    this.#kept.set(id, result);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT) this.#kept.delete(oldest);
    return { id, result, ending: why ?? endingMessage(outcome) ?? this.#limitReached(performed, result) };
  }

  /**
   * Names the limit if requests waited for it. An open run whose iterations have one request is planned below it.
   * @type {(performed: Performed, result: Result) => string | undefined}
   */
  #limitReached({ outcome, begun: { plan } }, { requests, iterations }) {
    const isPlanned = plan.pacing !== undefined && requests.sent <= iterations.completed;
    if (outcome.kind !== 'ended' || !outcome.waited || isPlanned) return undefined;
    const rate = grouped(this.#bounds.rate);
    return `${grouped(outcome.waited)} requests waited for the limit of ${rate} requests per second (--max-rate)`;
  }

  /** @type {(request: RunRequest, how: { plansOnly: boolean }) => Promise<Performed>} */
  async #perform({ source, options, signal, onTick }, { plansOnly }) {
    if (this.#isClosed || signal?.aborted) throw usageError(this.#isClosed ? CLOSED : CANCELLED);
    const request = {
      source,
      cwd: this.#folder,
      config: OWN_OPTIONS,
      commandLine: [{ name: 'options', options }],
      debug: false,
      ticks: !plansOnly,
      bounds: { ...this.#bounds, plansOnly, refused: REFUSALS },
    };
    const run = new LimitedRun(request, { log: this.#log, onTick, longestMs: this.#bounds.duration });
    const cancel = () => run.stop(CANCELLED);
    this.#running.add(run);
    signal?.addEventListener('abort', cancel);
    try {
      return await run.ended();
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.#running.delete(run);
    }
  }
}

/**
 * Explains why a run has no result: it was stopped (`why`), or lost, as by code of its flow that ends the process.
 * @type {(outcome: Performed['outcome'], why?: string) => Error}
 */
export function withoutResult(outcome, why = endingMessage(outcome)) {
  return usageError(String(why));
}

/** A run that is stopped with a reason: by its time limit, by a cancelled call, or with the server. */
class LimitedRun {
  #engine;
  #longestMs;
  /** @type {ReportedPlan | null} null: the flow is not read yet */
  #begun = null;
  /** Why the run was stopped. @type {string | undefined} */
  #why;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /**
   * @param {EngineRequest} request
   * @param {Pick<RunRequest, 'onTick'> & { log: NodeJS.WritableStream, longestMs: number }} context
   */
  constructor(request, { log, onTick, longestMs }) {
    this.#longestMs = longestMs;
    this.#engine = new Engine(request, {
      log,
      onBegin: (/** @type {any} */ begun) => this.#begin(begun),
      onProgress: () => {},
      onExchange: () => {},
      onTick: (tick) => onTick?.(tick, /** @type {ReportedPlan} */ (this.#begun).plan.limits.endMs),
    });
    this.#stopAfter(LEAD_MS, `the flow was not read within ${writeMs(LEAD_MS)}`);
  }

  /** @throws {Error} of the flow and its options; E_USAGE: it had no result @returns {Promise<Performed>} */
  async ended() {
    try {
      const outcome = await this.#engine.outcome;
      if (outcome.kind === 'refused') throw errorOf(outcome);
      if (this.#begun === null) throw withoutResult(outcome, this.#why);
      return { outcome, begun: this.#begun, why: this.#why };
    } finally {
      clearTimeout(this.#timer);
      await this.#engine.close();
    }
  }

  /** Stops the run gracefully, and aborts it if it goes on. The first reason counts. @param {string} reason */
  async stop(reason) {
    this.#why ??= reason;
    const timer = setTimeout(this.#engine.abort, ABORT_MS);
    this.#engine.stop('stopped', { within: WITHIN_MS });
    await this.#engine.outcome;
    clearTimeout(timer);
  }

  /** @param {ReportedPlan} begun */
  #begin(begun) {
    this.#begun = begun;
    // A run whose end is not planned has the time that is allowed.
    const leadMs = Number.isFinite(begun.plan.limits.endMs) ? LEAD_MS : 0;
    const ms = this.#longestMs + leadMs;
    const lead = leadMs > 0 ? ` and ${writeMs(leadMs)} for the operations before and after it` : '';
    const limit = `${writeMs(this.#longestMs)} (--max-duration)${lead}`;
    this.#stopAfter(ms, `stopped after ${writeMs(ms)}, the longest run here: ${limit}`);
  }

  /** Replaces the time limit. @type {(ms: number, reason: string) => void} */
  #stopAfter(ms, reason) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.stop(reason), ms);
  }
}
