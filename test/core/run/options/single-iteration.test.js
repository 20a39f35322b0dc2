import { expect } from 'chai';

import { idleUsers, refuseWithoutEnd } from '../../../../lib/core/run/options/layers.js';

const refuse = (options) => () => refuseWithoutEnd(options, options);

describe('a run of one iteration', () => {
  for (const [options, says] of [
    [{ prealloc: 1000 }, /for 1000 iterations write -n 1000/],
    [{ rate: 50 }, /a rate \(-r\) needs an end/],
    [{ progress: 40 }, /to run for 40 s write -t 40s/],
  ])
    it(`${JSON.stringify(options)} is refused, with what to write`, () =>
      expect(refuse(options)).to.throw(says).with.property('code', 'E_USAGE'));

  for (const options of [{}, { prealloc: 0 }, { prealloc: 1 }, { progress: 0 }, { progress: 1000 }, { limit: 50 }])
    it(`${JSON.stringify(options)} is accepted`, () => expect(refuse(options)).to.not.throw());

  it('fewer iterations than virtual users leave some of these idle', () => {
    const [hint] = idleUsers({ iterations: 5, limit: 50 });
    expect(hint).to.equal('only 5 of 50 virtual users have an iteration to run; use -n 50 or more, or -t 10s');
  });

  for (const options of [
    { iterations: 50, limit: 50 },
    { iterations: 5, limit: 50, rate: 10 },
    { iterations: 5, limit: 50, stages: ['1s:10'] },
    { limit: 50 },
  ])
    it(`${JSON.stringify(options)} leaves no virtual user idle, or is expected to`, () =>
      expect(idleUsers(options)).to.deep.equal([]));
});
