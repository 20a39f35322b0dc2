import { expect } from 'chai';

import { failedFigures, thresholdLines } from '../../../lib/report/chart-data.js';
import { literalResult } from '../../support/literal-result.js';

describe('report/threshold-marks', () => {
  it('thresholds on times of all iterations are lines of the chart', () => {
    const judged = ['p95<200ms', 'errors<1%', 'GET / p95<1s', 'ttfb.p95<1s', 'max<=2s'].map((expression) => ({
      expression,
      passed: true,
      actual: 1,
      unit: 'ms',
    }));
    expect(thresholdLines({ ...literalResult(), thresholds: judged })).to.deep.equal([
      { label: 'p95<200ms', ms: 200 },
      { label: 'max<=2s', ms: 2000 },
    ]);
  });

  it('failed figures are those of thresholds that failed', () => {
    const thresholds = [
      { expression: 'p95<1ms', passed: false },
      { expression: 'p99<1s', passed: true },
      // the figure of the whole run may be good
      { expression: 'max<1s over 10s', passed: false },
    ];
    expect([...failedFigures({ thresholds })]).to.deep.equal(['p95']);
    expect([...failedFigures({})]).to.deep.equal([]);
  });
});
