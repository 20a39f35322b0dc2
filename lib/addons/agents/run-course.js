import { COMPLETED } from '../../core/ground/end-reasons.js';
import { ERRORS, makeError } from '../../core/ground/errors.js';
import { signalOf } from './merged-state.js';

/** @import { Stats } from '../../core/contracts/stats.js' */
/** @import { ReportedPlan, StatsOutcome } from '../../core/run/types.js' */
/** @import { ShardTable } from './shard-table.js' */
/** @import { Report, ShardState } from './types.js' */

// How a run on agents starts and ends, by the table of its shards.

/**
 * Reports whether the wait for the start is over: all shards are ready, or one has ended already, which ends the run.
 * @throws {Error} a shard was refused, with the code of its reason, or E_AGENT_REFUSED; E_AGENT_LOST
 * @type {(table: ShardTable) => boolean}
 */
export function isStartDue({ all, lost, reports }) {
  const refused = reports.find(({ state, error }) => state === 'refused' && error !== null);
  if (refused) throw refusalOf(refused);
  if (lost.length > 0) throw lostBeforeStart(lost[0]);
  if (reports.some(({ state }) => state === 'ended')) return true;
  return reports.length === all.length && reports.every(({ state }) => state === 'ready');
}

/** Makes the plan of the run from that of one shard. @type {(begun: ReportedPlan, agents: number) => ReportedPlan} */
export function wholePlan({ plan, ...begun }, agents) {
  const { shard: _shard, runId: _run, options, ...rest } = plan;
  const { shard: _one, runId: _id, ...shown } = options;
  return { ...begun, plan: { ...rest, shape: `${plan.shape}, by ${agents} agents`, options: { ...shown, agents } } };
}

/**
 * Returns how a run has ended whose shards have all ended, or are lost. `stats` is the sum of all shards, `reason` that
 * of a stop.
 * @throws {Error} E_AGENT_LOST: an agent was lost, and nothing was measured
 * @type {(table: ShardTable, known: { stats: Stats | null, isAborted: boolean, reason: string | null }) =>
 *   StatsOutcome}
 */
export function endOf({ lost, reports }, { stats, isAborted, reason }) {
  if (isAborted) return { kind: 'aborted', stats };
  if (stats === null) {
    const refused = reports.find(({ state, error }) => state === 'refused' && error !== null);
    if (refused) throw refusalOf(refused);
    if (lost.length > 0) throw lostBeforeStart(lost[0]);
    return { kind: 'aborted', stats: null };
  }
  const why = reports.map(whyOf).find((one) => one !== undefined && one !== COMPLETED);
  return { kind: 'ended', stats, why: reason ?? why ?? COMPLETED };
}

/** Explains why the other shards stop: one did not end as planned. @type {(reports: Report[]) => string | null} */
export function earlyEndOf(reports) {
  const early = reports.find(({ outcome }) => outcome && outcome.why !== COMPLETED);
  return early ? (whyOf(early) ?? 'agent') : null;
}

/** Creates E_AGENT_LOST for a shard that was lost before the start. @type {(shard: ShardState) => Error} */
function lostBeforeStart({ number, report, lost }) {
  return makeError('E_AGENT_LOST', { name: report?.agent.name ?? `of shard ${number}`, reason: lost });
}

/** The refusal of a shard. Without a code of ours it is about the agent. @type {(report: Report) => Error} */
function refusalOf({ agent: { name }, error }) {
  const { code = '', message } = /** @type {NonNullable<Report['error']>} */ (error);
  if (!Object.hasOwn(ERRORS, code)) return makeError('E_AGENT_REFUSED', { name, reason: message });
  return Object.assign(new Error(`agent ${name}: ${message}`), { code });
}

/** Returns why a shard has ended; `agent`: a signal there. @type {(report: Report) => string | undefined} */
function whyOf(report) {
  return signalOf(report) !== null ? 'agent' : report.outcome?.why;
}
