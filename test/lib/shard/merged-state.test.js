import { expect } from 'chai';

import { Recorder } from '../../../lib/measure/recorder.js';
import { summarize } from '../../../lib/measure/summary.js';
import { mergedResult, mergedState, mergedTick } from '../../../lib/shard/merged-state.js';
import { ShardTable } from '../../../lib/shard/shard-table.js';

const SENDER = {
  utilization: 0.5,
  delay: { mean: 0, p99: 1, max: 1 },
  cpu: 500,
  gc: 0,
  standstill: { longest: 0, spared: 0 },
};
const TRAFFIC = {};

/** The state of a shard that has completed iterations of these times, and runs `running` more. */
const stateOf = (times, { running = 0, isOver = false } = {}) => {
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
    planned: null,
    client: SENDER,
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
const reportOf = (stats, { outcome = null, state = 'running', tick = null, inFlight = 0, name = 'box' } = {}) => ({
  ...{ lease: 'l', sequence: 1, state, stats, outcome, tick, inFlight, clockOffsetMs: 0.2, startDelayMs: 0.1 },
  agent: { name, version: '2', cores: 2, roundTripMs: 0.3 },
});
const tableOf = (...reports) => {
  const table = new ShardTable(reports.length, { reportMs: 1000, stalledMs: 2000, silentMs: 10_000 });
  table.take(new Map(reports.flatMap((report, i) => (report ? [[i + 1, report]] : []))), 0);
  return table;
};

describe('shard/merged-state', () => {
  it('the sum of states equals that of one recorder', async () => {
    const [one, two] = [
      [1, 2, 30],
      [4, 500],
    ];
    const whole = stateOf([...one, ...two]);
    const sum = await mergedState(tableOf(reportOf(stateOf(one)), reportOf(stateOf(two))), 0);
    expect(sum.main.histogram).to.deep.equal(whole.main.histogram);
    expect(sum.iterations.completed).to.equal(5);
  });

  it('the times of a sum are corrected for coordinated omission', async () => {
    const table = tableOf(reportOf(stateOf([1])), reportOf(stateOf([35])));
    for (const sum of [
      await mergedState(table, 0, { expectedInterval: 10 }),
      mergedResult(table, 0, { expectedInterval: 10 }),
    ])
      expect(sum.main.corrected).to.include({ count: 4, min: 1, max: 35 });
  });

  it('has no stats before the first report', async () => {
    expect(await mergedState(tableOf(null, reportOf(null)), 0)).to.equal(null);
    expect(mergedResult(tableOf(null, reportOf(null)), 0)).to.equal(null);
  });

  it('the last state of a lost agent counts, and its running iterations as cancelled', () => {
    const ended = reportOf(stateOf([1, 2], { isOver: true }), {
      outcome: { kind: 'ended', why: 'done' },
      state: 'ended',
    });
    const table = tableOf(ended, reportOf(stateOf([3], { running: 2 }), { name: 'box-2', inFlight: 1 }));
    table.drop(2, 'its agent does not respond');
    const { iterations, requests, verdict, agents } = mergedResult(table, 0);
    expect(iterations).to.include({ started: 5, completed: 3, cancelled: 2 });
    expect(requests).to.include({ sent: 1, cancelled: 1 });
    expect(verdict.missing).to.deep.equal([
      'agent box-2 was lost: its agent does not respond; what it did in the last 0.0 s is not counted',
    ]);
    expect(agents).to.include({ lost: 1, tolerated: 0 });
    expect(agents.each[1]).to.include({ name: 'box-2', lost: 'its agent does not respond', iterations: 3 });
  });

  it('names an agent that was lost before its first state', () => {
    const ended = reportOf(stateOf([1], { isOver: true }), { outcome: { kind: 'ended', why: 'done' }, state: 'ended' });
    const table = tableOf(ended, null);
    table.drop(2, 'killed');
    const { verdict, agents } = mergedResult(table, 1);
    expect(verdict.missing[0]).to.include('of shard 2 was lost');
    expect(agents.each[1]).to.include({ name: '', p99: null, lost: 'killed' });
  });

  it('drops a shard whose state cannot be read, and the others count', async () => {
    const damaged = stateOf([3]);
    for (const stats of [
      {},
      { ...damaged, client: null },
      { ...damaged, series: { interval: 1000, points: 'x' } },
      { ...damaged, histograms: { ...damaged.histograms, ok: 'AAAA' } },
    ]) {
      for (const merge of [mergedState, async (...given) => mergedResult(...given)]) {
        const table = tableOf(reportOf(stateOf([1, 2])), reportOf(stats, { name: 'box-2' }));
        const { iterations, agents } = await merge(table, 0);
        expect(iterations.completed).to.equal(2);
        expect(agents.each[1].lost).to.equal('it sent a state that cannot be read');
      }
    }
  });

  it('adds up where the shards are', () => {
    const tick = (share, ended) => ({ phase: 'main', elapsedMs: 10 * ended, share, ended, inFlight: 1, errors: 2 });
    expect(
      mergedTick(tableOf(reportOf(null, { tick: tick(0.5, 3) }), reportOf(null, { tick: tick(1, 4) }))),
    ).to.deep.equal({ phase: 'main', elapsedMs: 40, share: 0.75, ended: 7, inFlight: 2, errors: 4 });
    expect(mergedTick(tableOf(reportOf(null)))).to.equal(null);
  });
});
