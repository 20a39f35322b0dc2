import { expect } from 'chai';

import {
  discoveryLimit,
  inflationOf,
  intervalOf,
  pValueOf,
  pairedT,
  welch,
} from '../../../../lib/addons/compare/measure/significance.js';
import { meanOf } from '../../../../lib/core/measure/statistics.js';

describe('tests of the difference between two samples', () => {
  const one = [10.1, 9.8, 10.3, 9.9];
  const other = [11.2, 10.9, 11.5, 10.4];

  it("Welch's test has the difference, its error and the degrees of freedom of Satterthwaite", () => {
    const { difference, error, df } = welch(one, other);
    expect(difference).to.be.closeTo(0.975, 1e-9);
    expect(error).to.be.closeTo(0.2594, 1e-4);
    expect(df).to.be.closeTo(4.277, 0.001);
  });

  it('the mean of values', () => expect(meanOf([1, 2, 6])).to.equal(3));

  it('equal samples differ by nothing, with an interval around 0', () => {
    const { low, high } = intervalOf(welch([1, 2, 3], [1, 2, 3]), 0.05);
    expect(low).to.equal(-high);
    expect(high).to.be.above(0);
  });

  it('constant samples differ exactly, unless values are rounded', () => {
    const one = [1, 1, 1];
    for (const test of [welch, pairedT]) {
      expect(intervalOf(test(one, [3, 3, 3]), 0.05)).to.deep.equal({ low: 2, high: 2 });
      const { error, df } = test(one, [3, 3, 3], { bin: 1 });
      expect(error).to.be.closeTo(0.75, 1e-9);
      expect(df).to.equal(Infinity);
    }
  });

  it('pairs cancel what they share', () => {
    const shifted = one.map((value, i) => value * 10 + 1 + i / 100);
    const { difference, error, df } = pairedT(
      one.map((value) => value * 10),
      shifted,
    );
    expect(df).to.equal(3);
    expect(difference).to.be.closeTo(1.015, 1e-9);
    expect(error).to.be.below(0.01);
  });

  it('the interval encloses 0 exactly if the p value is above its level', () => {
    for (const shift of [0, 0.2, 0.4, 0.6, 0.8, 1, 2]) {
      const estimate = welch(
        one,
        one.map((value) => value + shift),
      );
      const { low, high } = intervalOf(estimate, 0.04);
      expect(low <= 0 && high >= 0).to.equal(pValueOf(estimate) > 0.04);
    }
  });

  it('values that follow each other like a drift make the error larger, and independent ones less so', () => {
    const drift = Array.from({ length: 10 }, (_, i) => i);
    const alternating = drift.map((i) => i % 2);
    expect(inflationOf(drift, drift)).to.be.above(10);
    expect(inflationOf(alternating, alternating)).to.equal(1);
    expect(inflationOf([1, 1, 1, 1, 1], [2, 2, 2, 2, 2])).to.equal(1);
    expect(welch(drift, drift, { inflation: 4 }).error).to.be.closeTo(2 * welch(drift, drift).error, 1e-9);
  });

  for (const [ps, count] of [
    [[], 0],
    [[0.06], 0],
    [[0.04], 1],
    [[0.01, 0.5, 0.6, 0.7, 0.8], 1],
    [[0.02, 0.5, 0.6, 0.7, 0.8], 0],
    // each is above its own bound but the last one, which takes the others along
    [[0.04, 0.045, 0.05], 3],
  ])
    it(`of the p values ${ps.join(', ') || 'of no test'} ${count} are discoveries at 5 %`, () => {
      const level = discoveryLimit(ps, 0.05);
      expect(ps.filter((p) => p <= level)).to.have.length(count);
    });
});
