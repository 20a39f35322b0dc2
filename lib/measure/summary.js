import { Histogram } from './histogram.js';
import { judge, judgeClient } from './verdict.js';

/**
 * @import { ClientSummary } from './client.js'
 * @import { Recorder } from './recorder.js'
 * @import { Stats } from './types.js'
 * @import { UserTimers } from './user-timers.js'
 */

/**
 * What the run looks like now, as plain data; at the end it is the result.
 *
 * @param {Recorder} recorder
 * @param {object} at
 * @param {number} at.elapsedMs since the run began
 * @param {number} at.measuredMs the part of it in which iterations ran
 * @param {UserTimers} at.timers
 * @param {{ late: number, maxBacklog: number, dropped: number }} at.arrivals
 * @param {ClientSummary} at.client
 * @param {{ opened: number, reused: number, closedByServer: number, bytesSent: number, bytesReceived: number }} at.traffic
 * @returns {Stats}
 */
export function summarize(recorder, { elapsedMs, measuredMs, timers, traffic, arrivals, client }) {
  const main = new Histogram();
  main.add(recorder.ok);
  main.add(recorder.notOk);
  const histogram = main.toJSON();
  // in a closed run an iteration is due when it starts
  const serviceTime = recorder.serviceTime.count > 0 ? recorder.serviceTime.toJSON() : { ...histogram };
  const { ok, ...requests } = recorder.requests;
  const { opened, reused, closedByServer, bytesSent, bytesReceived } = traffic;
  /** @type {(count: number) => number} */
  const perSecond = (count) => (measuredMs > 0 ? (count * 1000) / measuredMs : 0);
  const stats = {
    totalElapsed: elapsedMs,
    main: { meter: recorder.meter.toJSON(), histogram, serviceTime, ok: recorder.ok.toJSON() },
    ...timers.toJSON(),
    iterations: { ...recorder.iterations, ...arrivals },
    requests: {
      ...requests,
      rate: perSecond(requests.answered),
      okRate: perSecond(ok),
      bytesSent,
      bytesReceived,
      connections: { opened, reused, closedByServer },
      statusCodes: recorder.statusCodes(),
    },
    operations: recorder.operations.toJSON(),
    errors: recorder.errors(),
  };
  const judged = judgeClient(stats, client, measuredMs);
  return { ...stats, client: { ...client, ...judged }, verdict: judge(stats, judged) };
}
