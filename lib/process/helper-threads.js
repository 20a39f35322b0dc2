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
