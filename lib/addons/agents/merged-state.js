import { endReasonRow } from '../../core/ground/end-reasons.js';
import { cutShort } from '../../core/measure/incomplete.js';
import { agentsLost } from './sentences.js';
import { generatorFigures } from '../merge/measure/load-generators.js';
import { judgedPart, mergeStats, mergeStatsInTurns, pointsOfSum, skewOf } from '../merge/measure/merge.js';
import { thresholdsOf } from '../../core/measure/thresholds.js';

/** @import { SumOptions, Report, ShardState } from './types.js' */
/** @import { Tick } from '../../core/contracts/run.js' */
/** @import { LoadGeneratorEntry, Stats } from '../../core/contracts/stats.js' */
/** @import { PlannedLoad } from '../../core/run/types.js' */
/** @import { WholePlan } from '../merge/measure/lacking.js' */
/** @import { MergeOptions } from '../merge/measure/merge.js' */
/** @import { KeptPoint } from '../../core/measure/series.js' */
/** @import { Threshold } from '../../core/measure/thresholds.js' */
/** @import { ShardTable } from './shard-table.js' */

// The sum of the reports of all shards: the state, points and tick of a run that goes on, and its result.

/**
 * Makes the result: the exact sum of the reports of all shards, and what it lacks, in several turns of the event loop;
 * null if nothing was reported. `tolerated` is how many agents may be lost.
 * @type {(table: ShardTable, tolerated: number, options?: SumOptions) => Promise<Stats | null>}
 */
export function mergedResult(table, tolerated, options = {}) {
  return withoutUnreadable(table, () => {
    const names = agentNames(table.all);
    return sumOf(table, tolerated, options, {
      stateOf: (shard) => withMachine(/** @type {Stats} */ (finalStateOf(shard)), String(names.get(shard.number))),
      isCut: (shard) => wasCut(shard, options),
      merge: { missing: missingOf(table, names), onSum: options.onSum },
    });
  });
}

/**
 * Adds up the exact state so far, in several turns of the event loop; null if nothing was reported. `tolerated` is how
 * many agents may be lost.
 * @type {(table: ShardTable, tolerated: number, options?: SumOptions) => Promise<Stats | null>}
 */
export function mergedState(table, tolerated, options = {}) {
  const { isJudged = false, onSum } = options;
  return withoutUnreadable(table, () =>
    sumOf(table, tolerated, options, {
      stateOf({ report }, thresholds) {
        const stats = /** @type {Stats} */ (report?.stats);
        return isJudged ? judgedPart(stats, thresholds) : stats;
      },
      // The others go on, so only lost ones are cut.
      isCut: ({ lost }) => lost !== null,
      merge: { isOver: false, onSum: isJudged ? undefined : onSum },
    }),
  );
}

/**
 * Adds up the states of the shards that have reported one. `isCut`: a shard ended before the run was to end.
 * @type {(table: ShardTable, tolerated: number, options: SumOptions, how: { stateOf: (shard: ShardState, thresholds:
 *   Threshold[]) => Stats, isCut: (shard: ShardState) => boolean, merge: MergeOptions }) => Promise<Stats | null>}
 */
async function sumOf(table, tolerated, options, { stateOf, isCut, merge }) {
  const { expectedInterval, precision, load } = options;
  // The table changes during the turns of the merge, so all of it is read before.
  const { startSkew, ...agents } = summarizeAgents(table, tolerated, options);
  const shards = withStats(table);
  if (shards.length === 0) return null;
  const thresholds = thresholdsOf(/** @type {Stats} */ (shards[0].report?.stats));
  const states = shards.map((shard) => stateOf(shard, thresholds));
  const sum = await mergeStatsInTurns(states, thresholds, {
    ...merge,
    expectedInterval,
    precision,
    offsets: offsetsOf(shards),
    ...wholePlanOf(table, shards, { isCut, load }),
  });
  return { ...sum, ...agents, loadGenerator: { ...sum.loadGenerator, startSkew } };
}

/** @type {(table: ShardTable) => ShardState[]} */
function withStats({ all }) {
  return all.filter(({ report }) => report?.stats);
}

/**
 * Reports whether a shard ended though its run was to go on. A hook or a limit also ends a run, and so does the person
 * at this process.
 * @type {(shard: ShardState, options: SumOptions) => boolean}
 */
function wasCut({ lost, report }, { stoppedBy = null, isAborted = false }) {
  if (lost !== null) return true;
  if (isAborted) return false;
  const why = report?.outcome?.why ?? '';
  const { isPlanned, isLimit } = endReasonRow(why);
  // A signal to one agent is no reason for the run to end, unless it is the one that has stopped this process.
  const isWanted = isPlanned || isLimit || (SIGNAL.test(why) && why === stoppedBy);
  return report?.outcome?.kind !== 'ended' || !isWanted;
}

/**
 * Returns the plan of the whole run, by which the sum finds what it lacks: the shards that were cut, and the virtual
 * users of the others.
 * @type {(table: ShardTable, shards: ShardState[], context: { isCut: (shard: ShardState) => boolean, load?: PlannedLoad
 *   }) => { whole?: WholePlan }}
 */
function wholePlanOf(table, shards, { isCut, load }) {
  if (load === undefined) return {};
  const cut = table.all.filter(isCut);
  const users = table.all.filter((shard) => !isCut(shard)).map(({ number }) => load.users({ number, of: table.count }));
  return {
    whole: {
      load,
      shards: shards.map(({ number }) => number),
      cut: new Set(cut.map(({ number }) => number)),
      users: users.reduce((sum, count) => sum + count, 0),
    },
  };
}

/** Names the log files with their machine, as scp and rsync do. @type {(stats: Stats, machine: string) => Stats} */
function withMachine(stats, machine) {
  if (!stats.log) return stats;
  const files = stats.log.files.map((one) => ({ ...one, file: `${machine}:${one.file}` }));
  return { ...stats, log: { files } };
}

/** Returns each start, ms after the first one; null: not known. @type {(shards: ShardState[]) => (number | null)[]} */
function offsetsOf(shards) {
  const delays = shards.map(({ report }) => report?.startDelayMs ?? null);
  const first = Math.min(...delays.map((delay) => delay ?? Infinity));
  return delays.map((delay) => (delay === null ? null : delay - first));
}

/**
 * The points of all shards so far, as those of one run, and until when all that run have reported, ms; null if none of
 * those has reported a state.
 * @type {(table: ShardTable) => Promise<{ points: KeptPoint[], elapsedMs: number } | null>}
 */
export function mergedPoints(table) {
  return withoutUnreadable(table, async () => {
    const shards = withStats(table);
    const states = shards.map(({ report }) => /** @type {Stats} */ (report?.stats));
    const offsets = offsetsOf(shards).map((offset) => offset ?? 0);
    const ends = states.flatMap(({ measuredElapsed }, i) =>
      shards[i].lost === null ? offsets[i] + measuredElapsed : [],
    );
    if (ends.length === 0) return null;
    return { points: pointsOfSum(states, offsets), elapsedMs: Math.max(0, Math.min(...ends)) };
  });
}

/** Returns how far all shards together are; null before the first report. @type {(table: ShardTable) => Tick | null} */
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
 * Merges; if that fails, drops the shards whose counts cannot be added, and merges the others: other programs can write
 * to the queue, too.
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

/** Returns why the counts of a shard cannot be added; null: they can. @type {(shard: ShardState) => string | null} */
function faultOf(shard) {
  try {
    // Only whether this throws matters: the same is done with all shards for the sum.
    summarizeShard(shard, { of: 1 });
    const state = finalStateOf(shard);
    if (state) mergeStats([state], thresholdsOf(state));
    return null;
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
}

/**
 * Returns the last state of a shard. If it reported no end, the iterations that ran at that time count as cancelled.
 * @type {(shard: ShardState) => Stats | null}
 */
function finalStateOf({ report }) {
  if (!report?.stats || report.outcome !== null) return report?.stats ?? null;
  return cutShort(report.stats, { inFlight: report.inFlight, missing: [] });
}

/**
 * Describes what is missing of shards that were lost, or did not report their end: a sentence for all that were lost
 * alike.
 * @type {(table: ShardTable, names: Map<number, string>) => string[]}
 */
function missingOf(table, names) {
  const unended = table.all.filter(({ lost, report }) => lost !== null || (report?.stats && report.outcome === null));
  /** @type {Map<string, ShardState[]>} */
  const alike = new Map();
  for (const shard of unended) {
    const key = `${shard.lost ?? UNANSWERED}\n${shard.report?.stats ? '' : 'none'}`;
    alike.set(key, [...(alike.get(key) ?? []), shard]);
  }
  return [...alike.values()].map((shards) => groupMissing(shards, names));
}

const UNANSWERED = 'it did not answer the abort';

/** @type {(lostAlike: ShardState[], names: Map<number, string>) => string} */
function groupMissing(shards, names) {
  const [{ lost, report }] = shards;
  const until = shards.map(countedMsOf);
  const uncounted = shards.map((shard) => {
    // A busy agent makes states less often than reports: its last state is older than its last report, by this.
    const staleMs = Math.max(0, (shard.report?.tick?.elapsedMs ?? 0) - countedMsOf(shard));
    return staleMs + shard.uncountedMs;
  });
  const counted = { fromMs: Math.min(...until), toMs: Math.max(...until), openMs: Math.max(...uncounted) };
  const agents = shards.map(({ number }) => names.get(number) ?? `of shard ${number}`);
  return agentsLost(agents, lost ?? UNANSWERED, report?.stats ? counted : null);
}

/** Returns until when the last state of a shard counts. @type {(shard: ShardState) => number} ms since the start */
function countedMsOf({ report }) {
  return report?.stats?.measuredElapsed ?? 0;
}

/**
 * Describes the agents of a run, for its result. `tolerated` is how many may be lost.
 * @type {(table: ShardTable, tolerated: number, options: SumOptions) => Pick<Stats, 'agents' | 'loadGenerators'> & {
 *   startSkew: number | null }}
 */
function summarizeAgents({ all }, tolerated, { stoppedBy }) {
  const names = agentNames(all);
  const loadGenerators = all.map((shard) =>
    summarizeShard(shard, { of: all.length, name: names.get(shard.number), stoppedBy }),
  );
  return {
    agents: { lost: all.filter(({ lost }) => lost !== null).length, maxLost: tolerated },
    loadGenerators,
    startSkew: skewOf(loadGenerators.map(({ startOffset = null }) => startOffset)),
  };
}

/**
 * Returns the names of agents that have reported by the number of their shard: several agents of one host have one
 * name, and the number tells them apart.
 * @type {(shards: readonly ShardState[]) => Map<number, string>}
 */
function agentNames(shards) {
  const reported = shards.flatMap(({ number, report }) => (report ? [{ number, name: report.agent.name }] : []));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name } of reported) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(reported.map(({ number, name }) => [number, counts.get(name) === 1 ? name : `${name} ${number}`]));
}

/**
 * @type {(shard: ShardState, about: { of: number, name?: string, stoppedBy?: string | null }) => LoadGeneratorEntry}
 *   stoppedBy: the whole run
 */
function summarizeShard({ number, report, lost, lostCode }, { of, name = `shard ${number}`, stoppedBy = null }) {
  const signal = signalOf(report);
  return {
    name,
    shard: { number, of },
    workers: 0,
    ...(report && reportedOf(report)),
    ...(lost !== null && { lost: { code: lostCode, message: lost } }),
    ...(signal !== null && signal !== stoppedBy && { stoppedBy: signal }),
  };
}

const SIGNAL = /^SIG[A-Z0-9]{2,10}$/;

/** Returns the signal that stopped the shard. @type {(report: Report | null) => string | null} */
export function signalOf(report) {
  const why = report?.outcome?.why ?? '';
  return SIGNAL.test(why) ? why : null;
}

/** @type {(report: Report) => Omit<LoadGeneratorEntry, 'name' | 'shard' | 'workers'>} what an agent has reported */
function reportedOf({ agent: { version, cores, roundTripMs }, stats, startDelayMs, clockOffsetMs }) {
  const [{ machine = { cores } }] = stats?.loadGenerators ?? [{}];
  return {
    toolVersion: version,
    machine,
    startOffset: startDelayMs,
    clockOffset: clockOffsetMs,
    roundTrip: roundTripMs,
    ...(stats && generatorFigures(stats)),
  };
}
