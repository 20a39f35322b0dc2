import { readFileSync, readdirSync } from 'node:fs';

const SAMPLE_MS = 100;
/** the unit of times in /proc, and where utime is among the fields after the name */
const TICK_MS = 10;
const UTIME = 11;

/**
 * Samples the CPU time of each thread of some processes (Linux).
 *
 * @param {() => number[]} pids the processes at that moment
 * @returns {() => number[]} stops, and returns the CPU of each thread since the start, ms, the busiest first
 */
export function watchThreads(pids) {
  const first = sample(pids());
  const last = new Map(first);
  const timer = setInterval(() => sample(pids()).forEach((ms, thread) => last.set(thread, ms)), SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return [...last].map(([thread, ms]) => ms - (first.get(thread) ?? 0)).sort((a, b) => b - a);
  };
}

/** @type {(pids: number[]) => Map<string, number>} */
function sample(pids) {
  const all = new Map();
  for (const pid of pids) {
    try {
      for (const thread of readdirSync(`/proc/${pid}/task`)) all.set(thread, cpuMs(`/proc/${pid}/task/${thread}/stat`));
    } catch (error) {
      // the process or the thread has just ended
      if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    }
  }
  return all;
}

/** User and system time: proc(5). */
function cpuMs(path) {
  const text = readFileSync(path, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[UTIME + 1])) * TICK_MS;
}
