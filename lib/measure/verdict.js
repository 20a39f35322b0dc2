/**
 * @import { ClientSummary } from './client.js'
 * @import { Stats } from './types.js'
 *
 * @typedef {object} Verdict may the figures be quoted?
 * @property {'valid' | 'suspect'} status
 * @property {string[]} reasons in plain words
 */

const SHORTEST_MS = 1000;
const BUSY = 0.95;
const MOST_ERRORS = 0.001;
const MOST_MISSED = 0.01;

/**
 * Whether the client was the limit, and why. A run of less than a second is mostly start: nothing is said of it.
 *
 * @param {Pick<Stats, 'iterations' | 'main'>} stats
 * @param {ClientSummary} client
 * @param {number} measuredMs
 * @returns {{ saturated: boolean, notes: string[] }}
 */
export function judgeClient({ iterations, main }, { utilization, delay }, measuredMs) {
  /** @type {string[]} */
  const notes = [];
  if (measuredMs < SHORTEST_MS) return { saturated: false, notes };
  if (utilization > BUSY) notes.push(`the client was the limit: its event loop was busy ${percent(utilization)} of the time; use another machine, fewer hooks, or more cores`);
  const { median } = main.serviceTime;
  if (median !== null && delay.mean > median && delay.mean > 1) notes.push(`the client was late: its event loop was held up by ${delay.mean.toFixed(1)} ms on average, more than half of the requests took`);
  const planned = iterations.started + iterations.dropped;
  const isMissed = iterations.dropped > planned * MOST_MISSED;
  if (isMissed && utilization > BUSY) notes.push(`the rate was missed: ${iterations.dropped} of ${planned} iterations never started`);
  return { saturated: notes.length > 0, notes };
}

/**
 * @param {Pick<Stats, 'iterations' | 'errors'>} stats
 * @param {{ saturated: boolean, notes: string[] }} client
 * @returns {Verdict}
 */
export function judge({ iterations, errors }, client) {
  const reasons = [...client.notes];
  if (errors.count > iterations.started * MOST_ERRORS) reasons.push(`errors: ${errors.count} in ${iterations.started} iterations`);
  if (iterations.cancelled > 0) reasons.push(`cut off: ${iterations.cancelled} iterations had not ended when the run was over`);
  if (iterations.dropped > 0) reasons.push(`dropped: ${iterations.dropped} iterations were due and never started`);
  return { status: reasons.length > 0 ? 'suspect' : 'valid', reasons };
}

/** @type {(share: number) => string} */
function percent(share) {
  return `${Math.round(share * 100)} %`;
}
