import { ERRORS, makeError } from '../errors.js';
import { signalOf } from './agents-summary.js';

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
    const refused = reports.find(({ state, error }) => state === 'refused' && error !== null);
    if (refused) throw refusalOf(refused);
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
  return early ? (whyOf(early) ?? 'agent') : null;
}

/**
 * @param {ShardState} shard
 * @returns {Error} E_AGENT_LOST
 */
export function lostBeforeStart({ number, report, lost }) {
  return makeError('E_AGENT_LOST', { name: report?.agent.name ?? `of shard ${number}`, reason: lost });
}

/**
 * Why a shard is lost that was ready, and then could not run.
 *
 * @param {Report} report
 * @returns {string}
 */
export function refusedLate({ error }) {
  return `it could not run the flow: ${error?.message}`;
}

/** Without a code of ours it is not about the flow or its options, but about the agent. @type {(report: Report) => Error} */
export function refusalOf({ agent: { name }, error }) {
  const { code = '', message } = /** @type {NonNullable<Report['error']>} */ (error);
  if (!Object.hasOwn(ERRORS, code)) return makeError('E_AGENT_REFUSED', { name, reason: message });
  return Object.assign(new Error(`agent ${name}: ${message}`), { code });
}

/** @type {(report: Report) => string | undefined} */
function whyOf(report) {
  return signalOf(report) !== null ? 'agent' : report.outcome?.why;
}
