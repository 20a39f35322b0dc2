import { skewOf } from '../measure/together.js';

/**
 * @import { AgentsSummary, AgentSummary, Stats } from '../measure/types.js'
 * @import { Report } from './protocol.js'
 * @import { ShardState, ShardTable, TakenPart } from './shard-table.js'
 */

const SIGNAL = /^SIG[A-Z0-9]{2,10}$/;

/**
 * The agents of a run, for its result.
 *
 * @param {Pick<ShardTable, 'all' | 'whole'>} table
 * @param {number} tolerated how many may be lost
 * @returns {AgentsSummary}
 */
export function summarizeAgents({ all, whole }, tolerated) {
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
 * The names of agents by the number of their shard: several agents of one host have one name, and the number tells them apart.
 *
 * @param {readonly ShardState[]} shards
 * @returns {Map<number, string>} without those that have never reported
 */
export function agentNames(shards) {
  const reported = shards.flatMap(({ number, report }) => (report ? [{ number, name: report.agent.name }] : []));
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { name } of reported) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(reported.map(({ number, name }) => [number, counts.get(name) === 1 ? name : `${name} ${number}`]));
}

/** The summary of an agent, with the parts that it has taken over. @type {(agent: AgentSummary, parts: ShardState[], nameOf: (part: ShardState) => string) => AgentSummary} */
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

/** The agent whose shard a part belongs to, or the one that had taken that over. @type {(shard: ShardState, all: readonly ShardState[], names: Map<number, string>) => string} */
function nameOfLost({ part }, all, names) {
  const lost = all[/** @type {TakenPart} */ (part).replaces - 1];
  const number = lost.part ? lost.part.taker : lost.number;
  return names.get(number) ?? `shard ${number}`;
}

/** @type {(shard: ShardState, name?: string) => AgentSummary} */
export function summarizeShard({ number, report, lost }, name = '') {
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

/** @type {(stats: Stats | null) => Pick<AgentSummary, 'workers' | 'iterations' | 'rate' | 'p99' | 'cpu' | 'utilization' | 'loopDelay' | 'saturated'>} */
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
