import { readFileSync, readdirSync } from 'node:fs';

/**
 * Processes as Linux reports them in /proc; on other systems there is nothing to read.
 *
 * @typedef {object} ProcessState
 * @property {number} pid
 * @property {number} parent
 * @property {number} group
 * @property {boolean} isRunning false: a zombie, which only waits to be reaped
 * @property {number} cpuMs of the process, and of its children that have ended and were awaited
 */

/** USER_HZ: the unit of times in /proc, 1/100 s on every system that runs Node */
const TICK_MS = 10;
/** fields of /proc/PID/stat, counted from the fourth: num_threads, and utime to cstime */
const THREADS = 14;
const TIMES = [8, 12];

/**
 * The running processes of a group.
 *
 * @param {number} leader
 * @returns {number[] | null} null if the system cannot list them
 */
export function groupMembers(leader) {
  const running = runningProcesses();
  return running && running.filter(({ group }) => group === leader).map(({ pid }) => pid);
}

/**
 * The running processes of a group, and their descendants outside it.
 *
 * @param {number} leader
 * @returns {number[] | null} null if the system cannot list them
 */
export function processTree(leader) {
  const all = runningProcesses();
  if (all === null) return null;
  const tree = new Set(all.filter(({ pid, group }) => pid === leader || group === leader).map(({ pid }) => pid));
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent)) tree.add(pid);
  }
  return [...tree];
}

/**
 * CPU time and memory of some processes together.
 *
 * @param {number[]} pids those that have ended are left out
 * @returns {{ cpuMs: number, bytes: number }} bytes: resident memory; what processes share counts for each of them
 */
export function usageOf(pids) {
  let cpuMs = 0;
  let bytes = 0;
  for (const pid of pids) {
    cpuMs += stateOf(pid)?.cpuMs ?? 0;
    bytes += Number(/^VmRSS:\s*(\d+) kB/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) * 1024;
  }
  return { cpuMs, bytes };
}

/** @returns {ProcessState[] | null} null if the system cannot list them, or no file can be opened */
function runningProcesses() {
  if (process.platform !== 'linux') return null;
  try {
    const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (stateOf(Number(name)) ?? []) : []));
    return all.filter(({ isRunning }) => isRunning);
  } catch {
    return null;
  }
}

/** The fields after the name, which may contain anything: proc(5). @type {(pid: number) => ProcessState | null} */
function stateOf(pid) {
  const text = read(`/proc/${pid}/stat`);
  if (text === null) return null;
  const [state, parent, group, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const times = rest.slice(...TIMES).map(Number);
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    // the first thread of a process may end before the others
    isRunning: (state !== 'Z' && state !== 'X') || Number(rest[THREADS]) > 1,
    cpuMs: times.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS,
  };
}

/** @type {(path: string) => string | null} null if the process has ended, or no file can be opened */
function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
