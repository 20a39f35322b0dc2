import { expect } from 'chai';

import { UserMetrics, metricRows, userMetricsOf } from '../../../lib/core/measure/user-metrics.js';

/** Runs `story(stats, metrics)` with metrics whose timers are stopped afterwards; `stats` is what hooks get. */
const measuring = (story) => {
  const metrics = new UserMetrics();
  try {
    return story(metrics.forHooks, metrics);
  } finally {
    metrics.end();
  }
};

/** One of each kind. */
const recordAll = (stats) => {
  stats.timer('t').update(5);
  stats.meter('m').mark();
  stats.meter('m').mark(2);
  stats.counter('c').inc();
  stats.counter('c').inc(4);
  stats.counter('c').dec();
  stats.histogram('h').update(1000);
  stats.gauge('g', () => 2.5);
};

describe('measure/user-metrics', () => {
  it('has the metrics of measured-core, each under its name in the stats', () =>
    measuring((stats, metrics) => {
      recordAll(stats);
      const { t, m, c, h, g } = metrics.summary();
      expect([t.histogram.count, t.meter.count, m.count, c, h.max, g]).to.deep.equal([1, 1, 3, 4, 1000, 2.5]);
      expect(stats.toJSON()).to.have.all.keys('t', 'm', 'c', 'h', 'g');
    }));

  it('hooks get the timers of the run beside them, and the result does not', () => {
    const metrics = new UserMetrics(() => ({ main: 'the timer' }));
    metrics.forHooks.counter('c').inc();
    expect(metrics.forHooks.toJSON()).to.deep.equal({ main: 'the timer', c: 1 });
    expect(metrics.summary()).to.deep.equal({ c: 1 });
    metrics.end();
  });

  it('a counter goes back to a value', () =>
    measuring((stats) => {
      const counter = stats.counter('c');
      counter.inc(7);
      counter.reset();
      expect(counter.toJSON()).to.equal(0);
      counter.reset(3);
      expect(stats.counter('c').toJSON()).to.equal(3);
    }));

  it('a gauge is read when it is shown; one that fails or is no number has no value', () =>
    measuring((stats, metrics) => {
      let size = 1;
      stats.gauge('size', () => size);
      stats.gauge('text', () => 'much');
      stats.gauge('fails', () => {
        throw new Error('gone');
      });
      size = 9;
      expect(metrics.summary()).to.deep.equal({ size: 9, text: null, fails: null });
    }));

  for (const [what, record, message] of [
    ['a name of another kind', (stats) => (stats.timer('x'), stats.counter('x')), /'x' is a timer already/],
    ['a name that is no text', (stats) => stats.meter(5), /the name of a meter is 5: use a string/],
    ['a gauge without a function', (stats) => stats.gauge('g', 5), /a gauge needs a function/],
    ['a count that is no number', (stats) => stats.counter('c').inc('5'), /expected a finite number, got a string/],
    ['marks without a number', (stats) => stats.meter('m').mark(NaN), /expected a finite number, got NaN/],
  ]) {
    it(`refuses ${what}`, () => measuring((stats) => expect(() => record(stats)).to.throw(message)));
  }

  it('beyond 1,000 names each kind has one more', () =>
    measuring((stats, metrics) => {
      for (let i = 0; i < 1002; i++) stats.counter(`c${i}`).inc();
      stats.histogram('h').update(1);
      const all = metrics.summary();
      expect(Object.keys(all)).to.have.lengthOf(1002);
      expect(all['other counters']).to.equal(2);
      expect(all['other histograms'].count).to.equal(1);
    }));

  it('drained states of two threads add up; counters and gauges by their changes', () =>
    measuring((_, sum) => {
      for (let thread = 0; thread < 2; thread++) {
        measuring((stats, metrics) => {
          recordAll(stats);
          sum.addState(structuredClone(metrics.drain()));
          stats.counter('c').inc(10);
          stats.meter('m').mark();
          sum.addState(structuredClone(metrics.drain()));
        });
      }
      const { t, m, c, h, g } = sum.summary();
      expect([t.meter.count, m.count, c, h.count, g]).to.deep.equal([2, 8, 28, 2, 5]);
    }));

  it('a gauge without a value in any thread has none in the sum, nor in a sum of files', () =>
    measuring((_, sum) => {
      let value = NaN;
      measuring((stats, metrics) => {
        stats.gauge('g', () => value);
        const valueInSum = () => {
          sum.addState(structuredClone(metrics.drain()));
          return sum.summary().g;
        };
        expect(valueInSum()).to.equal(null);
        value = 3;
        expect([valueInSum(), valueInSum()]).to.deep.equal([3, 3]);
        value = NaN;
        expect(valueInSum()).to.equal(null);
      });
      for (const saved of [null, 0]) sum.addState([{ name: 'saved', kind: 'counter', value: saved }]);
      sum.addState([{ name: 'none', kind: 'counter', value: null }]);
      expect(sum.summary()).to.include({ saved: 0, none: null });
    }));

  it('a rate is of the events while iterations ran, per second of that time', () =>
    measuring((stats, metrics) => {
      metrics.setOutside(true);
      stats.meter('m').mark(100);
      stats.timer('t').update(1);
      metrics.setOutside(false);
      stats.meter('m').mark(4);
      for (let i = 0; i < 6; i++) stats.timer('t').update(1);
      const summary = (of) => of.summary({ ratedMs: 2000 });
      expect([summary(metrics).m.rate, summary(metrics).t.meter.rate]).to.deep.equal([2, 3]);
      measuring((_, sum) => {
        sum.addState(structuredClone(metrics.drain()));
        const { m, t } = summary(sum);
        expect([m.rate, m.mean, m.count, t.meter.rate, t.histogram.count]).to.deep.equal([2, 2, 104, 3, 7]);
      });
    }));

  it('a state whose name is of another kind here gets a name of its own', () =>
    measuring((stats, metrics) => {
      stats.timer('x').update(1);
      metrics.addState([{ name: 'x', kind: 'counter', value: 3 }]);
      expect(metrics.summary()['x (counter)']).to.equal(3);
    }));

  it('finds them in a result by their shape', () =>
    measuring((stats, metrics) => {
      recordAll(stats);
      const result = { metrics: JSON.parse(JSON.stringify(metrics.summary())) };
      expect(userMetricsOf(result).map(({ name, kind }) => `${name} ${kind}`)).to.deep.equal([
        't timer',
        'm meter',
        'c counter',
        'h histogram',
        'g counter',
      ]);
      const rows = metricRows(result);
      expect(rows.map(({ count }) => count)).to.deep.equal([1, 3, 4, 1, 2.5]);
      expect(rows.map(({ rate, values }) => [rate !== null, values?.max])).to.deep.equal([
        [true, 5],
        [true, undefined],
        [false, undefined],
        [false, 1000],
        [false, undefined],
      ]);
    }));
});
