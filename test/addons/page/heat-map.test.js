import { expect } from 'chai';

import { HdrCounts } from '../../../lib/core/measure/hdr-counts.js';
import { heatMapOf } from '../../../lib/addons/page/chart-data.js';
import { rangeOf } from '../../../lib/core/report/distribution-charts.js';
import fc from '../../support/fast-check.js';
import { itSlow } from '../../support/slow.js';

/** A result whose intervals have these response times, ms. */
function resultOf(intervals) {
  const encoded = intervals.map((times) => {
    const counts = new HdrCounts();
    for (const ms of times) counts.record(ms * 1000);
    return Buffer.from(counts.toBytes()).toString('base64');
  });
  const all = intervals.flat();
  return {
    main: { completed: { min: Math.min(...all), max: Math.max(...all) } },
    series: { interval: 1000, points: encoded.map((hdrPayload) => ({ responseTime: { hdrPayload } })) },
  };
}

describe('the heat map of response times', () => {
  it('has a column for each interval, and every iteration in the band of its time', () => {
    const { interval, low, high, columns } = heatMapOf(resultOf([[1, 1, 100], [], [10]]));
    expect([interval, low, high]).to.deep.equal([1000, 1, 100]);
    expect(columns.map((column) => column.reduce((sum, n) => sum + n, 0))).to.deep.equal([3, 0, 1]);
    expect(columns[0][0]).to.equal(2);
    expect(columns[0].at(-1)).to.equal(1);
    expect(columns[2].indexOf(1)).to.be.within(23, 24);
  });

  itSlow('joins the intervals of a long run, and loses no iteration', () => {
    const { interval, columns } = heatMapOf(resultOf(Array.from({ length: 1300 }, () => [5, 50])));
    expect([interval, columns.length]).to.deep.equal([3000, 434]);
    expect(columns.flat().reduce((sum, n) => sum + n, 0)).to.equal(2600);
  });

  it('a result without counts, or in which nothing ended, has none', () => {
    const seriesOf = (...points) => ({ interval: 1000, points });
    expect(heatMapOf({ ...resultOf([[1]]), series: seriesOf({ responseTime: { median: 1 } }) })).to.equal(null);
    expect(heatMapOf({ ...resultOf([[1]]), series: seriesOf() })).to.equal(null);
    expect(heatMapOf({ ...resultOf([[1]]), main: { completed: { min: null, max: null } } })).to.equal(null);
  });

  it('the scale contains all times, ends at round ones and is never too narrow', () => {
    const time = fc.double({ min: 0.001, max: 3_600_000, noNaN: true });
    fc.assert(
      fc.property(time, time, (a, b) => {
        const [min, max] = [Math.min(a, b), Math.max(a, b)];
        const [low, high] = rangeOf(min, max);
        return low <= min && max <= high && high / low >= 4;
      }),
    );
  });
});
