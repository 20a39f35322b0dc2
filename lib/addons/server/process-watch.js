import { readdirSync, readlinkSync, statSync } from 'node:fs';

import { TICK_MS, identityOf, processesFrom, read, stateNow } from '../processes/processes.js';

/** @import { ProcessState } from '../processes/processes.js' */

/** Only the processes with the most CPU time, and so many of their threads, are read in detail. */
const MOST_DETAILED = 100;
const MOST_THREADS = 2000;
const MOST_ROWS = 20;
/** Listing all processes of the machine may take this share of the time. */
const LIST_SHARE = 0.01;
const NS_PER_MS = 1e6;
/** A thread that can run for this share of the time does nothing else. */
const BUSY = 0.9;
/** The process that becomes the parent of orphans. */
const FIRST = 1;

/**
 * @typedef {object} ProcessSample the processes of a server in one interval
 * @property {number} elapsed ms
 * @property {number} cpuTime ms, of all
 * @property {number} cores that its processes may use; 0: not known
 * @property {number} machineCpuTime ms, of all processes of the machine on these cores
 * @property {number} busiestThread CPU time of the thread that could run for the longest time, ms
 * @property {number} busiestThreadWait the part of its time in which it could run and had no CPU, ms
 * @property {number} busyThreads how many could run for nearly all of the time
 * @property {number} cpuWait ms in which its threads could run and had no CPU, summed
 * @property {number} contextSwitches times that one of its threads was given a CPU
 * @property {number} memory resident at its end, B; memory that processes share counts for each of them
 * @property {number | null} openFiles at its end, sockets included; null: they belong to another user
 * @property {number} threads at its end
 * @property {number} processes at its end
 * @property {number} restarts since the begin: how often others took the place of all that ran
 * @property {{ read: number, written: number } | null} io B that system calls moved: files, sockets and pipes; null:
 *   they belong to another user
 * @property {{ received: number, sent: number } | null} network B of its network namespace, that of a container; null:
 *   it shares that of this process, so they would be those of the whole machine
 *
 * @typedef {object} ProcessRow a process of a server, which may have ended
 * @property {number} pid
 * @property {string} name
 * @property {number} cpuTime since the begin, ms
 * @property {number} memory resident, B
 *
 * @typedef {ProcessRow & { state: ProcessState, hasEnded: boolean, owedMs: number }} Known owedMs: CPU time that was
 *   counted of others while they ran, and that the system adds to `awaitedMs` of this one when it awaits their end
 */

/** @typedef {() => (state: ProcessState) => boolean} FindRoots called for each listing of the processes that run */

/** Reads the figures of some processes, and of all that they start, from /proc. */
export class ProcessWatch {
  #findRoots;
  #system;
  /** Those that run, and a few that have ended. @type {Map<string, Known>} */
  #known = new Map();
  /** @type {ProcessState[]} */
  #running = [];
  #isFirst = true;
  #at = 0;
  #nextListAt = 0;
  /** The processes of the last sample in which any ran. @type {Set<string>} */
  #lastSeen = new Set();
  #restarts = 0;
  /** Counters at the last sample, and now. */
  #counters = {
    last: /** @type {Map<string, number>} */ (new Map()),
    now: /** @type {Map<string, number>} */ (new Map()),
  };

  /** How long the interval before the last sample was, ms. */
  elapsed = 0;

  /** @param {FindRoots} findRoots @param {{ list: typeof processesFrom, now: () => number }} [system] */
  constructor(findRoots, system = { list: processesFrom, now: () => performance.now() }) {
    this.#findRoots = findRoots;
    this.#system = system;
  }

  /** Begins the first interval. */
  begin() {
    this.#isFirst = true;
    this.#nextListAt = 0;
    this.#known.clear();
    this.#lastSeen.clear();
    this.#restarts = 0;
    this.sample();
    this.#isFirst = false;
  }

  /** Returns the figures since the last call; null: none of the processes runs. @type {() => ProcessSample | null} */
  sample() {
    const now = this.#system.now();
    const elapsed = now - this.#at;
    this.#at = now;
    this.elapsed = elapsed;
    this.#find(now);
    this.#countRestarts();
    const cpuTime = this.#cpuTime();
    this.#counters = { last: this.#counters.now, now: new Map() };
    // Read also without a process: the next sample begins here.
    const busyMs = new Map([...cpuTimes()].map(([cpu, ms]) => [cpu, this.#grown(`cpu ${cpu}`, ms)]));
    if (this.#running.length === 0) return null;
    const most = [...this.#running].sort((one, other) => other.cpuMs - one.cpuMs).slice(0, MOST_DETAILED);
    const { cpus, ...resources } = this.#resources(most);
    const own = [...busyMs].filter(([cpu]) => cpus.has(cpu));
    return {
      ...{ elapsed, cpuTime, cores: own.length, machineCpuTime: own.reduce((sum, [, ms]) => sum + ms, 0) },
      ...this.#threadTimes(most, elapsed),
      ...resources,
      processes: this.#running.length,
      restarts: this.#restarts,
      io: this.#io(most),
      network: this.#network(most[0].pid),
    };
  }

  /** Lists the processes that used most CPU time. @type {() => ProcessRow[]} */
  rows() {
    return [...this.#known.values()]
      .sort((one, other) => other.cpuTime - one.cpuTime)
      .slice(0, MOST_ROWS)
      .map(({ pid, name, cpuTime, memory }) => ({ pid, name, cpuTime, memory }));
  }

  /** Finds processes. New ones are searched for less often if searching takes long. @type {(now: number) => void} */
  #find(now) {
    if (now >= this.#nextListAt) {
      // A process whose parent has ended still belongs to the server.
      const isRoot = this.#findRoots();
      this.#running = this.#system.list((state) => isRoot(state) || this.#known.has(identityOf(state))) ?? [];
      this.#nextListAt = now + (this.#system.now() - now) / LIST_SHARE;
      return;
    }
    this.#running = this.#running.flatMap((one) => stateNow(one) ?? []);
  }

  #countRestarts() {
    if (this.#running.length === 0) return;
    const names = this.#running.map(identityOf);
    if (this.#lastSeen.size > 0 && !names.some((name) => this.#lastSeen.has(name))) this.#restarts++;
    this.#lastSeen = new Set(names);
  }

  /**
   * Returns the CPU time of all since the last sample: their own, and that of the processes which they have awaited,
   * without what was counted while these ran.
   */
  #cpuTime() {
    this.#noteEnded();
    let sum = 0;
    for (const state of this.#running) {
      const known = this.#known.get(identityOf(state));
      // One that is found later started after the begin, so all of its time counts.
      const before = known?.state ?? (this.#isFirst ? state : { cpuMs: 0, awaitedMs: 0 });
      const { cpuTime, memory, owedMs } = known ?? { cpuTime: 0, memory: 0, owedMs: 0 };
      const awaitedMs = state.awaitedMs - before.awaitedMs;
      const spent = Math.max(0, state.cpuMs - before.cpuMs) + Math.max(0, awaitedMs - owedMs);
      const { pid, name } = state;
      const now = { state, hasEnded: false, owedMs: Math.max(0, owedMs - awaitedMs) };
      this.#known.set(identityOf(state), { pid, name, cpuTime: cpuTime + spent, memory, ...now });
      sum += spent;
    }
    this.#forgetEnded();
    return sum;
  }

  /** Marks the processes that have ended; their heirs owe what was counted of them. */
  #noteEnded() {
    const running = new Map(this.#running.map((state) => [state.pid, state]));
    const parents = new Map([...this.#known.values()].map(({ state: { pid, parent } }) => [pid, parent]));
    for (const one of this.#known.values()) {
      // Another process may have its number by now.
      if (one.hasEnded || running.get(one.state.pid)?.startedAt === one.state.startedAt) continue;
      one.hasEnded = true;
      const heir = heirOf(one.state, parents, running);
      const known = heir && this.#known.get(identityOf(heir));
      if (known) known.owedMs += one.state.cpuMs + one.state.awaitedMs + one.owedMs;
    }
  }

  /** A server that starts a process for each request has many that have ended. */
  #forgetEnded() {
    const ended = [...this.#known].filter(([, { hasEnded }]) => hasEnded);
    ended.sort(([, one], [, other]) => other.cpuTime - one.cpuTime);
    for (const [name] of ended.slice(MOST_ROWS)) this.#known.delete(name);
  }

  /** Returns by how much a counter has grown; 0 for one that is new. @type {(name: string, value: number) => number} */
  #grown(name, value) {
    const { last, now } = this.#counters;
    now.set(name, value);
    return Math.max(0, value - (last.get(name) ?? value));
  }

  /** Reads schedstat of each thread: ns of CPU, ns of waiting for one, and how often it got one. */
  #threadTimes(/** @type {ProcessState[]} */ processes, /** @type {number} */ elapsed) {
    const sum = { busiestThread: 0, busiestThreadWait: 0, busyThreads: 0, cpuWait: 0, contextSwitches: 0 };
    const threads = processes.flatMap(({ pid }) => entriesOf(`/proc/${pid}/task`).map((tid) => `${pid}/task/${tid}`));
    for (const thread of threads.slice(0, MOST_THREADS)) {
      const [cpu, wait, times] = (read(`/proc/${thread}/schedstat`) ?? '0 0 0').split(' ').map(Number);
      const cpuMs = this.#grown(`${thread} cpu`, cpu) / NS_PER_MS;
      const waitMs = this.#grown(`${thread} wait`, wait) / NS_PER_MS;
      if (cpuMs + waitMs > sum.busiestThread + sum.busiestThreadWait)
        Object.assign(sum, { busiestThread: cpuMs, busiestThreadWait: waitMs });
      if (cpuMs + waitMs >= BUSY * elapsed) sum.busyThreads++;
      sum.cpuWait += waitMs;
      sum.contextSwitches += this.#grown(`${thread} times`, times);
    }
    return sum;
  }

  /**
   * Adds up what the processes hold, and lists the CPUs that they may use.
   * @type {(processes: ProcessState[]) => { memory: number, openFiles: number | null, threads: number, cpus:
   *   Set<number> }}
   */
  #resources(processes) {
    let [memory, threads] = [0, 0];
    /** @type {Set<string>} */
    const lists = new Set();
    /** @type {number | null} */
    let openFiles = null;
    for (const state of processes) {
      const status = read(`/proc/${state.pid}/status`) ?? '';
      const bytes = Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
      memory += bytes;
      threads += Number(/^Threads:\s*(\d+)/m.exec(status)?.[1] ?? 0);
      lists.add(/^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '');
      const files = openFilesOf(state.pid);
      if (files !== null) openFiles = (openFiles ?? 0) + files;
      const known = this.#known.get(identityOf(state));
      if (known) known.memory = bytes;
    }
    return { memory, openFiles, threads, cpus: new Set([...lists].flatMap(cpusIn)) };
  }

  /** @type {(processes: ProcessState[]) => ProcessSample['io']} */
  #io(processes) {
    /** @type {ProcessSample['io']} */
    let sum = null;
    for (const { pid } of processes) {
      const text = read(`/proc/${pid}/io`);
      if (!text) continue;
      const [, rchar, wchar] = /^rchar: (\d+)\nwchar: (\d+)/.exec(text) ?? [];
      sum ??= { read: 0, written: 0 };
      sum.read += this.#grown(`${pid} rchar`, Number(rchar));
      sum.written += this.#grown(`${pid} wchar`, Number(wchar));
    }
    return sum;
  }

  /** @type {(pid: number) => ProcessSample['network']} */
  #network(pid) {
    const own = namespaceOf('self');
    if (own === null || (namespaceOf(pid) ?? own) === own) return null;
    const bytes = { received: 0, sent: 0 };
    for (const line of (read(`/proc/${pid}/net/dev`) ?? '').split('\n').slice(2)) {
      const [name, ...fields] = line.trim().split(/[\s:]+/);
      if (name === 'lo' || fields.length < 9) continue;
      bytes.received += this.#grown(`${name} received`, Number(fields[0]));
      bytes.sent += this.#grown(`${name} sent`, Number(fields[8]));
    }
    return bytes;
  }
}

/**
 * Finds the process that has awaited one that ended: the nearest ancestor that runs, or the first process, which adopts
 * orphans; undefined: it is not watched.
 * @type {(state: ProcessState, parents: Map<number, number>, running: Map<number, ProcessState>) => ProcessState |
 *   undefined}
 */
function heirOf({ parent }, parents, running) {
  let pid = parent;
  // Bounded: numbers that are used again may make a circle.
  for (let i = 0; !running.has(pid) && i < parents.size; i++) pid = parents.get(pid) ?? FIRST;
  return running.get(pid);
}

/** Adds up the times of each CPU that are not idle, see proc(5). @type {() => Map<number, number>} ms */
function cpuTimes() {
  const lines = [...(read('/proc/stat') ?? '').matchAll(/^cpu(\d+) (.*)$/gm)];
  return new Map(
    lines.map(([, cpu, times]) => {
      const [user, nice, system, , , irq, softirq] = times.split(' ').map(Number);
      return [Number(cpu), (user + nice + system + irq + softirq) * TICK_MS || 0];
    }),
  );
}

/** Lists the CPUs of a list such as `0-3,8`, also those that are off. @type {(list: string) => number[]} */
function cpusIn(list) {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i),
  );
}

/** @type {(folder: string) => string[]} none if the process has ended, or belongs to another user */
function entriesOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Linux 6.2 and newer have the number as the size of the folder. @type {(pid: number) => number | null} */
function openFilesOf(pid) {
  try {
    const folder = `/proc/${pid}/fd`;
    return statSync(folder).size || readdirSync(folder).length;
  } catch {
    return null;
  }
}

/** @type {(pid: number | 'self') => string | null} */
function namespaceOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return null;
  }
}
