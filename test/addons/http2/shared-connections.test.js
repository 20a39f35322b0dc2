import { expect } from 'chai';

import { heapOfManyHosts } from '../../support/many-hosts.js';
import { describeSlow } from '../../support/slow.js';

describeSlow('connections over HTTP/2 that virtual users share', () => {
  it('take no more memory after they are closed, to ever new hosts', async () =>
    expect(await heapOfManyHosts({ connections: 1 }, 'prior-knowledge')).to.be.below(4_000_000));
});
