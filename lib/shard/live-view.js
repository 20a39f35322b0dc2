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

/** The sum of many agents with many operations takes long: this part of the time is for other things. */
const SHARE = 4;

/** The live view of a run on agents: the exact sum of all shards, once per interval. */
export class LiveView {
  #context;
  #now;
  #shownAt;
  #judgedAt;
  /** the same after a judgement */
  #judgeRestMs = 0;
  /** time without a view after one that took long, ms */
  #restMs = 0;
  /** iterations that had ended at the last view */
  #ended = 0;

  /** @param {ViewContext} context */
  constructor(context) {
    this.#context = context;
    this.#now = context.now ?? (() => performance.now());
    this.#shownAt = this.#judgedAt = this.#now();
  }

  /**
   * Shows the sum, if the interval is over and anything was reported. Between two views that take long, limits and thresholds are judged.
   *
   * @param {ShardTable} table
   * @returns {Promise<string | null>} why the run has to stop: limits of errors and thresholds hold for the sum
   */
  async show(table) {
    const from = this.#now();
    const elapsedMs = from - this.#shownAt;
    if (table.reports.length === 0) return null;
    if (elapsedMs < Math.max(this.#context.everyMs, this.#restMs)) return this.#judge(table, from);
    const reason = await this.#show(table, elapsedMs);
    this.#shownAt = from;
    this.#judgedAt = this.#now();
    this.#restMs = SHARE * (this.#now() - from);
    return reason;
  }

  /** @type {(table: ShardTable, from: number) => Promise<string | null>} */
  async #judge(table, from) {
    const { everyMs, tolerated, options } = this.#context;
    if (!hasLimits(options) || from - this.#judgedAt < Math.max(everyMs, this.#judgeRestMs)) return null;
    const stats = await mergedState(table, tolerated, { ...sumOptionsOf(options), isJudged: true });
    this.#judgedAt = from;
    this.#judgeRestMs = SHARE * (this.#now() - from);
    return stats && stopReasonOf(stats, options, mergedTick(table)?.elapsedMs ?? 0);
  }

  /** @type {(table: ShardTable, elapsedMs: number) => Promise<string | null>} */
  async #show(table, elapsedMs) {
    const { listener, tolerated, options } = this.#context;
    const tick = mergedTick(table);
    const stats = await mergedState(table, tolerated, sumOptionsOf(options));
    if (tick) listener.onTick(tick);
    if (!stats) return null;
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
    return stopReasonOf(stats, options, tick?.elapsedMs ?? 0);
  }
}

/** The first views show that no connection succeeds. @type {(options: RunOptions) => boolean} */
function hasLimits({ abortOnFail, bailout }) {
  return abortOnFail || bailout !== undefined;
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
