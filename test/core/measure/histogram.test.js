import { expect } from 'chai';
import { build } from 'hdr-histogram-js';

import { createRandom } from '../../../lib/core/ground/random.js';
import { Histogram } from '../../../lib/core/measure/histogram.js';
import { HistogramDecoder } from '../../../lib/core/measure/state.js';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scale.js';
import { itSlow } from '../../support/slow.js';

describe('measure/histogram', () => {
  it('C8 counts beyond 2^32 are exact, and so are their percentiles', () => {
    const histogram = new Histogram();
    for (const [ms, times] of [
      [1, 2 ** 33],
      [10, 2 ** 32 + 1],
    ]) {
      const one = new Histogram();
      one.update(ms);
      const state = one.drain();
      // the sum of equal parts, by doubling
      for (let left = times; left > 0;) {
        const many = 2 ** Math.floor(Math.log2(left));
        const part = new Histogram();
        part.addState(state);
        for (let n = 1; n < many; n *= 2) part.add(part);
        histogram.add(part);
        left -= many;
      }
    }
    const { count, median, p75, max } = histogram.toJSON();
    expect(count).to.equal(2 ** 33 + 2 ** 32 + 1);
    expect([Math.round(median), Math.round(p75), max]).to.deep.equal([1, 10, 10]);
  });

  it('S1 figures without data are null', () => {
    const summary = new Histogram().toJSON();
    expect(summary).to.include({
      count: 0,
      sum: 0,
      min: null,
      max: null,
      mean: null,
      median: null,
      p99: null,
      stddev: null,
    });
  });

  it('a point has what was recorded since the last one, however often it was drained meanwhile', () => {
    const event = fc.oneof(fc.double({ min: 0.001, max: 900, noNaN: true }), fc.constantFrom('point', 'drain'));
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        const [drained, whole] = [new Histogram(), new Histogram()];
        for (const histogram of [drained, whole]) histogram.sincePoint();
        for (const one of events) {
          if (one === 'drain') drained.drain();
          else if (one === 'point') expect(drained.sincePoint()).to.deep.equal(whole.sincePoint());
          else for (const histogram of [drained, whole]) histogram.update(one);
        }
      }),
      { numRuns: scaled(200) },
    );
  });

  it('percentiles of 1 to 100,000 us are within 0.1 %', () => {
    const histogram = new Histogram();
    for (let us = 1; us <= 100_000; us++) histogram.update(us / 1000);
    const { median, p75, p90, p95, p99, p999, min, max, count, sum } = histogram.toJSON();
    for (const [value, exact] of [
      [median, 50],
      [p75, 75],
      [p90, 90],
      [p95, 95],
      [p99, 99],
      [p999, 99.9],
    ]) {
      expect(value).to.be.closeTo(exact, exact * 0.001 + 0.001);
    }
    expect({ min, max, count }).to.deep.equal({ min: 0.001, max: 100, count: 100_000 });
    expect(sum).to.be.closeTo(5_000_050, 0.001);
  });

  it('variance is the sample variance', () => {
    const histogram = new Histogram();
    for (const ms of [0.2, 0.4, 0.4, 0.4, 0.5, 0.5, 0.7, 0.9]) histogram.update(ms);
    expect(histogram.toJSON().variance).to.be.closeTo(0.32 / 7, 1e-9);
  });

  it('S6 values that have no bin are counted at the limit and reported', () => {
    const histogram = new Histogram();
    for (const ms of [0, 0.0004, -3, 1e13, 1]) histogram.update(ms);
    expect(histogram.toJSON()).to.include({ count: 5, min: -3, max: 1e13, outOfRange: 4 });
  });

  it('values above an hour have three digits, too, also in a file and in a sum', () => {
    const large = fc.double({ min: 3_000_000, max: 9e12, noNaN: true });
    fc.assert(
      fc.property(fc.array(large, { minLength: 1, maxLength: 20 }), large, (values, bound) => {
        const histogram = new Histogram();
        for (const value of values) histogram.update(value);
        const read = Histogram.decode(JSON.parse(JSON.stringify(histogram.summary(true))));
        read.addState(histogram.drain());
        const sorted = values.toSorted((a, b) => a - b);
        for (const percentile of [1, 50, 95]) {
          const exact = sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)];
          expect(read.valueAt(percentile)).to.be.closeTo(exact, exact / 1000);
        }
        const above = values.filter((value) => value > bound * 1.001).length;
        expect(read.countAbove(bound) / 2).to.be.within(above, values.filter((value) => value > bound).length);
        expect(read.toJSON().outOfRange).to.equal(0);
      }),
      { numRuns: 50 },
    );
  });

  it('S6 values that are not numbers are reported and excluded', () => {
    const histogram = new Histogram();
    for (const ms of [NaN, Infinity, 2]) histogram.update(ms);
    expect(histogram.toJSON()).to.include({ count: 1, min: 2, max: 2, sum: 2, outOfRange: 2 });
  });

  it('a histogram without values keeps how many were no numbers, in a summary and without a part', () => {
    const histogram = new Histogram();
    histogram.update(NaN);
    const saved = histogram.summary(true);
    expect(Histogram.decode(saved).toJSON().outOfRange).to.equal(1);
    expect(new HistogramDecoder().decode('metrics', saved).toJSON().outOfRange).to.equal(1);
    const part = new Histogram();
    for (const one of [histogram, part]) one.update(2);
    expect(histogram.without(part).toJSON()).to.include({ count: 0, outOfRange: 1 });
  });

  it('S1 equal values have a standard deviation of 0, a single value has no variance', () => {
    const [constant, single] = [new Histogram(), new Histogram()];
    for (let i = 0; i < 1000; i++) constant.update(123.4567);
    single.update(5);
    expect(constant.toJSON()).to.deep.include({
      min: 123.4567,
      max: 123.4567,
      variance: 0,
      stddev: 0,
      median: 123.4567,
      p999: 123.4567,
    });
    expect(single.toJSON()).to.include({ variance: null, stddev: 0, mean: 5 });
  });

  itSlow('S1 percentiles of a million values match the sorted values: log-normal, and two points far apart', () => {
    const random = createRandom(3);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const logNormal = Float64Array.from({ length: 1e6 }, () => Math.round(Math.exp(2 + normal()) * 1000) / 1000);
    const twoPoints = Float64Array.from({ length: 1e6 }, (_, i) => (i === 5 ? 10_000 : 1));
    for (const values of [logNormal, twoPoints]) {
      const histogram = new Histogram();
      for (const ms of values) histogram.update(ms);
      values.sort();
      const { min, max, count, sum, mean, stddev, ...percentiles } = histogram.toJSON();
      expect({ min, max, count }).to.deep.equal({ min: values[0], max: values.at(-1), count: 1e6 });
      const exactSum = values.reduce((total, ms) => total + Math.round(ms * 1000), 0) / 1000;
      expect(sum).to.equal(exactSum);
      expect(mean).to.equal(exactSum / 1e6);
      const spread = Math.sqrt(values.reduce((total, ms) => total + (ms - mean) ** 2, 0) / (1e6 - 1));
      expect(stddev).to.be.closeTo(spread, spread * 0.002);
      for (const [name, rank] of [
        ['median', 0.5],
        ['p75', 0.75],
        ['p90', 0.9],
        ['p95', 0.95],
        ['p99', 0.99],
        ['p999', 0.999],
      ]) {
        const exact = values[Math.ceil(rank * 1e6) - 1];
        expect(percentiles[name], name).to.be.closeTo(exact, exact * 0.001 + 0.001);
      }
    }
  });

  it('S8 any split, added in any order, equals the whole bit for bit', () => {
    const times = fc.array(fc.double({ min: 0, max: 4_000_000, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(
        times,
        fc.array(fc.nat(6), { minLength: 60, maxLength: 60 }),
        fc.boolean(),
        (values, owners, reversed) => {
          const whole = new Histogram();
          const parts = Array.from({ length: 7 }, () => new Histogram());
          values.forEach((ms, i) => {
            whole.update(ms);
            parts[owners[i]].update(ms);
          });
          const merged = new Histogram();
          for (const part of reversed ? parts.reverse() : parts) merged.addState(structuredClone(part.drain()));
          expect(merged.toJSON()).to.deep.equal(whole.toJSON());
          expect(parts.every(({ count }) => count === 0)).to.equal(true);
        },
      ),
      { numRuns: scaled(50, 200) },
    );
  });

  it('the correction for coordinated omission equals that of HdrHistogram', () => {
    const [ours, theirs] = [
      new Histogram(),
      build({ lowestDiscernibleValue: 1, highestTrackableValue: 3_600_000_000, numberOfSignificantValueDigits: 3 }),
    ];
    for (const us of [1000, 2000, 100_000, 1_000_000]) {
      ours.update(us / 1000);
      theirs.recordValueWithExpectedInterval(us, 5000);
    }
    const { count, median, p90, p99 } = ours.corrected(5).toJSON();
    expect(count).to.equal(theirs.totalCount);
    for (const [value, percentile] of [
      [median, 50],
      [p90, 90],
      [p99, 99],
    ])
      expect(value * 1000).to.be.closeTo(theirs.getValueAtPercentile(percentile), 1000);
    expect(ours.count).to.equal(4);
  });

  it('the correction adds the millions of short intervals in a long time, with their exact sum', () => {
    const histogram = new Histogram();
    histogram.update(30_000);
    // The middle of the bin of 30 s is 30.007296 s.
    const { count, min, median, sum } = histogram.corrected(0.001).toJSON();
    const steps = 30_007_295;
    expect([count, min]).to.deep.equal([steps + 1, 0.001]);
    expect(median).to.be.closeTo(15_000, 20);
    expect(sum).to.be.closeTo(30_000 + (steps * (steps + 1)) / 2000, 1);
  });
});
