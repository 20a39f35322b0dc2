import { AGENT_COLUMNS, agentRows, machinesLine } from '../agents.js';
import { table } from './layout.js';

/** The machines of a run: shards, or agents with a table. @type {import('./index.js').Section} */
export function agentsSection(result, { width, paint, glyphs, quiet }) {
  const { agents } = result;
  if (quiet && !agents?.lost) return [];
  if (!agents) return [machinesLine(result)].filter((line) => line !== '');
  const rows = agentRows(result).map(({ cells, isLost }) =>
    isLost ? cells.map((text) => ({ text, style: /** @type {const} */ ('red') })) : cells,
  );
  return [
    paint(agents.lost > agents.tolerated ? 'red' : 'bold', machinesLine(result)),
    ...table(AGENT_COLUMNS, rows, { width, paint, glyphs }),
  ];
}
