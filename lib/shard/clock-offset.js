/**
 * The clock of Redis, as seen from this machine.
 *
 * @typedef {object} ClockOffset
 * @property {number} offsetMs add it to the local time to get the time of Redis
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
