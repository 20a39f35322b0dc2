/** @import { Clock } from '../run/clock.js' */

const TICK_MS = 5;

/**
 * @typedef {'timeout' | 'cancelled'} Interruption
 *
 * @typedef {object} Deadline of whatever one lane waits for; arming it costs two writes
 * @property {number} at instant of the clock; Infinity when nothing is waited for
 * @property {number} limit no deadline of this lane is later: set when the run is over
 * @property {((why: Interruption) => void) | null} interrupt ends the wait
 * @property {() => void} leave
 *
 * @typedef {object} Deadlines
 * @property {() => Deadline} enter
 * @property {() => void} close
 */

/**
 * One coarse timer for all lanes instead of a timer a request: every 5 ms it looks who is late.
 *
 * @param {Clock} clock
 * @returns {Deadlines}
 */
export function createDeadlines(clock) {
  /** @type {Set<Deadline>} */
  const all = new Set();
  const stop = clock.every(() => {
    const now = clock.now();
    for (const deadline of all) {
      if ((deadline.at <= now || deadline.limit <= now) && deadline.interrupt) deadline.interrupt('timeout');
    }
  }, TICK_MS);
  return {
    enter() {
      /** @type {Deadline} */
      const deadline = { at: Infinity, limit: Infinity, interrupt: null, leave: () => all.delete(deadline) };
      all.add(deadline);
      return deadline;
    },
    close: stop,
  };
}
