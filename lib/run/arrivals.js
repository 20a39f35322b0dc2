/** @import { Schedule } from '../schedule/types.js' */

// timers have a resolution of a millisecond
const ON_TIME_MS = 1;

/**
 * Gives out the iterations of a schedule, one at a time, and keeps the books of an open one: what was due and found no
 * lane free, how many stood in line at most, and which were given up.
 *
 * @param {Schedule} schedule
 * @param {{ elapsed: () => number, maxBacklog?: number }} options elapsed: ms since the start
 */
export function createArrivals(schedule, { elapsed, maxBacklog = Infinity }) {
  const { arrived } = schedule;
  let claimed = 0;
  const books = { late: 0, maxBacklog: 0, dropped: 0 };

  /** Those who came while nobody was free, this one included; too many of them are given up. @type {(now: number) => void} */
  const noteBacklog = (now) => {
    if (arrived === null) return;
    let backlog = arrived(now) - claimed;
    if (backlog > maxBacklog) {
      books.dropped += backlog - maxBacklog;
      claimed += backlog - maxBacklog;
      backlog = maxBacklog;
    }
    if (backlog > 0) books.late++;
    if (backlog > books.maxBacklog) books.maxBacklog = backlog;
  };

  return {
    books,

    /** When the next iteration is due, ms since the start; Infinity when there is none. */
    nextDue() {
      if (arrived !== null) {
        const now = elapsed();
        if (schedule.arrival(claimed) < now - ON_TIME_MS) noteBacklog(now);
      }
      const due = schedule.arrival(claimed);
      return due < schedule.end ? due : Infinity;
    },

    /** Takes that iteration: its INDEX. */
    claim: () => claimed++,

    /** The run is over: what was due and did not start is given up. @type {(started: number, at: number) => void} */
    close(started, at) {
      if (arrived !== null) books.dropped = Math.max(books.dropped, arrived(Math.min(at, schedule.end)) - started);
    },
  };
}

/** @typedef {ReturnType<typeof createArrivals>} Arrivals */
