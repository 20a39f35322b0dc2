import { cutShort } from '../measure/cut-short.js';
import { mergeStats, mergeStatsInTurns } from '../measure/merge.js';
import { judgedPart } from '../measure/judged-part.js';
import { agentLost, loadMissing, takenPartLost } from '../measure/missing.js';
import { thresholdsOf } from '../measure/thresholds.js';
import { agentNames, summarizeAgents, summarizeShard } from './agents-summary.js';

/**
 * @import { Stats } from '../measure/types.js'
 * @import { Tick } from '../report/types.js'
 * @import { ShardState, ShardTable } from './shard-table.js'
 *
 * @typedef {{ expectedInterval?: number, isCounted?: boolean, isJudged?: boolean }} SumOptions expectedInterval: the run option, ms;
 *   isCounted: the run has a number of iterations; isJudged: only what thresholds and limits of errors need
 */

/**
 * The result: the exact sum of what all shards have reported, with what it lacks; made in several turns of the event loop.
 *
 * @param {ShardTable} table
 * @param {number} tolerated how many agents may be lost
 * @param {SumOptions} [options]
 * @returns {Promise<Stats | null>} null if nothing was reported
 */
export function mergedResult(table, tolerated, { expectedInterval, isCounted } = {}) {
  return withoutUnreadable(table, async () => {
    const agents = summarizeAgents(table, tolerated);
    const shards = table.all.filter(({ report }) => report?.stats);
    const names = agentNames(table.whole);
    const describe = (/** @type {ShardState} */ shard) => missingOf(shard, table, names);
    const parts = shards.map((shard) =>
      withMachine(/** @type {Stats} */ (finalPartOf(shard, describe)), String(names.get(shard.number))),
    );
    if (parts.length === 0) return null;
    const missing = table.lost.filter(({ report }) => !report?.stats).map(describe);
    const cut = new Set(parts.filter((_, i) => shards[i].report?.outcome === null || shards[i].part !== null));
    const whole = { of: table.count, cut, isCounted };
    const offsets = offsetsOf(shards);
    const sum = await mergeStatsInTurns(parts, thresholdsOf(parts[0]), { missing, expectedInterval, offsets, whole });
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
export function mergedState(table, tolerated, { expectedInterval, isCounted, isJudged = false } = {}) {
  return withoutUnreadable(table, async () => {
    const agents = summarizeAgents(table, tolerated);
    const shards = table.all.filter(({ report }) => report?.stats);
    const states = shards.map(({ report }) => /** @type {Stats} */ (report?.stats));
    if (states.length === 0) return null;
    const thresholds = thresholdsOf(states[0]);
    const parts = isJudged ? states.map((state) => judgedPart(state, thresholds)) : states;
    const cut = new Set(parts.filter((_, i) => shards[i].lost !== null || shards[i].part !== null));
    // those that have not reported yet will
    const of = table.whole.filter(({ report, lost }) => report?.stats || lost !== null).length;
    const whole = { of, cut, isCounted };
    const offsets = offsetsOf(shards);
    const sum = await mergeStatsInTurns(parts, thresholds, {
      isOver: false,
      ...{ expectedInterval, offsets, whole },
    });
    return { ...sum, agents };
  });
}

/** The files of a log of requests, with the machine that has them, as scp and rsync write it. @type {(stats: Stats, machine: string) => Stats} */
function withMachine(stats, machine) {
  if (!stats.log) return stats;
  const files = stats.log.files.map((one) => ({ ...one, file: `${machine}:${one.file}` }));
  return { ...stats, log: { files } };
}

/** When each shard began, after the first one, ms: by the clock of the queue. @type {(shards: ShardState[]) => number[]} */
function offsetsOf(shards) {
  // a part that was taken over has the times of the run
  const delays = shards.map(({ report, part }) => (part ? null : (report?.startDelayMs ?? null)));
  const first = Math.min(...delays.map((delay) => delay ?? Infinity));
  return delays.map((delay) => (delay === null ? 0 : delay - first));
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

/**
 * @param {{ expectedInterval?: number, iterations?: number }} options of the run
 * @returns {SumOptions}
 */
export function sumOptionsOf({ expectedInterval, iterations }) {
  return { expectedInterval, isCounted: iterations !== undefined };
}

/** Drops shards whose counts cannot be added, as other programs can write to the queue, too. @type {<T>(table: ShardTable, merge: () => Promise<T>) => Promise<T>} */
async function withoutUnreadable(table, merge) {
  try {
    return await merge();
  } catch (error) {
    /** @type {{ number: number, fault: string }[]} */
    const broken = [];
    for (const shard of table.all) {
      const fault = faultOf(shard);
      if (fault !== null) broken.push({ number: shard.number, fault });
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (broken.length === 0) throw error;
    for (const { number, fault } of broken) table.discard(number, `its report is refused: ${fault}`);
    return merge();
  }
}

/** @type {(shard: ShardState) => string | null} */
function faultOf(shard) {
  try {
    summarizeShard(shard);
    const part = finalPartOf(shard);
    if (part) mergeStats([part], thresholdsOf(part));
    return null;
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/** Of a shard whose end is not known, running iterations count as cancelled. @type {(shard: ShardState, describe?: (shard: ShardState) => string) => Stats | null} */
function finalPartOf(shard, describe = () => '') {
  const { report } = shard;
  if (!report?.stats || report.outcome !== null) return report?.stats ?? null;
  return cutShort(report.stats, { inFlight: report.inFlight, missing: [describe(shard)] });
}

/** @type {(shard: ShardState, table: ShardTable, names: Map<number, string>) => string} */
function missingOf(shard, table, names) {
  const { number, lost, part, report } = shard;
  // a busy agent makes states less often than reports
  const staleMs = Math.max(0, (report?.tick?.elapsedMs ?? 0) - countedMsOf(shard));
  const uncountedMs = shard.uncountedMs + (report?.stats ? staleMs : 0);
  const nameOf = (/** @type {number} */ one) => names.get(one) ?? `of shard ${one}`;
  const reason = lost ?? 'it did not answer the abort';
  const load = lost === null ? '' : `; ${missingLoadOf(shard, table, nameOf)}`;
  if (part === null) return agentLost(nameOf(number), reason, uncountedMs) + load;
  const isLost = table.all[part.taker - 1].lost !== null;
  return takenPartLost(nameOf(part.taker), reason, { owner: nameOf(ownerOf(part.replaces, table)), isLost }) + load;
}

/** @type {(shard: ShardState, table: ShardTable, nameOf: (number: number) => string) => string} */
function missingLoadOf(shard, { all }, nameOf) {
  const { number, part } = shard;
  const fromMs = Math.max(countedMsOf(shard), part?.fromMs ?? 0);
  const begun = all.flatMap((one) =>
    one.part?.replaces === number && typeof one.report?.startDelayMs === 'number'
      ? { name: nameOf(one.part.taker), ms: Math.max(one.part.fromMs, one.report.startDelayMs) }
      : [],
  );
  if (begun.length === 0) return loadMissing(fromMs, null);
  return loadMissing(fromMs, { toMs: Math.max(...begun.map(({ ms }) => ms)), names: begun.map(({ name }) => name) });
}

/** The time that the last state of a shard covers. @type {(shard: ShardState) => number} ms since the start */
function countedMsOf({ report }) {
  return report?.stats?.measuredElapsed ?? 0;
}

/** The shard whose load a part is, or was before it was divided again. @type {(number: number, table: ShardTable) => number} */
function ownerOf(number, { all }) {
  const { part } = all[number - 1];
  return part ? part.taker : number;
}
