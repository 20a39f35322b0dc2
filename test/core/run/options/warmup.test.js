import { expect } from 'chai';

import { readWarmup } from '../../../../lib/core/run/options/load.js';

describe('the option warmup', () => {
  for (const [given, warmup] of [
    ['5s', { duration: 5000 }],
    [500, { duration: 500 }],
    [{ duration: '5s' }, { duration: 5000 }],
    [
      { duration: '5s', limit: '1k' },
      { duration: 5000, limit: 1000 },
    ],
    [0, undefined],
    ['x', undefined],
    [null, undefined],
    [{ duration: 5, limit: 0 }, undefined],
    ['5s:100001c', undefined],
    [{ duration: 5, limt: 1 }, undefined],
  ]) {
    it(`${JSON.stringify(given)} is ${warmup ? JSON.stringify(warmup) : 'no warm-up'}`, () =>
      expect(readWarmup(given)).to.deep.equal(warmup));
  }
});
