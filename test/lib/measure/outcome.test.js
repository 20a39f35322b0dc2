import { expect } from 'chai';

import { reasonsOf, statusOf } from '../../../lib/measure/outcome.js';

const stats = ({ allowed = true, passed = true, status = 'valid', kinds = {} } = {}) => ({
  iterations: { started: 1, completed: 1, dropped: 0 },
  requests: { answered: 1 },
  operations: [{ name: 'GET /', count: 1 }],
  loadGenerator: { saturated: false },
  errors: { allowed, kinds },
  validity: { status, reasons: [] },
  thresholds: [{ expression: 'p99<1s', passed, actual: 1, unit: 'ms' }],
});

describe('measure/outcome', () => {
  for (const [title, given, reasons] of [
    ['a clean result has no reason', {}, []],
    ['errors beyond what is allowed', { allowed: false }, ['errors']],
    ['a failed threshold', { passed: false }, ['threshold']],
    ['an accounting check that failed', { status: 'invalid' }, ['internal']],
    ['a server that ended, whatever is allowed', { kinds: { server: 1 } }, ['server']],
    ['a suspect measurement is no failure', { status: 'suspect' }, []],
    ['all that apply', { allowed: false, passed: false }, ['threshold', 'errors']],
  ])
    it(title, () => expect(reasonsOf(stats(given))).to.deep.equal(reasons));

  it('a flow whose requests were never answered has not passed, and one without requests may', () => {
    const requests = { answered: 0 };
    expect(reasonsOf({ ...stats(), requests })).to.deep.equal(['unanswered']);
    expect(reasonsOf({ ...stats(), requests, operations: [] })).to.deep.equal([]);
  });

  it('a part of the load that is missing is a doubt; up to 1 % of it is not', () => {
    const missing = (count) =>
      statusOf({ ...stats(), iterations: { ...stats().iterations, started: 200, missing: count } });
    expect([missing(1), missing(3)]).to.deep.equal(['passed', 'suspect']);
  });

  it('a result without thresholds', () => {
    const { thresholds: _none, ...rest } = stats();
    expect(reasonsOf(rest)).to.deep.equal([]);
  });
});
