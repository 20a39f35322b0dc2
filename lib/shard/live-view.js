import { failsByThreshold } from '../measure/thresholds.js';
import { createErrorLimits } from '../run/error-limits.js';
import { mergedState, mergedTick, sumOptionsOf } from './merged-state.js';

/**
 * @import { Stats } from '../measure/types.js'
 * @import { RunOptions } from '../run/options/types.js'
 * @import { ShardTable } from './shard-table.js'
 * @import { CoordinatorListener } from './types.js'
 *
 * @typedef {object} ViewContext
 * @property {Pick<CoordinatorListener, 'onProgress' | 'onTick' | 'onState'>} listener
 * @property {number} everyMs
 * @property {number} tolerated how many agents may be lost
 * @property {RunOptions} options
 * @property {() => number} [now] ms
 */

/** The sum of many agents with many operations takes long: after a view, and after a judgement, this multiple of it is for other things. */
const REST_OF_VIEW = 4;
const REST_OF_JUDGEMENT = 2;

/**
 * The live view of a run on agents: the exact sum of all shards, once per interval. Limits and thresholds are judged by a sum of
 * what they need, which takes a tenth of the time after ten minutes.
 */
export class LiveView {
  #context;
  #now;
  #shownAt;
  /** time without a view after one that took long, ms */
  #restMs = 0;
  /** settles when the view is complete; null: nothing is added up @type {Promise<void> | null} */
  #showing = null;
  /** iterations that had ended at the last view */
  #ended = 0;
  /** instant of the last judgement */
  judgedAt;
  /** time without a judgement after one that took long, ms */
  #unjudgedMs = 0;

  /** @param {ViewContext} context */
  constructor(context) {
    this.#context = context;
    this.#now = context.now ?? (() => performance.now());
    this.#shownAt = this.#now();
    this.judgedAt = this.#shownAt;
  }

  /**
   * Shows the sum, if the interval is over and anything was reported. It takes long, so judgements do not wait for it.
   *
   * @param {ShardTable} table
   * @returns {Promise<void>} settles when it is shown
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
   * Judges the sum, if the interval is over.
   *
   * @param {ShardTable} table
   * @returns {Promise<string | null>} why the run has to stop: limits of errors and thresholds hold for the sum
   */
  async judge(table) {
    const { everyMs, tolerated, options } = this.#context;
    const from = this.#now();
    if (from - this.judgedAt < Math.max(everyMs, this.#unjudgedMs) || !mayStop(table, options)) return null;
    const stats = await mergedState(table, tolerated, { ...sumOptionsOf(options), isJudged: true });
    this.judgedAt = from;
    this.#unjudgedMs = REST_OF_JUDGEMENT * (this.#now() - from);
    return stats && stopReasonOf(stats, options, mergedTick(table)?.elapsedMs ?? 0);
  }

  /** @type {(table: ShardTable, elapsedMs: number) => Promise<void>} */
  async #show(table, elapsedMs) {
    const { listener, tolerated, options } = this.#context;
    const tick = mergedTick(table);
    const stats = await mergedState(table, tolerated, sumOptionsOf(options));
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

/** Without an error only a threshold can stop a run. @type {(table: ShardTable, options: RunOptions) => boolean} */
function mayStop({ reports }, { abortOnFail }) {
  return abortOnFail === true || reports.some(({ stats }) => stats !== null && stats.errors.count > 0);
}

/** @type {(stats: Stats, options: RunOptions, elapsedMs: number) => string | null} elapsedMs: since the start of the measured iterations */
function stopReasonOf(stats, { abortOnFail, abortAfter = 0, bailout, keepGoing }, elapsedMs) {
  const { errors, iterations, requests } = stats;
  const limit = createErrorLimits({ bailout, keepGoing });
  const sum = /** @type {any} */ ({ errorCount: errors.count, iterations, errors: () => errors });
  const reason = limit(sum, () => requests.connections.opened);
  if (reason) return reason;
  return abortOnFail && elapsedMs >= abortAfter && failsByThreshold(stats) ? 'threshold' : null;
}
