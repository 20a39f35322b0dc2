import { expect } from 'chai';

import { count, flag, ms, rate, text } from '../../../../lib/core/run/options/row.js';

describe('kinds of values', () => {
  const rows = [
    ['a count', count, ['10k', 1, 2 ** 40], [0, -1, 1.5, NaN, 'x', true]],
    ['a rate', rate, ['30/m', 0.5, 1e6], [0, -1, 1e7, 'x', true]],
    ['a time', ms, ['30s', 0, 0.5], [-1, Infinity, NaN, 'x', true]],
    ['a flag', flag, [true, false, 'true', 'false'], [1, 'yes', null]],
    ['a text', text, ['', 'x'], [1, null]],
  ];
  const isValid = ({ read = (v) => v, check }, value) => check(typeof value === 'string' ? read(value) : value);
  for (const [name, kind, valid, invalid] of rows) {
    it(`${name} is ${kind.expected}`, () => {
      for (const value of valid) expect(isValid(kind, value), String(value)).to.equal(true);
      for (const value of invalid) expect(isValid(kind, value), String(value)).to.equal(false);
    });
  }
});
