import { readFileSync, readdirSync } from 'node:fs';

/**
 * Processes as Linux reports them in /proc; on other systems there is nothing to read.
 *
 * @typedef {object} ProcessState
 * @property {number} pid
 * @property {number} parent
 * @property {number} group
 * @property {string} name of the program
 * @property {string} startedAt clock ticks since the start of the system: with the pid, it identifies the process
 * @property {boolean} isRunning false: a zombie, which only waits to be reaped
 * @property {number} cpuMs CPU time of its own
 * @property {number} awaitedMs CPU time of its children that have ended and were awaited, and of their children
 */

/** USER_HZ: the unit of times in /proc, 1/100 s on every system that runs Node */
export const TICK_MS = 10;
/** Fields of /proc/PID/stat, counted from the seventh: utime and stime, cutime and cstime, num_threads, starttime. */
const OWN = 7;
const AWAITED = 9;
const THREADS = 13;
const STARTED = 15;

/** Lists the running processes of a group; null: impossible. @type {(leader: number) => number[] | null} */
export function groupMembers(leader) {
  const running = runningProcesses();
  return running && running.filter(({ group }) => group === leader).map(({ pid }) => pid);
}

/**
 * Lists the running processes that are roots, and their descendants, but neither this process nor its own, unless it is
 * a root; null if the system cannot list them.
 * @type {(isRoot: (state: ProcessState) => boolean) => ProcessState[] | null}
 */
export function processesFrom(isRoot) {
  const all = runningProcesses();
  if (all === null) return null;
  const tree = new Set(all.filter(isRoot).map(({ pid }) => pid));
  // Until no more children are found.
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const { pid, parent } of all) if (tree.has(parent) && pid !== process.pid) tree.add(pid);
  }
  return all.filter(({ pid }) => tree.has(pid));
}

/** @type {(known: ProcessState) => boolean} the same process still runs, and its number belongs to no other one */
export function isRunning(known) {
  return stateNow(known) !== null;
}

/**
 * Reads the state of a process again; null if it has ended, also if its number belongs to another one by now.
 * @type {(known: ProcessState) => ProcessState | null}
 */
export function stateNow({ pid, startedAt }) {
  const now = stateOf(pid);
  return now?.isRunning && now.startedAt === startedAt ? now : null;
}

/** Returns a key that no other process has, although numbers are used again. @type {(state: ProcessState) => string} */
export function identityOf({ pid, startedAt }) {
  return `${pid} ${startedAt}`;
}

/** Lists the running processes; null if the system cannot list them. @type {() => ProcessState[] | null} */
function runningProcesses() {
  if (process.platform !== 'linux') return null;
  try {
    const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (stateOf(Number(name)) ?? []) : []));
    return all.filter(({ isRunning }) => isRunning);
  } catch {
    return null;
  }
}

/**
 * Reads the state of a process from the fields after its name, which may contain anything: proc(5). Returns null if
 * there is none.
 * @type {(pid: number) => ProcessState | null}
 */
export function stateOf(pid) {
  const text = read(`/proc/${pid}/stat`);
  if (text === null) return null;
  const [state, parent, group, , ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const cpuMs = (/** @type {number} */ from) => (Number(rest[from]) + Number(rest[from + 1])) * TICK_MS;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    startedAt: rest[STARTED],
    // The first thread of a process may end before the others.
    isRunning: (state !== 'Z' && state !== 'X') || Number(rest[THREADS]) > 1,
    cpuMs: cpuMs(OWN),
    awaitedMs: cpuMs(AWAITED),
  };
}

/** @type {(path: string) => string | null} null if the process has ended, or no file can be opened */
export function read(path) {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}
