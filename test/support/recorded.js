import { Recorder } from '../../lib/core/measure/recorder.js';
import { addConfidence } from '../../lib/core/measure/confidence.js';
import { summarize } from '../../lib/core/measure/summary.js';
import { noStops } from './no-stops.js';

const THREAD = {
  eventLoopUtilization: 0.5,
  eventLoopDelay: { mean: 0, p99: 1, max: 2 },
  cpuTime: 100,
  gcTime: 1,
  stall: { longest: 0, extendedTimeouts: 0 },
  stops: noStops(),
};
const LENGTH_MS = 10_000;
/** Iterations begin at multiples of it. */
const SPACING_MS = 100;

/**
 * A recorder of one-operation iterations `{ at, ms, waited, status }`. Iterations with `waited` belong to an open model.
 */
export function recorded(iterations, options) {
  const recorder = new Recorder(options);
  const operation = recorder.operations.add('GET /', 'main');
  const isOk = recorder.checks.add({
    name: 'status 2xx',
    operation: 'GET /',
    phase: 'main',
    path: 'flow.main[0].expect.status',
  });
  recorder.points.begin(0);
  for (const { at, ms, status, waited = NaN } of iterations) {
    const lane = { isRunning: false };
    // over when the next one begins
    const lasted = Math.min(ms, SPACING_MS / 2);
    const outcome = status < 400 ? 'completed' : 'failed';
    recorder.started(lane, at);
    recorder.answered(status, 'count');
    operation.answered(status, ms);
    if (status < 300) isOk.passes++;
    else isOk.fail(at, `expected status 2xx, received ${status}`);
    recorder.histograms.ttfb.update(ms / 2);
    recorder.metrics.forHooks.timer('mine').update(ms * 2);
    recorder.main(ms, waited, outcome, at);
    recorder.ended(lane, outcome, at + lasted, lasted);
    recorder.exemplars.addSlow({
      index: at,
      operation: 'GET /',
      path: 'flow.main[0]',
      status,
      serviceTime: ms,
      reused: true,
      started: at,
      connected: null,
      sent: at,
      firstByte: at,
      ended: at,
    });
    if (waited > 0) {
      recorder.iterations.late++;
      recorder.iterations.maxBacklog = Math.max(recorder.iterations.maxBacklog, waited);
    }
    if (outcome === 'failed') {
      operation.errors++;
      operation.answeredWithError(ms, ms);
      recorder.failure({
        kind: 'status',
        code: 'E_STATUS',
        phase: 'main',
        operation: 'GET /',
        index: at,
        now: at,
        message: () => 'failed',
      });
    }
  }
  recorder.points.close(LENGTH_MS);
  return recorder;
}

/** The result of a recorder, as in a file; closes the recorder. */
export function resultOf(
  recorder,
  { planned = null, plannedMs, peakRate, traffic = 1, server = null, expectedInterval } = {},
) {
  const stats = summarize(recorder, {
    elapsedMs: LENGTH_MS,
    measuredMs: LENGTH_MS,
    isOver: true,
    addConfidence,
    planned,
    peakRate,
    plannedMs,
    expectedInterval,
    loadGenerator: THREAD,
    server,
    sharesLoop: false,
    workers: 1,
    warmup: null,
    traffic: {
      opened: traffic,
      reused: 0,
      closedByServer: 0,
      discarded: 0,
      bytesSent: 10 * traffic,
      bytesReceived: 20 * traffic,
      messagesSent: 3 * traffic,
      messagesReceived: 4 * traffic,
      messagesUnread: traffic,
      greetingsUnread: traffic,
      messagesSurplus: traffic,
    },
  });
  recorder.close();
  return JSON.parse(JSON.stringify(stats));
}

/** The parts that do not depend on how a run is split: everything except meters, threads and event loop utilization. */
export function exactPart({ main, metrics: { mine }, loadGenerator, loadGenerators: _parts, series, ...stats }) {
  return {
    ...stats,
    exemplars: stats.exemplars.slowest.map(({ serviceTime }) => serviceTime),
    main: { ...main, meter: main.meter.count },
    mine: mine && { ...mine, meter: mine.meter.count },
    startDelay: loadGenerator.startDelay,
    series: {
      ...series,
      points: series.points.map(({ loadGenerator: _loop, ...point }) => point),
    },
  };
}
