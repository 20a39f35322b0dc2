import { Histogram } from './histogram.js';

/**
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
 * @param {{ opened: number, reused: number, closedByServer: number, bytesSent: number, bytesReceived: number }} at.traffic
 * @returns {Stats}
 */
export function summarize(recorder, { elapsedMs, measuredMs, timers, traffic }) {
  const main = new Histogram();
  main.add(recorder.ok);
  main.add(recorder.notOk);
  const { ok, ...requests } = recorder.requests;
  const { opened, reused, closedByServer, bytesSent, bytesReceived } = traffic;
  /** @type {(count: number) => number} */
  const perSecond = (count) => (measuredMs > 0 ? (count * 1000) / measuredMs : 0);
  return {
    totalElapsed: elapsedMs,
    main: { meter: recorder.meter.toJSON(), histogram: main.toJSON(), ok: recorder.ok.toJSON() },
    ...timers.toJSON(),
    iterations: { ...recorder.iterations },
    requests: {
      ...requests,
      rate: perSecond(requests.answered),
      okRate: perSecond(ok),
      bytesSent,
      bytesReceived,
      connections: { opened, reused, closedByServer },
      statusCodes: recorder.statusCodes(),
    },
    errors: recorder.errors(),
  };
}
