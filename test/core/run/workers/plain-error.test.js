import { expect } from 'chai';

import { fromPlain, toPlain } from '../../../../lib/core/run/workers/plain-error.js';

describe('run/workers/plain-error', () => {
  it('an error arrives with its name, message, stack, code and kind', () => {
    const error = Object.assign(new TypeError('ouch'), { code: 'E_X', kind: 'hook' });
    const arrived = fromPlain(structuredClone(toPlain(error)));
    expect(arrived).to.include({ name: 'TypeError', message: 'ouch', code: 'E_X', kind: 'hook', stack: error.stack });
  });

  it('any thrown value arrives', () => {
    for (const thrown of [undefined, null, 'text', 5, {}]) expect(fromPlain(toPlain(thrown))).to.be.an('error');
  });

  it('N11 only the beginning of a long message is sent', () => {
    const { message, stack } = toPlain(new Error('x'.repeat(5e6)));
    expect(message).to.have.lengthOf(10_001);
    expect(stack).to.have.lengthOf(10_001);
  });
});
