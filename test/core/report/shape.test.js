import { expect } from 'chai';

import { shapeOf } from '../../../lib/core/report/distribution-charts.js';

describe('the shape of a distribution', () => {
  it('has the share of the values in each band, also of those at the ends', () => {
    const points = [
      { ms: 1, upTo: 5 },
      { ms: 20, upTo: 8 },
      { ms: 100, upTo: 10 },
    ];
    expect(shapeOf(points, { low: 1, high: 100, bands: 2 })).to.deep.equal([0.5, 0.3 + 0.2]);
  });

  it('an empty distribution has no shape', () => {
    expect(shapeOf([], { low: 1, high: 10, bands: 4 })).to.deep.equal([]);
  });
});
