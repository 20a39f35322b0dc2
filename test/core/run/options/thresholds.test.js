import { expect } from 'chai';

import { areThresholds, thresholdTexts } from '../../../../lib/core/run/options/checks.js';

describe('thresholds of a flow', () => {
  for (const [given, texts] of [
    [undefined, []],
    ['p99<1s', ['p99<1s']],
    [
      ['p99<1s', 'errors<1%'],
      ['p99<1s', 'errors<1%'],
    ],
    [{ p99: '<1s', 'GET / p95': ['<1s', '>1ms'] }, ['p99<1s', 'GET / p95<1s', 'GET / p95>1ms']],
  ]) {
    it(`${JSON.stringify(given)} has ${texts.length === 0 ? 'no text' : `the texts ${texts.join(' and ')}`}`, () => {
      expect(areThresholds(given)).to.equal(true);
      expect(thresholdTexts(given)).to.deep.equal(texts);
    });
  }

  it('a bound that is no text is no threshold', () => {
    const lists = [new Set(['p99<1s']), new Map([['p99', '<1s']]), { p99: [] }];
    for (const given of [5, [5], { p99: 5 }, null, ...lists])
      expect(areThresholds(given), String(given)).to.equal(false);
  });
});
