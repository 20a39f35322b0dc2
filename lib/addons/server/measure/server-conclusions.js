import { decimal, percent } from '../../../core/ground/decimal.js';
import { MINUTE_MS } from '../../../core/ground/units.js';
import { Histogram } from '../../../core/measure/histogram.js';
import { isBusy, lostShare } from '../../../core/measure/own-time.js';

/** @import { Note, ServerFigures, Stats } from '../../../core/contracts/stats.js' */

/**
 * Says in sentences what the figures of a server mean: what limits it, what grows, and whether the watched process is
 * the one that answered. Each row of `CONCLUSIONS` is a rule.
 */

/** @typedef {{ server: ServerFigures, stats: Pick<Stats, 'main' | 'operations' | 'iterations' | 'series' |
 *   'loadGenerator' | 'measuredElapsed'> }} Run */

/** A thread, or a machine, has nothing left at this share of its time. */
const FULL = 0.9;
/** Below it, a thread had time left. */
const IDLE = 0.7;
/** A server waits if half of its answers take this multiple of the time in a queue before an equally busy thread. */
const WAITS = 4;
/** Shorter service times show neither that a server waits nor a pool. */
const LEAST_WAIT_MS = 2;
/** Threads that had to wait for a CPU, on average. */
const CROWDED = 0.2;
/** A pool is likely if at least as many requests wait in front of it as are in progress. */
const QUEUED = 2;
/** Times up to this multiple of the median are those of a queue. */
const SLOWEST_QUEUED = 1.5;
/** The times of the first batch differ by less than this factor. */
const ALIKE = 1.3;
/** The second batch takes twice as long; in an open run, those of it that begin later take less. */
const APART = [1.4, 2.5];
/** The first batch has as many values as the pool by its rate, but for this share. */
const CLOSE = 0.2;
/** Times below this share of the median are fast: the first requests in front of a pool have them. */
const FAST = 0.75;
/** Of a queue that is at least as long as its pool is large, only the first ones have times below this share. */
const FIRST = 0.6;
/** The fast ones that are slower than this share of the median cannot be answers of a cache. */
const SLOWEST_FIRST = 0.25;
/** A p99 of the delay of an event loop that matters, and one that does on a machine without a free CPU. */
const LONG_DELAY_MS = 20;
const CROWDED_DELAY_MS = 100;
/** A share of the time that garbage collection may take. */
const MUCH_GC = 0.1;
/** Fewer requests may need less CPU time than its unit; each needs at least this CPU time, ms. */
const FEWEST_ANSWERED = 1000;
const LEAST_CPU_MS = 0.002;
/** Growth by so much per answered request, or per iteration, is reported as growth with each of them. */
const EACH = [0.8, 1.25];

/** The rows, in their order. @type {{ code: string, sentence: (run: Run) => string | null }[]} */
const CONCLUSIONS = [
  { code: 'serverEnded', sentence: ended },
  { code: 'serverRestarted', sentence: restarted },
  { code: 'serverElsewhere', sentence: elsewhere },
  { code: 'serverSilent', sentence: silent },
  { code: 'serverCpu', sentence: cpuLimit },
  { code: 'serverWaits', sentence: waiting },
  { code: 'serverEventLoop', sentence: eventLoop },
  { code: 'serverGc', sentence: garbage },
  { code: 'serverMemory', sentence: memory },
  { code: 'serverOpenFiles', sentence: (run) => growing(run, 'openFiles', 'open files') },
  { code: 'serverResources', sentence: (run) => growing(run, 'resources', 'active sockets and timers') },
  { code: 'serverThreads', sentence: (run) => growing(run, 'threads', 'threads') },
];

/** Adds to each server what its figures mean. @type {(stats: Stats) => void} */
export function conclude(stats) {
  for (const server of stats.servers ?? []) {
    const conclusions = conclusionsOf(server, stats);
    if (conclusions.length > 0) server.conclusions = conclusions;
  }
}

/** Explains the figures of a server in sentences. @type {(server: ServerFigures, stats: Run['stats']) => Note[]} */
export function conclusionsOf(server, stats) {
  return CONCLUSIONS.flatMap(({ code, sentence }) => {
    const message = sentence({ server, stats });
    return message === null ? [] : [{ code, message }];
  });
}

/** @type {(run: Run) => string | null} */
function ended({ server: { endedAfter } }) {
  if (endedAfter === undefined) return null;
  if (endedAfter === 0) return 'its processes ended before their first figures, within a second';
  return `its processes ended after ${decimal(endedAfter / 1000, 1)} s; the figures are those until then`;
}

/** @type {(run: Run) => string | null} */
function restarted({ server: { restarts = 0 } }) {
  if (restarts === 0) return null;
  return `its processes ended and were started again${restarts === 1 ? '' : ` ${restarts} times`}: the figures cover all of them`;
}

/**
 * Another process has answered: the CPU time of a request is not enough to read it, and the threads woke up too seldom
 * for that, even if each time all requests in flight were answered.
 * @type {(run: Run) => string | null}
 */
function elsewhere({ server, stats: { iterations, series } }) {
  const { endedAfter, cpuTime, contextSwitchRate = Infinity } = server;
  const answered = server.series?.points.at(-1)?.answered ?? 0;
  if (endedAfter !== undefined || answered < FEWEST_ANSWERED || cpuTime > LEAST_CPU_MS * answered) return null;
  const running = Math.max(1, ...series.points.map(({ concurrency }) => concurrency));
  if (contextSwitchRate * running > iterations.completedRate / 2) return null;
  return `${used(server)}, too little for ${decimal(answered, 0)} requests: a process that is not watched answered them`;
}

/** Names of the main thread of Node, by its version. */
const NODE = /^node$|MainThread$/;

/**
 * Returns the process of Node that sends no figures although it uses most of the CPU time: it has NODE_OPTIONS of its
 * own. Null: there is none.
 * @type {<R extends { pid: number, name: string, cpuTime: number }>(rows: R[], known: { pids: number[], cpuTime:
 *   number }) => R | null}
 */
export function silentProcess([most], { pids, cpuTime }) {
  if (most === undefined || pids.length === 0 || pids.includes(most.pid)) return null;
  return NODE.test(most.name) && most.cpuTime > cpuTime / 2 ? most : null;
}

/** @type {(run: Run) => string | null} */
function silent({ server: { cpuTime, processes, nodeThreads = [] } }) {
  const one = silentProcess(processes?.details ?? [], { pids: nodeThreads.map(({ pid }) => pid), cpuTime });
  if (one === null) return null;
  return `${one.name} (${one.pid}), which used ${percent(one.cpuTime / cpuTime)} of its CPU time, sends no figures of Node and no profile: if its start sets NODE_OPTIONS, write NODE_OPTIONS="$NODE_OPTIONS …" there`;
}

/** @type {(run: Run) => string | null} */
function cpuLimit(run) {
  const { server } = run;
  const { cores, cpuCores = 0, busiestThreadWait = 0, busyThreads = 0 } = server;
  if (cores === undefined) return null;
  if (cpuCores >= FULL * cores && cores > 1) return `${used(server)}: the CPU is the limit`;
  if (demandOf(server) < FULL)
    return isCrowded(server) && waiting(run) === null ? `${used(server)}: ${crowd(server)}` : null;
  const count = Math.max(1, Math.round(busyThreads));
  const limit = count === 1 ? 'one thread is the limit' : `${count} threads are the limit`;
  const lack =
    busiestThreadWait >= CROWDED
      ? `, which had no CPU for ${percent(busiestThreadWait)} of the time; ${crowd(server)}`
      : '';
  return `${used(server)}: ${limit}${lack}`;
}

/** The share of the time in which its busiest thread could run. @type {(server: ServerFigures) => number} */
function demandOf({ busiestThread = 0, busiestThreadWait = 0 }) {
  return busiestThread + busiestThreadWait;
}

/** @type {(server: ServerFigures) => boolean} */
function isCrowded({ cores = Infinity, machineCores = 0, cpuWait = 0 }) {
  return machineCores >= FULL * cores && cpuWait >= CROWDED;
}

/** @type {(server: ServerFigures) => string} */
function crowd({ cores = 0, cpuCores = 0, machineCores = 0 }) {
  const others = machineCores - cpuCores;
  if (others < cores / 4)
    return `the CPU is the limit, as other processes, the load generator among them, used ${decimal(others, 1)}`;
  return `other processes, the load generator among them, used ${decimal(others, 1)}, so none was left`;
}

/**
 * A server that has CPU time left and answers late waits for something. On a busy machine its threads wait for a CPU,
 * too: that counts as if they computed.
 * @type {(run: Run) => string | null}
 */
function waiting(run) {
  const { server, stats } = run;
  const { busiestThread, cpuTimePerRequest, eventLoopUtilization = 0 } = server;
  const demand = demandOf(server);
  if (busiestThread === undefined || demand >= IDLE || elsewhere(run) !== null) return null;
  if (eventLoopUtilization >= FULL)
    return isCrowded(server)
      ? null
      : `${used(server)}, but its event loop was busy ${percent(eventLoopUtilization)} of the time: synchronous calls that wait, such as of files or child processes, block it`;
  const idle = 1 - demand;
  // Requests that neither side works on are somewhere else; else the two may only take turns.
  const { eventLoopUtilization: generator } = stats.loadGenerator;
  const lost = lostShare(stats.loadGenerator, stats.measuredElapsed);
  if (isBusy(generator) || generator + lost >= idle) return null;
  const { median } = stats.main.serviceTime;
  if (typeof cpuTimePerRequest !== 'number' || median === null) return null;
  // With the time in which the thread had no CPU. Divided by `idle` it is the mean time in a queue (M/M/1).
  const cpuTime = busiestThread > 0 ? (cpuTimePerRequest * demand) / busiestThread : cpuTimePerRequest;
  if (median < LEAST_WAIT_MS || median < (WAITS * cpuTime) / idle) return null;
  return `${used(server)}: it waits for something else, such as a database, another service or a timer${poolText(run)}`;
}

/**
 * Names the size of a pool in front of which requests wait; empty if the times do not show one. 8 virtual users whose
 * requests take 10 ms each in a pool of 2 start together, and a queue answers them two at a time:
 *
 *     the first 8    10 10 20 20 30 30 40 40 ms
 *     all others     40 ms: each joins the end of the full queue
 *
 * So the fast times are few and spread over the whole range below the median: random times have more of them, and those
 * of a cache are at the lower end. By Little's law, the size of the pool is its rate x the time of a request that does
 * not wait, which the first batch has: 8 / 40 ms x 10 ms = 2.
 * @type {(run: Run) => string}
 */
function poolText({ stats: { main, operations, series } }) {
  const { min, median } = main.serviceTime;
  const times = Histogram.decode(main.serviceTime);
  if (operations.length !== 1 || times === null || min === null || median === null || min > FAST * median) return '';
  // The run ends in the last point.
  const points = series.points.slice(0, -1);
  const running = points.reduce((sum, { concurrency }) => sum + concurrency, 0) / Math.max(1, points.length);
  const all = times.percentileDistribution();
  const upTo = (/** @type {number} */ share) => all.findLast(({ ms }) => ms <= share * median)?.upTo ?? 0;
  const atLowerEnd = upTo(SLOWEST_FIRST);
  if (upTo(FAST) - atLowerEnd < running / 4 || upTo(FIRST) - atLowerEnd > 2 * running) return '';
  const fast = all.filter(({ ms }) => ms <= FIRST * median);
  const queued = all.filter(({ ms }) => ms > FIRST * median && ms <= SLOWEST_QUEUED * median);
  if (fast.length === 0) return '';
  const size = poolSize(fast, running / meanOf(queued, upTo(FIRST)));
  if (size !== null && running < QUEUED * size) return '';
  return `; it works on ${size === null ? 'a few' : `about ${size}`} of ${Math.round(running)} requests at a time: a pool or a lock may be the limit`;
}

/**
 * The size of a pool by the times of its first batch, which are alike: null if they are not, as those of a service or a
 * load generator that started late.
 * @type {(fast: { ms: number, upTo: number }[], rate: number) => number | null} rising; rate: per ms
 */
function poolSize(fast, rate) {
  const first = fast.filter(({ ms }) => ms <= ALIKE * fast[0].ms);
  const [mean, count] = [meanOf(first), first[first.length - 1].upTo];
  const size = Math.round(rate * mean);
  const steps = (fast[first.length]?.ms ?? 2 * mean) / mean;
  return Math.abs(count - size) <= size * CLOSE && steps > APART[0] && steps < APART[1] ? Math.min(count, size) : null;
}

/**
 * The mean of the values at points of a distribution; `before`: values that are less.
 * @type {(points: { ms: number, upTo: number }[], before?: number) => number}
 */
function meanOf(points, before = 0) {
  const sum = points.reduce((total, { ms, upTo }, i) => total + ms * (upTo - (points[i - 1]?.upTo ?? before)), 0);
  return sum / (points[points.length - 1].upTo - before);
}

/** @type {(run: Run) => string | null} */
function eventLoop({ server }) {
  const { eventLoopDelay, eventLoopUtilization = 0 } = server;
  // An event loop that waits for a CPU is late, too.
  const least = isCrowded(server) ? CROWDED_DELAY_MS : LONG_DELAY_MS;
  if (!eventLoopDelay || eventLoopDelay.p99 < least) return null;
  const { p99, max } = eventLoopDelay;
  return `its event loop was blocked for up to ${whole(max)} ms (p99 ${whole(p99)} ms) and busy ${percent(eventLoopUtilization)} of the time: synchronous code delays all other requests`;
}

/** @type {(run: Run) => string | null} */
function garbage({ server: { gcShare = 0, eventLoopDelay } }) {
  // A delay of 0 was not measured: the run was too short.
  return gcShare < MUCH_GC || eventLoopDelay?.p99 === 0
    ? null
    : `garbage collection took ${percent(gcShare)} of the time of its event loop`;
}

/** Memory of Node that is not live objects comes and goes. @type {(run: Run) => string | null} */
function memory({ server: { memory: resident, heap } }) {
  if (heap?.growth)
    return `its heap grew by ${megabytes(heap.growth)} per minute: objects stay reachable after their requests`;
  if (heap?.growth === 0 || !resident?.growth) return null;
  const grew = `memory grew by ${megabytes(resident.growth)} per minute`;
  if (heap === undefined) return grew;
  return `${grew}, garbage included: its heap was collected too seldom to tell what stays; a longer run shows it`;
}

/** @type {(run: Run, key: 'openFiles' | 'resources' | 'threads', name: string) => string | null} */
function growing({ server, stats }, key, name) {
  const growth = server[key]?.growth;
  if (!growth) return null;
  const iterations = stats.iterations.completedRate * 60;
  const { points = [], interval = 0 } = server.series ?? {};
  const last = points.at(-1);
  // A flow may send several requests in each iteration.
  const requests = last ? (last.answered * MINUTE_MS) / (last.at + interval) : iterations;
  const isEach = (/** @type {number} */ rate) => growth >= EACH[0] * rate && growth <= EACH[1] * rate;
  const by = `by ${decimal(growth, growth < 10 ? 1 : 0)} per minute`;
  const how = isEach(requests) ? 'with every request' : isEach(iterations) ? 'with every iteration' : by;
  return `${name} grew ${how}`;
}

/** @type {(server: ServerFigures) => string} */
function used({ cpuCores = 0, cores = 0 }) {
  return `the server used ${decimal(cpuCores, cpuCores < 0.1 ? 2 : 1)} of ${cores} cores`;
}

/** @type {(ms: number) => string} */
function whole(ms) {
  return decimal(ms, 0);
}

/** @type {(bytes: number) => string} */
function megabytes(bytes) {
  return `${decimal(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`;
}
