import { cutShort } from '../measure/cut-short.js';
import { mergeStats, mergeStatsInTurns } from '../measure/merge.js';
import { agentLost } from '../measure/missing.js';
import { thresholdsOf } from '../measure/thresholds.js';
import { summarizeAgents } from './agents-summary.js';

/**
 * @import { Stats } from '../measure/types.js'
 * @import { Tick } from '../report/types.js'
 * @import { ShardState, ShardTable } from './shard-table.js'
 *
 * @typedef {{ expectedInterval?: number }} SumOptions the run option, ms
 */

/**
 * The result: the exact sum of what all shards have reported, with what it lacks; made in several turns of the event loop.
 *
 * @param {ShardTable} table
 * @param {number} tolerated how many agents may be lost
 * @param {SumOptions} [options]
 * @returns {Promise<Stats | null>} null if nothing was reported
 */
export function mergedResult(table, tolerated, options) {
  return withoutUnreadable(table, async () => {
    const agents = summarizeAgents(table.all, tolerated);
    const parts = table.all.flatMap((shard) => finalPartOf(shard) ?? []);
    if (parts.length === 0) return null;
    const missing = table.lost.filter(({ report }) => !report?.stats).map(missingOf);
    const sum = await mergeStatsInTurns(parts, thresholdsOf(parts[0]), { missing, ...options });
    return { ...sum, agents };
  });
}

/**
 * The exact sum so far, in several turns of the event loop.
 *
 * @param {ShardTable} table
 * @param {number} tolerated how many agents may be lost
 * @param {SumOptions} [options]
 * @returns {Promise<Stats | null>} null if nothing was reported
 */
export function mergedState(table, tolerated, options) {
  return withoutUnreadable(table, async () => {
    const agents = summarizeAgents(table.all, tolerated);
    const parts = table.reports.flatMap(({ stats }) => stats ?? []);
    if (parts.length === 0) return null;
    const sum = await mergeStatsInTurns(parts, thresholdsOf(parts[0]), { isOver: false, ...options });
    return { ...sum, agents };
  });
}

/**
 * Where all shards together are.
 *
 * @param {ShardTable} table
 * @returns {Tick | null} null before the first report
 */
export function mergedTick(table) {
  /** @type {Tick[]} */
  const ticks = table.all.flatMap(({ report, lost }) => (report?.tick && lost === null ? report.tick : []));
  if (ticks.length === 0) return null;
  const sum = (/** @type {(tick: Tick) => number} */ of) => ticks.reduce((total, tick) => total + of(tick), 0);
  const elapsed = ticks.flatMap(({ elapsedMs }) => elapsedMs ?? []);
  return {
    phase: ticks.find(({ phase }) => phase === 'main')?.phase ?? ticks[0].phase,
    elapsedMs: elapsed.length > 0 ? Math.max(...elapsed) : null,
    share: sum(({ share }) => share) / ticks.length,
    ended: sum(({ ended }) => ended),
    inFlight: sum(({ inFlight }) => inFlight),
    errors: sum(({ errors }) => errors),
  };
}

/** Drops shards whose states cannot be added, as other programs can write to the queue, too. @type {<T>(table: ShardTable, merge: () => Promise<T>) => Promise<T>} */
async function withoutUnreadable(table, merge) {
  try {
    return await merge();
  } catch (error) {
    /** @type {ShardState[]} */
    const broken = [];
    for (const shard of table.all) {
      if (!isReadable(shard)) broken.push(shard);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (broken.length === 0) throw error;
    for (const { number } of broken) table.discard(number, 'it sent a state that cannot be read');
    return merge();
  }
}

/** @type {(shard: ShardState) => boolean} */
function isReadable(shard) {
  try {
    summarizeAgents([shard], 0);
    const part = finalPartOf(shard);
    if (part) mergeStats([part], thresholdsOf(part));
    return true;
  } catch {
    return false;
  }
}

/** Of a shard whose end is not known, running iterations count as cancelled. @type {(shard: ShardState) => Stats | null} */
function finalPartOf(shard) {
  const { report } = shard;
  if (!report?.stats || report.outcome !== null) return report?.stats ?? null;
  return cutShort(report.stats, { inFlight: report.inFlight, missing: [missingOf(shard)] });
}

/** @type {(shard: ShardState) => string} */
function missingOf({ number, report, lost, silentMs }) {
  const name = report ? report.agent.name : `of shard ${number}`;
  return agentLost(name, lost ?? 'it did not answer the abort', silentMs);
}
