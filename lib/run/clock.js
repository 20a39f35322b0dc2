/**
 * The only clock of a run; tests give another.
 *
 * @typedef {object} Clock
 * @property {() => number} now milliseconds, monotonic, finer than 1 us
 * @property {(fn: () => void, ms: number) => () => void} every calls again and again; what it returns ends that
 * @property {(fn: () => void, ms: number) => () => void} after calls once; what it returns prevents it
 */

/** @type {Clock} */
export const clock = {
  now: () => performance.now(),
  every(fn, ms) {
    const timer = setInterval(fn, ms);
    return () => clearInterval(timer);
  },
  after(fn, ms) {
    const timer = setTimeout(fn, Math.min(ms, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  },
};
