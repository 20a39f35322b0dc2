import { expect } from 'chai';

import { failedFigures, thresholdLines } from '../../../lib/addons/page/chart-data.js';
import { judged } from '../../support/judged.js';
import { literalResult } from '../../support/literal-result.js';

describe('marks of thresholds', () => {
  it('thresholds on times of all iterations are lines of the chart', () => {
    const expressions = ['p95<200ms', 'errors<1%', 'GET / p95<1s', 'ttfb.p95<1s', 'max<=2s'];
    const thresholds = expressions.map((expression) => judged(expression, 1));
    expect(thresholdLines({ ...literalResult(), thresholds })).to.deep.equal([
      { label: 'p95<200ms', ms: 200 },
      { label: 'max<=2s', ms: 2000 },
    ]);
  });

  it('a threshold of 0 ms has no line, as a logarithmic axis has no place for it', () => {
    const thresholds = [judged('p99>=0ms', 1), judged('p50<1ms', 1)];
    expect(thresholdLines({ ...literalResult(), thresholds }).map(({ label }) => label)).to.deep.equal(['p50<1ms']);
  });

  it('failed figures are those of thresholds that failed', () => {
    const thresholds = [
      judged('p95<1ms', 5),
      judged('p99<1s', 5),
      // the figure of the whole run may be good
      judged('max<1s over 10s', 2000, { window: { from: 0, to: 10_000, count: 1 } }),
      judged('GET / p50<1s', 2000),
    ];
    expect([...failedFigures({ thresholds })]).to.deep.equal(['p95']);
    expect([...failedFigures({})]).to.deep.equal([]);
  });
});
