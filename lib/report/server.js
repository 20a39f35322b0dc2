import { bytes, count, decimal, ms, percent } from './numbers.js';

/** @import { ServerFigures } from '../contracts/stats.js' */

/**
 * The figures of a server in few words: `0.98 cores`, `143 MB (+2.0 MB/min)`, `event loop delay p99 31 ms`, `GC 4 %`.
 * @type {(server: Pick<ServerFigures, 'cpuCores' | 'memory' | 'openFiles' | 'eventLoopDelay' | 'gcShare'>) =>
 *   string[]}
 */
export function serverParts({ cpuCores, memory, openFiles, eventLoopDelay, gcShare }) {
  return [
    ...(cpuCores === undefined ? [] : [`${decimal(cpuCores, 2)} cores`]),
    ...(memory === undefined ? [] : [`${bytes(memory.mean)}${grown(memory.growth, bytes)}`]),
    ...(openFiles?.growth
      ? [`${count(openFiles.peak)} open files${grown(openFiles.growth, (files) => count(Math.round(files)))}`]
      : []),
    ...(eventLoopDelay === undefined ? [] : [`event loop delay p99 ${ms(eventLoopDelay.p99)} ms`]),
    ...(gcShare === undefined ? [] : [`GC ${percent(gcShare)}`]),
  ];
}

/** @type {(growth: number | null | undefined, text: (value: number) => string) => string} growth: per minute */
function grown(growth, text) {
  return growth ? ` (+${text(growth)}/min)` : '';
}
