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
 * The first reason wins. Who leaves gives no time at all, to tear-down neither.
 *
 * @param {EndingOptions} options
 */
export function createEnding({ clock, gracefulStopMs, teardownMs, cancel }) {
  /** @type {string | null} */
  let why = null;
  let at = Infinity;
  let isLeft = false;
  let isClosed = false;
  let prevent = () => {};
  /** @type {Set<(reason: string, options: { within: number }) => void>} */
  const listeners = new Set();
  /** @type {Set<() => void>} */
  const leavers = new Set();
  /** @type {(reason: string, options?: { within?: number }) => void} */
  const stop = (reason, { within = gracefulStopMs } = {}) => {
    if (why !== null || isClosed) return;
    why = reason;
    at = clock.now();
    for (const listener of listeners) listener(reason, { within });
    prevent = clock.after(() => cancel(clock.now() + teardownMs), Math.min(within, gracefulStopMs));
  };

  return {
    /** no iteration may start */
    get isOver() {
      return why !== null;
    },
    /** nothing may be begun any more */
    get isLeft() {
      return isLeft;
    },
    get why() {
      return why;
    },
    /** instant of the clock; Infinity before it is over */
    get at() {
      return at;
    },
    stop,
    leave() {
      if (isLeft || isClosed) return;
      isLeft = true;
      stop('left');
      prevent();
      for (const leaver of leavers) leaver();
      cancel(-Infinity);
    },
    /** Called once when the run is over; what it returns prevents that. @type {(listener: (reason: string, options: { within: number }) => void) => () => void} */
    onOver(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** No iteration is under way any more: there is nothing left to cancel. */
    drained() {
      prevent();
    },
    /** Called once when it is left. @type {(leaver: () => void) => void} */
    onLeft(leaver) {
      leavers.add(leaver);
    },
    close() {
      isClosed = true;
      prevent();
    },
  };
}

/** @typedef {ReturnType<typeof createEnding>} Ending */
