import { clock, elapsed, fromCommonTime } from './clock.js';

/** @import { Ending } from './load/ending.js' */

/**
 * Waits until shortly before the start of the measured iterations, or until the run is over.
 *
 * @param {Promise<number> | number} start common time that several machines have agreed on, or ms since 1970
 * @param {{ leadMs: number, ending: Pick<Ending, 'isOver' | 'onStop'> }} context leadMs: how long before
 * @returns {Promise<number>} instant of the clock, which may be in the past; now if the run is over
 */
export async function startInstant(start, { leadMs, ending }) {
  const at = typeof start === 'number' ? () => clock.now() + start - Date.now() : await agreedInstant(start, ending);
  const ms = at() - leadMs - clock.now();
  if (ms > 0 && !ending.isOver) await elapsed(ms, ending);
  // the wall clock may have been set meanwhile
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

/** Round trips until every machine has read the start, as each may have missed one poll. */
const ROUND_TRIPS = 3;

/**
 * The time at which all machines start, late enough that all of them know it by then.
 *
 * @param {number} now ms
 * @param {number[]} roundTrips of the machines, ms
 * @param {number} leadMs shortest time from now
 * @returns {number} ms
 */
export function agreeStart(now, roundTrips, leadMs) {
  return now + Math.max(leadMs, leadMs / 2 + ROUND_TRIPS * Math.max(0, ...roundTrips));
}

/**
 * The clock of another machine, as seen from this one.
 *
 * @typedef {object} ClockOffset
 * @property {number} offsetMs add it to the local time to get that of the other machine
 * @property {number} roundTripMs of the best measurement: the offset is wrong by at most half of it
 */

const ROUNDS = 9;

/**
 * Measures the difference of two clocks as NTP does: the other clock was read in the middle of a round trip, so the
 * shortest of several round trips has the smallest error.
 *
 * @param {() => Promise<number>} readTime time of the other clock, ms
 * @param {() => number} now local time, ms
 * @param {number} [rounds]
 * @returns {Promise<ClockOffset>}
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
