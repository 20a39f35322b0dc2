import { expect } from 'chai';

import { mergedResult, mergedState, mergedTick } from '../../../lib/shard/merged-state.js';
import { reportOf, stateOf, tableOf } from '../../support/shard-reports.js';

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
      await mergedResult(table, 0, { expectedInterval: 10 }),
    ])
      expect(sum.main.corrected).to.include({ count: 4, min: 1, max: 35 });
  });

  it('has no stats before the first report', async () => {
    expect(await mergedState(tableOf(null, reportOf(null)), 0)).to.equal(null);
    expect(await mergedResult(tableOf(null, reportOf(null)), 0)).to.equal(null);
  });

  it('the last state of a lost agent counts, and its running iterations as cancelled', async () => {
    const ended = reportOf(stateOf([1, 2], { isOver: true }), {
      outcome: { kind: 'ended', why: 'done' },
      state: 'ended',
    });
    const table = tableOf(ended, reportOf(stateOf([3], { running: 2 }), { name: 'box-2', inFlight: 1 }));
    table.drop(2, 'its agent does not respond');
    const { iterations, requests, verdict, agents } = await mergedResult(table, 0);
    expect(iterations).to.include({ started: 5, completed: 3, cancelled: 2 });
    expect(requests).to.include({ sent: 1, cancelled: 1 });
    expect(verdict.missing).to.deep.equal([
      'agent box-2 was lost: its agent does not respond; what it did in the last 0.0 s is not counted',
    ]);
    expect(agents).to.include({ lost: 1, tolerated: 0 });
    expect(agents.each[1]).to.include({ name: 'box-2', lost: 'its agent does not respond', iterations: 3 });
  });

  it('names an agent that was lost before its first state', async () => {
    const ended = reportOf(stateOf([1], { isOver: true }), { outcome: { kind: 'ended', why: 'done' }, state: 'ended' });
    const table = tableOf(ended, null);
    table.drop(2, 'killed');
    const { verdict, agents } = await mergedResult(table, 1);
    expect(verdict.missing[0]).to.include('of shard 2 was lost');
    expect(agents.each[1]).to.include({ name: '', p99: null, lost: 'killed' });
  });

  it('a sum of many shards lets timers of this process run: the control of a run has to be renewed', async () => {
    const reports = Array.from({ length: 5 }, () => reportOf(stateOf([1])));
    for (const merge of [mergedState, mergedResult]) {
      let isOver = false;
      let turns = 0;
      const count = () => (isOver ? undefined : (turns++, setImmediate(count)));
      const sum = merge(tableOf(...reports), 0);
      setImmediate(count);
      await sum;
      isOver = true;
      expect(turns).to.be.at.least(reports.length - 1);
    }
  });

  it('drops a shard whose state cannot be read, and the others count', async () => {
    const damaged = stateOf([3]);
    for (const stats of [
      {},
      { ...damaged, client: null },
      { ...damaged, series: { interval: 1000, points: 'x' } },
      { ...damaged, histograms: { ...damaged.histograms, ok: 'AAAA' } },
    ]) {
      for (const merge of [mergedState, mergedResult]) {
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
