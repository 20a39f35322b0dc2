import { expect } from 'chai';

import { expectationOf } from '../../../lib/core/iteration/step.js';
import { Checks } from '../../../lib/core/measure/checks.js';

describe('checks of responses', () => {
  const received = { statusCode: 500 };
  const scope = { index: 3 };
  /** one check for each list of mismatches, with as many parts */
  const bound = (...all) => {
    const checks = new Checks();
    const seen = [];
    const step = {
      where: 'flow.main[0]',
      name: 'GET /',
      phase: 'main',
      checks: all.map((parts, i) => ({
        where: `check ${i}`,
        name: `name ${i}`,
        parts: parts.map((mismatch, j) => ({
          where: `part ${i}.${j}`,
          check(...args) {
            seen.push(args);
            if (mismatch instanceof Error) throw mismatch;
            return mismatch && { expected: mismatch, received: '"y"' };
          },
        })),
      })),
    };
    return { expectation: expectationOf(step, { checks }), checks, seen };
  };

  it('is null without checks', () => expect(bound().expectation).to.equal(null));

  it('evaluates and counts all checks, and fails with the first mismatch', () => {
    const { expectation, checks, seen } = bound([null], ['"x"'], [null], ['"z"']);
    const error = expectation(received, scope);
    expect(error).to.include({ code: 'E_EXPECT', kind: 'expect' });
    expect(error.message).to.equal(
      'part 1.0: expected "x", received "y" with status 500; 1 more check of this response failed',
    );
    expect(seen).to.have.lengthOf(4);
    expect(seen[0]).to.deep.equal([received, scope]);
    const { details: each, ...all } = checks.toJSON();
    expect(all).to.deep.equal({ passed: 2, failed: 2, share: 0.5 });
    expect(each[1]).to.deep.include({
      name: 'name 1',
      operation: 'GET /',
      phase: 'main',
      path: 'check 1',
      firstFailure: { index: 3, message: 'expected "x", received "y"' },
    });
  });

  it('a check of several parts passes if all of them do', () => {
    const { expectation, checks, seen } = bound([null, null], [null, '"x"', '"z"']);
    expect(expectation(received, scope).message).to.match(/^part 1\.1: expected "x"/);
    expect(seen).to.have.lengthOf(4);
    expect(checks.toJSON()).to.include({ passed: 1, failed: 1 });
    expect(bound([null]).expectation(received, scope)).to.equal(null);
  });

  it('a value that cannot be computed is an error of the hook that changed it', () => {
    const { expectation } = bound([new TypeError('broken')]);
    expect(() => expectation(received, scope))
      .to.throw('flow.main[0].expect: broken')
      .with.property('code', 'E_HOOK');
  });
});
