import { expect } from 'chai';

import { Histogram } from '../../../lib/core/measure/histogram.js';
import { PERCENTILES, STATISTICS } from '../../../lib/core/measure/percentiles.js';

describe('histograms as columns', () => {
  it('every column is in the summary of a histogram', () => {
    expect(new Histogram().toJSON()).to.include.all.keys(STATISTICS.map(({ key }) => key));
  });

  it('percentiles ascend, and are labelled by their number', () => {
    const percentiles = PERCENTILES.map(({ percentile }) => percentile);
    expect(percentiles).to.deep.equal(percentiles.toSorted((a, b) => a - b));
    for (const { percentile, label } of PERCENTILES) expect(label).to.equal(`p${percentile}`);
  });
});
