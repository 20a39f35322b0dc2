import { ERRORS, makeError } from '../ground/errors.js';
import { failsByThreshold } from '../measure/thresholds.js';
import { COMPLETED, createErrorLimits } from '../run/load/ending.js';
import { mergedState, mergedTick, signalOf } from './merged-state.js';

/** @import { RunOptions } from '../contracts/run-options.js' */
/** @import { Stats } from '../contracts/stats.js' */
/** @import { Outcome, ReportedPlan } from '../run/types.js' */
/** @import { SumOptions, Report, ShardState, CoordinatorListener } from './types.js' */
/** @import { ShardTable } from './shard-table.js' */

/**
 * Reports whether the wait for the start is over: all shards are ready, or one has ended already.
 * @throws {Error} a shard was refused, with the code of its reason, or E_AGENT_REFUSED; E_AGENT_LOST
 * @type {(table: ShardTable) => boolean}
 */
export function isStartDue({ all, lost, reports }) {
  const refused = reports.find(({ state, error }) => state === 'refused' && error !== null);
  if (refused) throw refusalOf(refused);
  if (lost.length > 0) throw lostBeforeStart(lost[0]);
  if (reports.some(({ state }) => state === 'ended')) return true;
  return reports.length === all.length && reports.every(({ state }) => state === 'ready');
}

/**
 * Returns the plan of the whole run, from that of one shard that has begun.
 * @type {(begun: ReportedPlan, agents: number) => ReportedPlan}
 */
export function wholePlan({ plan, ...begun }, agents) {
  const { shard: _shard, runId: _run, options, ...rest } = plan;
  const { shard: _one, runId: _id, ...shown } = options;
  return { ...begun, plan: { ...rest, shape: `${plan.shape}, by ${agents} agents`, options: { ...shown, agents } } };
}

/**
 * @typedef {object} ViewContext
 * @property {Pick<CoordinatorListener, 'onProgress' | 'onTick' | 'onState'>} listener
 * @property {number} everyMs
 * @property {number} tolerated how many agents may be lost
 * @property {RunOptions} options
 * @property {SumOptions} sum
 * @property {() => number} [now] ms
 */

/**
 * The sum of many agents with many operations takes long: after a view, and after a judgement, this multiple of it is
 * for other things.
 */
const REST_OF_VIEW = 4;
const REST_OF_JUDGEMENT = 2;

/**
 * The live view of a run on agents: the exact sum of all shards, once per interval. Limits and thresholds are judged by
 * a sum of what they need, which takes a tenth of the time after ten minutes.
 */
export class LiveView {
  #context;
  #now;
  #shownAt;
  /** Time without a view after one that took long, ms. */
  #restMs = 0;
  /** It settles when the view is complete; null: nothing is added up. @type {Promise<void> | null} */
  #showing = null;
  /** Iterations that had ended at the last view. */
  #ended = 0;
  /** The instant of the last judgement. */
  judgedAt;
  /** Time without a judgement after one that took long, ms. */
  #unjudgedMs = 0;

  /** @param {ViewContext} context */
  constructor(context) {
    this.#context = context;
    this.#now = context.now ?? (() => performance.now());
    this.#shownAt = this.#now();
    this.judgedAt = this.#shownAt;
  }

  /**
   * Shows the sum, if the interval is over and anything was reported; resolves when it is shown. It takes long, so
   * judgements do not wait for it.
   * @type {(table: ShardTable) => Promise<void>}
   */
  show(table) {
    const from = this.#now();
    const elapsedMs = from - this.#shownAt;
    const isDue = elapsedMs >= Math.max(this.#context.everyMs, this.#restMs) && table.reports.length > 0;
    if (this.#showing !== null || !isDue) return this.#showing ?? Promise.resolve();
    this.#showing = this.#show(table, elapsedMs).then(() => {
      this.#shownAt = from;
      this.#restMs = REST_OF_VIEW * (this.#now() - from);
      this.#showing = null;
    });
    return this.#showing;
  }

  /**
   * Judges the sum, if the interval is over, and returns why the run has to stop: limits of errors and thresholds hold
   * for the sum.
   * @type {(table: ShardTable) => Promise<string | null>}
   */
  async judge(table) {
    const { everyMs, tolerated, options, sum } = this.#context;
    const from = this.#now();
    if (from - this.judgedAt < Math.max(everyMs, this.#unjudgedMs) || !mayStop(table, options)) return null;
    const stats = await mergedState(table, tolerated, { ...sum, isJudged: true });
    this.judgedAt = from;
    this.#unjudgedMs = REST_OF_JUDGEMENT * (this.#now() - from);
    return stats && stopReasonOf(stats, options, mergedTick(table)?.elapsedMs ?? 0);
  }

  /** @type {(table: ShardTable, elapsedMs: number) => Promise<void>} */
  async #show(table, elapsedMs) {
    const { listener, tolerated, sum } = this.#context;
    const tick = mergedTick(table);
    const stats = await mergedState(table, tolerated, sum);
    if (tick) listener.onTick(tick);
    if (!stats) return;
    const { started, completed, failed, cancelled } = stats.iterations;
    const ended = completed + failed + cancelled;
    listener.onState(stats);
    listener.onProgress({
      stats,
      percent: Math.round((tick?.share ?? 1) * 100),
      concurrent: started - ended,
      ips: Math.round((1000 * (ended - this.#ended)) / elapsedMs),
    });
    this.#ended = ended;
  }
}

/**
 * Reports whether the run may stop: without an error only a threshold can stop it.
 * @type {(table: ShardTable, options: RunOptions) => boolean}
 */
function mayStop({ reports }, { abortOnFail }) {
  return abortOnFail === true || reports.some(({ stats }) => stats !== null && stats.errors.count > 0);
}

/**
 * @type {(stats: Stats, options: RunOptions, elapsedMs: number) => string | null} elapsedMs: since the start of the
 *   measured iterations
 */
function stopReasonOf(stats, { abortOnFail, abortAfter = 0, bailout, keepGoing }, elapsedMs) {
  const { errors, iterations } = stats;
  const limit = createErrorLimits({ bailout, keepGoing });
  const sum = /** @type {any} */ ({ errorCount: errors.count, iterations, errors: () => errors });
  const reason = limit(sum, () => stats.connections.opened);
  if (reason) return reason;
  return abortOnFail && elapsedMs >= abortAfter && failsByThreshold(stats) ? 'threshold' : null;
}

/**
 * Returns how a run has ended whose shards have all ended, or are lost. `stats` is the sum of all shards, `reason` that
 * of a stop. Throws E_AGENT_LOST if an agent was lost, and nothing was measured.
 * @throws {Error} E_AGENT_LOST: an agent was lost, and nothing was measured
 * @type {(table: ShardTable, known: { stats: Stats | null, isAborted: boolean, reason: string | null }) => Outcome}
 */
export function endOf({ lost, reports }, { stats, isAborted, reason }) {
  if (isAborted) return { kind: 'aborted', stats };
  if (stats === null) {
    const refused = reports.find(({ state, error }) => state === 'refused' && error !== null);
    if (refused) throw refusalOf(refused);
    if (lost.length > 0) throw lostBeforeStart(lost[0]);
    return { kind: 'aborted', stats: null };
  }
  const why = reports.map(whyOf).find((one) => one !== undefined && one !== COMPLETED);
  return { kind: 'ended', stats, why: reason ?? why ?? COMPLETED };
}

/**
 * Explains why the other shards have to stop: one has ended, but not as planned.
 * @type {(reports: Report[]) => string | null}
 */
export function earlyEndOf(reports) {
  const early = reports.find(({ outcome }) => outcome && outcome.why !== COMPLETED);
  return early ? (whyOf(early) ?? 'agent') : null;
}

/** Creates E_AGENT_LOST for a shard that was lost before the start. @type {(shard: ShardState) => Error} */
function lostBeforeStart({ number, report, lost }) {
  return makeError('E_AGENT_LOST', { name: report?.agent.name ?? `of shard ${number}`, reason: lost });
}

/** Explains why a shard is lost that was ready, and then could not run. @type {(report: Report) => string} */
export function refusedLate({ error }) {
  return `it could not run the flow: ${error?.message}`;
}

/**
 * Returns the refusal of a shard. Without a code of ours it is not about the flow or its options, but about the agent.
 * @type {(report: Report) => Error}
 */
function refusalOf({ agent: { name }, error }) {
  const { code = '', message } = /** @type {NonNullable<Report['error']>} */ (error);
  if (!Object.hasOwn(ERRORS, code)) return makeError('E_AGENT_REFUSED', { name, reason: message });
  return Object.assign(new Error(`agent ${name}: ${message}`), { code });
}

/** @type {(report: Report) => string | undefined} */
function whyOf(report) {
  return signalOf(report) !== null ? 'agent' : report.outcome?.why;
}
