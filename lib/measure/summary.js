import { Histogram } from './histogram.js';
import { judgeThresholds } from './thresholds.js';
import { judge, judgeClient } from './verdict.js';

/**
 * @import { Recorder } from './recorder.js'
 * @import { ThreadSummary } from './thread.js'
 * @import { Threshold } from './thresholds.js'
 * @import { Stats } from './types.js'
 *
 * @typedef {object} Occasion what the recorder does not know
 * @property {number} elapsedMs since the run began
 * @property {number} measuredMs the part of it in which iterations ran
 * @property {boolean} isOver
 * @property {number | null} planned iterations that were due by now; null where the plan does not say when
 * @property {ThreadSummary} client
 * @property {ThreadSummary | null} server of the target, where it is in this process
 * @property {boolean} sharesLoop the target is in this very thread
 * @property {number} workers threads that sent
 * @property {{ iterations: number, errors: number } | null} warmup
 * @property {number} [expectedInterval] ms
 * @property {Threshold[]} [thresholds]
 * @property {{ opened: number, reused: number, closedByServer: number, discarded: number, bytesSent: number, bytesReceived: number }} traffic
 */

/**
 * What the run looks like now, as plain data; at the end it is the result.
 *
 * @param {Recorder} recorder
 * @param {Occasion} occasion
 * @returns {Stats}
 */
export function summarize(recorder, occasion) {
  const { elapsedMs, measuredMs, planned, client, server, warmup, expectedInterval, thresholds = [] } = occasion;
  const { ok, notOk, serviceTime, startDelay, connect, tls, ttfb } = recorder.histograms;
  const main = new Histogram();
  main.add(ok);
  main.add(notOk);
  const histogram = main.toJSON();
  const { requests } = recorder;
  const { opened, reused, closedByServer, discarded, bytesSent, bytesReceived } = occasion.traffic;
  const { late, most, dropped } = recorder.backlog;
  /** @type {(count: number) => number} */
  const perSecond = (count) => (measuredMs > 0 ? (count * 1000) / measuredMs : 0);
  const missed = planned === null || !occasion.isOver ? 0 : planned - recorder.iterations.started;
  const stats = {
    totalElapsed: elapsedMs,
    measuredElapsed: measuredMs,
    main: {
      meter: recorder.meter.toJSON(),
      histogram,
      // in a closed run an iteration is due when it starts
      serviceTime: planned === null ? { ...histogram } : serviceTime.toJSON(),
      ok: ok.toJSON(),
      ...(expectedInterval !== undefined && { corrected: main.corrected(expectedInterval).toJSON() }),
    },
    ...recorder.timers.toJSON(),
    iterations: { ...recorder.iterations, late, maxBacklog: most, dropped: Math.max(dropped, missed) },
    requests: {
      ...requests,
      rate: perSecond(requests.answered),
      okRate: perSecond(requests.ok),
      bytesSent,
      bytesReceived,
      connections: { opened, reused, closedByServer, discarded, ...recorder.lanes },
      statusCodes: recorder.statusCodes(),
      connect: connect.toJSON(),
      tls: tls.toJSON(),
      ttfb: ttfb.toJSON(),
    },
    operations: recorder.operations.toJSON(),
    exemplars: recorder.exemplars.toJSON(),
    series: recorder.series.toJSON(),
    errors: recorder.errors(),
    ...(warmup && { warmup }),
    ...(server && { server }),
  };
  const ofClient = {
    ...client,
    workers: occasion.workers,
    cpuPerRequest: requests.sent > 0 ? client.cpu / requests.sent : null,
    rate: planned === null ? null : { asked: perSecond(planned), reached: perSecond(recorder.iterations.started) },
    startDelay: startDelay.toJSON(),
  };
  const judged = judgeClient(stats, ofClient, measuredMs);
  const books = occasion.isOver
    ? { imbalances: recorder.imbalances(), area: recorder.series.area, spent: recorder.spent }
    : null;
  const result = {
    ...stats,
    client: { ...ofClient, ...judged },
    verdict: judge(stats, { ...judged, sharesLoop: occasion.sharesLoop, books }),
    ...(occasion.isOver && { histograms: encodedOf(recorder, main) }),
  };
  return thresholds.length > 0 ? { ...result, thresholds: judgeThresholds(thresholds, result) } : result;
}

/** The counts behind the figures, for other tools and for merging. @type {(recorder: Recorder, main: Histogram) => Stats['histograms']} */
function encodedOf({ histograms, operations, timers, series }, main) {
  const named = Object.entries(histograms)
    .filter(([name]) => name !== 'notOk')
    .map(([name, histogram]) => [name, histogram.encoded()]);
  return /** @type {NonNullable<Stats['histograms']>} */ ({
    main: main.encoded(),
    ...Object.fromEntries(named),
    operations: operations.encoded(),
    timers: timers.encoded(),
    series: series.encoded(),
  });
}
