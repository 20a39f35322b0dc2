import { expect } from 'chai';

import { summable } from '../../../lib/core/measure/point-maker.js';
import fc from '../../support/fast-check.js';

describe('times that can be added exactly', () => {
  it('sums of times do not depend on their order', () =>
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { maxLength: 20 }), (times) => {
        const sum = (all) => all.reduce((total, ms) => total + summable(ms), 0);
        expect(sum(times.toReversed())).to.equal(sum(times));
      }),
    ));

  it('a time changes by less than 31 ns', () => expect(Math.abs(summable(1.23456789) - 1.23456789)).to.be.below(31e-6));
});
