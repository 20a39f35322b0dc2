/** @import { ClockOffset } from '../../core/run/types.js' */

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
