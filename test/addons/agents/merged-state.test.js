import { expect } from 'chai';

import { mergedPoints, mergedResult, mergedState, mergedTick } from '../../../lib/addons/agents/merged-state.js';
import { reportOf, stateOf, tableOf } from '../../support/shard-reports.js';
import { messagesOf } from '../../support/messages.js';
import { withoutCounts } from '../../../lib/core/measure/histogram.js';
import { valueAt } from '../../../lib/core/measure/figures.js';
import { missingIn } from '../../../lib/core/measure/validity.js';

describe('the sum of the reports of shards', () => {
  it('the sum of states equals that of one recorder', async () => {
    const [one, two] = [
      [1, 2, 30],
      [4, 500],
    ];
    const whole = stateOf([...one, ...two]);
    const sum = await mergedState(tableOf(reportOf(stateOf(one)), reportOf(stateOf(two))), 0);
    expect(sum.main.completed).to.deep.equal(withoutCounts(whole.main.completed));
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
      outcome: { kind: 'ended', why: 'completed' },
      state: 'ended',
    });
    const table = tableOf(ended, reportOf(stateOf([3], { running: 2 }), { name: 'box-2', inFlight: 1 }));
    table.drop(2, 'its agent does not respond', 'noSignal');
    const { iterations, requests, validity, agents, loadGenerators } = await mergedResult(table, 0);
    expect(iterations).to.include({ started: 5, completed: 3, cancelled: 2 });
    expect(requests).to.include({ sent: 1, cancelled: 1 });
    expect(missingIn({ validity })).to.deep.equal([
      'agent box-2 was lost: its agent does not respond; counted until 1.0 s',
    ]);
    expect(agents).to.deep.equal({ lost: 1, maxLost: 0 });
    expect(loadGenerators[1]).to.deep.include({
      name: 'box-2',
      shard: { number: 2, of: 2 },
      lost: { code: 'noSignal', message: 'its agent does not respond' },
    });
    expect(loadGenerators[1].iterations.started).to.equal(3);
  });

  it('agents of one name have numbers, and one that was stopped is named', async () => {
    const ended = (why, name) =>
      reportOf(stateOf([1], { isOver: true }), { outcome: { kind: 'ended', why }, state: 'ended', name });
    const table = tableOf(ended('completed', 'vm'), ended('SIGTERM', 'vm'), ended('completed', 'box'), null);
    const { loadGenerators } = await mergedResult(table, 0);
    expect(loadGenerators.map(({ name }) => name)).to.deep.equal(['vm 1', 'vm 2', 'box', 'shard 4']);
    expect(loadGenerators.map(({ stoppedBy }) => stoppedBy)).to.deep.equal([
      undefined,
      'SIGTERM',
      undefined,
      undefined,
    ]);
  });

  it('agents that started apart are a doubt', async () => {
    const at = (startDelayMs) => ({ ...reportOf(stateOf([1])), startDelayMs });
    const { validity } = await mergedState(tableOf(at(0), at(400)), 0);
    expect(messagesOf(validity.reasons).join()).to.match(
      /skew: the parts started 0\.40 s apart, so only 0\.60 s of 1\.40 s/,
    );
  });

  it('names an agent that was lost before its first state', async () => {
    const ended = reportOf(stateOf([1], { isOver: true }), {
      outcome: { kind: 'ended', why: 'completed' },
      state: 'ended',
    });
    const table = tableOf(ended, null);
    table.drop(2, 'killed', 'noSignal');
    const { validity, loadGenerators } = await mergedResult(table, 1);
    expect(missingIn({ validity })[0]).to.include('of shard 2 was lost');
    expect(loadGenerators[1]).to.deep.equal({
      ...{ name: 'shard 2', shard: { number: 2, of: 2 }, workers: 0 },
      lost: { code: 'noSignal', message: 'killed' },
    });
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

  it('drops a shard whose counts are not those of its figures, names them, and the others count', async () => {
    const damaged = stateOf([3]);
    const [hdr, two] = [damaged, stateOf([1, 2])].map(({ main }) => main.completed.hdr);
    for (const [path, counts, reason] of [
      ['main.completed', 'AAAA', 'not encoded counts'],
      ['main.completed', two, '2 values, but its summary has 1'],
      ['main.histogram', undefined, 'missing'],
      ['connections.connect', hdr, '1 values, but its summary has 0'],
    ]) {
      const stats = structuredClone(damaged);
      Object.assign(valueAt(stats, path), { hdr: counts });
      for (const merge of [mergedState, mergedResult]) {
        const table = tableOf(reportOf(stateOf([1, 2])), reportOf(stats, { name: 'box-2' }));
        const { iterations, loadGenerators } = await merge(table, 0);
        expect(iterations.completed).to.equal(2);
        expect(loadGenerators[1].lost).to.deep.equal({
          code: 'refused',
          message: `its report is refused: ${path}.hdr: ${reason}`,
        });
      }
    }
  });

  it('points of a run are complete until the last report of the shards that go on', async () => {
    const table = tableOf(...[0, 500].map((startDelayMs) => ({ ...reportOf(stateOf([1])), startDelayMs })));
    table.drop(1, 'killed', 'noSignal');
    expect((await mergedPoints(table)).elapsedMs).to.equal(1500);
  });

  it('there are no points while no shard that runs has reported a state', async () => {
    const table = tableOf(reportOf(stateOf([1])), reportOf(null));
    table.drop(1, 'killed', 'noSignal');
    expect(await mergedPoints(table)).to.equal(null);
  });

  it('adds up where the shards are', () => {
    const tick = (share, ended) => ({ phase: 'main', elapsedMs: 10 * ended, share, ended, inFlight: 1, errors: 2 });
    expect(
      mergedTick(tableOf(reportOf(null, { tick: tick(0.5, 3) }), reportOf(null, { tick: tick(1, 4) }))),
    ).to.deep.equal({ phase: 'main', elapsedMs: 40, share: 0.75, ended: 7, inFlight: 2, errors: 4 });
    expect(mergedTick(tableOf(reportOf(null)))).to.equal(null);
  });
});
