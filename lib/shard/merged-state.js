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
 * The result: the exact sum of what all shards have reported, with what it lacks.
 *
 * @param {ShardTable} table
 * @param {number} tolerated how many agents may be lost
 * @param {SumOptions} [options]
 * @returns {Stats | null} null if nothing was reported
 */
export function mergedResult(table, tolerated, options) {
  try {
    return resultOf(table, tolerated, options);
  } catch (error) {
    if (!dropUnreadable(table)) throw error;
    return resultOf(table, tolerated, options);
  }
}

/** @type {typeof mergedResult} */
function resultOf(table, tolerated, options) {
  const parts = table.all.flatMap((shard) => finalPartOf(shard) ?? []);
  if (parts.length === 0) return null;
  const missing = table.lost.filter(({ report }) => !report?.stats).map(missingOf);
  const merged = mergeStats(parts, thresholdsOf(parts[0]), { missing, ...options });
  return { ...merged, agents: summarizeAgents(table.all, tolerated) };
}

/**
 * The exact sum so far, in several turns of the event loop.
 *
 * @param {ShardTable} table
 * @param {number} tolerated how many agents may be lost
 * @param {SumOptions} [options]
 * @returns {Promise<Stats | null>} null if nothing was reported
 */
export async function mergedState(table, tolerated, options) {
  try {
    return await stateOf(table, tolerated, options);
  } catch (error) {
    if (!dropUnreadable(table)) throw error;
    return stateOf(table, tolerated, options);
  }
}

/** @type {typeof mergedState} */
async function stateOf(table, tolerated, options) {
  const agents = summarizeAgents(table.all, tolerated);
  const parts = table.reports.flatMap(({ stats }) => stats ?? []);
  if (parts.length === 0) return null;
  return { ...(await mergeStatsInTurns(parts, thresholdsOf(parts[0]), { isOver: false, ...options })), agents };
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

/** Drops the shards whose states cannot be added: other programs can write to the queue, too. @type {(table: ShardTable) => boolean} whether there are any */
function dropUnreadable(table) {
  const broken = table.all.filter((shard) => !isReadable(shard));
  for (const { number } of broken) table.discard(number, 'it sent a state that cannot be read');
  return broken.length > 0;
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
