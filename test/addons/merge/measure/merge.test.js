import { expect } from 'chai';

import { loadSummaryOf } from '../../../../lib/addons/loads/measure/loads.js';
import { mergeStats } from '../../../../lib/addons/merge/measure/merge.js';
import { readThreshold } from '../../../../lib/core/measure/thresholds.js';
import { recorded, resultOf } from '../../../support/recorded.js';
import { messagesOf } from '../../../support/messages.js';

const at = (ms) => resultOf(recorded([{ at: 0, ms, status: 200 }]));

describe('a sum of results', () => {
  it('a sum keeps the doubts that no figure shows, and so does the sum of that sum', () => {
    const shared = { code: 'sharedEventLoop', message: 'load generator and server shared an event loop' };
    const suspect = {
      ...at(1),
      validity: { status: 'suspect', reasons: [shared, { code: 'tooShort', message: 'x' }] },
    };
    const sum = mergeStats([suspect, at(1), suspect]);
    expect(sum.validity.status).to.equal('suspect');
    for (const { validity } of [sum, mergeStats([sum])])
      expect(validity.reasons.filter(({ code }) => code === 'sharedEventLoop')).to.deep.equal([shared]);
    const skewed = mergeStats([at(1), at(1)], [], { offsets: [0, 5000] });
    expect(messagesOf(mergeStats([skewed]).validity.reasons).join()).to.match(/skew: /);
  });

  it('the last state of a shard that was cut, busy without CPU, saturates no sum', () => {
    const whole = { load: { ms: 10_000, count: () => null, users: () => 0 }, shards: [1, 2], users: 0 };
    const killed = at(1);
    Object.assign(killed.loadGenerator, { eventLoopUtilization: 0.98, cpuTime: 0.04 * killed.measuredElapsed });
    const utilizationOf = (cut) =>
      mergeStats([at(1), killed], [], { whole: { ...whole, cut: new Set(cut) } }).loadGenerator.eventLoopUtilization;
    expect(utilizationOf([])).to.equal(0.98);
    expect(utilizationOf([2])).to.be.at.most(0.5);
  });

  it('thresholds are applied to the sum', () => {
    const [{ passed, actual }] = mergeStats([at(1), at(9)], [readThreshold('max<5ms').threshold]).thresholds;
    expect({ passed, actual }).to.deep.equal({ passed: false, actual: 9 });
  });

  it('while a run goes on, windows are judged until when all parts have reported', () => {
    const part = (slowAt) => {
      const times = Array.from({ length: 100 }, (_, i) => ({
        at: i * 100,
        ms: i * 100 === slowAt ? 90 : 1,
        status: 200,
      }));
      return resultOf(recorded(times, { interval: 1000 }));
    };
    const judge = (parts, options) =>
      mergeStats(parts, [readThreshold('max<20ms over 1s').threshold], options).thresholds[0];
    const late = part(8000);
    const behind = { ...part(-1), measuredElapsed: 6000 };
    behind.series.points.splice(6);
    expect(judge([late, behind], { isOver: false }).passed).to.equal(true);
    const whole = {
      load: { ms: 10_000, count: () => null, users: () => 0 },
      shards: [1, 2],
      cut: new Set([2]),
      users: 0,
    };
    expect(judge([late, behind], { isOver: false, whole })).to.deep.include({
      passed: false,
      window: { from: 8000, to: 9000, count: 10 },
    });
    expect(judge([late, behind], { isOver: true }).passed).to.equal(false);
  });

  for (const [intervals, expected] of [
    [[1000, 1000], 1000],
    [[250, 1000], 1000],
    [[300, 1000], 3000],
    [[400, 600, 1000], 6000],
  ])
    it(`steady runs with intervals of ${intervals.join(', ')} ms have steady points of ${expected} ms`, () => {
      const steady = Array.from({ length: 901 }, (_, i) => ({ at: i * 20, ms: 5, status: 200 }));
      const { series } = mergeStats(intervals.map((interval) => resultOf(recorded(steady, { interval }))));
      expect(series.interval).to.equal(expected);
      for (const { iterations } of series.points.slice(0, -1))
        expect(iterations.completedRate).to.be.closeTo(50 * intervals.length, 0.01);
    });

  it('the load generators of a sum have distinct names, also if one of the results is a sum', () => {
    const sum = mergeStats([at(1), at(2)]);
    const names = mergeStats([at(3), at(4), sum]).loadGenerators.map(({ name }) => name);
    expect(new Set(names).size, names.join(', ')).to.equal(4);
  });

  it('the client figures are those of the busiest machine, with the sum of CPU and workers', () => {
    const { loadGenerator } = mergeStats([at(1), at(2)]);
    expect(loadGenerator).to.deep.include({ workers: 2, cpuTime: 200, eventLoopUtilization: 0.5 });
  });

  it('meters are added', () => {
    const results = [at(1), at(2)];
    const [one, other] = results.map(({ main }) => main.meter);
    const {
      main,
      metrics: { mine },
    } = mergeStats(results);
    expect(main.meter).to.deep.equal({
      ...one,
      count: 2,
      mean: one.mean + other.mean,
      currentRate: one.currentRate + other.currentRate,
    });
    expect(mine.meter.count).to.equal(2);
  });

  it('warm-ups are added', () => {
    const warmed = (iterations, errors) => ({ ...at(1), warmup: { iterations, errors } });
    expect(mergeStats([warmed(3, 1), at(1), warmed(4, 0)]).warmup).to.deep.equal({ iterations: 7, errors: 1 });
  });

  it('N10 a merged result names once what its parts lack', () => {
    const cut = at(1);
    cut.validity = {
      status: 'suspect',
      reasons: [
        { code: 'unsteady', message: 'x' },
        { code: 'incomplete', message: 'y' },
      ],
    };
    const { validity } = mergeStats([cut, structuredClone(cut), at(2)]);
    expect(validity.status).to.equal('suspect');
    expect(messagesOf(validity.reasons).filter((reason) => reason === 'y')).to.have.lengthOf(1);
  });

  it('the planned rate of a result is that of the time in which iterations were due, without the drain', () => {
    const iterations = Array.from({ length: 8 }, (_, i) => ({ at: i * 100, ms: 1, status: 200, waited: 1 }));
    const result = () => resultOf(recorded(iterations), { planned: 10, plannedMs: 1000 });
    expect(result().iterations).to.include({ plannedRate: 10, startedRate: 8 });
    expect(mergeStats([result(), result()]).iterations).to.include({ plannedRate: 20, startedRate: 16 });
  });

  it('times are corrected for coordinated omission as in one run', () => {
    const iterations = [1, 5, 30, 250, 2].map((ms, i) => ({ at: i, ms, status: 200 }));
    const expectedInterval = 10;
    const of = (some) => resultOf(recorded(some), { expectedInterval });
    const merged = mergeStats([of(iterations.slice(0, 2)), of(iterations.slice(2))], [], { expectedInterval });
    const { corrected } = of(iterations).main;
    expect(corrected.count).to.be.above(iterations.length);
    expect(merged.main.corrected).to.deep.equal(corrected);
    expect(mergeStats([at(1), at(2)]).main).not.to.have.property('corrected');
  });

  /** A shard plans this many iterations in a second. */
  const load = (each) => ({ ms: 1000, count: () => each, users: () => 1 });

  describe('at different times', () => {
    const shard = () => {
      const iterations = Array.from({ length: 20 }, (_, i) => ({ at: i * 100, ms: 1, status: 200, waited: 1 }));
      return resultOf(recorded(iterations), { planned: 20, plannedMs: 2000 });
    };

    it('rates are those of the whole time; planned and started rates are those of the plan, as if a run were late', () => {
      const { iterations, measuredElapsed, validity } = mergeStats([shard(), shard()], [], {
        offsets: [0, 3000],
        whole: { load: load(20), shards: [1, 2], cut: new Set() },
      });
      expect(measuredElapsed).to.equal(13_000);
      expect(iterations.rate).to.be.closeTo(40 / 13, 1e-9);
      expect(iterations).to.include({ plannedRate: 20, startedRate: 20 });
      expect(validity.status).to.equal('suspect');
      expect(messagesOf(validity.reasons).join()).to.match(
        /skew: the parts started 3\.00 s apart, so only 7.00 s of 13.0 s/,
      );
    });

    it('points of the same time become one interval', () => {
      const { series } = mergeStats([shard(), shard()], [], { offsets: [0, 1000] });
      const second = (from) =>
        series.points
          .filter(({ at }) => at >= from && at < from + 1000)
          .reduce((sum, { iterations }) => sum + iterations.completed, 0);
      expect([0, 1000, 2000].map(second)).to.deep.equal([10, 20, 10]);
    });
  });

  it('the last point of a load keeps its length, and those of results that ran in turn follow each other', () => {
    const times = Array.from({ length: 100 }, (_, i) => ({ at: i * 100, ms: 1, status: 200 }));
    const result = resultOf(recorded(times, { interval: 3000 }));
    const load = loadSummaryOf(result, { name: 'visits', startAfter: 0 });
    const [{ series }] = mergeStats([{ ...result, loads: [load] }]).loads;
    expect(series.points).to.deep.equal(load.series.points);
    expect(series.points.map(({ iterations }) => iterations.completedRate)).to.deep.equal([10, 10, 10, 10]);
    const one = { ...result, loads: [load] };
    const inTurn = mergeStats([one, one], [], { offsets: [0, 12_000] });
    for (const part of [inTurn, inTurn.loads[0]]) {
      expect(part.iterations.completedRate).to.be.closeTo(200 / 22, 1e-9);
      expect(part.series.points.map(({ iterations }) => iterations.completed)).to.deep.equal([
        30, 30, 30, 10, 30, 30, 30, 10,
      ]);
    }
  });

  it('results in which a load never started do not lengthen its time', () => {
    const result = resultOf(recorded(Array.from({ length: 20 }, (_, i) => ({ at: i * 1000, ms: 1, status: 200 }))));
    const ran = loadSummaryOf({ ...result, measuredElapsed: 20_000 }, { name: 'b', startAfter: 10_000 });
    const none = { started: 0, completed: 0, failed: 0, cancelled: 0, dropped: 0 };
    const waited = { ...loadSummaryOf(resultOf(recorded([])), { name: 'b' }), iterations: none, measuredElapsed: 0 };
    const sumOf = (...loads) =>
      mergeStats(
        loads.map((load) => ({ ...result, loads: [load] })),
        [],
        { offsets: [0, 60_000] },
      ).loads[0];
    for (const never of [waited, { ...waited, startAfter: 10_000 }]) {
      const sum = sumOf(ran, never);
      expect(sum).to.include({ startAfter: 10_000, measuredElapsed: 20_000, rate: 1 });
      expect(sumOf(never, never).measuredElapsed).to.equal(0);
    }
    expect(sumOf(waited, waited)).not.to.have.property('startAfter');
  });

  it('a load keeps the highest rate of its ramp', () => {
    const result = at(1);
    const iterations = { ...result.iterations, plannedRate: 10, startedRate: 10, peakRate: 12 };
    const loads = [loadSummaryOf({ ...result, iterations }, { name: 'visits', startAfter: 0 })];
    expect(mergeStats([{ ...result, loads }]).loads[0].iterations.peakRate).to.equal(12);
  });

  describe('load of shards that were lost', () => {
    const shard = (started, planned) => {
      const iterations = Array.from({ length: started }, (_, i) => ({ at: i * 100, ms: 1, status: 200, waited: 1 }));
      return resultOf(recorded(iterations), { planned, plannedMs: 1000 });
    };
    it('stays in the plan', () => {
      const lost = shard(4, 4);
      const whole = { load: load(10), shards: [1, 2], cut: new Set([2, 3]), users: 0 };
      const { iterations, validity } = mergeStats([shard(10, 10), lost], [], { whole });
      expect(iterations).to.include({ started: 14, missing: 16, dropped: 0 });
      expect(iterations).to.include({ plannedRate: 30, startedRate: 14 });
      expect(messagesOf(validity.reasons).join()).to.match(/16 of 30 planned iterations are missing/);
    });

    it('is kept when the sum is merged again', () => {
      const whole = { load: load(10), shards: [1], cut: new Set([2]), users: 0 };
      const sum = mergeStats([shard(10, 10)], [], { whole });
      expect(mergeStats([sum, shard(10, 10)]).iterations.missing).to.equal(10);
    });
  });
});
