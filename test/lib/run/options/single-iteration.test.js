import { expect } from 'chai';

import { refuseWithoutEnd } from '../../../../lib/run/options/single-iteration.js';

const refuse = (options) => () => refuseWithoutEnd(options, options);

describe('run/options/single-iteration', () => {
  for (const [options, says] of [
    [{ prealloc: 1000 }, /for 1000 iterations write -n 1000/],
    [{ rate: 50 }, /a rate \(-r\) needs an end/],
    [{ progress: 40 }, /to run for 40 s write -t 40s/],
  ])
    it(`${JSON.stringify(options)} is refused, with what to write`, () =>
      expect(refuse(options)).to.throw(says).with.property('code', 'E_USAGE'));

  for (const options of [{}, { prealloc: 0 }, { prealloc: 1 }, { progress: 0 }, { progress: 1000 }, { limit: 50 }])
    it(`${JSON.stringify(options)} is accepted`, () => expect(refuse(options)).to.not.throw());
});
