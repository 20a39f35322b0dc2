import { judgeCut } from './verdict.js';

/**
 * @import { Stats } from './types.js'
 */

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
