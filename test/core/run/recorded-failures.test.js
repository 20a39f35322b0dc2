import { expect } from 'chai';

import { makeError } from '../../../lib/core/ground/errors.js';
import { recordFailure } from '../../../lib/core/run/flow-failures.js';

function recorded(error, place) {
  const failures = [];
  recordFailure({ failure: (given) => failures.push(given) }, error, place, null);
  const [{ now, message, location: _location, ...rest }] = failures;
  expect(now).to.be.a('number');
  return { ...rest, message: message() };
}

describe('failures that are recorded', () => {
  it('an error of an operation is counted under its place and name', () => {
    const step = { where: 'flow.main[0]', name: 'GET /' };
    const failure = recorded(makeError('E_CANCELLED'), { phase: 'main', step, index: 7 });
    expect(failure).to.include({
      code: 'E_CANCELLED',
      phase: 'main',
      path: 'flow.main[0]',
      operation: 'GET /',
      index: 7,
    });
    expect(failure.message).to.be.a('string').and.not.equal('');
  });

  it('an error of no operation has no place and no iteration', () => {
    const failure = recorded(new Error('x'), { phase: 'before' });
    expect(failure).to.include({ phase: 'before' });
    expect([failure.index, failure.path, failure.operation]).to.deep.equal([undefined, undefined, undefined]);
  });
});
