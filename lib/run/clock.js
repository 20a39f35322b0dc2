/**
 * The clock of a run. It is passed as an argument, so that tests can control time.
 *
 * @typedef {object} Clock
 * @property {() => number} now milliseconds, monotonic, with a resolution below 1 us
 * @property {(fn: () => void, ms: number) => () => void} every calls repeatedly; returns a function that cancels
 * @property {(fn: () => void, ms: number) => () => void} after calls once, as soon as possible if `ms` is negative; returns
 *   a function that cancels
 * @property {(fn: () => void) => () => void} afterReads calls once, when all sockets that have data have been
 *   read; returns a function that cancels
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
    // Node's timers are limited to 24.8 days, so longer waits are chained
    // Node 24 and newer warn about negative delays
    let remaining = Math.max(0, ms);
    /** @type {NodeJS.Timeout} */
    let timer;
    const wait = () => {
      if (remaining <= LONGEST_MS) {
        timer = setTimeout(fn, remaining);
        return;
      }
      remaining -= LONGEST_MS;
      timer = setTimeout(wait, LONGEST_MS);
    };
    wait();
    return () => clearTimeout(timer);
  },
  afterReads(fn) {
    // the event loop runs timers, then reads sockets, then runs immediates
    const immediate = setImmediate(fn);
    return () => clearImmediate(immediate);
  },
};
