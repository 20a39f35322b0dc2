import { expect } from 'chai';

import { PrecisionWatch } from '../../../lib/core/measure/confidence.js';
import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import { Series } from '../../../lib/core/measure/series.js';
import { readThreshold } from '../../../lib/core/measure/thresholds.js';
import { LiveView } from '../../../lib/addons/agents/live-view.js';
import { reportOf, stateOf, tableOf } from '../../support/shard-reports.js';

const EVERY_MS = 1000;

/** The point of a second with so many iterations of a millisecond. */
function pointAt(second, count) {
  const counts = new HdrCounts();
  counts.record(1000, count);
  const figures = { failed: 0, errors: 0, max: 1, area: 0, utilization: 0, bytes: 0 };
  return { from: second * 1000, to: (second + 1) * 1000, count, ...figures, counts: counts.toBytes() };
}

const TICK = { phase: 'main', elapsedMs: 1000, share: 0.5, ended: 2, inFlight: 1, errors: 0 };

/** A view by a clock that `at()` sets, and what it shows. */
function viewOf(options = {}, sum = {}) {
  const shown = [];
  let time = 0;
  let costMs = 0;
  const view = new LiveView({
    listener: {
      onTick: (tick) => shown.push({ tick }),
      onState: (state) => shown.push({ state }),
      onProgress(progress) {
        shown.push({ progress });
        time += costMs;
      },
    },
    ...{ everyMs: EVERY_MS, tolerated: 0, options, sum, now: () => time },
  });
  const at = (ms, { cost = 0 } = {}) => {
    time = ms;
    costMs = cost;
  };
  return { view, at, shown, views: () => shown.filter(({ progress }) => progress).length };
}
const one = (options) => tableOf(reportOf(stateOf([1, 2], { running: 1, ...options }), { tick: TICK }));

describe('the live view of a run on agents', () => {
  it('shows where the shards are, their sum and its rate', async () => {
    const { view, at, shown } = viewOf();
    at(2000);
    await view.show(one());
    expect(shown.map((event) => Object.keys(event)[0])).to.deep.equal(['tick', 'state', 'progress']);
    expect(shown[2].progress).to.include({ percent: 50, concurrent: 1, ips: 1 });
  });

  it('shows nothing before the interval is over, and nothing without reports', async () => {
    const { view, at, shown } = viewOf();
    at(EVERY_MS - 1);
    await view.show(one());
    at(EVERY_MS);
    await view.show(tableOf(null));
    expect(shown).to.deep.equal([]);
  });

  it('a view that takes long is followed by four times as much time for other things', async () => {
    const { view, at, views } = viewOf();
    at(1000, { cost: 1000 });
    await view.show(one());
    at(4999);
    await view.show(one());
    expect(views()).to.equal(1);
    at(5000);
    await view.show(one());
    expect(views()).to.equal(2);
  });

  it('a threshold that fails ends the run, but not before abortAfter', async () => {
    const judged = [{ expression: 'iterations.started<0', passed: false, actual: 2, unit: '' }];
    const table = tableOf(reportOf({ ...stateOf([1, 2]), thresholds: judged }, { tick: TICK }));
    for (const [options, reason] of [
      [{ abortOnFail: true }, 'threshold'],
      [{ abortOnFail: true, abortAfter: TICK.elapsedMs }, 'threshold'],
      [{ abortOnFail: true, abortAfter: TICK.elapsedMs + 1 }, null],
      [{ abortOnFailOf: ['visits'] }, null],
    ]) {
      const { view, at } = viewOf(options);
      at(2000);
      expect(await view.judge(table)).to.equal(reason);
    }
  });

  it('judges thresholds once per interval, without waiting for a view', async () => {
    const { view, at, views } = viewOf({ abortOnFail: true });
    const threshold = { ...readThreshold('p99<10ms').threshold, actual: 1, passed: true, unit: 'ms' };
    const table = tableOf(reportOf({ ...stateOf([1, 900]), thresholds: [threshold] }));
    at(EVERY_MS - 1);
    expect(await view.judge(table)).to.equal(null);
    at(EVERY_MS);
    const shown = view.show(table);
    expect(await view.judge(table)).to.equal('threshold');
    await shown;
    expect(views()).to.equal(1);
    expect(await view.judge(table)).to.equal(null);
  });

  it('adds up nothing to judge a run that no error and no threshold can stop', async () => {
    const { view, at } = viewOf();
    const begun = view.judgedAt;
    at(5000);
    expect(await view.judge(one())).to.equal(null);
    expect(view.judgedAt).to.equal(begun);
  });

  it('the precision of the sum ends the run, when all shards have reported so much', async () => {
    const precision = new PrecisionWatch([
      { expression: 'x', figure: 'iterations.completedRate', unit: '/s', bound: 0.01 },
    ]);
    const { view, at } = viewOf({}, { precision });
    /** A shard whose iterations are few where those of the other one are many. */
    const shard = (seconds, few) => {
      const series = new Series({ interval: 1000 });
      for (let i = 0; i < seconds; i++) series.add(pointAt(i, (i + few) % 2 ? 5 : 10));
      const stats = { ...stateOf([]), measuredElapsed: seconds * 1000, series: series.summary({ withCounts: true }) };
      return reportOf(stats, { tick: { ...TICK, elapsedMs: seconds * 1000 } });
    };
    at(1000);
    expect(await view.judge(tableOf(shard(9, 0), shard(9, 1)))).to.equal(null);
    at(2000);
    expect(await view.judge(tableOf(shard(20, 0), shard(12, 1)))).to.equal(null);
    expect(precision.toMs).to.equal(11_500);
    at(30_000);
    expect(await view.judge(tableOf(shard(60, 0), shard(60, 1)))).to.equal('precision');
    expect(precision.reached[0]).to.deep.include({ actual: 0, passed: true });
  });

  it('names the limit that the sum has reached, though no shard has', async () => {
    const { view, at } = viewOf({ bailout: 4 });
    const failing = () => reportOf({ ...stateOf([1]), errors: { ...stateOf([1]).errors, count: 2 } });
    at(1000);
    expect(await view.judge(tableOf(failing()))).to.equal(null);
    at(2000);
    expect(await view.judge(tableOf(failing(), failing()))).to.equal('bailout');
  });

  it('ends a run in which 100 errors came and no answer, whatever opens its connections', async () => {
    const failing = (answered) => {
      const state = stateOf([1]);
      const errors = { ...state.errors, count: 60, kinds: { connect: 60 } };
      const counted = {
        ...state.requests,
        sent: answered,
        answered,
        statusCodes: answered > 0 ? { 200: answered } : {},
      };
      return reportOf({ ...state, errors, requests: counted });
    };
    for (const [answered, reason] of [
      [0, 'unreachable'],
      [1, null],
    ]) {
      const { view, at } = viewOf();
      at(2000);
      expect(await view.judge(tableOf(failing(answered), failing(answered)))).to.equal(reason);
    }
  });
});
