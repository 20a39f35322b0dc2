import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

const running = new Set();

// Each child leads its own process group: terminating it by its id terminates its children too,
// and Ctrl-C reaches it only through us.
/**
 * Starts a process, pinned to a CPU if possible.
 * @param {string[]} argv
 * @param {{ cpu?: number | string, stdio?: import('node:child_process').StdioOptions }} [options]
 */
export function start(argv, { cpu, stdio = ['ignore', 'pipe', 'pipe'] } = {}) {
  const [command, ...args] = cpu !== undefined && canPin ? ['taskset', '-c', String(cpu), ...argv] : argv;
  const child = spawn(command, args, { stdio, detached: true });
  running.add(child);
  child.on('close', () => running.delete(child));
  child.on('error', () => running.delete(child));
  return child;
}

/** ms: in this time the busiest thread of a process shows */
const BUSY_MS = 1000;

/**
 * Leaves a CPU to the busiest thread of a process, its main thread excepted; all others get another one. Linux.
 * @param {number} pid
 * @param {{ busiest: number, others: number }} cpus
 */
export async function pinBusiest(pid, { busiest, others }) {
  const threads = () => readdirSync(`/proc/${pid}/task`).filter((thread) => Number(thread) !== pid);
  const nanosecondsOf = (thread) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    } catch {
      return 0; // it has ended
    }
  };
  const before = new Map(threads().map((thread) => [thread, nanosecondsOf(thread)]));
  await wait(BUSY_MS);
  const grown = (thread) => nanosecondsOf(thread) - (before.get(thread) ?? 0);
  const [first] = threads().sort((a, b) => grown(b) - grown(a));
  spawnSync('taskset', ['-a', '-p', '-c', String(others), String(pid)]);
  spawnSync('taskset', ['-p', '-c', String(busiest), first]);
}

/** Resolves when the process has exited: { code, stdout, stderr, extra }; extra is the output on fd 3. */
export function endOf(child) {
  const text = { stdout: '', stderr: '', extra: '' };
  const collect = (stream, key) =>
    stream?.setEncoding('utf8').on('data', (chunk) => {
      text[key] += chunk;
    });
  collect(child.stdout, 'stdout');
  collect(child.stderr, 'stderr');
  collect(child.stdio[3], 'extra');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? signal, ...text }));
  });
}

/** Terminates a process and its children; resolves when it has exited. */
export async function end(child, signal = 'SIGTERM') {
  if (!running.has(child)) return;
  const gone = new Promise((resolve) => child.on('close', resolve));
  signalGroup(child, signal);
  const hard = setTimeout(() => signalGroup(child, 'SIGKILL'), 2000);
  await gone;
  clearTimeout(hard);
}

export async function endAll() {
  await Promise.all([...running].map((child) => end(child)));
}

/** Terminates the children when this process ends for any reason; a signal ends it at once. */
export function endAllOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  }
  process.on('exit', () => {
    for (const child of running) signalGroup(child, 'SIGKILL');
  });
}

/** The path of a program, or '' if it is not installed. */
export function programPath(name) {
  const script = 'PATH="$PATH:/usr/sbin:/usr/local/sbin"; command -v "$1"';
  return spawnSync('sh', ['-c', script, 'sh', name], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['-c', '0,1', 'true']).status === 0;

function signalGroup(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch (err) {
    if (err.code !== 'ESRCH') throw err;
  }
}
