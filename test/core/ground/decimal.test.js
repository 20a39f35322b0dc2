import { expect } from 'chai';

import {
  bytes,
  counted,
  decimal,
  grouped,
  margin,
  ms,
  number,
  rangeText,
  seconds,
} from '../../../lib/core/ground/decimal.js';
import fc from '../../support/fast-check.js';

const ROWS = [
  [0, '0', '0.00'],
  [7, '7', '7.00'],
  [999, '999', '999.00'],
  [1000, '1,000', '1,000.00'],
  [-1234567.5, '-1,234,567.5', '-1,234,567.50'],
  [0.5, '0.5', '0.50'],
  [100, '100', '100.00'],
  [1e21, '1,000,000,000,000,000,000,000', '1,000,000,000,000,000,000,000.00'],
  [Infinity, '∞', '∞'],
  [-Infinity, '-∞', '-∞'],
  [NaN, 'NaN', 'NaN'],
];

describe('decimal', () => {
  it('a range from 0 has its high end alone: 0 says nothing', () => {
    expect(rangeText({ low: 0, high: 1.13 }, ms)).to.equal('≤ 1.13');
    expect(rangeText({ low: 0.5, high: 1.13 }, ms)).to.equal('0.500–1.13');
  });

  for (const [value, short, fixed] of ROWS) {
    it(`${value} is ${short}, and with two decimals ${fixed}`, () => {
      expect([grouped(value), decimal(value, 2)]).to.deep.equal([short, fixed]);
    });
  }

  it('things are counted in the singular or plural', () => {
    expect([0, 1, 2000].map((n) => counted(n, 'error'))).to.deep.equal(['0 errors', '1 error', '2,000 errors']);
  });

  it('a number that rounds up to the next unit, or to more digits, is written as that one is', () => {
    const written = (format, ...values) => values.map((value) => format(value));
    expect(written(bytes, 999.4, 999.6, 999_949, 999_950, 999_999_999)).to.deep.equal([
      '999 B',
      '1.0 kB',
      '999.9 kB',
      '1.0 MB',
      '1.0 GB',
    ]);
    expect(written(bytes, 0, 0.4, 5e15)).to.deep.equal(['0 B', '0 B', '5000.0 TB']);
    expect(written(seconds, 0, 9994, 9996, 10_000, 59_960)).to.deep.equal([
      '0.00 s',
      '9.99 s',
      '10.0 s',
      '10.0 s',
      '60.0 s',
    ]);
    expect(written(ms, 9.9996, 99.996, 999.96)).to.deep.equal(['10.0', '100', '1,000']);
  });

  it('a negative number has as many digits as the same number without its sign', () => {
    const written = [-0.5, -12.345, -999.6, -12_345.678].map((value) => number(value));
    expect(written).to.deep.equal(['-0.500', '-12.3', '-1,000', '-12,346']);
  });

  it('whole numbers are those of toLocaleString', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.maxSafeInteger()), (value) => {
        expect(grouped(value)).to.equal(value.toLocaleString('en'));
      }),
    );
  });

  it('half of an interval stands behind its figure, and both ends of one that would lead below zero', () => {
    expect(margin('37.0', 37, { low: 36, high: 38 }, (value) => value.toFixed(1))).to.equal(' ± 1.0');
    expect(margin('10.0', 10, { low: 5, high: 20 }, (value) => value.toFixed(1))).to.equal(' (5.0–20.0)');
    expect(margin('0', 0, { low: 0, high: 0 }, String)).to.equal(' ± 0');
  });
});
