import { expect } from 'chai';

import { HOOKS } from '../../../lib/core/hooks/index.js';

const ignoreStatus = HOOKS.find(({ name }) => name === 'ignoreStatus');

const after = (statusCode, err = null) => ({ err, response: { statusCode } });

describe('the hook ignoreStatus', () => {
  for (const [status, shown] of [
    [200, 200],
    [399, 399],
    [400, 200],
    [503, 200],
  ]) {
    it(`a status of ${status} is shown as ${shown}`, () =>
      expect(ignoreStatus.hook(after(status)).response.statusCode).to.equal(shown));
  }

  it('the status of a failed request stays', () =>
    expect(ignoreStatus.hook(after(500, new Error('reset'))).response.statusCode).to.equal(500));
});
