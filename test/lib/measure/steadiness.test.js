import { expect } from 'chai';

import { HdrCounts } from '../../../lib/measure/hdr-counts.js';
import { unsteadiness } from '../../../lib/measure/steadiness.js';
import { seeded } from '../../support/random.js';

/** Points of one second; `levelOf(i)` is the median of second i, `spread` the sigma of lognormal times. */
function pointsOf(seconds, { levelOf, perSecond = 25, spread = 1, random }) {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: seconds }, (_, i) => {
    const counts = new HdrCounts();
    const level = levelOf(i);
    for (let n = 0; n < perSecond; n++)
      counts.record(Math.max(1, Math.round(level * Math.exp(spread * normal()) * 1000)));
    return { from: i * 1000, to: (i + 1) * 1000, count: perSecond, parts: [counts.toBytes()] };
  });
}

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
    for (const seconds of [15, 40])
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
      expect(sentence).to.match(/^not steady: p95 fell from 4\d to 13 ms in the first 3 s: use -W 4s$/);
      const warmUp = Number(/-W (\d+)s/.exec(sentence)[1]);
      const after = pointsOf(seconds, { levelOf: (i) => warming(i + warmUp), spread: 0.05, random });
      expect(unsteadiness(after)).to.equal(null);
    }
  });

  it('S46 a queue that grows, and times that fall all the time, are a trend', () => {
    const trendOf = (levelOf) => unsteadiness(pointsOf(30, { levelOf, spread: 0.3, random }));
    expect(trendOf((i) => 10 + i)).to.match(
      /^not steady: p95 rose from \d+ ms in the first third of the run to \d+ ms in the last/,
    );
    expect(trendOf((i) => 40 - i)).to.match(/^not steady: p95 fell from \d+ ms in the first third/);
  });

  it('S46 a trend in the presence of noise is found in at least 9 of 10 runs', () => {
    let found = 0;
    for (let run = 0; run < 20; run++)
      if (unsteadiness(pointsOf(60, { levelOf: (i) => 10 + i / 3, random })) !== null) found++;
    expect(found).to.be.at.least(18);
  });

  it('a few points, or a few values, tell nothing', () => {
    expect(unsteadiness([])).to.equal(null);
    expect(unsteadiness(pointsOf(14, { levelOf: (i) => 100 - i, random }))).to.equal(null);
    expect(unsteadiness(pointsOf(60, { levelOf: warming, perSecond: 2, random }))).to.equal(null);
  });
});
