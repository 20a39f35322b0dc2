import { failsByThreshold } from '../../core/measure/thresholds.js';
import { createErrorLimits } from '../../core/run/load/ending.js';
import { mergedPoints, mergedState, mergedTick } from './merged-state.js';

/** @import { RunOptions } from '../../core/contracts/run-options.js' */
/** @import { Stats } from '../../core/contracts/stats.js' */
/** @import { EndReason } from '../../core/ground/end-reasons.js' */
/** @import { PrecisionWatch } from '../../core/measure/confidence.js' */
/** @import { ShardTable } from './shard-table.js' */
/** @import { CoordinatorListener, SumOptions } from './types.js' */

/**
 * @typedef {object} ViewContext
 * @property {Pick<CoordinatorListener, 'onProgress' | 'onTick' | 'onState'>} listener
 * @property {number} everyMs
 * @property {number} tolerated how many agents may be lost
 * @property {RunOptions} options
 * @property {SumOptions} sum
 * @property {() => number} [now] ms
 */

/** The sum of many agents with many operations takes long: after it, this multiple of its time is for other things. */
const REST_OF_VIEW = 4;
const REST_OF_JUDGEMENT = 2;

/**
 * The live view of a run on agents: `show` prints the exact sum of all shards in each interval. `judge` decides whether
 * the run has to stop, by a sum of what limits and thresholds need: it takes a tenth of the time after ten minutes.
 */
export class LiveView {
  #context;
  #now;
  /** The instant of the last view; at the beginning that of the start. */
  #shownAt;
  /** Time without a view after one that took long, ms. */
  #restMs = 0;
  /** Settles when the current view is complete; null: nothing is added up. @type {Promise<void> | null} */
  #showing = null;
  /** Iterations that had ended at the last view. */
  #ended = 0;
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
    if (this.#showing !== null) return this.#showing;
    if (!isDue) return Promise.resolve();
    this.#showing = this.#show(table, elapsedMs).then(() => {
      this.#shownAt = from;
      this.#restMs = REST_OF_VIEW * (this.#now() - from);
      this.#showing = null;
    });
    return this.#showing;
  }

  /**
   * Returns why the run has to stop, if the interval is over: the precision, a limit of errors, or a threshold, which
   * hold for the sum of all shards.
   * @type {(table: ShardTable) => Promise<string | null>}
   */
  async judge(table) {
    const { everyMs, tolerated, options, sum } = this.#context;
    const from = this.#now();
    if (from - this.judgedAt < Math.max(everyMs, this.#unjudgedMs)) return null;
    const { precision } = sum;
    const elapsedMs = mergedTick(table)?.elapsedMs ?? 0;
    if (precision?.isDue(elapsedMs) && (await isReached(table, precision))) return 'precision';
    // This is no judgement, so the first error is judged at once.
    if (!mayStop(table, options)) return null;
    const stats = await mergedState(table, tolerated, { ...sum, isJudged: true });
    this.judgedAt = from;
    this.#unjudgedMs = REST_OF_JUDGEMENT * (this.#now() - from);
    return stats && stopReasonOf(stats, options, elapsedMs);
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

/** Judges the precision of the sum. @type {(table: ShardTable, precision: PrecisionWatch) => Promise<boolean>} */
async function isReached(table, precision) {
  const merged = await mergedPoints(table);
  return merged !== null && precision.isReached(merged.elapsedMs, () => merged.points);
}

/** Without an error, only a threshold may stop the run. @type {(table: ShardTable, options: RunOptions) => boolean} */
function mayStop({ reports }, { abortOnFail, abortOnFailOf = [] }) {
  return (
    abortOnFail === true ||
    abortOnFailOf.length > 0 ||
    reports.some(({ stats }) => stats !== null && stats.errors.count > 0)
  );
}

/**
 * Returns why the sum ends the run: a limit of errors, or a threshold. `elapsedMs`: of the measured iterations.
 * @type {(stats: Stats, options: RunOptions, elapsedMs: number) => EndReason | null}
 */
function stopReasonOf(stats, { abortAfter = 0, bailout, keepGoing, ...options }, elapsedMs) {
  const { errors, iterations, requests } = stats;
  const limit = createErrorLimits({ bailout, keepGoing });
  const sum = { errorCount: errors.count, iterations, requests, errors: () => errors };
  const reason = limit(sum, () => stats.connections.opened);
  if (reason) return reason;
  return elapsedMs >= abortAfter && failsByThreshold(stats, options) ? 'threshold' : null;
}
