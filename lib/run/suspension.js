import { clock } from './clock.js';

/** A timer that is late by more than this, ms, means that this thread was suspended or blocked, not only busy. */
const SUSPENDED_MS = 500;

/**
 * Calls once after a time. After a suspension (SIGSTOP, a paused virtual machine) or a blocking call, timers run before
 * messages are read: what another thread has posted meanwhile is still unread then, and silence proves nothing.
 *
 * @param {(wasSuspended: boolean) => void} fn
 * @param {number} ms
 * @returns {() => void} cancels
 */
export function afterAwake(fn, ms) {
  const dueAt = clock.now() + ms;
  return clock.after(() => fn(clock.now() - dueAt > SUSPENDED_MS), ms);
}

/**
 * Calls once when another thread had a time to answer. After a suspension it has the time again.
 *
 * @param {() => void} fn
 * @param {number} ms
 * @param {number} [againMs] the time that it has after a suspension
 * @returns {() => void} cancels
 */
export function afterPatience(fn, ms, againMs = ms) {
  let cancel = afterAwake((wasSuspended) => {
    if (wasSuspended) cancel = afterPatience(fn, againMs);
    else fn();
  }, ms);
  return () => cancel();
}
