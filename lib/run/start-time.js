import { clock } from './clock.js';

/** @import { Ending } from './load/ending.js' */

/**
 * Waits until shortly before a time of the wall clock, or until the run is over.
 *
 * @param {number} time ms since 1970; in the past: there is no wait
 * @param {{ leadMs: number, ending: Pick<Ending, 'isOver' | 'onStop'> }} context leadMs: how long before
 * @returns {Promise<number>} that time as an instant of the clock, or now
 */
export async function startInstant(time, { leadMs, ending }) {
  const ms = time - leadMs - Date.now();
  if (ms > 0 && !ending.isOver) await elapsed(ms, ending);
  // the wall clock may have been set meanwhile
  return clock.now() + (ending.isOver ? 0 : Math.max(0, time - Date.now()));
}

/**
 * Waits, or until the run is over.
 *
 * @param {number} ms
 * @param {Pick<Ending, 'onStop'>} ending
 * @returns {Promise<void>}
 */
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
