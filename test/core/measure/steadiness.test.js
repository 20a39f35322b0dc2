import { expect } from 'chai';

import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import { Histogram } from '../../../lib/core/measure/histogram.js';
import { PointMaker } from '../../../lib/core/measure/point-maker.js';
import { Series } from '../../../lib/core/measure/series.js';
import { judgeSteadiness as judgeRun, trendOf } from '../../../lib/core/measure/steadiness.js';
import { seeded } from '../../support/random.js';
import { scaled } from '../../support/scale.js';
import { itSlow } from '../../support/slow.js';

/** Points of one second; `levelOf(i)` is the median of second i, `spread` the sigma of lognormal times. */
function pointsOf(seconds, { levelOf, perSecond = 25, spread = 1, random }) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: seconds }, (_, i) => {
    const counts = new HdrCounts();
    const level = levelOf(i);
    for (let n = 0; n < perSecond; n++)
      counts.record(Math.max(1, Math.round(level * Math.exp(spread * normal()) * 1000)));
    return {
      ...{ from: i * 1000, to: (i + 1) * 1000, count: perSecond, parts: [counts.toBytes()] },
      ...{ errors: 0, failed: 0, max: 0, area: 0, utilization: 0, bytes: 0 },
    };
  });
}

/** The whole points of a run with the intervals that a run has; `levelOf(ms)` is the median then. */
function pointsOfRun(seconds, { levelOf, rate, spread = 0.5, random }) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const series = new Series();
  const times = new Histogram();
  const maker = new PointMaker((point) => series.add(point), { times });
  maker.begin(0);
  const gap = 1000 / rate;
  for (let at = gap; at <= seconds * 1000; at += gap) {
    const ms = levelOf(at) * Math.exp(spread * normal());
    maker.completes(at, ms);
    times.update(ms);
  }
  // the last one ends a little later
  maker.close(seconds * 1000 + 3);
  return series.wholePoints();
}

const judgeSteadiness = (points) =>
  judgeRun(
    points,
    points.reduce((sum, { count }) => sum + count, 0),
  );
const unsteadiness = (points) => judgeSteadiness(points).doubt;

describe('measure/steadiness', () => {
  const steady = {
    'lognormal times': () => () => 10,
    'levels that differ by 10 % from second to second': (random) => () => 10 * (0.9 + 0.2 * random()),
    'levels that drift by 5 %': (random) => {
      let level = 0;
      return () => 10 * Math.exp((level = 0.8 * level + 0.05 * (random() - 0.5)));
    },
    'bursts, ten times as slow, in one second of ten': (random) => () => (random() < 0.1 ? 100 : 10),
    'a garbage collection every seventh second': () => (i) => (i % 7 === 0 ? 30 : 10),
  };
  for (const [name, levels] of Object.entries(steady))
    for (const seconds of scaled([15], [15, 40]))
      it(`S46 ${name} for ${seconds} s are steady in at least 29 of 30 runs`, () => {
        const random = seeded(seconds).next;
        let alarms = 0;
        for (let run = 0; run < 30; run++)
          if (unsteadiness(pointsOf(seconds, { levelOf: levels(random), random })) !== null) alarms++;
        expect(alarms).to.be.at.most(1);
      });

  const random = seeded(7).next;
  const warming = (i) => (i < 3 ? 40 : 12);

  it('S46 a warm-up that was not separated is named with its length, and -W of the advice ends it', () => {
    for (const seconds of [20, 60]) {
      const points = pointsOf(seconds, { levelOf: warming, spread: 0.05, random });
      const sentence = unsteadiness(points);
      expect(sentence).to.match(/^not steady: the first 3 s are slower \(p95 4\d ms, then 13 ms\): use -W 3s$/);
      const warmUp = Number(/-W (\d+)s/.exec(sentence)[1]);
      const after = pointsOf(seconds, { levelOf: (i) => warming(i + warmUp), spread: 0.05, random });
      expect(unsteadiness(after)).to.equal(null);
    }
  });

  it('S46 a queue that grows, and times that fall all the time, are a drift with its first and last times as measured', () => {
    const driftOf = (levelOf) => unsteadiness(pointsOf(30, { levelOf, spread: 0.3, random }));
    expect(driftOf((i) => 10 + i)).to.match(
      /^not steady: p95 grew from 1\d ms in the first 2 s to \d\d ms in the last 2 s, so the figures depend on the length of the run$/,
    );
    expect(driftOf((i) => 40 - i)).to.match(
      /^not steady: p95 fell from \d\d ms in the first 2 s to \d\d ms in the last/,
    );
  });

  const growths = {
    'a queue': (i) => 10 + 200 * (i + 0.5),
    'an exponential': (i) => 10 * 1.3 ** i,
    'a line to four times the start': (i) => 20 + (60 * i) / 14,
    'a rise that ends': (i) => 100 - 90 * Math.exp(-i / 4),
  };
  for (const [name, levelOf] of Object.entries(growths))
    it(`${name} without noise is a trend from 10 values on`, () => {
      for (const k of [10, 12, 15])
        expect(trendOf(Array.from({ length: k }, (_, i) => Math.log(levelOf(i)))).p).to.be.below(1e-4);
    });

  it('independent and autocorrelated values are a trend in at most 1 of 100 series', () => {
    for (const correlation of [0, 0.3, 0.5]) {
      const { next } = seeded(11);
      const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      let level = normal();
      const series = () => Array.from({ length: 15 }, () => (level = correlation * level + normal()));
      const alarms = Array.from({ length: 1000 }, () => trendOf(series()).p).filter((p) => p <= 0.0005);
      expect(alarms.length, String(correlation)).to.be.at.most(10);
    }
  });

  it('S46 a trend in the presence of noise is found in at least 9 of 10 runs', () => {
    let found = 0;
    for (let run = 0; run < 20; run++)
      if (unsteadiness(pointsOf(60, { levelOf: (i) => 10 + i / 3, random })) !== null) found++;
    expect(found).to.be.at.least(18);
  });

  const lengths = scaled([2, 10], [2, 3, 5, 8, 10, 15, 20]);
  const constant = {
    'lognormal times': () => () => 10,
    'levels that differ by 20 % from one half of a second to the next': (random) => {
      const levels = Array.from({ length: 64 }, () => 10 * (0.9 + 0.2 * random()));
      return (ms) => levels[Math.floor(ms / 500)];
    },
    'a slow connection in the first tenth of a second': () => (ms) => (ms < 100 ? 60 : 10),
    'bursts, ten times as slow, in one tenth of the time': (random) => {
      const levels = Array.from({ length: 640 }, () => (random() < 0.1 ? 100 : 10));
      return (ms) => levels[Math.floor(ms / 50)];
    },
  };
  for (const [name, levels] of Object.entries(constant))
    for (const seconds of lengths)
      itSlow(`${name} are steady in at least 29 of 30 runs of ${seconds} s`, () => {
        const random = seeded(100 + seconds).next;
        const judged = Array.from({ length: 30 }, () =>
          judgeSteadiness(pointsOfRun(seconds, { levelOf: levels(random), rate: 600 / seconds + 100, random })),
        );
        expect(judged.filter(({ doubt }) => doubt !== null)).to.have.lengthOf.at.most(1);
        expect(judged.flatMap(({ remark }) => remark ?? [])).to.deep.equal([]);
      });

  for (const seconds of lengths)
    it(`a run of ${seconds} s whose first third, or half, is slow is not steady`, () => {
      for (const share of [1 / 3, 1 / 2]) {
        const levelOf = (ms) => (ms < seconds * 1000 * share ? 40 : 12);
        const points = pointsOfRun(seconds, { levelOf, rate: 600 / seconds + 50, spread: 0.05, random });
        expect(unsteadiness(points)).to.match(
          /^not steady: the first .* slower \(p95 4\d ms, then 1\d ms\)|^not steady: p95 fell from/,
        );
      }
    });

  it('a run that is too short, or has too few iterations, says that it cannot be judged', () => {
    const tooShort = { doubt: null, remark: 'too short to tell whether it was steady' };
    const levelOf = (ms) => 100 - ms / 100;
    expect(judgeSteadiness([])).to.deep.equal(tooShort);
    expect(judgeSteadiness(pointsOfRun(1.5, { levelOf, rate: 1000, random }))).to.deep.equal(tooShort);
    expect(judgeSteadiness(pointsOf(60, { levelOf: warming, perSecond: 2, random })).remark).to.equal(
      'too few iterations to tell whether it was steady: 120 of the 300 that this needs',
    );
  });

  it('a run of just enough iterations is judged, although its last ones are in no whole interval', () =>
    expect(judgeRun(pointsOf(149, { levelOf: warming, perSecond: 2, random }), 300).remark).to.equal(null));

  it('long intervals that the user has chosen are named as the reason', () => {
    const points = pointsOf(12, { levelOf: warming, perSecond: 100, random });
    const long = points.map((point) => ({ ...point, from: point.from * 5, to: point.to * 5 }));
    expect(judgeSteadiness(long)).to.deep.equal({
      doubt: null,
      remark:
        'too short to tell whether it was steady: it has 12 whole intervals of the 15 that this needs; use a shorter --series-interval, or run it for longer',
    });
  });
});
