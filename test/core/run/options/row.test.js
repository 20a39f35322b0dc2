import { expect } from 'chai';

import { readOption, refusalOf } from '../../../../lib/core/run/options/row.js';

describe('run/options/row', () => {
  const row = { name: 'limit', expected: 'a whole number', read: (given) => `read ${given}` };

  it('texts and arrays are read, other values stay', () => {
    expect([readOption(row, '5'), readOption(row, ['5']), readOption(row, 5)]).to.deep.equal(['read 5', 'read 5', 5]);
    expect(readOption({ ...row, readsAny: true }, 5)).to.equal('read 5');
    expect(readOption({ ...row, read: undefined }, '5')).to.equal('5');
  });

  it('a refusal names what is expected and what was given, but no secret', () => {
    expect(refusalOf(row, 'x')).to.equal('expected a whole number, got "x"');
    expect(refusalOf({ ...row, name: 'password' }, 'CANARY')).to.not.include('CANARY');
  });
});
