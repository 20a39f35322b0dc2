import { expect } from 'chai';

import { compareStats } from '../../../lib/measure/compare.js';
import { HdrCounts } from '../../../lib/measure/hdr-counts.js';
import { createRandom } from '../../../lib/random.js';
import { scaled } from '../../support/scale.js';

const random = createRandom(11);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** Autocorrelated noise with standard deviation `spread`. */
const autocorrelated = (length, spread, rho = 0.5) => {
  let value = normal() * spread;
  return Array.from({ length }, () => (value = rho * value + Math.sqrt(1 - rho * rho) * spread * normal()));
};

/** A run with `level` ms for every figure. */
const run = (level) => ({
  measuredElapsed: 1000,
  iterations: { rate: 1000 / level, started: 1000, failed: 0 },
  main: { histogram: { count: 1000, mean: level, median: level, p90: level, p95: level, p99: level } },
  series: { interval: 1000, points: [] },
  operations: [],
  errors: { count: 0 },
});

/** A run of a minute or more with a level per second. */
const long = (levels) => {
  const counts = levels.map((level) => {
    const hdr = new HdrCounts();
    hdr.record(Math.max(1, Math.round(level * 10_000)), 100);
    return Buffer.from(hdr.toBytes()).toString('base64');
  });
  return {
    ...run(1),
    series: { interval: 1000, points: levels.map(() => ({ count: 100 })) },
    histograms: { series: counts },
  };
};
const p95 = ({ figures }) => figures.find(({ figure }) => figure === 'p95');
const share = (times, happens) => Array.from({ length: times }, happens).filter(Boolean).length / times;
/** 5 % and two standard errors of the trials */
const allowed = (trials) => 0.05 + 2 * Math.sqrt((0.05 * 0.95) / trials);

describe('S15 measure/compare', () => {
  const runs = (shift = 1) => Array.from({ length: 10 }, () => run(10 * shift * Math.exp(0.05 * normal())));
  const seconds = (length, shift = 1) => long(autocorrelated(length, 0.1).map((noise) => shift * Math.exp(noise)));

  it('equal sides differ in at most one of twenty cases with ten runs per side', () => {
    const trials = scaled(400, 4000);
    const alarms = share(trials, () => p95(compareStats(runs(), runs())).verdict !== 'noise');
    expect(alarms).to.be.at.most(allowed(trials)).and.above(0.01);
  });

  it('equal sides differ in at most one of twenty cases with pairs', () => {
    const trials = scaled(400, 4000);
    const alarms = share(trials, () => p95(compareStats(runs(), runs(), { isPaired: true })).verdict !== 'noise');
    expect(alarms).to.be.at.most(allowed(trials));
  });

  for (const [length, trials] of [
    [61, scaled(15, 300)],
    [121, scaled(8, 300)],
    [301, scaled(4, 100)],
  ]) {
    it(`equal sides differ in at most one of twenty cases with one run of ${length - 1} dependent seconds`, () => {
      expect(
        share(trials, () => p95(compareStats([seconds(length)], [seconds(length)])).verdict !== 'noise'),
      ).to.be.at.most(allowed(trials));
    });
  }

  it('10 % more is found in at least 19 of 20 cases with ten runs per side', () => {
    expect(share(scaled(300, 2000), () => p95(compareStats(runs(), runs(1.1))).verdict === 'worse')).to.be.at.least(
      0.95,
    );
  });

  it('a disturbance shared by both sides of a pair cancels out', () => {
    const disturbed = Array.from({ length: 6 }, () => Math.exp(0.5 * normal()));
    const sides = [1, 1.05].map((shift) =>
      disturbed.map((level) => run(10 * level * shift * Math.exp(0.005 * normal()))),
    );
    expect(p95(compareStats(...sides)).verdict).to.equal('noise');
    expect(p95(compareStats(...sides, { isPaired: true })).verdict).to.equal('worse');
  });

  it('more iterations per second are better, more milliseconds are worse, and a change has bounds', () => {
    const { method, figures } = compareStats([9.9, 10, 10.1].map(run), [4.9, 5, 5.1].map(run));
    expect(method).to.equal('runs');
    expect(figures.map(({ verdict }) => verdict)).to.deep.equal(Array(6).fill('better'));
    const { base, other, change, low, high } = p95({ figures });
    expect([base, other, change].map((value) => Math.round(value * 10) / 10)).to.deep.equal([10, 5, -0.5]);
    expect(low).to.be.below(change).and.above(-0.6);
    expect(high).to.be.above(change).and.below(-0.4);
  });

  it('two short runs, or figures without data, give no verdict', () => {
    const { method, figures } = compareStats([run(10)], [run(20)]);
    expect(method).to.equal('none');
    const { change, ...rest } = p95({ figures });
    expect(change).to.be.closeTo(1, 1e-9);
    expect(rest).to.include({ low: null, high: null, verdict: 'unknown' });
    const empty = {
      ...run(1),
      iterations: { rate: 0, started: 0, failed: 0 },
      main: { histogram: { count: 0, mean: null, median: null, p90: null, p95: null, p99: null } },
    };
    expect(p95(compareStats([empty], [run(1)]))).to.include({ base: null, change: null, verdict: 'unknown' });
  });

  it('the conclusion is about p95: how many times faster or slower, with half the width of the interval', () => {
    const faster = compareStats([9.9, 10, 10.1].map(run), [4.9, 5, 5.1].map(run)).conclusion;
    expect(faster).to.include({ figure: 'p95', verdict: 'better', isSlower: false });
    expect(faster.factor).to.be.closeTo(2, 0.01);
    expect(faster.margin).to.be.within(0.01, 0.2);
    const slower = compareStats([4.9, 5, 5.1].map(run), [9.9, 10, 10.1].map(run)).conclusion;
    expect(slower).to.include({ verdict: 'worse', isSlower: true });
    expect(slower.factor).to.be.closeTo(faster.factor, 1e-9);
    expect(slower.margin).to.be.closeTo(faster.margin, 1e-9);
  });

  it('the conclusion is about p50 if a run has too few values for p95', () => {
    const few = { ...run(10), main: { histogram: { ...run(10).main.histogram, count: 19 } } };
    const { conclusion } = compareStats([run(10)], [few]);
    expect(conclusion).to.include({ figure: 'p50', verdict: 'unknown', margin: null });
    expect(conclusion.factor).to.be.closeTo(1, 1e-9);
  });

  it('there is no conclusion if all iterations of a side failed', () => {
    const failed = { ...run(10), iterations: { rate: 100, started: 1000, failed: 1000 } };
    expect(compareStats([run(10)], [failed]).conclusion).to.include({ verdict: 'unknown', factor: null, margin: null });
  });

  it('totals add up the runs of a side', () => {
    const failing = { ...run(10), iterations: { rate: 100, started: 1000, failed: 10 }, errors: { count: 12 } };
    const { totals } = compareStats([run(10)], [failing, failing]);
    expect(totals.base).to.deep.equal({ runs: 1, started: 1000, failed: 0, failedShare: 0, errors: 0 });
    expect(totals.other).to.deep.equal({ runs: 2, started: 2000, failed: 20, failedShare: 0.01, errors: 24 });
  });
});
