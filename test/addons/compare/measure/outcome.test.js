import { expect } from 'chai';

import { outcomeOfResult } from '../../../../lib/core/measure/outcome-reasons.js';
import { reasonsOf, statusOf } from '../../../../lib/core/measure/outcome.js';
import { judgedStats } from '../../../support/judged-stats.js';

describe('the outcome of a run with a baseline', () => {
  it('a limit that is undecided leaves a run undecided, as a threshold does, and one that failed fails it', () => {
    const limit = {
      expression: 'p95=5%',
      figure: 'responseTime.p95',
      bound: 0.05,
      actual: 0.2,
      unit: 'ratio',
      passed: false,
    };
    const compared = (more) => ({
      ...judgedStats(),
      baseline: { regressions: [{ ...limit, message: 'p95 is worse', ...more }] },
    });
    expect(outcomeOfResult(compared({ undecided: true }))).to.deep.include({ passed: false, exitCode: 98 });
    expect(statusOf(compared({ undecided: true }))).to.equal('undecided');
    expect(reasonsOf(compared({}))).to.deep.equal(['regression']);
  });
});
