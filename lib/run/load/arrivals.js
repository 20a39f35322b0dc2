/**
 * @import { Schedule } from '../../schedule/types.js'
 * @import { IndexAllocator } from './index-allocator.js'
 *
 * @typedef {object} ArrivalsOptions
 * @property {IndexAllocator} indexes
 * @property {() => number} elapsed ms since the start
 * @property {{ late: number, maxBacklog: number, dropped: number }} backlog counters of an open model
 * @property {number} [maxBacklog]
 */

/** Timers have a resolution of one millisecond. */
const ON_TIME_MS = 1;

/**
 * Hands out the iterations of a schedule. In an open model it also counts late starts, the peak of the backlog and
 * dropped iterations.
 */
export class Arrivals {
  #schedule;
  #indexes;
  #elapsed;
  #backlog;
  #maxBacklog;
  /** when the iteration handed out last is due, ms since the start */
  due = 0;

  /**
   * @param {Schedule} schedule
   * @param {ArrivalsOptions} options
   */
  constructor(schedule, { indexes, elapsed, backlog, maxBacklog = Infinity }) {
    this.#schedule = schedule;
    this.#indexes = indexes;
    this.#elapsed = elapsed;
    this.#backlog = backlog;
    this.#maxBacklog = maxBacklog;
  }

  /** @returns {number | null} INDEX of the next iteration; null if there is none */
  next() {
    const { arrived, arrival, end } = this.#schedule;
    const now = arrived === null ? 0 : this.#elapsed();
    if (arrived !== null && this.#maxBacklog < Infinity) this.#dropExcess(arrived(now));
    const index = this.#indexes.next();
    this.due = arrival(index);
    // NaN, as of a rate of 0, is never due
    if (!(this.due < end)) return null;
    if (arrived !== null && this.due < now - ON_TIME_MS) {
      this.#backlog.late++;
      this.#backlog.maxBacklog = Math.max(this.#backlog.maxBacklog, arrived(now) - index);
    }
    return index;
  }

  /** @param {number} arrived how many iterations are due by now */
  #dropExcess(arrived) {
    const started = this.#indexes.count();
    const excess = arrived - started - this.#maxBacklog;
    if (excess > 0 && this.#indexes.skip(started, started + excess)) this.#backlog.dropped += excess;
  }
}
