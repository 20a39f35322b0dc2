import { isBusy } from '../measure/validity.js';
import { count, counted, ms, rate } from './numbers.js';

/**
 * @import { AgentSummary, AgentsSummary } from '../contracts/stats.js'
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
/** Of more agents: those farthest from the median of a column, and those of each state. */
const MOST_EXTREME = 2;
const MOST_ALIKE = 3;
/** States in the row of the others. */
const MOST_STATES = 3;

/**
 * Returns the agents of a run on several machines as rows of a table, in the order of the shards; none for a run on one
 * machine. Of many agents it has those that did nothing, some of those that were stopped, lost or saturated, those that
 * differ most in a column, and the others together.
 * @type {(result: Pick<Result, 'agents'>) => AgentRow[]}
 */
export function agentRows({ agents }) {
  const each = agents?.each ?? [];
  if (each.length <= MOST_ROWS) return each.map(rowOf);
  const shown = new Set(outliersOf(each).slice(0, MOST_ROWS - 1));
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

/** @type {(each: AgentSummary[]) => AgentSummary[]} each once, the most important ones first */
function outliersOf(each) {
  const ended = each.filter(({ lost, stoppedBy }) => lost !== undefined || stoppedBy !== undefined);
  const whole = each.filter((agent) => !ended.includes(agent));
  const reasons = [...new Set(ended.map(ownStateOf))].slice(0, MOST_ALIKE);
  return [
    ...new Set([
      ...whole.filter(({ iterations }) => iterations === 0),
      ...reasons.flatMap((reason) => ended.filter((agent) => ownStateOf(agent) === reason).slice(0, MOST_EXTREME)),
      ...VALUES.flatMap((valueOf) => farthest(whole, valueOf)),
      ...whole.filter(({ saturated }) => saturated).slice(0, MOST_ALIKE),
      ...whole.filter(({ replaces }) => replaces).slice(0, MOST_ALIKE),
    ]),
  ];
}

/** The figures of the columns. @type {((agent: AgentSummary) => number | null)[]} */
const VALUES = [
  ({ rate }) => rate,
  ({ p99 }) => p99,
  ({ cpu }) => cpu,
  ({ loopDelay }) => loopDelay,
  ({ startDelay }) => startDelay,
  ({ clockOffset }) => clockOffset,
];

/**
 * Those that differ most from the median.
 * @type {(agents: AgentSummary[], valueOf: typeof VALUES[number]) => AgentSummary[]}
 */
function farthest(agents, valueOf) {
  const known = agents
    .flatMap((agent) => ({ agent, value: valueOf(agent) ?? NaN }))
    .filter(({ value }) => !Number.isNaN(value))
    .sort((one, other) => one.value - other.value);
  const median = known[Math.floor(known.length / 2)]?.value;
  return known
    .map(({ agent, value }) => ({ agent, distance: Math.abs(value - median) }))
    .filter(({ distance }) => distance > 0)
    .sort((one, other) => other.distance - one.distance)
    .slice(0, MOST_EXTREME)
    .map(({ agent }) => agent);
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
      statesOf(agents),
    ],
    isLost: agents.some(({ lost }) => lost !== undefined),
  };
}

/**
 * Describes the machines of a run in one line, empty for a run on one machine: `4 agents, started within 0.35 ms, 1
 * lost`, `2 of 3 shards, started within 1.2 ms`.
 * @type {(result: Pick<Result, 'agents' | 'run'>) => string}
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

/** The most frequent states. @type {(agents: AgentSummary[]) => string} */
function statesOf(agents) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const agent of agents) counts.set(stateOf(agent), (counts.get(stateOf(agent)) ?? 0) + 1);
  const frequent = [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_STATES);
  if (frequent.length === 1) return frequent[0][0];
  return frequent.map(([state, number]) => `${count(number)} ${state}`).join('; ');
}

/** @type {(agent: AgentSummary) => string} */
function stateOf({ replaces = [], ...agent }) {
  const state = ownStateOf(agent);
  return replaces.length === 0 ? state : `${state}; replaces ${replaces.join(', ')}`;
}

/** Delay of an event loop, ms, that times of requests show. */
const SLOW_LOOP_MS = 10;

/** @type {(agent: AgentSummary) => string} */
function ownStateOf({ lost, stoppedBy, saturated, utilization, loopDelay }) {
  if (lost !== undefined) return `lost: ${lost}`;
  if (stoppedBy !== undefined) return `stopped by ${stoppedBy}`;
  if (!saturated) return 'not saturated';
  if (utilization === undefined || isBusy(utilization)) return 'saturated';
  // An idle one waits for a CPU that others use, or ran out of files or ports.
  return loopDelay !== null && loopDelay >= SLOW_LOOP_MS ? 'slow loop' : 'missed its load';
}
