import { expect } from 'chai';

import { findDifferences, mutant } from './support/fuzz.js';
import { seeded } from './support/random.js';
import { parse } from './support/parse.js';
import { scaled } from './support/scale.js';

describe('responses with some bytes changed', function () {
  this.timeout(300_000);
  const random = seeded(20_260_921);
  const cases = Array.from({ length: scaled(400, 20_000) }, () => mutant(random));

  it('are parsed the same, split into any pieces', () => {
    for (const { text, method, pieces } of cases) {
      const whole = parse([Buffer.from(text, 'latin1')], { method, closes: true });
      expect(parse(pieces, { method, closes: true }), JSON.stringify(text)).to.deep.equal(whole);
    }
  });

  it('are parsed the same by both transports, except for known differences', async () => {
    expect(await findDifferences(cases)).to.deep.equal([]);
  });
});
