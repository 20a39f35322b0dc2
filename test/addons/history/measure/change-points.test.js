import { expect } from 'chai';

import { changePointsOf, seededIntervals } from '../../../../lib/addons/history/measure/change-points.js';
import { seeded } from '../../../support/random.js';
import { scaled } from '../../../support/scale.js';
import { itSlow } from '../../../support/slow.js';

/** Normal numbers. */
const normalOf = (random) => () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

/**
 * A history of six figures with levels by run: what a run differs by is common to all figures for the most part, and
 * `rho` is how alike runs that follow each other are.
 */
function historyOf(levels, { random, noise = 0.03, rho = 0, outliers = 0 }) {
  const normal = normalOf(random);
  let common = normal();
  const figures = Array.from({ length: 6 }, () => []);
  for (const level of levels) {
    common = rho * common + Math.sqrt(1 - rho * rho) * normal();
    const factor = random.next() < outliers ? 1.65 : 1;
    for (const values of figures) values.push(10 * level * factor * Math.exp(noise * (0.8 * common + 0.6 * normal())));
  }
  return figures;
}

const flat = (count, level = 1) => new Array(count).fill(level);
const places = (figures) => changePointsOf(figures).map(({ at }) => at);

describe('change points', () => {
  it('a history that is short, empty or always the same has none', () => {
    expect(changePointsOf([])).to.deep.equal([]);
    expect(places([[]])).to.deep.equal([]);
    expect(places([[1, 2, 3, 4, 5]])).to.deep.equal([]);
    expect(places([flat(100)])).to.deep.equal([]);
  });

  it('intervals are shorter in each layer, down to the shortest that has a split', () => {
    const lengths = (runs) => [...new Set(seededIntervals(runs).map(({ from, to }) => to - from))];
    expect(lengths(12)).to.deep.equal([12, 9, 6]);
    expect(lengths(48)).to.deep.equal([48, 34, 24, 17, 12, 9, 6]);
    expect(seededIntervals(12).slice(-3)).to.deep.equal([0, 3, 6].map((from) => ({ from, to: from + 6 })));
  });

  it('a change is found where it is, once for all figures', () => {
    const random = seeded(1);
    expect(places(historyOf([...flat(10), ...flat(10, 1.2)], { random }))).to.deep.equal([10]);
  });

  it('a change that was taken back is two, also in a long history', () => {
    const random = seeded(2);
    const levels = [...flat(40), ...flat(8, 1.2), ...flat(60)];
    expect(places(historyOf(levels, { random }))).to.deep.equal([40, 48]);
  });

  it('a change of one figure among six is found', () => {
    const random = seeded(3);
    const figures = historyOf(flat(30), { random });
    figures[5] = figures[5].map((value, i) => (i < 18 ? value : value * 1.2));
    expect(places(figures)).to.deep.equal([18]);
  });

  it('runs of one version are never split', () => {
    const values = [...flat(11), ...flat(10, 1.2)].map((level, i) => 10 * level * (1 + (i % 3) / 200));
    const starts = values.map((_, i) => i % 3 === 0);
    expect(changePointsOf([values]).map(({ at }) => at)).to.deep.equal([11]);
    expect(changePointsOf([values], starts).map(({ at }) => at)).to.deep.equal([12]);
  });

  it('the same values have the same change points', () => {
    const figures = historyOf([...flat(12), ...flat(9, 1.06)], { random: seeded(4) });
    expect(changePointsOf(figures)).to.deep.equal(changePointsOf(figures));
  });

  it('an outlier is no change, and a missing value hides none', () => {
    const random = seeded(5);
    const figures = historyOf([...flat(10), ...flat(10, 1.2)], { random });
    figures[5][4] = 1000;
    figures[5][14] = NaN;
    expect(places(figures)).to.deep.equal([10]);
    expect(places(figures.map((values) => values.slice(0, 10)))).to.deep.equal([]);
  });

  it('less than half a percent is no change', () => {
    expect(places([[...flat(20, 10), ...flat(20, 10.01)]])).to.deep.equal([]);
  });

  itSlow('a history of hundreds of runs has its changes alone', () => {
    const random = seeded(6);
    const levels = [...flat(150), ...flat(50, 1.1), ...flat(200)];
    const [one, two, ...others] = places(historyOf(levels, { random }));
    expect([Math.abs(one - 150) < 3, Math.abs(two - 200) < 3, others]).to.deep.equal([true, true, []]);
  });

  describe('in simulated histories', () => {
    const share = (count, story) => {
      let found = 0;
      for (let i = 0; i < count; i++) if (story(i)) found++;
      return found / count;
    };
    const trials = scaled(100, 800);

    for (const [about, options] of [
      ['of 20 runs', { runs: 20 }],
      ['of 60 runs', { runs: 60 }],
      ['with outliers', { runs: 20, outliers: 0.1 }],
    ])
      it(`at most a few in a hundred ${about} without a change have one`, () => {
        const alarms = share(trials, (i) => {
          const { runs, ...noise } = options;
          return places(historyOf(flat(runs), { random: seeded(i), ...noise })).length > 0;
        });
        expect(alarms).to.be.at.most(0.05);
      });

    itSlow('a change by four standard deviations in the middle of 20 runs is nearly always found', () => {
      const found = share(scaled(20, 200), (i) => {
        const figures = historyOf([...flat(10), ...flat(10, 1.12)], { random: seeded(i) });
        return places(figures).some((at) => Math.abs(at - 10) <= 1);
      });
      expect(found).to.be.at.least(0.9);
    });
  });
});
