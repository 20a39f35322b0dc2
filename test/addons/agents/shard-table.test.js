import { expect } from 'chai';

import { ShardTable } from '../../../lib/addons/agents/shard-table.js';

const TIMING = {
  reportMs: 1000,
  stalledMs: 2000,
  silentMs: 10_000,
  untakenMs: 30_000,
  unreachableMs: 15_000,
  orphanMs: 500,
};
const reportOf = (sequence, { lease = 'first', state = 'running' } = {}) => ({ lease, sequence, state });

/** A table whose second shard reports at each of these times, and whose first one does not. */
const watched = (times, { before = [[1, reportOf(1)]] } = {}) => {
  const table = new ShardTable(2, TIMING);
  table.take(new Map([...before, [2, reportOf(1)]]), 0);
  times.forEach((at, i) => table.take(new Map([[2, reportOf(i + 2)]]), at));
  return table;
};

describe('shards that report, and those that are lost', () => {
  it('keeps the latest report of each shard', () => {
    const table = new ShardTable(1, TIMING);
    for (const sequence of [1, 2, 2, 1]) table.take(new Map([[1, reportOf(sequence)]]), sequence);
    expect(table.reports).to.deep.equal([reportOf(2)]);
  });

  it('drops a shard whose report is refused, and names the reason', () => {
    const table = new ShardTable(2, TIMING);
    table.take(
      new Map([
        [1, reportOf(1)],
        [2, { fault: 'report.inFlight: expected a whole number from 0, got -1' }],
      ]),
      0,
    );
    expect(table.lost.map(({ number, lost }) => ({ number, lost }))).to.deep.equal([
      { number: 2, lost: 'its report is refused: report.inFlight: expected a whole number from 0, got -1' },
    ]);
    expect(table.reports).to.deep.equal([reportOf(1)]);
  });

  it('refuses the reports of another attempt', () => {
    const table = new ShardTable(1, TIMING);
    table.take(new Map([[1, reportOf(1)]]), 0);
    table.take(new Map([[1, reportOf(9, { lease: 'second' })]]), 500);
    expect(table.reports[0].lease).to.equal('first');
  });

  it('A61 an agent that runs a copy of a job is dropped, and the first one is not', () => {
    const table = new ShardTable(1, TIMING);
    table.take(new Map([[1, reportOf(1)]]), 0);
    for (const at of [100, 200]) table.take(new Map([[1, reportOf(9, { lease: 'copy' })]]), at);
    expect(table.dropped).to.deep.equal(['copy']);
    expect(table.lost).to.deep.equal([]);
  });

  it('drops a silent shard of which BullMQ says that it stalled', () => {
    const table = watched([500, 1000]);
    table.suspect(1, 'its agent does not respond');
    table.take(new Map([[2, reportOf(9)]]), 1900);
    expect(table.lost).to.have.lengthOf(0);
    table.take(new Map([[2, reportOf(10)]]), 2900);
    expect(table.lost.map(({ number, lost }) => ({ number, lost }))).to.deep.equal([
      { number: 1, lost: 'its agent does not respond' },
    ]);
    expect(table.dropped).to.deep.equal(['first']);
  });

  for (const state of ['preparing', 'ready'])
    it(`waits longer for a silent shard that is ${state}`, () => {
      const times = Array.from({ length: 9 }, (_, i) => 1000 * (i + 1));
      const table = watched([], { before: [[1, reportOf(1, { state })]] });
      table.suspect(1, 'its agent does not respond');
      for (const at of times) table.take(new Map([[2, reportOf(at)]]), at);
      expect(table.lost).to.have.lengthOf(0);
      table.take(new Map([[2, reportOf(10_000)]]), 10_000);
      expect(table.lost.map(({ number }) => number)).to.deep.equal([1]);
    });

  it('refuses the report of a shard that was dropped', () => {
    const table = new ShardTable(1, TIMING);
    table.take(new Map([[1, reportOf(1)]]), 0);
    table.drop(1, 'lost', 'noSignal');
    table.take(new Map([[1, reportOf(2, { state: 'ended' })]]), 100);
    expect(table.all[0].report.sequence).to.equal(1);
  });

  it('keeps a shard that stalled, but still reports', () => {
    const table = watched([500]);
    table.suspect(2, 'its agent does not respond');
    for (const at of [1000, 2000, 3000, 4000]) table.take(new Map([[2, reportOf(at)]]), at);
    expect(table.all[1].lost).to.equal(null);
  });

  it('does not count the time in which no report could arrive', () => {
    const table = watched([1000]);
    table.suspect(1, 'its agent does not respond');
    table.suspect(2, 'its agent does not respond');
    table.take(new Map(), 9000);
    expect(table.lost).to.have.lengthOf(0);
    table.take(
      new Map([
        [1, reportOf(2)],
        [2, reportOf(7)],
      ]),
      9500,
    );
    for (let at = 10_500; at < 13_000; at += 1000)
      table.take(
        new Map([
          [2, reportOf(at)],
          [1, reportOf(at)],
        ]),
        at,
      );
    expect(table.lost).to.have.lengthOf(0);
  });

  it('waits for the reports that follow a pause of the whole machine', () => {
    const table = watched([500]);
    table.suspect(1, 'its agent does not respond');
    table.take(new Map(), 2450);
    table.take(new Map([[1, reportOf(2)]]), 2950);
    expect(table.lost).to.have.lengthOf(0);
  });

  it('A5 a job that stalled while the queue did not answer is no reason: only silence is', () => {
    const table = watched([500]);
    table.take(new Map(), 6500, { isCutOff: true });
    table.suspect(1, 'its agent does not respond');
    for (let at = 7000; at < 16_500; at += 500) table.take(new Map([[2, reportOf(at)]]), at);
    expect(table.lost).to.have.lengthOf(0);
    table.take(new Map([[2, reportOf(16_500)]]), 16_500);
    expect(table.lost.map(({ number }) => number)).to.deep.equal([1]);
  });

  for (const [what, at, expected] of [
    ['what a shard did since its last report', 7000, 6000],
    ['no more than an agent does without a coordinator', 90_000, 17_500],
  ])
    it(`counts ${what} as not counted when the queue was lost`, () => {
      let time = 0;
      const table = new ShardTable(1, TIMING, () => time);
      table.take(new Map([[1, reportOf(1)]]), 1000);
      table.take(new Map(), 1500);
      time = at;
      table.drop(1, 'the queue is not reachable', 'noSignal');
      expect(table.lost[0].uncountedMs).to.equal(expected);
    });

  it('drops a shard that is silent for long, without a report of its job', () => {
    const table = watched(Array.from({ length: 11 }, (_, i) => (i + 1) * 1000));
    expect(table.lost[0].lost).to.match(/has not reported for \d+ s/);
  });

  it('waits for shards that no agent has taken yet, up to a limit', () => {
    const table = watched(
      Array.from({ length: 29 }, (_, i) => (i + 1) * 1000),
      { before: [] },
    );
    expect(table.lost).to.have.lengthOf(0);
    expect(table.open.map(({ number }) => number)).to.deep.equal([1, 2]);
    table.take(new Map([[2, reportOf(99)]]), 30_000);
    expect(table.lost.map(({ number, lost }) => ({ number, lost }))).to.deep.equal([
      { number: 1, lost: 'no agent has begun it for 30 s' },
    ]);
  });

  it('drops a shard whose agent was killed before its first report', () => {
    const table = watched([500], { before: [] });
    table.suspect(1, 'its agent does not respond');
    for (const at of [1500, 2500]) table.take(new Map([[2, reportOf(at)]]), at);
    expect(table.lost).to.have.lengthOf(1);
  });

  it('bounds and cleans the reason, which another machine wrote', () => {
    const table = watched([500]);
    table.suspect(1, `\u001b[2J${'x'.repeat(5000)}`);
    expect(table.all[0].suspicion).not.to.include('\u001b');
    expect(table.all[0].suspicion.length).to.be.below(300);
  });
});
