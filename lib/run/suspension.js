import { SUSPENDED_MS, SuspendedTime } from '../suspended-time.js';
import { clock } from './clock.js';

/**
 * Calls once after a time, and says whether this thread was suspended meanwhile. After a suspension (SIGSTOP, a paused
 * virtual machine) or a blocking call, timers run before messages are read: what another thread has posted is unread.
 *
 * @param {(wasSuspended: boolean) => void} fn
 * @param {number} ms
 * @returns {() => void} cancels
 */
export function afterTime(fn, ms) {
  const dueAt = clock.now() + ms;
  return clock.after(() => fn(clock.now() - dueAt > SUSPENDED_MS), ms);
}

/**
 * Calls once when another thread has had its time to answer, and what it has posted is read. After a suspension that time
 * starts again.
 *
 * @param {() => void} fn
 * @param {number} ms
 * @param {number} [againMs] the time to answer after a suspension
 * @returns {() => void} cancels
 */
export function afterTimeToAnswer(fn, ms, againMs = ms) {
  let cancel = afterTime((wasSuspended) => {
    if (wasSuspended) cancel = afterTimeToAnswer(fn, againMs);
    else cancel = clock.afterReads(fn);
  }, ms);
  return () => cancel();
}

/** A suspension takes one slice of a wait at most, ms. */
const SLICE_MS = 250;

/**
 * Calls once after a time in which this thread could run: it includes the work of the thread itself, and excludes suspensions of
 * the process. After a suspension data that has arrived is read first.
 *
 * @param {() => void} fn
 * @param {number} ms
 * @param {() => number} runnableMs time so far in which this thread ran, or waited for a CPU
 * @returns {() => void} cancels
 */
export function afterRunnableTime(fn, ms, runnableMs) {
  let cancel = () => {};
  const suspended = new SuspendedTime();
  const wait = (/** @type {number} */ leftMs) => {
    const from = clock.now();
    const ran = runnableMs();
    const sliceMs = Math.min(leftMs, SLICE_MS);
    cancel = clock.after(() => {
      const passed = clock.now() - from;
      const own = runnableMs() - ran;
      const wasSuspended = suspended.find(passed - sliceMs, own) > 0;
      const rest = leftMs - (wasSuspended ? own : passed);
      if (rest > 0) wait(rest);
      else fn();
    }, sliceMs);
  };
  wait(ms);
  return () => cancel();
}
