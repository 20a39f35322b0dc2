import { expect } from 'chai';

import { findDifferences, findKnownHeadDifference, mutant } from './support/fuzz.js';
import { seeded } from './support/random.js';
import { parse } from './support/parse.js';
import { scaled } from './support/scale.js';
import { describeSlow } from './support/slow.js';

describeSlow('responses with some bytes changed', function () {
  this.timeout(300_000);
  const random = seeded(20_260_921);
  const cases = Array.from({ length: scaled(400, 4000) }, () => mutant(random));

  it('are parsed the same, split into any pieces', () => {
    for (const { text, method, pieces } of cases) {
      const whole = parse([Buffer.from(text, 'latin1')], { method, closes: true });
      expect(parse(pieces, { method, closes: true }), JSON.stringify(text)).to.deep.equal(whole);
    }
  });

  it('are parsed the same by both transports, except for known differences', async () => {
    expect(await findDifferences(cases)).to.deep.equal([]);
  });

  it('are read the same with known heads and by the parser, whatever follows or ends them', async () => {
    const runs = scaled(300, 2000);
    for (let i = 0; i < runs; i++) expect(await findKnownHeadDifference(random), `run ${i}`).to.equal(null);
  });
});
