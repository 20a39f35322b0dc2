import { expect } from 'chai';

import { compareStats } from '../../../lib/measure/compare.js';
import { HdrCounts } from '../../../lib/measure/hdr-counts.js';
import { createRandom } from '../../../lib/schedule/random.js';

const random = createRandom(11);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** Noise in which each value leans on the one before it, with standard deviation `spread`. */
const autocorrelated = (length, spread, rho = 0.5) => {
  let value = normal() * spread;
  return Array.from({ length }, () => (value = rho * value + Math.sqrt(1 - rho * rho) * spread * normal()));
};

/** A run whose figures are all `level` ms. */
const run = (level) => ({
  measuredElapsed: 1000,
  main: { histogram: { count: 1000 / level, mean: level, median: level, p90: level, p95: level, p99: level } },
  series: { interval: 1000, points: [] },
});

/** A run of a minute and more, of which every second has its own level. */
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
/** 5 %, and two standard errors of so many trials */
const allowed = (trials) => 0.05 + 2 * Math.sqrt((0.05 * 0.95) / trials);

describe('S15 measure/compare', () => {
  const runs = (shift = 1) => Array.from({ length: 10 }, () => run(10 * shift * Math.exp(0.05 * normal())));
  const seconds = (length, shift = 1) => long(autocorrelated(length, 0.1).map((noise) => shift * Math.exp(noise)));

  it('of equal sides no more than one in twenty is called different: ten runs a side', () => {
    const alarms = share(4000, () => p95(compareStats(runs(), runs())).verdict !== 'noise');
    expect(alarms).to.be.at.most(allowed(4000)).and.above(0.01);
  });

  it('neither with pairs', () => {
    expect(share(4000, () => p95(compareStats(runs(), runs(), { isPaired: true })).verdict !== 'noise')).to.be.at.most(
      allowed(4000),
    );
  });

  for (const [length, trials] of [
    [61, 300],
    [121, 300],
    [301, 100],
  ]) {
    it(`neither of ${length - 1} seconds that lean on each other`, () => {
      expect(
        share(trials, () => p95(compareStats([seconds(length)], [seconds(length)])).verdict !== 'noise'),
      ).to.be.at.most(allowed(trials));
    }).timeout(60_000);
  }

  it('a tenth more is seen in at least 19 of 20 cases with ten runs a side', () => {
    expect(share(2000, () => p95(compareStats(runs(), runs(1.1))).verdict === 'worse')).to.be.at.least(0.95);
  });

  it('what disturbs both of a pair alike is no noise for pairs', () => {
    const disturbed = Array.from({ length: 6 }, () => Math.exp(0.5 * normal()));
    const sides = [1, 1.05].map((shift) =>
      disturbed.map((level) => run(10 * level * shift * Math.exp(0.005 * normal()))),
    );
    expect(p95(compareStats(...sides)).verdict).to.equal('noise');
    expect(p95(compareStats(...sides, { isPaired: true })).verdict).to.equal('worse');
  });

  it('more iterations a second are better, more milliseconds worse; a change has its bounds', () => {
    const { method, figures } = compareStats([9.9, 10, 10.1].map(run), [4.9, 5, 5.1].map(run));
    expect(method).to.equal('runs');
    expect(figures.map(({ verdict }) => verdict)).to.deep.equal(Array(6).fill('better'));
    const { base, other, change, low, high } = p95({ figures });
    expect([base, other, change].map((value) => Math.round(value * 10) / 10)).to.deep.equal([10, 5, -0.5]);
    expect(low).to.be.below(change).and.above(-0.6);
    expect(high).to.be.above(change).and.below(-0.4);
  });

  it('nothing is said of two short runs, nor of what was not measured', () => {
    const { method, figures } = compareStats([run(10)], [run(20)]);
    expect(method).to.equal('none');
    const { change, ...rest } = p95({ figures });
    expect(change).to.be.closeTo(1, 1e-9);
    expect(rest).to.include({ low: null, high: null, verdict: 'unknown' });
    const empty = {
      ...run(1),
      main: { histogram: { count: 0, mean: null, median: null, p90: null, p95: null, p99: null } },
    };
    expect(p95(compareStats([empty], [run(1)]))).to.include({ base: null, change: null, verdict: 'unknown' });
  });
}).timeout(60_000);
