import { expect } from 'chai';

import { outcomeOfResult } from '../../../../lib/core/measure/outcome-reasons.js';
import { reasonsOf, statusOf } from '../../../../lib/core/measure/outcome.js';

const stats = ({ errors = 0, passed = true, status = 'valid', kinds = {} } = {}) => ({
  iterations: { started: 100, completed: 100 - errors, failed: errors, dropped: 0, teardownFailed: 0 },
  requests: { answered: 1 },
  operations: [{ name: 'GET /', count: 1 }],
  loadGenerator: { saturated: false },
  errors: { count: errors, kinds },
  validity: { status, reasons: [] },
  thresholds: [
    {
      ...{ expression: 'p99<1s', figure: 'responseTime.p99', of: {}, operator: '<', bound: 1000, unit: 'ms' },
      ...{ passed, actual: passed ? 1 : 2000 },
    },
  ],
});

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
      ...stats(),
      baseline: { regressions: [{ ...limit, message: 'p95 is worse', ...more }] },
    });
    expect(outcomeOfResult(compared({ undecided: true }))).to.deep.include({ passed: false, exitCode: 98 });
    expect(statusOf(compared({ undecided: true }))).to.equal('undecided');
    expect(reasonsOf(compared({}))).to.deep.equal(['regression']);
  });
});
