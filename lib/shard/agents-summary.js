import { skewOf } from './start-agreement.js';

/**
 * @import { AgentsSummary, AgentSummary, Stats } from '../measure/types.js'
 * @import { Report } from './protocol.js'
 * @import { ShardState } from './shard-table.js'
 */

/**
 * The agents of a run, for its result.
 *
 * @param {readonly ShardState[]} shards
 * @param {number} tolerated how many may be lost
 * @returns {AgentsSummary}
 */
export function summarizeAgents(shards, tolerated) {
  const each = shards.map(summaryOf);
  return {
    each,
    lost: shards.filter(({ lost }) => lost !== null).length,
    tolerated,
    startSkew: skewOf(each.map(({ startDelay }) => startDelay)),
  };
}

/** @type {(shard: ShardState) => AgentSummary} */
function summaryOf({ number, report, lost }) {
  return {
    shard: number,
    ...agentOf(report),
    ...figuresOf(report?.stats ?? null),
    startDelay: report?.startDelayMs ?? null,
    clockOffset: report?.clockOffsetMs ?? null,
    ...(lost !== null && { lost }),
  };
}

/** @type {(report: Report | null) => Pick<AgentSummary, 'name' | 'version' | 'cores' | 'roundTrip'>} */
function agentOf(report) {
  if (!report) return { name: '', version: '', cores: 0, roundTrip: null };
  const { name, version, cores, roundTripMs } = report.agent;
  return { name, version, cores, roundTrip: roundTripMs };
}

/** @type {(stats: Stats | null) => Pick<AgentSummary, 'workers' | 'iterations' | 'rate' | 'p99' | 'cpu' | 'loopDelay' | 'saturated'>} */
function figuresOf(stats) {
  if (!stats) return { workers: 0, iterations: 0, rate: 0, p99: null, cpu: null, loopDelay: null, saturated: false };
  const { client, main, iterations, measuredElapsed } = stats;
  return {
    workers: client.workers,
    iterations: iterations.started,
    rate: iterations.rate,
    p99: main.histogram.p99,
    cpu: measuredElapsed > 0 ? client.cpu / measuredElapsed : null,
    loopDelay: client.delay.p99,
    saturated: client.saturated,
  };
}
