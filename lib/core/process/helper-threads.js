import { readdirSync, readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * Gives this thread and the main thread priority over the other threads that the process has now: V8 compiles and
 * collects garbage in them, and libuv reads files. On the CPU of this thread they take up to three milliseconds at a
 * time, and what is due meanwhile starts late. This thread also collects its young garbage alone from now on: a run has
 * little of it at a time, and waits for other threads longer than the work takes.
 *
 * Only Linux has a priority of threads.
 */
export function precedeHelperThreads() {
  setFlagsFromString('--no-parallel-scavenge');
  if (process.platform !== 'linux') return;
  const lower = Math.min(PRIORITY_LOW, getPriority() + PRIORITY_BELOW_NORMAL);
  for (const thread of helperThreads()) {
    try {
      setPriority(thread, lower);
    } catch {
      // The thread has ended, or a sandbox forbids it: the arrivals are less even then.
    }
  }
}

/** How soon V8 optimizes a function, as a multiple of the work that it usually does before. */
export const COMPILATION = { soon: 1 / 4, usual: 1, seldom: 4 };

/**
 * Sets how soon V8 optimizes functions from now on, which it does in the helper threads. A run sets it to `soon` at
 * first, and to `seldom` when its own functions have been compiled: so it is disturbed less after its first seconds.
 * Timers and reports get hot much later than requests.
 * @type {(multiple: number) => void}
 */
export function setCompilation(multiple) {
  if (TIERING !== null) setFlagsFromString(`${TIERING.flag}=${Math.round(multiple * TIERING.usual)}`);
}

const V8 = Number(process.versions.v8.split('.')[0]);
/** The flags of the versions that have been tried, and their defaults: V8 prints an error for others. */
const TIERING = tieringOf(V8);

/** @type {(version: number) => { flag: string, usual: number } | null} */
function tieringOf(version) {
  if (version < 12) return { flag: '--interrupt-budget', usual: 67_584 };
  return version <= 14 ? { flag: '--invocation-count-for-turbofan', usual: 3000 } : null;
}

/** @type {() => number[]} */
function helperThreads() {
  try {
    const own = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    const threads = readdirSync('/proc/self/task').map(Number);
    return threads.filter((thread) => thread !== own && thread !== process.pid);
  } catch {
    // A sandbox has no threads in /proc, or a container has no /proc.
    return [];
  }
}
