import { expect } from 'chai';

import { createRandom } from '../../../lib/core/ground/random.js';
import { drawMs, readThinkTime } from '../../../lib/core/ground/units.js';

describe('think time', () => {
  for (const [given, read] of [
    [500, [500, 500]],
    ['2s', [2000, 2000]],
    [
      [100, '1s'],
      [100, 1000],
    ],
    ['100,1s', [100, 1000]],
    [
      { mean: '2s', dev: 500 },
      { mean: 2000, dev: 500 },
    ],
    [
      { mean: 0, dev: 0 },
      { mean: 0, dev: 0 },
    ],
    [{ mean: 1 }, null],
    [{ mean: -1, dev: 1 }, null],
    [{ mean: 1, dev: 1, min: 0 }, null],
    [{}, null],
    [null, null],
    ['soon', null],
    [[2, 1], null],
    [[1], null],
    [[], null],
    [[1, 2, 3], null],
  ])
    it(`${JSON.stringify(given)} is ${JSON.stringify(read)}`, () => expect(readThinkTime(given)).to.deep.equal(read));

  for (const [random, ms] of [
    [0, 100],
    [0.5, 150],
    [0.75, 175],
  ])
    it(`${random} of the range from 100 to 200 ms is ${ms} ms`, () =>
      expect(drawMs([100, 200], () => random)).to.equal(ms));

  it('a normal distribution has its mean and its deviation, and no negative time', () => {
    const draw = (thinkTime) => {
      const random = createRandom(1);
      return Array.from({ length: 20_000 }, () => drawMs(thinkTime, random));
    };
    const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const times = draw({ mean: 1000, dev: 100 });
    expect(mean(times)).to.be.closeTo(1000, 5);
    expect(Math.sqrt(mean(times.map((ms) => (ms - 1000) ** 2)))).to.be.closeTo(100, 5);
    expect(Math.min(...draw({ mean: 10, dev: 100 }))).to.equal(0);
    expect(new Set(draw({ mean: 7, dev: 0 }))).to.deep.equal(new Set([7]));
  });
});
