import { expect } from 'chai';

import { judgeOutcome, outcomeMessage } from '../../../../lib/cli/run/outcome.js';
import { literalResult } from '../../../support/literal-result.js';

/** A result without anything to blame, except for what is given. */
function stats({ allowed = true, passed = true, status = 'valid', saturated = false } = {}) {
  const { errors, client, verdict, ...rest } = literalResult();
  return {
    ...rest,
    errors: { ...errors, allowed },
    client: { ...client, saturated },
    verdict: { ...verdict, status },
    thresholds: [{ expression: 'p99<1s', passed, actual: 1, unit: 'ms' }],
  };
}
const ended = (given) => ({ kind: 'ended', stats: stats(given), why: 'done' });
const lost = (isFault) => ({ kind: 'lost', stats: null, message: 'gone', isFault });

describe('cli/run/outcome', () => {
  const rows = [
    ['a clean run has no reason', ended(), []],
    ['errors beyond what is allowed are a reason', ended({ allowed: false }), ['errors']],
    ['a failed threshold is a reason', ended({ passed: false }), ['threshold']],
    ['an accounting check that failed is an internal error', ended({ status: 'invalid' }), ['internal']],
    ['a suspect verdict is no reason', ended({ status: 'suspect' }), []],
    ['saturation is a reason with --fail-if-saturated', ended({ saturated: true }), ['saturated'], true],
    ['saturation is no reason without --fail-if-saturated', ended({ saturated: true }), []],
    ['an aborted run is interrupted', { kind: 'aborted', stats: null }, ['interrupted']],
    [
      'the result of an aborted run is judged',
      { kind: 'aborted', stats: stats({ passed: false }) },
      ['interrupted', 'threshold'],
    ],
    ['a run that the flow ended has errors', lost(false), ['errors']],
    ['a run that was lost by a fault of bench-rest is an internal error', lost(true), ['internal']],
  ];
  for (const [title, outcome, reasons, failIfSaturated = false] of rows) {
    it(title, () => expect([...judgeOutcome(outcome, { failIfSaturated })].sort()).to.deep.equal(reasons));
  }

  for (const [outcome, message] of [
    [ended(), undefined],
    [{ ...ended(), why: 'bailout' }, /--bailout/],
    [{ kind: 'aborted', stats: null }, /before the first result/],
    [{ kind: 'aborted', stats: stats() }, /count as cancelled/],
    [lost(true), /^the run was lost: gone$/],
    [{ ...lost(true), stats: stats() }, /gone\nshowing the last results received/],
  ]) {
    it(`${outcome.kind} ${outcome.why ?? ''} is printed as ${message}`, () => {
      const text = outcomeMessage(outcome);
      if (message) expect(text).to.match(message);
      else expect(text).to.equal(undefined);
    });
  }
});

describe('cli/run/outcome of a run on agents', () => {
  it('fails the run with exit code 9 if an agent was stopped before the end', () => {
    const outcome = { kind: 'ended', stats: null, why: 'agent' };
    expect([...judgeOutcome(outcome, { failIfSaturated: false })]).to.deep.equal(['agents']);
    expect(outcomeMessage(outcome)).to.equal('stopped, because an agent was stopped');
  });
});
