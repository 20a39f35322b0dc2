import { expect } from 'chai';

import { quantile, quantileRank, valuesNeeded } from '../../../lib/core/measure/percentiles.js';
import fc from '../../support/fast-check.js';

describe('quantile', () => {
  for (const [share, count, rank] of [
    [0, 10, 1],
    [0.5, 10, 5],
    [0.51, 10, 6],
    [1, 10, 10],
    [99.9 / 100, 1000, 999],
    [0.5, 0, 1],
  ]) {
    it(`the rank of ${share} of ${count} values is ${rank}`, () => expect(quantileRank(share, count)).to.equal(rank));
  }

  for (const [share, needed] of [
    [0.5, 2],
    [0.95, 20],
    [0.05, 20],
    [0.99, 100],
    [0.999, 1000],
    [0, 1],
    [1, 1],
  ]) {
    it(`a quantile of ${share} needs ${needed} values`, () => expect(valuesNeeded(share)).to.equal(needed));
  }

  it('an empty list has no quantile', () => expect(quantile([], 0.5)).to.equal(null));

  it('a quantile is one of the values, with at least that share of them at or below it', () => {
    const share = fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000);
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), share, (values, p) => {
        const found = quantile(values, p);
        expect(values).to.include(found);
        const below = values.filter((value) => value <= found).length;
        expect(below).to.be.at.least(Math.floor(p * values.length));
      }),
    );
  });
});
