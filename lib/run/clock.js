/**
 * The only clock of a run; tests give another.
 *
 * @typedef {object} Clock
 * @property {() => number} now milliseconds, monotonic, finer than 1 us
 * @property {(fn: () => void, ms: number) => () => void} every calls again and again; what it returns ends that
 * @property {(fn: () => void, ms: number) => () => void} after calls once; what it returns prevents it
 */

const LONGEST_MS = 2 ** 31 - 1;

/** @type {Clock} */
export const clock = {
  now: () => performance.now(),
  every(fn, ms) {
    const timer = setInterval(fn, ms);
    return () => clearInterval(timer);
  },
  after(fn, ms) {
    // a timer of Node's goes no further than 24.8 days
    const wait = () =>
      ms > LONGEST_MS ? setTimeout(() => ((ms -= LONGEST_MS), (timer = wait())), LONGEST_MS) : setTimeout(fn, ms);
    let timer = wait();
    return () => clearTimeout(timer);
  },
};
