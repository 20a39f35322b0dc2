import { clock, elapsed, fromCommonTime } from '../../core/run/clock.js';

/** @import { Ending } from '../../core/run/load/ending.js' */
/** @import { ClockOffset } from '../../core/run/types.js' */

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

/** Round trips to the queue until every machine has read the start, as each may have missed one poll. */
const ROUND_TRIPS = 3;

/**
 * Returns the time at which all machines start, late enough that all of them know it by then, at least `leadMs` from
 * now (all in ms).
 * @type {(now: number, roundTrips: number[], leadMs: number) => number}
 */
export function agreeStart(now, roundTrips, leadMs) {
  return now + Math.max(leadMs, leadMs / 2 + ROUND_TRIPS * Math.max(0, ...roundTrips));
}

/** Readings of the other clock. */
const ROUNDS = 9;

/**
 * Measures the difference of two clocks as NTP does: the other clock was read in the middle of a round trip, so the
 * shortest of several round trips has the smallest error. All times are ms, `now` that of this machine.
 * @type {(readTime: () => Promise<number>, now: () => number, rounds?: number) => Promise<ClockOffset>}
 */
export async function measureOffset(readTime, now, rounds = ROUNDS) {
  let best = { offsetMs: 0, roundTripMs: Infinity };
  for (let i = 0; i < rounds; i++) {
    const sent = now();
    const time = await readTime();
    const received = now();
    const roundTripMs = received - sent;
    if (roundTripMs < best.roundTripMs) best = { offsetMs: time - (sent + received) / 2, roundTripMs };
  }
  return best;
}
