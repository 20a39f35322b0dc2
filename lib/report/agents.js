import { count, counted, ms, rate } from '../ground/decimal.js';
import { isBusy } from '../measure/validity.js';

/** @import { LoadGeneratorEntry } from '../contracts/stats.js' */
/** @import { Result } from './types.js' */

/** @typedef {{ cells: string[], isLost: boolean }} AgentRow cells: in the order of {@link AGENT_COLUMNS} */

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
 * The agents of a run on several machines, as rows of a table: of many, those that did nothing, some of those that were
 * stopped, lost or saturated, those that differ most in a column, and the others together.
 *
 * @param {Pick<Result, 'agents' | 'loadGenerators'>} result
 * @returns {AgentRow[]} in the order of the shards; none for a run on one machine
 */
export function agentRows({ agents, loadGenerators = [] }) {
  const each = agents ? loadGenerators : [];
  if (each.length <= MOST_ROWS) return each.map(rowOf);
  const shown = new Set(outliersOf(each).slice(0, MOST_ROWS - 1));
  const others = each.filter((agent) => !shown.has(agent));
  return [...each.filter((agent) => shown.has(agent)).map(rowOf), rowOfOthers(others)];
}

/** @type {(agent: LoadGeneratorEntry) => AgentRow} */
function rowOf(agent) {
  return {
    cells: [agent.name, ...COLUMNS.map(({ valueOf, print }) => print(valueOf(agent))), stateOf(agent)],
    isLost: agent.lost !== undefined || agent.stoppedBy !== undefined,
  };
}

/** @type {(each: LoadGeneratorEntry[]) => LoadGeneratorEntry[]} each once, the most important ones first */
function outliersOf(each) {
  const ended = each.filter(({ lost, stoppedBy }) => lost !== undefined || stoppedBy !== undefined);
  const whole = each.filter((agent) => !ended.includes(agent));
  const reasons = [...new Set(ended.map(ownStateOf))].slice(0, MOST_ALIKE);
  return [
    ...new Set([
      ...whole.filter(({ iterations }) => !iterations?.started),
      ...reasons.flatMap((reason) => ended.filter((agent) => ownStateOf(agent) === reason).slice(0, MOST_EXTREME)),
      ...COLUMNS.flatMap(({ valueOf }) => farthest(whole, valueOf)),
      ...whole.filter(({ loadGenerator }) => loadGenerator?.saturated).slice(0, MOST_ALIKE),
      ...whole.filter(({ replaces }) => replaces).slice(0, MOST_ALIKE),
    ]),
  ];
}

/** @typedef {(agent: LoadGeneratorEntry) => number | null} ValueOf */

/** @type {{ valueOf: ValueOf, print: (value: number | null) => string }[]} */
const COLUMNS = [
  {
    valueOf: ({ iterations }) => iterations?.completedRate ?? null,
    print: (value) => (value === null ? '-' : rate(value)),
  },
  { valueOf: ({ responseTime }) => responseTime?.p99 ?? null, print: ms },
  {
    valueOf: ({ loadGenerator }) => loadGenerator?.cpuCores ?? null,
    print: (value) => (value === null ? '-' : value.toFixed(2)),
  },
  { valueOf: loopDelayOf, print: ms },
  { valueOf: ({ startOffset = null }) => startOffset, print: signed },
  { valueOf: ({ clockOffset = null }) => clockOffset, print: signed },
];

/** p99 of its event loop, ms. @type {ValueOf} */
function loopDelayOf({ loadGenerator }) {
  return loadGenerator?.eventLoopDelay.p99 ?? null;
}

/** Those farthest from the median. @type {(agents: LoadGeneratorEntry[], valueOf: ValueOf) => LoadGeneratorEntry[]} */
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

/** The range of each column. @type {(agents: LoadGeneratorEntry[]) => AgentRow} */
function rowOfOthers(agents) {
  const range = (/** @type {typeof COLUMNS[number]} */ { valueOf, print }) => {
    const values = agents.flatMap((agent) => valueOf(agent) ?? []);
    if (values.length === 0) return '-';
    const [least, most] = [print(Math.min(...values)), print(Math.max(...values))];
    return least === most ? least : `${least} to ${most}`;
  };
  return {
    cells: [`${count(agents.length)} others`, ...COLUMNS.map(range), statesOf(agents)],
    isLost: agents.some(({ lost }) => lost !== undefined),
  };
}

/**
 * One line about the machines of a run: `4 agents, started within 0.35 ms, 1 lost`, `2 of 3 shards, started within 1.2
 * ms`.
 *
 * @param {Pick<Result, 'agents' | 'run'> & Partial<Pick<Result, 'loadGenerators' | 'loadGenerator'>>} result
 * @returns {string} empty for a run on one machine
 */
export function machinesLine({ agents, run, loadGenerators = [], loadGenerator }) {
  const { startSkew = null } = loadGenerator ?? {};
  if (agents) return agentsLine(agents, loadGenerators.length, startSkew);
  if (!run?.shards) return '';
  const { shards } = run;
  return [
    `${shards.merged} of ${counted(shards.of, 'shard')}`,
    ...(shards.merged === 1 ? [] : [startedWithin(startSkew)]),
  ].join(', ');
}

/** @type {(skew: number | null) => string} */
function startedWithin(skew) {
  return skew === null ? 'started at unknown times' : `started within ${ms(skew)} ms`;
}

/** @type {(agents: NonNullable<Result['agents']>, all: number, startSkew: number | null) => string} */
function agentsLine({ lost, maxLost }, all, startSkew) {
  const tolerance = maxLost > 0 ? ` (${maxLost} tolerated)` : '';
  return [
    counted(all, 'agent'),
    ...(startSkew === null || all === 1 ? [] : [startedWithin(startSkew)]),
    ...(lost > 0 ? [`${lost} lost${tolerance}`] : []),
  ].join(', ');
}

/** @type {(value: number | null) => string} */
function signed(value) {
  if (value === null) return '-';
  return value < 0 ? `-${ms(-value)}` : `+${ms(value)}`;
}

/** The most frequent states. @type {(agents: LoadGeneratorEntry[]) => string} */
function statesOf(agents) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const agent of agents) counts.set(stateOf(agent), (counts.get(stateOf(agent)) ?? 0) + 1);
  const frequent = [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_STATES);
  if (frequent.length === 1) return frequent[0][0];
  return frequent.map(([state, number]) => `${count(number)} ${state}`).join('; ');
}

/** @type {(agent: LoadGeneratorEntry) => string} */
function stateOf({ replaces = [], ...agent }) {
  const state = ownStateOf(agent);
  return replaces.length === 0 ? state : `${state}; replaces ${replaces.join(', ')}`;
}

/** Delay of an event loop, ms, that times of requests show. */
const SLOW_LOOP_MS = 10;

/** @type {(agent: LoadGeneratorEntry) => string} */
function ownStateOf({ lost, stoppedBy, loadGenerator }) {
  if (lost !== undefined) return `lost: ${lost.message}`;
  if (stoppedBy !== undefined) return `stopped by ${stoppedBy}`;
  if (!loadGenerator?.saturated) return 'not saturated';
  if (isBusy(loadGenerator.eventLoopUtilization)) return 'saturated';
  // an idle one waits for a CPU that others use, or ran out of files or ports
  return loadGenerator.eventLoopDelay.p99 >= SLOW_LOOP_MS ? 'slow loop' : 'missed its load';
}
