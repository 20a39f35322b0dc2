/**
 * @import { Schedule } from '../../schedule/types.js'
 * @import { IndexAllocator } from './index-allocator.js'
 * @import { Stride } from './stride.js'
 *
 * @typedef {object} ArrivalsOptions
 * @property {IndexAllocator} indexes of this shard's own iterations
 * @property {Stride} stride their INDEX in the run
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
  #stride;
  #elapsed;
  #backlog;
  #maxBacklog;
  /** when the iteration handed out last is due, ms since the start */
  due = 0;

  /**
   * @param {Schedule} schedule
   * @param {ArrivalsOptions} options
   */
  constructor(schedule, { indexes, stride, elapsed, backlog, maxBacklog = Infinity }) {
    this.#schedule = schedule;
    this.#indexes = indexes;
    this.#stride = stride;
    this.#elapsed = elapsed;
    this.#backlog = backlog;
    this.#maxBacklog = maxBacklog;
  }

  /**
   * @param {boolean} wasBusy the lane has just ended an iteration
   * @returns {number | null} INDEX of the next iteration; null if there is none
   */
  next(wasBusy = true) {
    const { arrived, arrival, end } = this.#schedule;
    const now = arrived === null ? 0 : this.#elapsed();
    if (arrived !== null && this.#maxBacklog < Infinity) this.#dropExcess(arrived(now));
    const position = this.#indexes.next();
    const index = this.#stride.indexOf(position);
    this.due = arrival(index);
    // NaN, as of a rate of 0, is never due
    if (!(this.due < end)) return null;
    // a lane that was free before starts late for another reason: the load generator
    if (arrived !== null && wasBusy && this.due < now - ON_TIME_MS) {
      this.#backlog.late++;
      this.#backlog.maxBacklog = Math.max(this.#backlog.maxBacklog, this.#stride.countOf(arrived(now)) - position);
    }
    return index;
  }

  /**
   * Begins with an INDEX, and skips iterations that are due already: a part of a run that begins late does not catch up.
   *
   * @param {number} from
   */
  beginAt(from) {
    const { arrived } = this.#schedule;
    const due = arrived === null ? 0 : arrived(Math.max(0, this.#elapsed()));
    this.#indexes.skip(0, this.#stride.countOf(Math.max(from, due)));
  }

  /** Drops the iteration handed out last, and those that are due by now: without a permit they could not start in time. */
  dropDue() {
    const { arrived } = this.#schedule;
    const next = this.#indexes.count();
    const due = arrived === null ? 0 : this.#stride.countOf(arrived(this.#elapsed()));
    this.#backlog.dropped++;
    if (due > next && this.#indexes.skip(next, due)) this.#backlog.dropped += due - next;
  }

  /** @param {number} arrived how many iterations of all shards are due by now */
  #dropExcess(arrived) {
    const started = this.#indexes.count();
    const excess = this.#stride.countOf(arrived) - started - this.#maxBacklog;
    if (excess > 0 && this.#indexes.skip(started, started + excess)) this.#backlog.dropped += excess;
  }
}
