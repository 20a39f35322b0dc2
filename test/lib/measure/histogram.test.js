import { expect } from 'chai';
import fc from 'fast-check';

import { Histogram } from '../../../lib/measure/histogram.js';

describe('histogram', () => {
  it('has null where there is no data', () => {
    const summary = new Histogram().toJSON();
    expect(summary).to.include({ count: 0, sum: 0, min: null, max: null, mean: null, median: null, p99: null, stddev: null });
  });

  it('percentiles of 1 to 100,000 us are within 0.1 %', () => {
    const histogram = new Histogram();
    for (let us = 1; us <= 100_000; us++) histogram.update(us / 1000);
    const { median, p75, p90, p95, p99, p999, min, max, count, sum } = histogram.toJSON();
    for (const [value, exact] of [[median, 50], [p75, 75], [p90, 90], [p95, 95], [p99, 99], [p999, 99.9]]) {
      expect(value).to.be.closeTo(exact, exact * 0.001 + 0.001);
    }
    expect({ min, max, count }).to.deep.equal({ min: 0.001, max: 100, count: 100_000 });
    expect(sum).to.be.closeTo(5_000_050, 0.001);
  });

  it('variance is that of the sample', () => {
    const histogram = new Histogram();
    for (const ms of [2, 4, 4, 4, 5, 5, 7, 9]) histogram.update(ms);
    expect(histogram.toJSON().variance).to.be.closeTo(32 / 7, 1e-9);
  });

  it('what is outside 1 us to 1 h is counted at the edge', () => {
    const histogram = new Histogram();
    for (const ms of [0, 0.0004, 7_200_000]) histogram.update(ms);
    expect(histogram.toJSON()).to.include({ count: 3, min: 0, max: 7_200_000 });
  });

  it('merged, any split equals the whole', () => {
    const times = fc.array(fc.double({ min: 0.001, max: 3_600_000, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(times, fc.nat(49), (values, at) => {
        const [whole, left, right] = [new Histogram(), new Histogram(), new Histogram()];
        values.forEach((ms, i) => {
          whole.update(ms);
          (i < at ? left : right).update(ms);
        });
        left.add(right);
        const { sum, mean, variance, stddev, ...exact } = left.toJSON();
        expect(whole.toJSON()).to.include(exact);
        expect(sum).to.be.closeTo(whole.toJSON().sum, 1e-6 * sum);
        expect(mean).to.be.closeTo(whole.toJSON().mean, 1e-6 * mean);
        expect(stddev === null).to.equal(whole.toJSON().variance === null);
        if (variance) expect(variance).to.be.closeTo(whole.toJSON().variance, 1e-6 * variance + 1e-6);
      }),
      { numRuns: 100, seed: 7 },
    );
  });
});
