import { expect } from 'chai';

import { TRANSPORTS, transportNamed } from '../../../lib/transport/index.js';

describe('transport', () => {
  for (const entry of TRANSPORTS) {
    it(`${entry.name} is found by its name, and loads`, async () => {
      expect(transportNamed(entry.name)).to.equal(entry);
      expect((await entry.load()).open).to.be.a('function');
    });
  }

  it('the first one is the default', () => expect(transportNamed(undefined)).to.equal(TRANSPORTS[0]));
});
