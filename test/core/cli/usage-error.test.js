import { expect } from 'chai';

import { unknownName, usageError } from '../../../lib/core/cli/usage-error.js';

describe('cli/usage-error', () => {
  it('is E_USAGE with the problem', () =>
    expect(usageError('say more')).to.include({ code: 'E_USAGE', message: 'say more' }));

  it('an unknown name gets the nearest one, or all of them', () => {
    expect(unknownName('command', 'sevre', ['serve', 'merge']).message).to.match(
      /unknown command 'sevre'; did you mean serve\?/,
    );
    expect(unknownName('command', 'xyzzy', ['serve', 'merge']).message).to.match(/use one of serve merge/);
  });
});
