import { bytes, count, decimal, ms, percent } from '../../../core/ground/decimal.js';
import { safe } from '../../../core/text/safe.js';

/** @import { NodeThreadFigures, ServerFigures } from '../../../core/contracts/stats.js' */
/** @import { Block, BlockOptions, Result } from '../../../core/report/types.js' */

/** Each server: its figures, and what they mean. @type {(result: Result, options: BlockOptions) => Block[]} */
export function blocksOf({ servers }, { glyphs }) {
  return watchedServers(servers).map((server) => ({
    lines: [{ name: 'server', text: serverParts(server).join(` ${glyphs.dot} `) }],
    remarks: (server.conclusions ?? []).map(({ message }) => ({ text: message })),
  }));
}

/** Leaves out servers that are threads of this process. @type {(servers?: ServerFigures[]) => ServerFigures[]} */
export function watchedServers(servers = []) {
  return servers.filter(({ source }) => source === 'process');
}

/**
 * The figures of a server in few words: `0.98 cores`, `memory 143 MB (+2.0 MB/min)`, `event loop delay p99 31 ms`,
 * `GC 4 %`. A delay of 0 was not measured: the run was too short.
 * @type {(server: Pick<ServerFigures, 'cpuCores' | 'endedAfter' | 'memory' | 'openFiles' | 'eventLoopDelay' |
 *   'gcShare'>) => string[]}
 */
export function serverParts({ cpuCores, endedAfter, memory, openFiles, eventLoopDelay, gcShare }) {
  if (endedAfter === 0) return ['no figures'];
  const isTooShort = eventLoopDelay?.p99 === 0;
  return [
    ...(cpuCores === undefined ? [] : [`${decimal(cpuCores, 2)} cores`]),
    ...(memory === undefined ? [] : [`memory ${bytes(memory.mean)}${grown(memory.growth, bytes)}`]),
    ...(openFiles?.growth ? [`${count(openFiles.peak)} open files${grown(openFiles.growth, filesText)}`] : []),
    ...(eventLoopDelay === undefined || isTooShort ? [] : [`event loop delay p99 ${ms(eventLoopDelay.p99)} ms`]),
    ...(gcShare === undefined || isTooShort ? [] : [`GC ${percent(gcShare)}`]),
  ];
}

/** A slow leak is less than a file per minute. @type {(files: number) => string} */
function filesText(files) {
  return files < 1 ? decimal(files, 2) : count(Math.round(files));
}

/** @type {(growth: number | null | undefined, text: (value: number) => string) => string} growth: per minute */
function grown(growth, text) {
  return growth ? ` (+${text(growth)}/min)` : '';
}

/** @type {{ head: string, isText?: boolean }[]} */
export const THREAD_COLUMNS = [
  { head: 'process', isText: true },
  { head: 'pid' },
  { head: 'CPU, ms' },
  { head: 'memory' },
  { head: 'event loop' },
  { head: 'delay p99, ms' },
  { head: 'GC' },
  { head: 'heap' },
];

/**
 * The processes of a server, each with its threads of Node below it: `thread 2` is a worker thread.
 * @type {(server: Pick<ServerFigures, 'processes' | 'nodeThreads'>) => string[][]}
 */
export function threadRows({ processes, nodeThreads = [] }) {
  const { details = [] } = processes ?? {};
  const used = details.filter(({ pid, cpuTime }) => cpuTime > 0 || nodeThreads.some((thread) => thread.pid === pid));
  return used.flatMap(({ pid, name, cpuTime, memory }) => {
    const threads = nodeThreads.filter((thread) => thread.pid === pid);
    const main = threads.find(({ thread }) => thread === 0);
    const others = threads.filter((thread) => thread !== main).sort((one, other) => one.thread - other.thread);
    const row = [safe(main?.name ?? name), String(pid), ms(cpuTime), bytes(memory), ...loopCells(main)];
    return [row, ...others.map((one) => [`thread ${one.thread}: ${safe(one.name)}`, '', '', '', ...loopCells(one)])];
  });
}

/** @type {(thread: NodeThreadFigures | undefined) => string[]} */
function loopCells(thread) {
  if (thread === undefined) return ['', '', '', ''];
  const { eventLoopUtilization, eventLoopDelay, gcShare, memory } = thread;
  return [percent(eventLoopUtilization), ms(eventLoopDelay.p99), percent(gcShare), bytes(memory.heap)];
}
