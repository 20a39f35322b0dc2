import { AGENT_COLUMNS, agentRows, agentsLine } from '../agents.js';
import { table } from './layout.js';

/** The agents of a run on several machines. @type {import('./index.js').Section} */
export function agentsSection(result, { width, paint, glyphs, quiet }) {
  const { agents } = result;
  if (!agents || (quiet && agents.lost === 0)) return [];
  const rows = agentRows(result).map(({ cells, isLost }) =>
    isLost ? cells.map((text) => ({ text, style: /** @type {const} */ ('red') })) : cells,
  );
  return [
    paint(agents.lost > agents.tolerated ? 'red' : 'bold', agentsLine(agents)),
    ...table(AGENT_COLUMNS, rows, { width, paint, glyphs }),
  ];
}
