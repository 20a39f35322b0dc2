import { counted } from '../ground/decimal.js';
import { judgeCut } from './validity.js';

/** @import { Stats } from '../contracts/stats.js' */

/** What a result lacks, in sentences that its validity has with the code `incomplete`. */

/**
 * Converts the last known state of a run without an end to a result: running iterations and requests `inFlight` (sent
 * and not answered) count as cancelled, so that the counters balance, and the validity names the lacks.
 * @type {(stats: Stats, known: { inFlight: number, missing: string[] }) => Stats}
 */
export function cutShort(stats, { inFlight, missing }) {
  const { iterations, loads, requests, validity } = stats;
  const running = runningOf(iterations);
  return {
    ...stats,
    iterations: { ...iterations, cancelled: iterations.cancelled + running },
    ...(loads && {
      loads: loads.map((load) => {
        const { iterations: own } = load;
        return { ...load, iterations: { ...own, cancelled: own.cancelled + runningOf(own) } };
      }),
    }),
    requests: {
      ...requests,
      count: requests.count + inFlight,
      sent: requests.sent + inFlight,
      cancelled: requests.cancelled + inFlight,
    },
    validity: judgeCut(validity, { running, missing }),
  };
}

/** @type {(iterations: Stats['iterations']) => number} */
function runningOf({ started, completed, failed, cancelled }) {
  return started - completed - failed - cancelled;
}

/**
 * Descriptions of what an incomplete result lacks, for its validity.
 *
 * @typedef {{ afterMain: unknown[], after: unknown[] }} Teardown operations of a flow
 */

export const ABORTED = 'aborted: running iterations were cancelled without a grace period';
export const AFTER_CUT = 'teardown incomplete: after was cut off by its time limit';

/** @type {(teardown: Teardown, cancelled: number) => string[]} cancelled: iterations */
export function teardownIncomplete({ afterMain, after }, cancelled) {
  const parts = [
    afterMain.length > 0 && cancelled > 0 && `afterMain of ${counted(cancelled, 'iteration')}`,
    after.length > 0 && 'after',
  ].filter(Boolean);
  return parts.length > 0 ? [`teardown incomplete: ${parts.join(' and ')} did not finish`] : [];
}

/** @type {(name: string, silentMs: number) => string} name of the worker; silentMs: since its last report */
export function workerLost(name, silentMs) {
  return `${name} was lost: its requests of the last ${seconds(silentMs)} s are not counted`;
}

/** @type {(silentMs: number) => string} since the last report */
export function lastKnownState(silentMs) {
  return `last known state: ${seconds(silentMs)} s before the end of the run; later requests are not counted`;
}

/** @type {(ms: number) => string} of the measured part of a run that goes on */
export function stateSoFar(ms) {
  return `the run had not ended: this is its state after ${seconds(ms)} s`;
}

/** @type {(ms: number) => string} */
export function seconds(ms) {
  return (ms / 1000).toFixed(1);
}
