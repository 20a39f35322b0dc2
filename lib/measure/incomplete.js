import { grouped } from '../ground/decimal.js';
import { judgeCut } from './verdict.js';

/** @import { Stats } from './types.js' */

/**
 * Converts the last known state of a run without an end to a result: running iterations and requests in flight count as
 * cancelled, so that the counters balance, and the verdict names what is missing.
 *
 * @param {Stats} stats
 * @param {{ inFlight: number, missing: string[] }} known `inFlight`: requests that were sent and not answered
 * @returns {Stats}
 */
export function cutShort(stats, { inFlight, missing }) {
  const { iterations, requests, verdict } = stats;
  const running = iterations.started - iterations.completed - iterations.failed - iterations.cancelled;
  return {
    ...stats,
    iterations: { ...iterations, cancelled: iterations.cancelled + running },
    requests: {
      ...requests,
      count: requests.count + inFlight,
      sent: requests.sent + inFlight,
      cancelled: requests.cancelled + inFlight,
    },
    verdict: judgeCut(verdict, { running, missing }),
  };
}

/**
 * Descriptions of what an incomplete result lacks, for its verdict.
 *
 * @typedef {{ afterMain: unknown[], after: unknown[] }} Teardown operations of a flow
 */

export const ABORTED = 'aborted: running iterations were cancelled without a grace period';
export const AFTER_CUT = 'teardown incomplete: after was cut off by its time limit';

/** @type {(teardown: Teardown, cancelled: number) => string[]} cancelled: iterations */
export function teardownIncomplete({ afterMain, after }, cancelled) {
  const parts = [
    afterMain.length > 0 && cancelled > 0 && `afterMain of ${cancelled} iterations`,
    after.length > 0 && 'after',
  ].filter(Boolean);
  return parts.length > 0 ? [`teardown incomplete: ${parts.join(' and ')} did not finish`] : [];
}

/** @type {(name: string, silentMs: number) => string} name of the worker; silentMs: since its last report */
export function workerLost(name, silentMs) {
  return `${name} was lost: its requests of the last ${seconds(silentMs)} s are not counted`;
}

/**
 * @type {(name: string, reason: string, silentMs: number) => string} name of the agent; silentMs: since its last report
 */
export function agentLost(name, reason, silentMs) {
  return `agent ${name} was lost: ${reason}; what it did in up to ${seconds(silentMs)} s after its last report is not counted`;
}

/** @type {(name: string, why: string) => string} name of a result; why: its run ended early */
export function partStopped(name, why) {
  return `${name} was stopped before its end (${why}); its load is missing from then on`;
}

/**
 * @param {string} name of the agent that was to run a part of the load of a lost one
 * @param {string} reason
 * @param {{ owner: string, isLost: boolean }} part owner: name of the lost agent; isLost: the other one was lost, too
 * @returns {string}
 */
export function takenPartLost(name, reason, { owner, isLost }) {
  return `agent ${name} ${isLost ? 'was lost with' : 'did not take over'} a part of the load of ${owner}: ${reason}`;
}

/**
 * When the load of a lost agent was missing.
 *
 * @param {number} fromMs since the start of the measured iterations
 * @param {{ toMs: number, names: string[] } | null} taken over by these agents; null: by none
 * @returns {string} completes the sentence about the agent
 */
export function loadMissing(fromMs, taken) {
  const from = `its load was missing from ${seconds(fromMs)} s`;
  return taken === null
    ? `${from} on`
    : `${from} to ${seconds(Math.max(fromMs, taken.toMs))} s, and then run by ${taken.names.join(', ')}`;
}

/** @type {(missing: number, planned: number) => string} iterations */
export function planMissing(missing, planned) {
  return `${grouped(missing)} of ${grouped(planned)} planned iterations are missing: shards that were lost or stopped did not start or report them`;
}

/** @type {(silentMs: number) => string} since the last report */
export function lastKnownState(silentMs) {
  return `last known state: ${seconds(silentMs)} s before the end of the run; later requests are not counted`;
}

/** @type {(ms: number) => string} */
function seconds(ms) {
  return (ms / 1000).toFixed(1);
}
