/** Round trips until every agent has read the start, as each may have missed one poll. */
const ROUND_TRIPS = 3;

/**
 * The time at which all agents start, late enough that all of them know it by then.
 *
 * @param {number} now time of Redis, ms
 * @param {number[]} roundTrips of the agents to Redis, ms
 * @param {number} leadMs shortest time from now
 * @returns {number} time of Redis, ms
 */
export function agreeStart(now, roundTrips, leadMs) {
  return now + Math.max(leadMs, leadMs / 2 + ROUND_TRIPS * Math.max(0, ...roundTrips));
}

/**
 * @param {(number | null)[]} delays of the starts, ms
 * @returns {number | null} between the first and the last; null if they are not known
 */
export function skewOf(delays) {
  const known = delays.filter((delay) => delay !== null);
  return known.length === 0 ? null : Math.max(...known) - Math.min(...known);
}
