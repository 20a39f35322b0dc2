import { makeError } from '../errors.js';

/**
 * @import { Stats } from '../measure/types.js'
 * @import { Report } from './protocol.js'
 * @import { ShardState, ShardTable } from './shard-table.js'
 * @import { Outcome } from './types.js'
 */

/** Why a shard ended as planned. */
const DONE = 'done';

/**
 * How a run has ended whose shards have all ended, or are lost.
 *
 * @param {ShardTable} table
 * @param {{ stats: Stats | null, isAborted: boolean, reason: string | null }} known stats: the sum of all shards; reason: of a stop
 * @returns {Outcome}
 * @throws {Error} E_AGENT_LOST: an agent was lost, and nothing was measured
 */
export function endOf({ lost, reports }, { stats, isAborted, reason }) {
  if (isAborted) return { kind: 'aborted', stats };
  if (stats === null) {
    if (lost.length > 0) throw lostBeforeStart(lost[0]);
    return { kind: 'aborted', stats: null };
  }
  const why = reports.map(whyOf).find((one) => one !== undefined && one !== DONE);
  return { kind: 'ended', stats, why: reason ?? why ?? DONE };
}

/**
 * Why the other shards have to stop: one has ended, but not as planned.
 *
 * @param {Report[]} reports
 * @returns {string | null}
 */
export function earlyEndOf(reports) {
  const early = reports.find(({ outcome }) => outcome && outcome.why !== DONE);
  return early ? (whyOf(early) ?? 'agents') : null;
}

/**
 * @param {ShardState} shard
 * @returns {Error} E_AGENT_LOST
 */
export function lostBeforeStart({ number, report, lost }) {
  return makeError('E_AGENT_LOST', { name: report?.agent.name ?? `of shard ${number}`, reason: lost });
}

/** A signal that this process did not get has stopped the agent. @type {(report: Report) => string | undefined} */
function whyOf({ outcome }) {
  return outcome?.why?.startsWith('SIG') ? 'agent' : outcome?.why;
}
