import { expect } from 'chai';

import { counted, decimal, grouped } from '../../../lib/ground/decimal.js';
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
  for (const [value, short, fixed] of ROWS) {
    it(`${value} is ${short}, and with two decimals ${fixed}`, () => {
      expect([grouped(value), decimal(value, 2)]).to.deep.equal([short, fixed]);
    });
  }

  it('things are counted in the singular or plural', () => {
    expect([0, 1, 2000].map((n) => counted(n, 'error'))).to.deep.equal(['0 errors', '1 error', '2,000 errors']);
  });

  it('whole numbers are those of toLocaleString', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.maxSafeInteger()), (value) => {
        expect(grouped(value)).to.equal(value.toLocaleString('en'));
      }),
    );
  });
});
