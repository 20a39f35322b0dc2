import { clock, elapsed } from './clock.js';
import { fromCommonTime } from './common-time.js';

/** @import { Ending } from './load/ending.js' */

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
