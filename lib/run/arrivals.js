/**
 * @import { Schedule } from '../schedule/types.js'
 * @import { Claims } from './claims.js'
 */

// timers have a resolution of a millisecond
const ON_TIME_MS = 1;

/**
 * Gives out the iterations of a schedule, one at a time, and keeps the books of an open one: what was due and found no
 * lane free, how many stood in line at most, and which were given up.
 *
 * @param {Schedule} schedule
 * @param {object} options
 * @param {Claims} options.claims
 * @param {() => number} options.elapsed ms since the start
 * @param {{ late: number, most: number, dropped: number }} options.books
 * @param {number} [options.maxBacklog]
 */
export function createArrivals(schedule, { claims, elapsed, books, maxBacklog = Infinity }) {
  const { arrived } = schedule;

  /** What stands in line, whoever takes it. @type {(now: number, taken: number) => number} */
  const backlogAt = (now, taken) => /** @type {(t: number) => number} */ (arrived)(now) - taken;

  /** @type {(now: number) => void} */
  const giveUp = (now) => {
    const taken = claims.count();
    const excess = backlogAt(now, taken) - maxBacklog;
    if (excess > 0 && claims.skip(taken, taken + excess)) books.dropped += excess;
  };

  return {
    /** when the iteration that was taken last is due, ms since the start */
    due: 0,

    /** Takes the next iteration. @returns {number} its INDEX; -1 when there is none */
    take() {
      const now = arrived === null ? 0 : elapsed();
      if (arrived !== null && maxBacklog < Infinity) giveUp(now);
      const index = claims.take();
      this.due = schedule.arrival(index);
      if (!(this.due < schedule.end)) return -1;
      if (arrived !== null && this.due < now - ON_TIME_MS) {
        books.late++;
        books.most = Math.max(books.most, backlogAt(now, index));
      }
      return index;
    },
  };
}

/** @typedef {ReturnType<typeof createArrivals>} Arrivals */
