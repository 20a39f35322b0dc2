/**
 * @import { Clock } from './clock.js'
 *
 * @typedef {object} EndingOptions
 * @property {Clock} clock
 * @property {number} gracefulStopMs
 * @property {number} teardownMs
 * @property {(at: number) => void} cancel ends what still runs; its tear-down may go on until `at`
 */

/**
 * Why a run ends, and how it drains: after a stop, iterations under way get their time, then they are cancelled.
 * The first reason wins.
 *
 * @param {EndingOptions} options
 */
export function createEnding({ clock, gracefulStopMs, teardownMs, cancel }) {
  /** @type {string | null} */
  let why = null;
  let at = Infinity;
  let isClosed = false;
  let prevent = () => {};
  /** @type {Set<(reason: string, options: { within: number }) => void>} */
  const listeners = new Set();
  return {
    /** no iteration may start */
    get isOver() {
      return why !== null;
    },
    get why() {
      return why;
    },
    /** instant of the clock; Infinity before it is over */
    get at() {
      return at;
    },
    /** @type {(reason: string, options?: { within?: number }) => void} */
    stop(reason, { within = gracefulStopMs } = {}) {
      if (why !== null || isClosed) return;
      why = reason;
      at = clock.now();
      for (const listener of listeners) listener(reason, { within });
      prevent = clock.after(() => cancel(clock.now() + teardownMs), Math.min(within, gracefulStopMs));
    },
    /** Called once when the run is over; what it returns prevents that. @type {(listener: (reason: string, options: { within: number }) => void) => () => void} */
    onOver(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      isClosed = true;
      prevent();
    },
  };
}

/** @typedef {ReturnType<typeof createEnding>} Ending */
