import { availableParallelism } from 'node:os';

import { MINUTE_MS, perSecond } from '../../../core/ground/units.js';
import { silentProcess } from './server-conclusions.js';
import { meanOf } from '../../../core/measure/statistics.js';
import { trendOf } from '../../../core/measure/steadiness.js';

/** @import { Level, NodeThreadFigures, ProcessFigures, ServerPoint } from '../../../core/contracts/stats.js' */
/** @import { ProcessRow, ProcessSample } from '../process-watch.js' */

/**
 * The server of a run: each second, `ServerRecorder` gets a sample of its processes and of its threads of Node, and
 * makes sums, peaks, trends and a series of them. server-conclusions.js says what they mean.
 */

/** Time between two samples. Each is one point of the series, until pairs of points are joined. */
export const SAMPLE_MS = 1000;
const MOST_POINTS = 1000;
/** Reports of a run in progress have only the last points. */
const LIVE_POINTS = 300;
const MOST_THREADS = 50;
const MOST_HEAPS = 50;
/** A thread that was measured for a smaller share of the time began or ended meanwhile. */
const WHOLE = 0.9;
/** A shorter interval at the end has no point. */
const SHORTEST_MS = 500;

/**
 * @typedef {object} NodeSample a thread of Node since the begin
 * @property {{ active: number, idle: number }} loop ms
 * @property {Delay} delay of its event loop, ms
 * @property {Delay} recent the same in the last second
 * @property {{ time: number, count: number }} gc ms
 * @property {{ heap: number, external: number, limit: number, collected: number }} memory B; collected: heap and
 *   external memory after the last collection of all of it, 0 before the first one
 * @property {number} resources sockets, timers and others that keep it alive
 * @property {{ errors: number, dropped: number }} losses
 *
 * @typedef {{ mean: number, p99: number, max: number }} Delay
 * @typedef {object} NodeThread a thread of Node in the service
 * @property {string} id `4711`, or `4711.2` for a worker thread
 * @property {number} pid
 * @property {number} thread 0: the main thread of its process
 * @property {string} name of its file: `server.js`
 * @property {string} version of Node
 *
 * @typedef {{ at: number, size: number }} CollectedHeap after a collection of all of it: ms, B
 * @typedef {object} ThreadRecord
 * @property {NodeThread} thread
 * @property {NodeSample | null} before
 * @property {NodeSample} now
 * @property {CollectedHeap[]} heaps
 * @property {boolean} hasEnded
 */

/** Records the load of a server, second by second. */
export class ServerRecorder {
  /** @type {Map<string, ThreadRecord>} */
  #threads = new Map();
  /** @type {ServerPoint[]} */
  #points = [];
  #perPoint = 1;
  /** Samples of the next point. @type {ServerPoint[]} */
  #next = [];
  #elapsed = 0;
  #sums = { cpuTime: 0, memory: 0, samples: 0 };
  /** @type {Record<string, number>} */
  #peaks = { memory: 0, openFiles: 0, threads: 0, processes: 0, cores: 0 };
  /** @type {ProcessRow[]} */
  #rows = [];
  /** When none of the processes ran any more, ms; null: some run. @type {number | null} */
  #endedAfter = null;
  #restarts = 0;

  /** @type {(thread: NodeThread, sample: NodeSample) => void} */
  addThread(thread, sample) {
    const known = this.#threads.get(thread.id);
    if (known === undefined && this.#threads.size >= MOST_THREADS && !this.#forgetEnded()) return;
    const heaps = known?.heaps ?? [];
    const { collected: size } = sample.memory;
    if (size > 0 && size !== heaps.at(-1)?.size) heaps.push({ at: this.#elapsed, size });
    // Every second one goes; the first and the last one stay.
    if (heaps.length > MOST_HEAPS) for (let i = MOST_HEAPS - 1; i > 0; i -= 2) heaps.splice(i, 1);
    this.#threads.set(thread.id, { thread, before: known?.now ?? null, now: sample, heaps, hasEnded: false });
  }

  /** A thread has ended: its time counts, and what it held does not any more. @type {(id: string) => void} */
  endThread(id) {
    const known = this.#threads.get(id);
    if (known) known.hasEnded = true;
  }

  /** Forgets the ended thread that was busy least; false: none has ended. @type {() => boolean} */
  #forgetEnded() {
    const [least] = [...this.#threads]
      .filter(([, { hasEnded }]) => hasEnded)
      .sort(([, a], [, b]) => busyOf(a) - busyOf(b));
    return least !== undefined && this.#threads.delete(least[0]);
  }

  /** @type {ThreadRecord[]} */
  get #running() {
    return [...this.#threads.values()].filter(({ hasEnded }) => !hasEnded);
  }

  /** @type {(sample: ProcessSample, rows: ProcessRow[], answered: number) => void} answered: requests until now */
  add(sample, rows, answered) {
    const { elapsed, cpuTime, memory, restarts } = sample;
    this.#rows = rows;
    this.#restarts = restarts;
    this.#endedAfter = null;
    this.#sums.cpuTime += cpuTime;
    this.#sums.memory += memory;
    this.#sums.samples++;
    for (const key of Object.keys(this.#peaks))
      this.#peaks[key] = Math.max(this.#peaks[key], /** @type {any} */ (sample)[key] ?? 0);
    if (elapsed >= SHORTEST_MS) this.#addPoint({ at: this.#elapsed, answered, ...pointOf(sample), ...this.#loops() });
    this.#elapsed += elapsed;
  }

  /** Adds a time at whose end none of the processes runs. @type {(elapsed: number) => void} ms */
  addGap(elapsed) {
    this.#endedAfter ??= this.#elapsed;
    this.#elapsed += elapsed;
  }

  /** @type {(point: ServerPoint) => void} */
  #addPoint(point) {
    this.#next.push(point);
    if (this.#next.length < this.#perPoint) return;
    this.#points.push(joined(this.#next));
    this.#next = [];
    if (this.#points.length < MOST_POINTS) return;
    const pairs = this.#points.filter((_, i) => i % 2 === 0).map((one, i) => [one, this.#points[2 * i + 1]]);
    this.#points = pairs.map(joined);
    this.#perPoint *= 2;
  }

  /** Returns the figures of the event loops in the last second. @type {() => Partial<ServerPoint>} */
  #loops() {
    const all = this.#running;
    if (all.length === 0 || this.#isSilent()) return {};
    const busiest = all.map(recentOf).sort((one, other) => other.eventLoopUtilization - one.eventLoopUtilization)[0];
    return {
      ...busiest,
      eventLoopDelay: Math.max(...all.map(({ now }) => now.recent.p99)),
      heap: sumOf(all, ({ now }) => now.memory.heap + now.memory.external),
      resources: sumOf(all, ({ now }) => now.resources),
    };
  }

  /**
   * Returns the figures so far; null: there are none.
   * @type {(options?: { isOver?: boolean }) => ProcessFigures | null} isOver: with trends, and those of each second
   */
  summary({ isOver = false } = {}) {
    const { cpuTime, memory, samples } = this.#sums;
    if (samples === 0 && this.#endedAfter === null) return null;
    const points = this.#points;
    const { processes, cores } = this.#peaks;
    return {
      cpuTime,
      memory: { mean: Math.round(memory / Math.max(1, samples)), ...this.#level('memory', isOver) },
      cores: cores || availableParallelism(),
      ...(this.#endedAfter !== null && { endedAfter: this.#endedAfter }),
      ...(this.#restarts > 0 && { restarts: this.#restarts }),
      ...(points.length > 0 && meansOf(points)),
      ...(this.#peaks.openFiles > 0 && { openFiles: this.#level('openFiles', isOver) }),
      threads: this.#level('threads', isOver),
      processes: { peak: processes, details: this.#rows },
      ...this.#nodeFigures(isOver),
      series: { interval: SAMPLE_MS * this.#perPoint, points: isOver ? points : points.slice(-LIVE_POINTS) },
    };
  }

  /** @type {(key: 'memory' | 'openFiles' | 'threads', isOver: boolean) => Level} */
  #level(key, isOver) {
    return { peak: this.#peaks[key], ...(isOver && { growth: growthOf(this.#points, key) }) };
  }

  /** Returns figures of the busiest thread of Node, and of all. @type {(isOver: boolean) => Partial<ProcessFigures>} */
  #nodeFigures(isOver) {
    const all = [...this.#threads.values()].sort((one, other) => busyOf(other) - busyOf(one));
    if (all.length === 0) return {};
    const details = all.map(threadFigures);
    if (this.#isSilent()) return { nodeThreads: details };
    const points = this.#points;
    const [{ eventLoopDelay, gcTime, ...busiest }] = details;
    // Where threads take turns, the busiest one of each second tells more than any of them.
    const isWhole = points.length === 0 || all.every(({ now }) => lengthOf(now) >= WHOLE * this.#elapsed);
    const shareOf = (/** @type {'eventLoopUtilization' | 'gcShare'} */ key) =>
      isWhole ? busiest[key] : meanOf(points.map((point) => point[key] ?? 0));
    const resources = Math.max(0, ...points.map((point) => point.resources ?? 0));
    const heap = Math.max(0, ...points.map((point) => point.heap ?? 0));
    return {
      ...{ eventLoopUtilization: shareOf('eventLoopUtilization'), eventLoopDelay, gcTime, gcShare: shareOf('gcShare') },
      heap: { peak: heap, ...(isOver && { growth: this.#heapGrowth() }) },
      resources: { peak: resources, ...(isOver && { growth: growthOf(points, 'resources') }) },
      nodeThreads: details,
    };
  }

  /**
   * Reports whether the process with most of the CPU time sends no figures of Node: those that were received are of
   * another one, such as npm, and not of the service.
   */
  #isSilent() {
    const pids = [...this.#threads.values()].map(({ thread }) => thread.pid);
    return silentProcess(this.#rows, { pids, cpuTime: this.#sums.cpuTime }) !== null;
  }

  /** @type {() => number | null} */
  #heapGrowth() {
    if (this.#points.length < PIECES) return null;
    const known = this.#running.flatMap(({ heaps }) => heapGrowthOf(heaps) ?? []);
    return known.length > 0 ? sumOf(known, (growth) => growth) : null;
  }
}

const MEANS = /** @type {const} */ ([
  ...['busiestThread', 'busiestThreadWait', 'busyThreads', 'cpuWait', 'machineCores', 'contextSwitchRate'],
]);
const IO_MEANS = /** @type {const} */ (['readRate', 'writtenRate']);
const NETWORK_MEANS = /** @type {const} */ (['receivedRate', 'sentRate']);

/** @type {(points: ServerPoint[]) => Partial<ProcessFigures>} */
function meansOf(points) {
  const means = (/** @type {readonly (keyof ServerPoint)[]} */ keys) =>
    /** @type {any} */ (Object.fromEntries(keys.map((key) => [key, meanOfKey(points, key) ?? 0])));
  const has = (/** @type {keyof ServerPoint} */ key) => points.some((point) => point[key] !== undefined);
  return {
    ...means(MEANS),
    ...(has('readRate') && { io: means(IO_MEANS) }),
    ...(has('receivedRate') && { network: means(NETWORK_MEANS) }),
  };
}

/** @type {(sample: ProcessSample) => Omit<ServerPoint, 'at' | 'answered'>} */
function pointOf(sample) {
  const { elapsed, io, network, openFiles } = sample;
  const cores = (/** @type {number} */ cpuMs) => cpuMs / elapsed;
  return {
    cpuCores: cores(sample.cpuTime),
    busiestThread: cores(sample.busiestThread),
    busiestThreadWait: cores(sample.busiestThreadWait),
    busyThreads: sample.busyThreads,
    cpuWait: cores(sample.cpuWait),
    machineCores: cores(sample.machineCpuTime),
    memory: sample.memory,
    threads: sample.threads,
    processes: sample.processes,
    contextSwitchRate: perSecond(sample.contextSwitches, elapsed),
    ...(openFiles !== null && { openFiles }),
    ...(io && { readRate: perSecond(io.read, elapsed), writtenRate: perSecond(io.written, elapsed) }),
    ...(network && { receivedRate: perSecond(network.received, elapsed), sentRate: perSecond(network.sent, elapsed) }),
  };
}

/** @type {(known: ThreadRecord) => { eventLoopUtilization: number, gcShare: number }} */
function recentOf({ before, now }) {
  const active = now.loop.active - (before?.loop.active ?? 0);
  const all = active + now.loop.idle - (before?.loop.idle ?? 0);
  const gc = now.gc.time - (before?.gc.time ?? 0);
  return { eventLoopUtilization: share(active, all), gcShare: share(gc, all) };
}

/** @type {(known: ThreadRecord) => number} ms */
function busyOf({ now }) {
  return now.loop.active;
}

/** Returns how long a thread was measured, ms. @type {(sample: NodeSample) => number} */
function lengthOf({ loop: { active, idle } }) {
  return active + idle;
}

/** @type {(known: ThreadRecord) => NodeThreadFigures} */
function threadFigures({ thread, now }) {
  const { heap, external, limit } = now.memory;
  return {
    ...thread,
    eventLoopUtilization: share(now.loop.active, lengthOf(now)),
    eventLoopDelay: now.delay,
    ...{ gcTime: now.gc.time, gcShare: share(now.gc.time, lengthOf(now)) },
    memory: { heap, external, limit },
    resources: now.resources,
    ...(now.losses.errors + now.losses.dropped > 0 && { losses: now.losses }),
  };
}

/** @type {(part: number, whole: number) => number} */
function share(part, whole) {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}

/** Joins neighbours: the mean of each figure. @type {(points: ServerPoint[]) => ServerPoint} */
function joined(points) {
  if (points.length === 1) return points[0];
  // Threads of Node may have begun after the first one.
  const keys = /** @type {(keyof ServerPoint)[]} */ (Object.keys(Object.assign({}, ...points)));
  const means = Object.fromEntries(keys.map((key) => [key, meanOfKey(points, key) ?? 0]));
  return /** @type {any} */ ({ ...means, at: points[0].at, answered: points[points.length - 1].answered });
}

/** @type {(points: ServerPoint[], key: keyof ServerPoint) => number | null} */
function meanOfKey(points, key) {
  const values = points.flatMap((point) => point[key] ?? []);
  return values.length > 0 ? meanOf(values) : null;
}

/** @type {<T>(all: T[], valueOf: (one: T) => number) => number} */
function sumOf(all, valueOf) {
  return all.reduce((sum, one) => sum + valueOf(one), 0);
}

/** The least values of these pieces of a run are compared: memory that is released and used again is no growth. */
const PIECES = 15;
/** Probabilities of a trend by chance: in the whole run, and in its second half. */
const TREND_P = 0.001;
const HALF_P = 0.05;
/** A growth that ends is no trend: the second half grows at this share of the whole speed. */
const GOES_ON = 0.5;
/** Growth over the run that matters: in the unit of the figure, and as a share of it. @type {Record<string, number>} */
const LEAST_GROWTH = { memory: 4e6, heap: 2e6, openFiles: 10, threads: 5, resources: 10 };
const LEAST_SHARE = 0.05;

/**
 * Returns the growth of a figure per minute, by a straight line through the least values of 15 pieces of the run, if it
 * is no chance (Student's test, as for a drift of the response times), goes on in the second half, and matters. 0:
 * there is none; null: too few points have the figure to tell.
 * @type {(points: ServerPoint[], key: keyof ServerPoint) => number | null}
 */
export function growthOf(points, key) {
  const known = points.filter((point) => point[key] !== undefined);
  const values = known.map((point) => /** @type {number} */ (point[key]));
  if (values.length < PIECES) return null;
  const at = (/** @type {number} */ i) => Math.floor((i * values.length) / PIECES);
  const least = Array.from({ length: PIECES }, (_, i) => Math.min(...values.slice(at(i), at(i + 1))));
  const whole = trendOf(least);
  const half = trendOf(least.slice(Math.floor(PIECES / 2)));
  const rise = whole.slope * (PIECES - 1);
  const isMaterial = rise >= LEAST_GROWTH[key] && rise >= LEAST_SHARE * meanOf(least);
  const goesOn = half.p <= HALF_P && half.slope >= GOES_ON * whole.slope;
  if (whole.p > TREND_P || !isMaterial || !goesOn) return 0;
  // From the first point to the last one are n - 1 of n intervals.
  const runMs = (known[known.length - 1].at - known[0].at) / (1 - 1 / known.length);
  return (whole.slope * PIECES * MINUTE_MS) / runMs;
}

/** Fewer collections are not enough for a test. */
const FEWEST_HEAPS = 4;
const HEAP_P = 0.05;
const HEAP_FACTOR = 1.1;

/**
 * Returns the growth per minute of what stays after collections of the whole heap, from the first one to the last one;
 * 0: it does not grow; null: there are too few to tell. V8 collects a heap that grows less and less often, so there are
 * few of them, no straight line, and the garbage between them grows as well. The sizes grow if as many pairs are in
 * order by chance in one of 20 runs at most (Kendall's test), if the second half of the time has half of the speed or
 * more, and if the growth matters.
 * @type {(heaps: CollectedHeap[]) => number | null}
 */
export function heapGrowthOf(heaps) {
  if (heaps.length < FEWEST_HEAPS) return null;
  const [first, last] = [heaps[0], heaps[heaps.length - 1]];
  const rise = last.size - first.size;
  const speed = rise / (last.at - first.at);
  const isMaterial = rise >= LEAST_GROWTH.heap && last.size >= HEAP_FACTOR * first.size;
  if (!isMaterial || orderChance(heaps.map(({ size }) => size)) > HEAP_P) return 0;
  const middle = heaps.find(({ at }) => at >= (first.at + last.at) / 2) ?? last;
  const before = middle === last ? heaps[heaps.length - 2] : middle;
  const goesOn = last.size - before.size >= GOES_ON * speed * (last.at - before.at);
  return goesOn ? speed * MINUTE_MS : 0;
}

/** Returns the chance of so few pairs in which the later value is not larger. @type {(values: number[]) => number} */
function orderChance(values) {
  const wrong = values.flatMap((one, i) => values.slice(i + 1).filter((later) => later <= one)).length;
  // Shares of the orders with 0, 1, 2 … such pairs: each additional value can be before 0 to all of the others.
  let shares = [1];
  for (let k = 2; k <= values.length; k++)
    shares = Array.from(
      { length: wrong + 1 },
      (_, i) => sumOf(shares.slice(Math.max(0, i - k + 1), i + 1), (one) => one) / k,
    );
  const chance = sumOf(shares, (one) => one);
  return Math.min(1, chance);
}
