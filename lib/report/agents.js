import { counted, ms, rate } from './numbers.js';

/**
 * @import { AgentsSummary } from '../measure/types.js'
 * @import { Result } from './types.js'
 *
 * @typedef {object} AgentRow
 * @property {string[]} cells in the order of {@link AGENT_COLUMNS}
 * @property {boolean} isLost
 */

/** The table of agents. Times are ms; the narrower the table, the fewer columns it has. */
export const AGENT_COLUMNS = [
  { head: 'agent', isText: true },
  { head: 'per second' },
  { head: 'p99, ms' },
  { head: 'CPU, cores', from: 60 },
  { head: 'loop delay, ms', from: 76 },
  { head: 'start, ms', from: 88 },
  { head: 'clock, ms', from: 98 },
  { head: '', isText: true },
];

/**
 * The agents of a run on several machines, as rows of a table.
 *
 * @param {Pick<Result, 'agents'>} result
 * @returns {AgentRow[]} in the order of the shards; none for a run on one machine
 */
export function agentRows({ agents }) {
  return (agents?.each ?? []).map((agent) => ({
    cells: [
      agent.name === '' ? `shard ${agent.shard}` : agent.name,
      rate(agent.rate),
      ms(agent.p99),
      agent.cpu === null ? '-' : agent.cpu.toFixed(2),
      ms(agent.loopDelay),
      signed(agent.startDelay),
      signed(agent.clockOffset),
      stateOf(agent),
    ],
    isLost: agent.lost !== undefined,
  }));
}

/**
 * One line about all agents: `4 agents, started within 0.35 ms, 1 lost`.
 *
 * @param {AgentsSummary} agents
 * @returns {string}
 */
export function agentsLine({ each, lost, tolerated, startSkew }) {
  const tolerance = tolerated > 0 ? ` (${tolerated} tolerated)` : '';
  return [
    counted(each.length, 'agent'),
    ...(startSkew === null || each.length === 1 ? [] : [`started within ${ms(startSkew)} ms`]),
    ...(lost > 0 ? [`${lost} lost${tolerance}`] : []),
  ].join(', ');
}

/** @type {(value: number | null) => string} */
function signed(value) {
  if (value === null) return '-';
  return value < 0 ? `-${ms(-value)}` : `+${ms(value)}`;
}

/** @type {(agent: AgentsSummary['each'][0]) => string} */
function stateOf({ lost, saturated }) {
  if (lost !== undefined) return `lost: ${lost}`;
  return saturated ? 'saturated' : 'not saturated';
}
