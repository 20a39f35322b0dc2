import { count, counted, ms, orDash, rate } from '../../../core/ground/decimal.js';
import { isBusy } from '../../../core/measure/own-time.js';
import { startedWithin } from '../../merge/report/shards.js';

/** @import { LoadGeneratorEntry } from '../../../core/contracts/stats.js' */
/** @import { Column } from '../../../core/report/text/layout.js' */
/** @import { Block, BlockOptions, Result } from '../../../core/report/types.js' */

/** The table of the machines of a run, which text, Markdown and page print in their ways. */

/** @typedef {{ cells: string[], isLost: boolean }} AgentRow cells: in the order of {@link AGENT_COLUMNS} */

/** @typedef {(agent: LoadGeneratorEntry) => number | null} ValueOf */

/**
 * The figures of an agent. Times are ms; `from`: only in tables at least this wide.
 * @type {{ head: string, from?: number, valueOf: ValueOf, print: (value: number | null) => string }[]}
 */
const FIGURES = [
  { head: 'per second', valueOf: ({ iterations }) => iterations?.completedRate ?? null, print: rate },
  { head: 'p99, ms', valueOf: ({ responseTime }) => responseTime?.p99 ?? null, print: ms },
  {
    head: 'CPU, cores',
    from: 60,
    valueOf: ({ loadGenerator }) => loadGenerator?.cpuCores ?? null,
    print: orDash((value) => value.toFixed(2)),
  },
  {
    head: 'loop delay, ms',
    from: 76,
    valueOf: ({ loadGenerator }) => loadGenerator?.eventLoopDelay.p99 ?? null,
    print: ms,
  },
  { head: 'start, ms', from: 88, valueOf: ({ startOffset = null }) => startOffset, print: orDash(signedMs) },
  { head: 'clock, ms', from: 98, valueOf: ({ clockOffset = null }) => clockOffset, print: orDash(signedMs) },
];

/** A quiet report has the agents only if one is lost. @type {(result: Result, options: BlockOptions) => Block[]} */
export function blocksOf(result, { format, quiet }) {
  const { lost = 0, maxLost = 0 } = result.agents ?? {};
  if (quiet && lost === 0) return [];
  // Markdown marks the state alone.
  const painted = (/** @type {number} */ i) => format !== 'markdown' || i === AGENT_COLUMNS.length - 1;
  const rows = agentRows(result).map(({ cells, isLost }) =>
    cells.map((text, i) => (isLost && painted(i) ? { text, style: /** @type {const} */ ('red') } : text)),
  );
  return [
    { title: { text: agentsLine(result), style: lost > maxLost ? 'red' : 'bold' }, columns: AGENT_COLUMNS, rows },
  ];
}

/** The name of an agent, its figures, and its state. @type {Column[]} */
export const AGENT_COLUMNS = [
  { head: 'agent', isText: true },
  ...FIGURES.map(({ head, from }) => ({ head, from })),
  { head: '', isText: true },
];

/** Rows of a table; of more agents those that differ most are shown. */
const MOST_ROWS = 24;
/** Agents that are shown for one reason, such as the values of a column that are farthest from its median. */
const MOST_OF_ONE_REASON = 2;
/** Agents that are shown for what many may have in common: they are saturated. */
const MOST_ALIKE = 3;
/** Reasons of an early end whose agents are shown; and states that the row of the others names. */
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
    cells: [agent.name, ...FIGURES.map(({ valueOf, print }) => print(valueOf(agent))), stateOf(agent)],
    isLost: hasEndedEarly(agent),
  };
}

/** @type {(agent: LoadGeneratorEntry) => boolean} */
function hasEndedEarly({ lost, stoppedBy }) {
  return lost !== undefined || stoppedBy !== undefined;
}

/** @type {(each: LoadGeneratorEntry[]) => LoadGeneratorEntry[]} each once, the most important ones first */
function outliersOf(each) {
  const ended = each.filter(hasEndedEarly);
  const whole = each.filter((agent) => !hasEndedEarly(agent));
  const reasons = [...new Set(ended.map(stateOf))].slice(0, MOST_STATES);
  return [
    ...new Set([
      ...whole.filter(({ iterations }) => !iterations?.started),
      ...reasons.flatMap((reason) => ended.filter((agent) => stateOf(agent) === reason).slice(0, MOST_OF_ONE_REASON)),
      ...FIGURES.flatMap(({ valueOf }) => farthest(whole, valueOf)),
      ...whole.filter(({ loadGenerator }) => loadGenerator?.saturated).slice(0, MOST_ALIKE),
    ]),
  ];
}

/** Those farthest from the median. @type {(agents: LoadGeneratorEntry[], valueOf: ValueOf) => LoadGeneratorEntry[]} */
function farthest(agents, valueOf) {
  const known = agents
    .flatMap((agent) => {
      const value = valueOf(agent);
      return value === null ? [] : [{ agent, value }];
    })
    .sort((one, other) => one.value - other.value);
  const median = known[Math.floor(known.length / 2)]?.value;
  return known
    .map(({ agent, value }) => ({ agent, distance: Math.abs(value - median) }))
    .filter(({ distance }) => distance > 0)
    .sort((one, other) => other.distance - one.distance)
    .slice(0, MOST_OF_ONE_REASON)
    .map(({ agent }) => agent);
}

/** The range of each figure, and the states. @type {(agents: LoadGeneratorEntry[]) => AgentRow} */
function rowOfOthers(agents) {
  const range = (/** @type {typeof FIGURES[number]} */ { valueOf, print }) => {
    const values = agents.flatMap((agent) => valueOf(agent) ?? []);
    if (values.length === 0) return '-';
    const [least, most] = [print(Math.min(...values)), print(Math.max(...values))];
    return least === most ? least : `${least} to ${most}`;
  };
  return {
    cells: [`${count(agents.length)} others`, ...FIGURES.map(range), statesOf(agents)],
    isLost: agents.some(hasEndedEarly),
  };
}

/** Sums up the agents: `4 agents, started within 0.35 ms, 1 lost`. @type {(result: Result) => string} */
export function agentsLine({ agents, loadGenerators = [], loadGenerator: { startSkew = null } }) {
  if (!agents) return '';
  const { lost, maxLost } = agents;
  const tolerance = maxLost > 0 ? ` (${maxLost} tolerated)` : '';
  return [
    counted(loadGenerators.length, 'agent'),
    ...(startSkew === null || loadGenerators.length === 1 ? [] : [startedWithin(startSkew)]),
    ...(lost > 0 ? [`${lost} lost${tolerance}`] : []),
  ].join(', ');
}

/** @type {(value: number) => string} */
function signedMs(value) {
  return `${value < 0 ? '' : '+'}${ms(value)}`;
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

/** A delay of an event loop, ms, that the times of requests show. */
const SLOW_LOOP_MS = 10;

/** @type {(agent: LoadGeneratorEntry) => string} */
function stateOf({ lost, stoppedBy, loadGenerator }) {
  if (lost !== undefined) return `lost: ${lost.message}`;
  if (stoppedBy !== undefined) return `stopped by ${stoppedBy}`;
  if (!loadGenerator?.saturated) return 'not saturated';
  if (isBusy(loadGenerator.eventLoopUtilization)) return 'saturated';
  // An idle load generator waited for a CPU that others used, or ran out of files or ports.
  return loadGenerator.eventLoopDelay.p99 >= SLOW_LOOP_MS ? 'slow loop' : 'missed its load';
}
