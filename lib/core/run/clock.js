import { SUSPENDED_MS, SuspendedTime } from '../process/stops.js';

/** @import { Clock } from '../contracts/clock.js' */
/** @import { Ending } from './load/ending.js' */

/** The longest timer of Node, 24.8 days: longer ones ring after 1 ms. */
const LONGEST_MS = 2 ** 31 - 1;

/** @type {Clock} */
export const clock = {
  now: performance.now.bind(performance),
  every(fn, ms) {
    const timer = setInterval(fn, Math.min(LONGEST_MS, ms));
    return () => clearInterval(timer);
  },
  after(fn, ms) {
    const at = clock.now() + ms;
    /** @type {NodeJS.Timeout} */
    let timer;
    const wait = (/** @type {number} */ leftMs) => {
      // Node 24 and newer warn about negative delays.
      timer = setTimeout(check, Math.min(LONGEST_MS, Math.ceil(Math.max(0, leftMs))));
    };
    const check = () => {
      // Node counts whole milliseconds from the start of the turn that sets a timer: in a long turn it is early.
      const leftMs = at - clock.now();
      if (leftMs > 0) wait(leftMs);
      else fn();
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
  afterReads(fn) {
    // The event loop runs timers, then reads sockets, then runs immediates.
    const immediate = setImmediate(fn);
    return () => clearImmediate(immediate);
  },
};

/**
 * Calls once when another thread has had its time to answer, and its message is read. That time starts again
 * (`againMs`) after a suspension (SIGSTOP, a paused virtual machine) or a blocking call, when timers run before
 * messages are read. The returned function cancels.
 * @type {(fn: () => void, ms: number, againMs?: number) => () => void}
 */
export function afterTimeToAnswer(fn, ms, againMs = ms) {
  const dueAt = clock.now() + ms;
  let cancel = clock.after(() => {
    const wasSuspended = clock.now() - dueAt > SUSPENDED_MS;
    cancel = wasSuspended ? afterTimeToAnswer(fn, againMs) : clock.afterReads(fn);
  }, ms);
  return () => cancel();
}

/** A suspension takes one slice of a wait at most, ms. */
const SLICE_MS = 250;

/**
 * Calls once after a time in which this thread could run (`runnableMs` is its time so far): it includes the work of the
 * thread itself, and excludes suspensions of the process. After a suspension data that has arrived is read first. The
 * returned function cancels.
 * @type {(fn: () => void, ms: number, runnableMs: () => number) => () => void}
 */
export function afterRunnableTime(fn, ms, runnableMs) {
  let cancel = () => {};
  const suspended = new SuspendedTime();
  const wait = (/** @type {number} */ leftMs) => {
    const from = clock.now();
    const ranBefore = runnableMs();
    const sliceMs = Math.min(leftMs, SLICE_MS);
    cancel = clock.after(() => {
      const passed = clock.now() - from;
      const ranMs = runnableMs() - ranBefore;
      const wasSuspended = suspended.find(passed - sliceMs, ranMs) > 0;
      const rest = leftMs - (wasSuspended ? ranMs : passed);
      if (rest > 0) wait(rest);
      else fn();
    }, sliceMs);
  };
  wait(ms);
  return () => cancel();
}

/** Waits for a time, or until the run is over. @type {(ms: number, ending: Pick<Ending, 'onStop'>) => Promise<void>} */
export function elapsed(ms, ending) {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      unsubscribe();
      resolve();
    };
    const cancel = clock.after(end, ms);
    const unsubscribe = ending.onStop(end);
  });
}

/** Readings of the common clock at the start of a thread. */
const READINGS = 10;

/**
 * Difference between the clock of this thread and the time that all threads share, ms: performance.now() counts from
 * the start of its thread.
 */
const OFFSET_MS = offsetMs();

/** Converts an instant of this thread's clock to common time. @type {(instant: number) => number} */
export function toCommonTime(instant) {
  return instant + OFFSET_MS;
}

/** Converts common time to an instant of this thread's clock. @type {(time: number) => number} */
export function fromCommonTime(time) {
  return time - OFFSET_MS;
}

/**
 * Reads one clock between two readings of the other. The readings that are closest together have the least error: the
 * first ones of a thread take up to a millisecond, as Node loads the clock with them.
 */
function offsetMs() {
  let best = { between: Infinity, offset: 0 };
  for (let i = 0; i < READINGS; i++) {
    const from = commonMs();
    const own = performance.now();
    const to = commonMs();
    if (to - from < best.between) best = { between: to - from, offset: (from + to) / 2 - own };
  }
  return best.offset;
}

function commonMs() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Returns the common time: ms of the monotonic clock that all threads of this process share. @type {() => number} */
export function commonNow() {
  return toCommonTime(clock.now());
}
