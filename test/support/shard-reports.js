import { COUNTERS } from '../../lib/core/measure/figures.js';
import { Recorder } from '../../lib/core/measure/recorder.js';
import { summarize } from '../../lib/core/measure/summary.js';
import { PROTOCOL } from '../../lib/addons/agents/protocol.js';
import { ShardTable } from '../../lib/addons/agents/shard-table.js';
import { noStops } from './no-stops.js';

const SENDER = {
  eventLoopUtilization: 0.5,
  eventLoopDelay: { mean: 0, p99: 1, max: 1 },
  cpuTime: 500,
  gcTime: 0,
  stall: { longest: 0, extendedTimeouts: 0 },
  stops: noStops(),
};
const TRAFFIC = Object.fromEntries(COUNTERS.filter(({ source }) => source === 'transport').map(({ key }) => [key, 0]));

/** The state of a shard that has completed iterations of these times, and runs `running` more. */
export const stateOf = (times, { running = 0, isOver = false, planned = null, plannedMs } = {}) => {
  const recorder = new Recorder();
  for (const ms of times) {
    const lane = { isRunning: false };
    recorder.started(lane, 0);
    recorder.main(ms, NaN, 'completed', ms);
    recorder.ended(lane, 'completed', ms, ms);
  }
  for (let i = 0; i < running; i++) recorder.started({ isRunning: false }, 0);
  const stats = summarize(recorder, {
    elapsedMs: 1000,
    measuredMs: 1000,
    isOver,
    withCounts: true,
    planned,
    plannedMs,
    loadGenerator: SENDER,
    server: null,
    sharesLoop: false,
    workers: 1,
    warmup: null,
    traffic: TRAFFIC,
  });
  recorder.close();
  // as it comes from another machine
  return JSON.parse(JSON.stringify(stats));
};
const AGENT = {
  ...{ protocol: PROTOCOL, id: 'a1', version: '2', cores: 2, allowsCode: false, isBusy: true, roundTripMs: 0.3 },
};

/** A report with this state. */
export const reportOf = (
  stats,
  { outcome = null, state = 'running', tick = null, inFlight = 0, name = 'box' } = {},
) => ({
  ...{ protocol: PROTOCOL, lease: 'l', sequence: 1, state, stats, outcome, tick, inFlight, begun: null, error: null },
  ...{ clockOffsetMs: 0.2, startDelayMs: 0.1 },
  agent: { ...AGENT, name },
});
/** A table that has taken these reports; null: that shard has sent none. */
export const tableOf = (...reports) => {
  const table = new ShardTable(
    reports.length,
    {
      ...{ reportMs: 1000, stalledMs: 2000, silentMs: 10_000, unreachableMs: 15_000, orphanMs: 500 },
    },
    () => 0,
  );
  table.take(new Map(reports.flatMap((report, i) => (report ? [[i + 1, report]] : []))), 0);
  return table;
};
