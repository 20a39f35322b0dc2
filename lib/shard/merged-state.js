import { agentLost, cutShort, loadMissing, takenPartLost } from '../measure/incomplete.js';
import { judgedPart, mergeStats, mergeStatsInTurns, skewOf } from '../measure/merge.js';
import { thresholdsOf } from '../measure/thresholds.js';

/**
 * @import { AgentSummary, AgentsSummary, Stats } from '../measure/types.js'
 * @import { Tick } from '../report/types.js'
 * @import { Report } from './protocol.js'
 * @import { ShardState, ShardTable, TakenPart } from './shard-table.js'
 */

/**
 * @typedef {{ expectedInterval?: number, isCounted?: boolean, isJudged?: boolean }} SumOptions expectedInterval: the
 *   run option, ms; isCounted: the run has a number of iterations; isJudged: only what thresholds and limits of errors
 *   need
 */

/**
 * The result: the exact sum of what all shards have reported, with what it lacks; made in several turns of the event
 * loop.
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

/**
 * The files of a log of requests, with the machine that has them, as scp and rsync write it.
 * @type {(stats: Stats, machine: string) => Stats}
 */
function withMachine(stats, machine) {
  if (!stats.log) return stats;
  const files = stats.log.files.map((one) => ({ ...one, file: `${machine}:${one.file}` }));
  return { ...stats, log: { files } };
}

/**
 * When each shard began, after the first one, ms: by the clock of the queue.
 * @type {(shards: ShardState[]) => number[]}
 */
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

/**
 * Drops shards whose counts cannot be added, as other programs can write to the queue, too.
 * @type {<T>(table: ShardTable, merge: () => Promise<T>) => Promise<T>}
 */
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

/**
 * Of a shard whose end is not known, running iterations count as cancelled.
 * @type {(shard: ShardState, describe?: (shard: ShardState) => string) => Stats | null}
 */
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

/**
 * The shard whose load a part is, or was before it was divided again.
 * @type {(number: number, table: ShardTable) => number}
 */
function ownerOf(number, { all }) {
  const { part } = all[number - 1];
  return part ? part.taker : number;
}

const SIGNAL = /^SIG[A-Z0-9]{2,10}$/;

/**
 * The agents of a run, for its result.
 *
 * @param {Pick<ShardTable, 'all' | 'whole'>} table
 * @param {number} tolerated how many may be lost
 * @returns {AgentsSummary}
 */
function summarizeAgents({ all, whole }, tolerated) {
  const names = agentNames(whole);
  const taken = all.slice(whole.length);
  const each = whole.map((shard) => {
    const parts = taken.filter(({ part }) => part?.taker === shard.number);
    return withParts(summarizeShard(shard, names.get(shard.number)), parts, (part) => nameOfLost(part, all, names));
  });
  return {
    each,
    lost: whole.filter(({ lost }) => lost !== null).length,
    tolerated,
    startSkew: skewOf(each.map(({ startDelay }) => startDelay)),
  };
}

/**
 * The names of agents by the number of their shard: several agents of one host have one name, and the number tells them
 * apart.
 *
 * @param {readonly ShardState[]} shards
 * @returns {Map<number, string>} without those that have never reported
 */
function agentNames(shards) {
  const reported = shards.flatMap(({ number, report }) => (report ? [{ number, name: report.agent.name }] : []));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name } of reported) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(reported.map(({ number, name }) => [number, counts.get(name) === 1 ? name : `${name} ${number}`]));
}

/**
 * The summary of an agent, with the parts that it has taken over.
 * @type {(agent: AgentSummary, parts: ShardState[], nameOf: (part: ShardState) => string) => AgentSummary}
 */
function withParts(agent, parts, nameOf) {
  const begun = parts.filter(({ report }) => report?.stats);
  if (begun.length === 0) return agent;
  const figures = begun.map(({ report }) => figuresOf(report?.stats ?? null));
  const sum = (/** @type {(one: ReturnType<typeof figuresOf>) => number} */ of) =>
    figures.reduce((total, one) => total + of(one), 0);
  return {
    ...agent,
    iterations: agent.iterations + sum(({ iterations }) => iterations),
    rate: agent.rate + sum(({ rate }) => rate),
    cpu: agent.cpu === null ? null : agent.cpu + sum(({ cpu }) => cpu ?? 0),
    saturated: agent.saturated || figures.some(({ saturated }) => saturated),
    replaces: [...new Set(begun.map(nameOf))],
  };
}

/**
 * The agent whose shard a part belongs to, or the one that had taken that over.
 * @type {(shard: ShardState, all: readonly ShardState[], names: Map<number, string>) => string}
 */
function nameOfLost({ part }, all, names) {
  const lost = all[/** @type {TakenPart} */ (part).replaces - 1];
  const number = lost.part ? lost.part.taker : lost.number;
  return names.get(number) ?? `shard ${number}`;
}

/** @type {(shard: ShardState, name?: string) => AgentSummary} */
function summarizeShard({ number, report, lost }, name = '') {
  const signal = signalOf(report);
  return {
    shard: number,
    ...agentOf(report),
    name,
    ...figuresOf(report?.stats ?? null),
    startDelay: report?.startDelayMs ?? null,
    clockOffset: report?.clockOffsetMs ?? null,
    ...(lost !== null && { lost }),
    ...(signal !== null && { stoppedBy: signal }),
  };
}

/**
 * @param {Report | null} report
 * @returns {string | null} the signal that stopped the agent, which this process did not get
 */
export function signalOf(report) {
  const why = report?.outcome?.why ?? '';
  return SIGNAL.test(why) ? why : null;
}

/** @type {(report: Report | null) => Pick<AgentSummary, 'name' | 'version' | 'cores' | 'roundTrip'>} */
function agentOf(report) {
  if (!report) return { name: '', version: '', cores: 0, roundTrip: null };
  const { name, version, cores, roundTripMs } = report.agent;
  return { name, version, cores, roundTrip: roundTripMs };
}

/**
 * @type {(stats: Stats | null) => Pick<AgentSummary, 'workers' | 'iterations' | 'rate' | 'p99' | 'cpu' | 'utilization'
 *   | 'loopDelay' | 'saturated'>}
 */
function figuresOf(stats) {
  if (!stats)
    return {
      ...{ workers: 0, iterations: 0, rate: 0, p99: null, cpu: null, utilization: 0, loopDelay: null },
      saturated: false,
    };
  const { client, main, iterations, measuredElapsed } = stats;
  return {
    workers: client.workers,
    iterations: iterations.started,
    rate: iterations.rate,
    p99: main.ok.p99,
    cpu: measuredElapsed > 0 ? client.cpu / measuredElapsed : null,
    utilization: client.utilization,
    loopDelay: client.delay.p99,
    saturated: client.saturated,
  };
}
