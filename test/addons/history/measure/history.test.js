import { expect } from 'chai';

import { historyRun, newestOf, trendOf } from '../../../../lib/addons/history/measure/history.js';
import { resultsAt } from '../../../support/literal-history.js';
import { seeded } from '../../../support/random.js';
import { itSlow } from '../../../support/slow.js';

/** Levels around 1 that differ by about 1 %. */
const NOISE = [1, 1.01, 0.99, 1.005, 0.995, 1.012, 0.988, 1.003, 0.997, 1.008];
const noisy = (level) => NOISE.map((factor) => factor * level);
const runsAt = (levels) => resultsAt(levels).map(historyRun);

describe('a history of results', () => {
  it('a change has its figures with their sizes, and a verdict: times up and rates down are worse', () => {
    const { changes } = trendOf(runsAt([...noisy(1), ...noisy(1.1)]));
    expect(changes).to.have.length(1);
    const [{ at, p, verdict, figures }] = changes;
    expect({ at, verdict }).to.deep.equal({ at: 10, verdict: 'worse' });
    expect(p).to.be.at.most(0.01);
    const p95 = figures.find(({ figure }) => figure === 'responseTime.p95');
    expect(p95).to.include({ unit: 'ms', verdict: 'worse' });
    expect(p95.change).to.be.closeTo(0.1, 0.001);
    const rate = figures.find(({ figure }) => figure === 'iterations.completedRate');
    expect(rate.change).to.be.closeTo(1 / 1.1 - 1, 0.001);
    expect(trendOf(runsAt([...noisy(1.1), ...noisy(1)])).changes[0].verdict).to.equal('better');
  });

  it('each level has an interval by the noise within all levels', () => {
    const { figures, noise } = trendOf(runsAt([...noisy(1), ...noisy(2)]));
    const p50 = figures.find(({ figure }) => figure === 'responseTime.p50');
    expect(p50.noise).to.be.closeTo(0.008, 0.001);
    expect(noise.get('responseTime.p50').df).to.equal(18);
    const [first, second] = p50.levels;
    expect([first.from, first.to, second.from, second.to]).to.deep.equal([0, 10, 10, 20]);
    expect(first.value).to.be.closeTo(50, 0.1);
    expect(first.low).to.be.below(first.value).and.above(49.5);
    expect(second.value / first.value).to.be.closeTo(2, 0.001);
  });

  it('one or two results have a level and no noise', () => {
    for (const levels of [[1], [1, 1.1]]) {
      const { changes, noise, figures } = trendOf(runsAt(levels));
      expect([changes, noise.size, figures[1].noise, figures[1].levels[0].low]).to.deep.equal([[], 0, null, null]);
    }
    expect(trendOf([])).to.deep.include({ changes: [] });
  });

  it('a figure that no result has has no level', () => {
    const results = resultsAt([1, 1, 1]);
    for (const { main } of results) main.completed.p99 = null;
    const { figures } = trendOf(results.map(historyRun));
    expect(figures.find(({ figure }) => figure === 'responseTime.p99').levels).to.deep.equal([]);
  });

  it('the newest result is worse, better or noise, beside the runs since the last change', () => {
    const before = runsAt([...noisy(2), ...noisy(1)]);
    const verdictOf = (level) => newestOf(before, runsAt([level]));
    expect(verdictOf(1.1)).to.include({ verdict: 'worse', runs: 10 }).and.not.have.any.keys('reason');
    expect(verdictOf(0.9).verdict).to.equal('better');
    expect(verdictOf(1.01).verdict).to.equal('noise');
    expect(verdictOf(1.1).figures.find(({ figure }) => figure === 'responseTime.p95').change).to.be.closeTo(0.1, 0.001);
  });

  it('it cannot tell beside fewer than five results, or without figures', () => {
    for (const [earlier, message] of [
      [[1, 1, 1, 1], 'there are 4 earlier results, and it needs 5'],
      [[1], 'there is 1 earlier result, and it needs 5'],
    ])
      expect(newestOf(runsAt(earlier), runsAt([9]))).to.deep.include({
        verdict: 'unknown',
        reason: { code: 'fewRuns', message },
      });
    const none = { values: [null, null, null, null, null, null], ours: [0, 0, 0, 0, 0, 0], hasTail: false };
    expect(newestOf(runsAt(noisy(1)), [none]).reason.code).to.equal('fewValues');
  });

  it('a change that may be the load generator is none', () => {
    const [slow] = runsAt([1.1]);
    const ours = slow.values.map((value, i) => (i === 0 ? 0 : value / 5));
    expect(
      newestOf(runsAt(noisy(1)), [{ ...slow, ours }]).figures.find(({ figure }) => figure === 'responseTime.p95'),
    ).to.include({
      verdict: 'unknown',
    });
  });

  itSlow('of simulated histories, few call an equal newest result worse', () => {
    const random = seeded(7);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
    const runAt = () => {
      const own = normal();
      const values = [-1, 1, 1, 1, 1, 1].map((sign) => 10 * Math.exp(0.03 * sign * (0.8 * own + 0.6 * normal())));
      return { values, ours: [0, 0, 0, 0, 0, 0], hasTail: true };
    };
    let alarms = 0;
    for (let i = 0; i < 100; i++) {
      const runs = Array.from({ length: 15 }, runAt);
      if (newestOf(runs, [runAt()]).verdict === 'worse') alarms++;
    }
    expect(alarms).to.be.at.most(5);
  });
});
