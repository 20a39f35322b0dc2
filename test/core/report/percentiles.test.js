import { expect } from 'chai';

import { pointAt } from '../../../lib/core/report/distribution-charts.js';

describe('the percentiles of a chart', () => {
  const points = [
    { ms: 1, upTo: 50 },
    { ms: 2, upTo: 90 },
    { ms: 9, upTo: 100 },
  ];
  for (const [share, ms] of [
    [0, 1],
    [0.5, 1],
    [0.51, 2],
    [0.9, 2],
    [1, 9],
  ]) {
    it(`${share} of the values is reached at ${ms} ms`, () => expect(pointAt(points, share).ms).to.equal(ms));
  }

  it('an empty distribution has no point', () => expect(pointAt([], 0.5)).to.equal(null));
});
