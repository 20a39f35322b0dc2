/** @import { Schedule } from '../../contracts/schedule.js' */
/** @import { Stride } from '../options/shard.js' */
/** @import { IndexAllocator } from '../types.js' */

// Which iteration a lane runs next: Arrivals takes it from an allocator of indexes, of which there is one for a thread
// alone, one for threads that share memory, and one for warm-ups.

/**
 * @typedef {object} ArrivalsOptions
 * @property {IndexAllocator} indexes of this shard's own iterations
 * @property {Stride} stride their INDEX in the run
 * @property {() => number} elapsed ms since the start
 * @property {{ late: number, maxBacklog: number, dropped: number }} backlog counters of an open model
 * @property {number} [maxBacklog]
 */

/** A start is on time up to this delay, ms: the resolution of timers. */
const ON_TIME_MS = 1;

/**
 * Hands out the iterations of a schedule. In an open model it also counts late starts, the peak of the backlog and
 * dropped iterations.
 */
export class Arrivals {
  #schedule;
  #indexes;
  #stride;
  #elapsed;
  #backlog;
  #maxBacklog;
  /** The due time of the iteration handed out last, ms since the start. */
  due = 0;

  /** @param {Schedule} schedule @param {ArrivalsOptions} options */
  constructor(schedule, { indexes, stride, elapsed, backlog, maxBacklog = Infinity }) {
    this.#schedule = schedule;
    this.#indexes = indexes;
    this.#stride = stride;
    this.#elapsed = elapsed;
    this.#backlog = backlog;
    this.#maxBacklog = maxBacklog;
  }

  /**
   * Returns the INDEX of the next iteration; null if there is none. `wasBusy`: the lane has just ended an iteration.
   * @type {(wasBusy: boolean) => number | null}
   */
  next(wasBusy = true) {
    const { arrived, arrival, end } = this.#schedule;
    const now = arrived === null ? 0 : this.#elapsed();
    // Asked in each call: random arrivals are drawn one after the other, and many at once would stop the load.
    const arrivedBy = arrived === null ? 0 : arrived(now);
    if (this.#maxBacklog < Infinity) this.#dropExcess(arrivedBy);
    const position = this.#indexes.next();
    const index = this.#stride.isWhole ? position : this.#stride.indexOf(position);
    this.due = arrival(index);
    if (this.due >= end) return null;
    // A lane that was free before starts late for another reason: the load generator.
    if (arrived !== null && wasBusy && this.due < now - ON_TIME_MS) {
      this.#backlog.late++;
      this.#backlog.maxBacklog = Math.max(this.#backlog.maxBacklog, this.#stride.countOf(arrivedBy) - position);
    }
    return index;
  }

  /** An iteration of a closed model is left to hand out. */
  get hasNext() {
    return this.#schedule.arrival(this.#stride.indexOf(this.#indexes.count())) < this.#schedule.end;
  }

  /** Drops iterations above the limit. `arrived`: of all shards, by now. @type {(arrived: number) => void} */
  #dropExcess(arrived) {
    const started = this.#indexes.count();
    const excess = this.#stride.countOf(arrived) - started - this.#maxBacklog;
    if (excess > 0 && this.#indexes.skip(started, started + excess)) this.#backlog.dropped += excess;
  }
}

/** Hands out indexes for a single thread. @type {() => IndexAllocator} */
export function localIndexes() {
  let next = 0;
  return {
    count: () => next,
    next: () => next++,
    skip(_from, to) {
      next = to;
      return true;
    },
  };
}

/** Hands out every `workers`-th index; shares no memory. @type {(worker: number, workers: number) => IndexAllocator} */
export function stridedIndexes(worker, workers) {
  const own = localIndexes();
  return { count: () => own.count() * workers, next: () => worker + own.next() * workers, skip: () => false };
}

/** Creates memory for indexes and started counts. @type {(workers: number, loads?: number) => SharedArrayBuffer} */
export function indexMemory(workers, loads = 1) {
  return new SharedArrayBuffer(loads * (NEXT_BYTES + workers * Float64Array.BYTES_PER_ELEMENT));
}

/**
 * Hands out indexes of a load to all threads.
 * @type {(memory: SharedArrayBuffer, position?: number) => IndexAllocator}
 */
export function sharedIndexes(memory, position = 0) {
  // 64 bits: at 150,000 iterations per second, 32 bits overflow after eight hours.
  const next = new BigInt64Array(memory, position * NEXT_BYTES, 1);
  return {
    count: () => Number(Atomics.load(next, 0)),
    next: () => Number(Atomics.add(next, 0, 1n)),
    skip: (from, to) => Atomics.compareExchange(next, 0, BigInt(from), BigInt(to)) === BigInt(from),
  };
}

/**
 * Returns the started iterations of each load in each thread: those of thread 0 come first.
 * @type {(memory: SharedArrayBuffer, loads?: number) => Float64Array}
 */
export function startedCounts(memory, loads = 1) {
  return new Float64Array(memory, loads * NEXT_BYTES);
}

const NEXT_BYTES = BigInt64Array.BYTES_PER_ELEMENT;
