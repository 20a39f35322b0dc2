import { processTree, usageOf } from './processes.js';

/**
 * @typedef {object} ProcessUsage load of a process and all that it started, while iterations ran
 * @property {number} cpu ms
 * @property {{ mean: number, peak: number }} memory resident, bytes
 *
 * @typedef {ReturnType<typeof watchProcess>} ServerLoad
 */

const SAMPLE_MS = 500;
/** Listing all processes takes milliseconds where there are hundreds, so new ones are searched for this seldom. */
const SAMPLES_PER_LIST = 6;

/**
 * Measures a process and all that it started between `begin` and `end`.
 *
 * @param {number} leader the process, or the group that it leads
 */
export function watchProcess(leader) {
  /** @type {number[]} */
  let pids = [];
  let cpuFrom = 0;
  let cpuTo = 0;
  let samples = 0;
  let sum = 0;
  let peak = 0;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  return { begin, end, toJSON };

  function begin() {
    samples = sum = peak = 0;
    list();
    cpuFrom = cpuTo = usageOf(pids).cpuMs;
    sample();
    clearInterval(timer);
    timer = setInterval(sample, SAMPLE_MS).unref();
  }

  function end() {
    if (timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
    list();
    sample();
  }

  /** @returns {ProcessUsage | null} null before the start, and where the system has no such figures */
  function toJSON() {
    if (samples === 0) return null;
    return { cpu: cpuTo - cpuFrom, memory: { mean: Math.round(sum / samples), peak } };
  }

  function list() {
    pids = processTree(leader) ?? [];
  }

  function sample() {
    if (samples > 0 && samples % SAMPLES_PER_LIST === 0) list();
    const { cpuMs, bytes } = usageOf(pids);
    // after the end of a process there is nothing to read
    if (bytes === 0) return;
    cpuTo = Math.max(cpuTo, cpuMs);
    samples++;
    sum += bytes;
    peak = Math.max(peak, bytes);
  }
}
