import { expect } from 'chai';

import { readDelay } from '../../../lib/core/ground/units.js';

const READ = [
  ['a number of milliseconds', 20, [20, 20], []],
  ['a text without unit', '20', [20, 20], []],
  ['a time', '1.5s', [1500, 1500], []],
  ['none', 0, [0, 0], []],
  ['a range', '10ms,50ms', [10, 50], []],
  ['a range of a program', [10, '50ms'], [10, 50], []],
  ['a slow tail', '20ms,1%:500ms', [20, 20], [[0.01, 500, 500]]],
  ['spaces', ' 20ms , 1% : 500ms , 1s ', [20, 20], [[0.01, 500, 1000]]],
  [
    'several tails of ranges',
    '10,50,5%:200ms,0.1%:1s,2s',
    [10, 50],
    [
      [0.05, 200, 200],
      [0.001, 1000, 2000],
    ],
  ],
  ['a tail of all responses', '0,100%:5ms', [0, 0], [[1, 5, 5]]],
];
const REFUSED = [
  '',
  'soon',
  -1,
  NaN,
  null,
  {},
  [1],
  [1, 2, 3],
  '50ms,10ms',
  '1%:5ms',
  '20ms,1%',
  '20ms,1%:',
  '20ms,60%:1s,60%:2s',
  '11m',
  '20ms,1%:11m',
  '1,2,3',
  '5ms,1%:1,2,3',
  '1ms..5ms',
  '5ms,-1%:2ms',
];

describe('delay', () => {
  for (const [what, given, range, tails] of READ) {
    it(`reads ${what}: ${JSON.stringify(given)}`, () =>
      expect(readDelay(given)).to.deep.equal({
        range,
        tails: tails.map(([share, from, to]) => ({ share, range: [from, to] })),
      }));
  }

  for (const given of REFUSED) {
    it(`refuses ${JSON.stringify(given)}`, () => expect(readDelay(given)).to.equal(null));
  }
});
