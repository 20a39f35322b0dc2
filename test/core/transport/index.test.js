import { expect } from 'chai';

import { createEndpoints } from '../../../lib/core/http/endpoint.js';
import { TRANSPORTS, transportNamed } from '../../../lib/core/transport/index.js';
import { heapInUse } from '../../faults/ground.js';
import { transporting } from '../../support/transports.js';

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
  it('take no more memory after they are closed, with pipelining', () =>
    transporting(
      'builtin',
      (transport) => {
        const endpointOf = createEndpoints();
        const generation = {};
        const visit = (from, to) => {
          for (let i = from; i < to; i++)
            transport.connect(endpointOf(new URL(`http://h${i}.test/`), {}, {}), undefined, generation).close();
        };
        visit(0, 2000);
        const before = heapInUse();
        visit(2000, 20_000);
        expect(heapInUse() - before).to.be.below(4_000_000);
      },
      { pipelining: 2 },
    ));
});
