import { expect } from 'chai';

import { Intervals } from '../../../lib/core/measure/point-maker.js';

describe('intervals of the series', () => {
  it('take a second, but less during the first 16 s', () => {
    const intervals = new Intervals();
    const lengths = [0, 3875, 4000, 7750, 8000, 15_500, 16_000, 86_400_000].map((from) => intervals.lengthAt(from));
    expect(lengths).to.deep.equal([125, 125, 250, 250, 500, 500, 1000, 1000]);
  });

  it('each consists of whole shorter ones', () => {
    const intervals = new Intervals();
    for (let from = 0; from < 40_000; from += intervals.lengthAt(from))
      expect(from % intervals.lengthAt(from)).to.equal(0);
  });

  it('those of the beginning may be joined up to a second', () => {
    const units = [10, 100, 125, 200, 250, 500, 1000, 2000].map((length) => Intervals.unitOf(length));
    expect(units).to.deep.equal([10, 100, 1000, 200, 1000, 1000, 1000, 2000]);
  });

  it('have the length that the run has given', () => {
    const intervals = new Intervals(10);
    expect([intervals.first, intervals.lengthAt(0), intervals.lengthAt(1e9)]).to.deep.equal([10, 10, 10]);
  });
});
