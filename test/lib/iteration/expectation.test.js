import { expect } from 'chai';

import { expectationOf } from '../../../lib/iteration/expectation.js';

describe('iteration/expectation', () => {
  const response = { statusCode: 500 };

  it('is null without checks', () => expect(expectationOf([])).to.equal(null));

  it('is the first check that fails, and gets response and scope', () => {
    const scope = { index: 3 };
    const seen = [];
    const check =
      (mismatch) =>
      (...args) => {
        seen.push(args);
        return mismatch;
      };
    const named = (where, mismatch) => ({ where, check: check(mismatch) });
    const of = expectationOf([named('a', null), named('b', { expected: '"x"', received: '"y"' }), named('c', null)]);
    const error = of(response, scope);
    expect(error).to.include({ code: 'E_EXPECT', kind: 'expect' });
    expect(error.message).to.equal('b: expected "x", received "y" with status 500');
    expect(seen).to.deep.equal([
      [response, scope],
      [response, scope],
    ]);
    expect(expectationOf([named('a', null)])(response, scope)).to.equal(null);
  });
});
