import { isBusy } from '../measure/verdict.js';
import { count, counted, ms, rate } from './numbers.js';

/**
 * @import { AgentSummary, AgentsSummary } from '../measure/types.js'
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

/** Rows of a table; of more agents those that differ most are shown. */
const MOST_ROWS = 24;
/** in the row of the others */
const MOST_STATES = 3;

/**
 * The agents of a run on several machines, as rows of a table: of many, those that were lost, stopped or slow, those
 * with the longest times and the lowest rates, and the others together.
 *
 * @param {Pick<Result, 'agents'>} result
 * @returns {AgentRow[]} in the order of the shards; none for a run on one machine
 */
export function agentRows({ agents }) {
  const each = agents?.each ?? [];
  if (each.length <= MOST_ROWS) return each.map(rowOf);
  const shown = new Set([...each].sort(byInterest).slice(0, MOST_ROWS - 1));
  const others = each.filter((agent) => !shown.has(agent));
  return [...each.filter((agent) => shown.has(agent)).map(rowOf), rowOfOthers(others)];
}

/** @type {(agent: AgentSummary) => AgentRow} */
function rowOf(agent) {
  return {
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
    isLost: agent.lost !== undefined || agent.stoppedBy !== undefined,
  };
}

/** @type {(one: AgentSummary, other: AgentSummary) => number} */
function byInterest(one, other) {
  const state = (/** @type {AgentSummary} */ { lost, stoppedBy, saturated }) =>
    (lost !== undefined ? 4 : 0) + (stoppedBy !== undefined ? 2 : 0) + (saturated ? 1 : 0);
  return (
    state(other) - state(one) || (other.p99 ?? 0) - (one.p99 ?? 0) || one.rate - other.rate || one.shard - other.shard
  );
}

/** The range of each column. @type {(agents: AgentSummary[]) => AgentRow} */
function rowOfOthers(agents) {
  /** @type {(valueOf: (agent: AgentSummary) => number | null, print: (value: number) => string) => string} */
  const range = (valueOf, print) => {
    const values = agents.flatMap((agent) => valueOf(agent) ?? []);
    if (values.length === 0) return '-';
    const [least, most] = [print(Math.min(...values)), print(Math.max(...values))];
    return least === most ? least : `${least} to ${most}`;
  };
  return {
    cells: [
      `${count(agents.length)} others`,
      range((agent) => agent.rate, rate),
      range((agent) => agent.p99, ms),
      range(
        (agent) => agent.cpu,
        (cores) => cores.toFixed(2),
      ),
      range((agent) => agent.loopDelay, ms),
      range((agent) => agent.startDelay, signed),
      range((agent) => agent.clockOffset, signed),
      [...new Set(agents.map(stateOf))].slice(0, MOST_STATES).join('; '),
    ],
    isLost: agents.some(({ lost }) => lost !== undefined),
  };
}

/**
 * One line about the machines of a run: `4 agents, started within 0.35 ms, 1 lost`, `2 of 3 shards, started within 1.2
 * ms`.
 *
 * @param {Pick<Result, 'agents' | 'run'>} result
 * @returns {string} empty for a run on one machine
 */
export function machinesLine({ agents, run }) {
  if (agents) return agentsLine(agents);
  if (!run?.shards) return '';
  const { shards, startSkew } = run;
  return [
    `${shards.merged} of ${counted(shards.of, 'shard')}`,
    ...(shards.merged === 1 ? [] : [startedWithin(startSkew)]),
  ].join(', ');
}

/** @type {(skew: number | undefined) => string} */
function startedWithin(skew) {
  return skew === undefined ? 'started at unknown times' : `started within ${ms(skew)} ms`;
}

/** @type {(agents: AgentsSummary) => string} */
function agentsLine({ each, lost, tolerated, startSkew }) {
  const tolerance = tolerated > 0 ? ` (${tolerated} tolerated)` : '';
  return [
    counted(each.length, 'agent'),
    ...(startSkew === null || each.length === 1 ? [] : [startedWithin(startSkew)]),
    ...(lost > 0 ? [`${lost} lost${tolerance}`] : []),
  ].join(', ');
}

/** @type {(value: number | null) => string} */
function signed(value) {
  if (value === null) return '-';
  return value < 0 ? `-${ms(-value)}` : `+${ms(value)}`;
}

/** @type {(agent: AgentSummary) => string} */
function stateOf({ replaces = [], ...agent }) {
  const state = ownStateOf(agent);
  return replaces.length === 0 ? state : `${state}; replaces ${replaces.join(', ')}`;
}

/** @type {(agent: AgentSummary) => string} */
function ownStateOf({ lost, stoppedBy, saturated, utilization }) {
  if (lost !== undefined) return `lost: ${lost}`;
  if (stoppedBy !== undefined) return `stopped by ${stoppedBy}`;
  if (!saturated) return 'not saturated';
  // an idle one waits for a CPU that others use
  return utilization === undefined || isBusy(utilization) ? 'saturated' : 'slow loop';
}
