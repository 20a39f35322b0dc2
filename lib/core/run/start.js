import { clock, elapsed, fromCommonTime } from './clock.js';

/** @import { Ending } from './load/ending.js' */

/**
 * Waits until `leadMs` before the start of the measured iterations, or until the run is over. `start` is ms since 1970
 * (the option `startAt`), or a promise of the common time of this process on which several machines agree. Resolves
 * with the start as an instant of the clock, which may be in the past; now if the run is over.
 * @type {(start: Promise<number> | number, context: { leadMs: number, ending: Pick<Ending, 'isOver' | 'onStop'> }) =>
 *   Promise<number>}
 */
export async function startInstant(start, { leadMs, ending }) {
  const at = typeof start === 'number' ? () => clock.now() + start - Date.now() : await agreedInstant(start, ending);
  const ms = at() - leadMs - clock.now();
  if (ms > 0 && !ending.isOver) await elapsed(ms, ending);
  // The wall clock may have been set meanwhile.
  return ending.isOver ? clock.now() : at();
}

/** @type {(start: Promise<number>, ending: Pick<Ending, 'isOver' | 'onStop'>) => Promise<() => number>} */
async function agreedInstant(start, ending) {
  /** @type {Promise<null>} */
  const stopped = new Promise((resolve) => ending.onStop(() => resolve(null)));
  const time = ending.isOver ? null : await Promise.race([start, stopped]);
  const at = time === null ? clock.now() : fromCommonTime(time);
  return () => at;
}
