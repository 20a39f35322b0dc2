import { expect } from 'chai';

import { HOOKS } from '../../../lib/core/hooks/index.js';

const verify2XX = HOOKS.find(({ name }) => name === 'verify2XX');

const after = (statusCode, err = null) => ({ err, response: { statusCode } });

describe('the hook verify2XX', () => {
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
