import { expect } from 'chai';

import { TRANSPORTS, transportNamed } from '../../../lib/core/transport/index.js';
import { heapOfManyHosts } from '../../support/many-hosts.js';
import { itSlow } from '../../support/slow.js';

describe('transport', () => {
  for (const entry of TRANSPORTS) {
    it(`${entry.name} is found by its name, and loads`, async () => {
      expect(transportNamed(entry.name)).to.equal(entry);
      expect((await entry.load()).open).to.be.a('function');
    });
  }

  it('the first one is the default', () => expect(transportNamed(undefined)).to.equal(TRANSPORTS[0]));
});

describe('connections to ever new hosts', () => {
  itSlow('take no more memory after they are closed, with pipelining', async () =>
    expect(await heapOfManyHosts({ pipelining: 2 })).to.be.below(4_000_000),
  );
});
