import { expect } from 'chai';

import { ERRORS, KINDS, isOurs, makeError } from '../../../lib/core/ground/errors.js';
import { EXIT_CODES } from '../../../lib/core/ground/exit-codes.js';

describe('errors', () => {
  for (const [code, { message, cure, kind, exit }] of Object.entries(ERRORS)) {
    it(`${code} is complete: code, message, kind and exit reason`, () => {
      expect(code).to.match(/^E_[A-Z\d_]+$/);
      expect(message).to.match(/\S/);
      if (cure !== undefined) expect(cure).to.match(/\S/);
      if (kind !== undefined && kind !== 'cancelled') expect(Object.keys(KINDS)).to.include(kind);
      if (exit !== undefined) expect(Object.keys(EXIT_CODES)).to.include(exit);
      expect(Boolean(kind && exit), 'an error happens before or during a run').to.equal(false);
    });
  }

  it('a message is filled, masked and ends with the cure', () => {
    const error = makeError('E_FLOW_FILE', { path: 'a.js', reason: 'password=secret', cure: 'do this' });
    expect(error.message).to.equal('a.js: password=***; do this');
    expect(error).to.include({ name: 'BenchRestError', code: 'E_FLOW_FILE' });
    expect(isOurs(error)).to.equal(true);
  });

  it('an error that only copies a code is not ours', () => {
    expect(isOurs(Object.assign(new Error(), { code: 'E_FLOW', kind: 'status' }))).to.equal(false);
  });
});
