import { cutShort } from '../measure/cut-short.js';
import { mergeStats } from '../measure/merge.js';
import { agentLost } from '../measure/missing.js';
import { thresholdsOf } from '../measure/thresholds.js';
import { summarizeAgents } from './agents-summary.js';

/**
 * @import { Stats } from '../measure/types.js'
 * @import { Tick } from '../report/types.js'
 * @import { ShardState, ShardTable } from './shard-table.js'
 */

/**
 * The exact sum of what all shards have reported.
 *
 * @param {ShardTable} table
 * @param {{ tolerated: number, isOver: boolean }} options tolerated: agents that may be lost
 * @returns {Stats | null} null if nothing was reported
 */
export function mergedStats(table, { tolerated, isOver }) {
  const parts = table.all.flatMap((shard) => partOf(shard, isOver) ?? []);
  const [first] = parts;
  if (first === undefined) return null;
  const missing = isOver ? table.lost.filter(({ report }) => !report?.stats).map(missingOf) : [];
  const merged = mergeStats(parts, thresholdsOf(first), { isOver, missing });
  return { ...merged, agents: summarizeAgents(table.all, tolerated) };
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

/** @type {(shard: ShardState, isOver: boolean) => Stats | null} */
function partOf(shard, isOver) {
  const { report, lost } = shard;
  if (!report?.stats) return null;
  // of a shard whose end is not known, running iterations count as cancelled
  const isCut = isOver && report.outcome === null;
  const missing = lost === null ? [] : [missingOf(shard)];
  return isCut ? cutShort(report.stats, { inFlight: report.inFlight, missing }) : report.stats;
}

/** @type {(shard: ShardState) => string} */
function missingOf({ number, report, lost, silentMs }) {
  const name = report ? report.agent.name : `of shard ${number}`;
  return agentLost(name, lost ?? 'it did not answer the abort', silentMs);
}
