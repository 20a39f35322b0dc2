import { expect } from 'chai';

import { failuresOf } from '../../../lib/measure/outcome.js';

const stats = ({ allowed = true, passed = true, status = 'valid', kinds = {} } = {}) => ({
  errors: { allowed, kinds },
  verdict: { status, reasons: [] },
  thresholds: [{ expression: 'p99<1s', passed, actual: 1, unit: 'ms' }],
});

describe('measure/outcome', () => {
  for (const [title, given, reasons] of [
    ['a clean result has no reason', {}, []],
    ['errors beyond what is allowed', { allowed: false }, ['errors']],
    ['a failed threshold', { passed: false }, ['threshold']],
    ['an accounting check that failed', { status: 'invalid' }, ['internal']],
    ['a server that ended, whatever is allowed', { kinds: { server: 1 } }, ['server']],
    ['a doubtful measurement is no failure', { status: 'suspect' }, []],
    ['all that apply', { allowed: false, passed: false }, ['errors', 'threshold']],
  ])
    it(title, () => expect([...failuresOf(stats(given))]).to.deep.equal(reasons));

  it('a result without thresholds', () => {
    const { thresholds: _none, ...rest } = stats();
    expect([...failuresOf(rest)]).to.deep.equal([]);
  });
});
