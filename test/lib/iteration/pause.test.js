import { expect } from 'chai';

import { pauseBetween } from '../../../lib/iteration/pause.js';

describe('iteration/pause', () => {
  for (const [random, ms] of [
    [0, 100],
    [0.5, 150],
    [0.75, 175],
  ]) {
    it(`${random} of the range from 100 to 200 ms is ${ms} ms`, () =>
      expect(pauseBetween([100, 200], () => random)).to.equal(ms));
  }
});
