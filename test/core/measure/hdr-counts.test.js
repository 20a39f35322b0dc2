import { expect } from 'chai';
import { build } from 'hdr-histogram-js';

import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import fc from '../../support/fast-check.js';
import { scaled } from '../../support/scale.js';

const PERCENTILES = [0.001, 1, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 100];
const reference = () =>
  build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: 2 ** 32 - 1,
    numberOfSignificantValueDigits: 3,
    bitBucketSize: 64,
  });

describe('measure/hdr-counts', () => {
  it('agrees with hdr-histogram-js for any values', () => {
    const anyValue = fc.oneof(
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 1, max: 3_600_000_000 }),
      fc.integer({ min: 0, max: 21 }).map((b) => 2048 * 2 ** b - 1),
    );
    fc.assert(
      fc.property(fc.array(anyValue, { minLength: 1, maxLength: 300 }), (values) => {
        const [ours, theirs] = [new HdrCounts(), reference()];
        for (const value of values) {
          ours.record(value);
          theirs.recordValue(value);
        }
        const expected = PERCENTILES.map((percentile) => theirs.getValueAtPercentile(percentile));
        expect(ours.valuesAt(PERCENTILES, values.length)).to.deep.equal(expected);
      }),
      { numRuns: scaled(100, 500) },
    );
  });

  it('is exact to three digits at every edge of a bucket', () => {
    for (let bits = 0; bits < 32; bits++) {
      for (const value of [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]) {
        const counts = new HdrCounts();
        counts.record(value);
        const [shown] = counts.valuesAt([50], 1);
        expect(shown).to.be.within(value, Math.max(value + 1, value * 1.001));
      }
    }
  });

  it('the sum of any split equals the whole', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3_600_000_000 }), { minLength: 1, maxLength: 100 }),
        fc.nat(100),
        (values, at) => {
          const [whole, left, right] = [new HdrCounts(), new HdrCounts(), new HdrCounts()];
          values.forEach((value, i) => {
            whole.record(value);
            (i < at ? left : right).record(value);
          });
          right.add(left);
          expect(right.valuesAt(PERCENTILES, values.length)).to.deep.equal(whole.valuesAt(PERCENTILES, values.length));
        },
      ),
    );
  });

  it('C8 encoding and decoding keeps counts up to 2^40', () => {
    const record = fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 1, max: 2 ** 40 }));
    fc.assert(
      fc.property(fc.array(record, { maxLength: 50 }), (records) => {
        const [counts, read] = [new HdrCounts(), new HdrCounts()];
        for (const [value, times] of records) counts.record(value, times);
        read.addBytes(counts.toBytes());
        const listed = (of) => {
          const all = [];
          of.forEach((value, count) => all.push([value, count]));
          return all;
        };
        expect(listed(read)).to.deep.equal(listed(counts));
      }),
    );
  });

  it('values are reported as the middle of their bucket', () => {
    const counts = new HdrCounts();
    for (const value of [0, 5, 2047, 4096, 4097]) counts.record(value);
    const told = [];
    counts.forEach((value, count) => told.push([value, count]));
    expect(told).to.deep.equal([
      [0, 1],
      [5, 1],
      [2047, 1],
      [4097.5, 2],
    ]);
  });

  it('a rank is not raised by rounding', () => {
    const counts = new HdrCounts();
    for (let value = 1; value <= 1000; value++) counts.record(value);
    expect(counts.valuesAt([50, 99, 99.9, 100], 1000)).to.deep.equal([500, 990, 999, 1000]);
  });
});
