import { expect } from 'chai';

import { twoSidedP, twoSidedQuantile } from '../../../lib/core/measure/statistics.js';
import fc from '../../support/fast-check.js';

describe('the t distribution', () => {
  // from the tables of Student's t distribution
  for (const [p, df, value] of [
    [0.05, 1, 12.706],
    [0.05, 2, 4.303],
    [0.05, 4, 2.776],
    [0.01, 30, 2.75],
    [0.001, 3, 12.924],
    [0.05, Infinity, 1.96],
  ]) {
    it(`${value} is exceeded with a probability of ${p} at ${df} degrees of freedom`, () => {
      expect(twoSidedQuantile(p, df)).to.be.closeTo(value, 0.0006);
      expect(twoSidedP(-value, df)).to.be.closeTo(p, 0.0005);
    });
  }

  it('quantile and probability are inverse for all degrees of freedom', () =>
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 0.9, noNaN: true }),
        fc.double({ min: 1, max: 1e7, noNaN: true }),
        (p, df) => {
          expect(twoSidedP(twoSidedQuantile(p, df), df)).to.be.closeTo(p, 1e-5);
        },
      ),
    ));

  it('the extremes are certain', () => {
    expect([twoSidedP(0, 3), twoSidedP(Infinity, 3)]).to.deep.equal([1, 0]);
  });
});
