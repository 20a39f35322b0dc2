import { lostBeforeStart, refusalOf } from './run-end.js';

/**
 * @import { ReportedPlan } from './protocol.js'
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
