import { expect } from 'chai';

import { meanOf, pairedT, welch } from '../../../lib/measure/statistics.js';

describe('measure/statistics', () => {
  it('the mean of values', () => expect(meanOf([1, 2, 6])).to.equal(3));

  it('equal samples differ by nothing, with an interval around 0', () => {
    const { difference, low, high } = welch([1, 2, 3], [1, 2, 3]);
    expect(difference).to.equal(0);
    expect(low).to.equal(-high);
    expect(high).to.be.above(0);
  });

  it('constant samples differ exactly', () => {
    expect(welch([1, 1, 1], [3, 3, 3])).to.deep.equal({ difference: 2, low: 2, high: 2 });
    expect(pairedT([1, 1, 1], [3, 3, 3])).to.deep.equal({ difference: 2, low: 2, high: 2 });
  });

  it('a disturbance that both of a pair share cancels out', () => {
    const one = [10, 20, 30, 40];
    const other = [11, 21.1, 31, 40.9];
    const paired = pairedT(one, other);
    expect(paired.low).to.be.above(0);
    expect(welch(one, other).low).to.be.below(0);
    expect(paired.difference).to.be.closeTo(1, 1e-9);
  });

  it('more values narrow the interval', () => {
    const few = welch([1, 2, 3], [2, 3, 4]);
    const many = welch([1, 2, 3, 1, 2, 3, 1, 2, 3], [2, 3, 4, 2, 3, 4, 2, 3, 4]);
    expect(many.high - many.low).to.be.below(few.high - few.low);
  });

  it('two degrees of freedom have the quantile of Student, 4.849 at 98 %', () => {
    const { difference, high } = pairedT([0, 0, 0], [1, 2, 3]);
    expect((high - difference) / Math.sqrt(1 / 3)).to.be.closeTo(4.849, 0.001);
  });
});
