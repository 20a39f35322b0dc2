import { expect } from 'chai';

import { CHECKS } from '../../../../lib/core/flow/checks/index.js';

describe('checks of streams', () => {
  it('events is a number from 0, or comparisons', () => {
    const { check } = CHECKS.find(({ name }) => name === 'events');
    expect([0, { gte: 1 }, -1, [5], /5/].map(check)).to.deep.equal([true, true, false, false, false]);
  });
});
