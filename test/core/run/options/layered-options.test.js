import { expect } from 'chai';

import { settleOptions } from '../../../../lib/core/run/options/layers.js';

describe('options of several layers', () => {
  for (const [given, expected] of [
    [{ limit: '0x3' }, { limit: 3 }],
    [{ limit: true }, { limit: 1 }],
    [{ iterations: [3] }, { iterations: 3 }],
    [{ iterations: '10k' }, { iterations: '10k' }],
    [{ iterations: [1, 2] }, { iterations: [1, 2] }],
    [
      { limit: 1e9, iterations: 5 },
      { limit: 5, iterations: 5 },
    ],
    [{ limit: 1e9 }, { limit: 1e9 }],
    [
      { prealloc: Infinity, iterations: 5 },
      { prealloc: 5, iterations: 5 },
    ],
    [{ user: 0, password: false }, {}],
    [{ user: NaN, prealloc: NaN, progress: NaN }, {}],
    [
      { user: '', progress: 0, prealloc: 0 },
      { user: '', progress: 0, prealloc: 0 },
    ],
    [{ baseUrl: '', warmup: false, prealloc: '', quiet: 0 }, {}],
    [{ rate: 0 }, { rate: 0 }],
    [{ own: null }, { own: null }],
  ])
    it(`${JSON.stringify(given)} is ${JSON.stringify(expected)}`, () =>
      expect(JSON.parse(JSON.stringify(settleOptions(given)))).to.deep.equal(expected));

  it('values that cannot be compared stay as they are, to be refused', () => {
    for (const value of [Symbol('x'), Object.create(null), 5n])
      for (const given of [
        { prealloc: value, iterations: 5 },
        { prealloc: 5, iterations: value },
      ])
        expect(settleOptions(given)).to.deep.equal(given);
  });
});
