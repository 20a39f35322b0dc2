import { ERRORS, makeError } from '../errors.js';
import { lostBeforeStart } from './run-end.js';

/**
 * @import { Report, ReportedPlan } from './protocol.js'
 * @import { ShardTable } from './shard-table.js'
 */

/** Round trips until every agent has read the start, as each may have missed one poll. */
const ROUND_TRIPS = 3;

/**
 * Whether the wait for the start is over: all shards are ready, or one has ended already.
 *
 * @param {ShardTable} table
 * @returns {boolean}
 * @throws {Error} a shard was refused, with the code of its reason, or E_AGENT_REFUSED; E_AGENT_LOST
 */
export function isStartDue({ all, lost, reports }) {
  const refused = reports.find(({ state, error }) => state === 'refused' && error !== null);
  if (refused) throw refusalOf(refused);
  if (lost.length > 0) throw lostBeforeStart(lost[0]);
  if (reports.some(({ state }) => state === 'ended')) return true;
  return reports.length === all.length && reports.every(({ state }) => state === 'ready');
}

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

/**
 * The plan of the whole run.
 *
 * @param {ReportedPlan} begun of one of its shards
 * @param {number} agents
 * @returns {ReportedPlan}
 */
export function wholePlan({ plan, ...begun }, agents) {
  const { shard: _shard, runId: _run, options, ...rest } = plan;
  const { shard: _one, runId: _id, ...shown } = options;
  return { ...begun, plan: { ...rest, shape: `${plan.shape}, by ${agents} agents`, options: { ...shown, agents } } };
}

/** Without a code of ours it is not about the flow or its options, but about the agent. @type {(report: Report) => Error} */
function refusalOf({ agent: { name }, error }) {
  const { code = '', message } = /** @type {NonNullable<Report['error']>} */ (error);
  if (!Object.hasOwn(ERRORS, code)) return makeError('E_AGENT_REFUSED', { name, reason: message });
  return Object.assign(new Error(`agent ${name}: ${message}`), { code });
}
