import { expect } from 'chai';
import { build, decodeFromCompressedBase64 } from 'hdr-histogram-js';

import { HdrCounts, encodeHdr } from '../../../lib/core/measure/hdr-counts.js';
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

  it('every operation counts as a plain list of counts does, in any order', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
    const step = fc.oneof(
      fc.tuple(fc.constant('record'), value),
      fc.tuple(fc.constantFrom('other', 'add', 'addBytes', 'subtract', 'clear'), fc.constant(0)),
    );
    const plainOf = (counts) => {
      const plain = new Map();
      counts.forEach((middle, count) => plain.set(middle, count));
      return plain;
    };
    const sumOf = (plain, more, sign = 1) => {
      const sum = new Map(plain);
      for (const [middle, count] of more) sum.set(middle, Math.max(0, (sum.get(middle) ?? 0) + sign * count));
      return new Map([...sum].filter(([, count]) => count > 0).sort(([a], [b]) => a - b));
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const counts = new HdrCounts();
        let other = new HdrCounts();
        let plain = new Map();
        for (const [name, of] of steps) {
          if (name === 'record') {
            const one = new HdrCounts();
            one.record(of);
            counts.record(of);
            plain = sumOf(plain, plainOf(one));
          } else if (name === 'other') {
            other = new HdrCounts();
            other.addBytes(counts.toBytes());
          } else if (name === 'clear') {
            counts.clear();
            plain = new Map();
          } else {
            counts[name](name === 'addBytes' ? other.toBytes() : other);
            plain = sumOf(plain, plainOf(other), name === 'subtract' ? -1 : 1);
          }
          expect([...plainOf(counts)]).to.deep.equal([...plain]);
          const total = [...plain.values()].reduce((sum, count) => sum + count, 0);
          if (total > 0) expect(counts.countAbove(0) + (plain.get(0) ?? 0)).to.equal(total);
        }
      }),
      { numRuns: scaled(200, 2000) },
    );
  });

  it('tools of HdrHistogram read the text of few and of many values', () => {
    for (const size of [1, 2, 9, 10, 1000]) {
      const counts = new HdrCounts();
      for (let i = 0; i < size; i++) counts.record(1000 + 37 * i);
      const read = decodeFromCompressedBase64(encodeHdr(counts));
      expect(read.totalCount).to.equal(size);
      expect(read.getValueAtPercentile(100)).to.equal(counts.valuesAt([100], size)[0]);
    }
  });
});
