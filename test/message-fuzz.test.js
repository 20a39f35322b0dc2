import { expect } from 'chai';

import { MessageFuzz } from './support/message-fuzz.js';
import { seeded } from './support/random.js';
import { scaled } from './support/scale.js';
import { describeSlow } from './support/slow.js';

describeSlow('A83 packets, orders, reports and results with changed properties', function () {
  this.timeout(300_000);
  const fuzz = new MessageFuzz();
  before(() => fuzz.open());
  after(() => fuzz.close());

  it('move nothing, and are read or refused with a reason within a second', async () => {
    const random = seeded(20_261_123);
    for (let i = scaled(500, 2500); i > 0; i--) expect(await fuzz.try(random)).to.equal(null);
    for (const [name, { refused }] of Object.entries(fuzz.counts)) expect(refused, name).to.be.above(10);
  });
});
