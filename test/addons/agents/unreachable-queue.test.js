import { expect } from 'chai';

import { Reachability } from '../../../lib/addons/agents/queue.js';

const LOST = new Error('Command timed out');
const fail = (error) => async () => {
  throw error;
};

describe('a queue that does not answer', () => {
  let time;
  let reachability;
  beforeEach(() => {
    time = 0;
    reachability = new Reachability({ limitMs: 100, now: () => time });
  });

  it('an exchange that fails for a while is no error', async () => {
    time = 100;
    expect(await reachability.attempt(fail(LOST))).to.equal(null);
    expect(await reachability.attempt(async () => 7)).to.equal(7);
  });

  it('the limit begins with the last exchange that succeeded', async () => {
    time = 90;
    await reachability.attempt(async () => 1);
    time = 190;
    expect(await reachability.attempt(fail(LOST))).to.equal(null);
    time = 191;
    expect(await reachability.attempt(fail(LOST)).catch((thrown) => thrown)).to.equal(LOST);
  });

  it('an error that does not come from Redis is thrown at once', async () => {
    const error = new TypeError('x is not a function');
    expect(await reachability.attempt(fail(error)).catch((thrown) => thrown)).to.equal(error);
  });

  it('a failure is known until an exchange succeeds, and a long one is reported once', async () => {
    let warnings = 0;
    const options = { limitMs: 1000, warnMs: 100, onWarning: () => warnings++, now: () => time };
    const warning = new Reachability(options);
    for (const [at, expected] of [
      [100, 0],
      [101, 1],
      [500, 1],
    ]) {
      time = at;
      await warning.attempt(fail(LOST));
      expect(warnings).to.equal(expected);
      expect(warning.hasFailed).to.equal(true);
    }
    await warning.attempt(async () => 1);
    expect(warning.hasFailed).to.equal(false);
  });
});
