import { clock } from './clock.js';
import { fromCommonTime } from './workers/common-time.js';

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
 * Waits until several machines have agreed on a start, and until shortly before it, or until the run is over.
 *
 * @param {Promise<number>} agreement the start, in the time that all threads of this process share
 * @param {{ leadMs: number, ending: Pick<Ending, 'isOver' | 'onStop'> }} context leadMs: how long before
 * @returns {Promise<number>} the start as an instant of the clock, or now
 */
export async function agreedInstant(agreement, { leadMs, ending }) {
  if (ending.isOver) return clock.now();
  const stopped = new Promise((resolve) => ending.onStop(() => resolve(null)));
  const time = await Promise.race([agreement, stopped]);
  if (time === null || ending.isOver) return clock.now();
  const at = fromCommonTime(time);
  const ms = at - leadMs - clock.now();
  if (ms > 0) await elapsed(ms, ending);
  return ending.isOver ? clock.now() : at;
}

/** @type {(ms: number, ending: Pick<Ending, 'onStop'>) => Promise<void>} */
function elapsed(ms, ending) {
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
