import { expect } from 'chai';

import ignoreStatus from '../../../lib/core/hooks/ignore-status.js';

const after = (statusCode, err = null) => ({ err, response: { statusCode } });

describe('hooks/ignore-status', () => {
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
