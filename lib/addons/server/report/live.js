import { bytes, decimal, ms } from '../../../core/ground/decimal.js';

/** @import { ServerFigures } from '../../../core/contracts/stats.js' */
/** @import { TextsOfParts } from '../../../core/report/types.js' */

/** Each server that was started or watched. @type {TextsOfParts} */
export function textsOf({ servers = [] }) {
  return servers
    .filter(({ source }) => source === 'process')
    .map((server) => ({ name: 'server', figures: figuresOf(server) }))
    .filter(({ figures }) => figures.length > 0);
}

/** The figures of the last second: `0.98 cores`, `143.2 MB`. @type {(server: ServerFigures) => string[]} */
function figuresOf({ endedAfter, series }) {
  const point = series?.points.at(-1);
  if (endedAfter !== undefined) return [`ended after ${decimal(endedAfter / 1000, 1)} s`];
  if (!point) return [];
  const { cpuCores, memory, eventLoopDelay } = point;
  const delay = eventLoopDelay === undefined ? [] : [`event loop delay p99 ${ms(eventLoopDelay)} ms`];
  return [`${decimal(cpuCores, 2)} cores`, bytes(memory), ...delay];
}
