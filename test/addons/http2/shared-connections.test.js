import { expect } from 'chai';

import { createEndpoints } from '../../../lib/core/http/endpoint.js';
import { heapInUse } from '../../faults/ground.js';
import { transporting } from '../../support/transports.js';

describe('connections over HTTP/2 that virtual users share', () => {
  it('take no more memory after they are closed, to ever new hosts', () =>
    transporting(
      'builtin',
      (transport) => {
        const endpointOf = createEndpoints();
        const generation = {};
        const visit = (from, to) => {
          for (let i = from; i < to; i++) {
            const endpoint = endpointOf(new URL(`http://h${i}.test/`), {}, { http2: 'prior-knowledge' });
            transport.connect(endpoint, undefined, generation).close();
          }
        };
        visit(0, 2000);
        const before = heapInUse();
        visit(2000, 20_000);
        expect(heapInUse() - before).to.be.below(4_000_000);
      },
      { connections: 1 },
    ));
});
