import { expect } from 'chai';

import verify2XX from '../../../lib/core/hooks/verify-2xx.js';

const after = (statusCode, err = null) => ({ err, response: { statusCode } });

describe('hooks/verify-2xx', () => {
  for (const status of [200, 299]) {
    it(`${status} passes`, () => expect(verify2XX.hook(after(status)).response.statusCode).to.equal(status));
  }
  for (const status of [199, 300, 404, 500]) {
    it(`${status} fails`, () =>
      expect(() => verify2XX.hook(after(status))).to.throw(`not in 200-299 range, statusCode: ${status}`));
  }

  it('an earlier error stays', () => {
    const err = new Error('reset');
    expect(verify2XX.hook({ err }).err).to.equal(err);
  });
});
