import { expect } from 'chai';

import { refuseFlagsOfLength } from '../../../../lib/run/options/single-iteration.js';

const refuse = (options) => () => refuseFlagsOfLength([{ name: 'command line', options }]);

describe('run/options/single-iteration', () => {
  for (const [options, says] of [
    [{ prealloc: 1000 }, /for 1000 iterations write -n 1000/],
    [{ progress: 40 }, /to run for 40 s write -t 40s/],
  ])
    it(`${JSON.stringify(options)} is refused, with the flag that was meant`, () =>
      expect(refuse(options)).to.throw(says).with.property('code', 'E_USAGE'));

  for (const options of [{}, { prealloc: 0 }, { prealloc: 1 }, { progress: 0 }, { progress: 1000 }, { limit: 50 }])
    it(`${JSON.stringify(options)} is accepted`, () => expect(refuse(options)).to.not.throw());
});
