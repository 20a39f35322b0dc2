import { expect } from 'chai';

import { createEndpoints } from '../../../lib/core/http/endpoint.js';
import { TRANSPORTS, missingTransport, transportNamed } from '../../../lib/core/transport/index.js';
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

describe('the transports of other runtimes', () => {
  it('lack undici in Bun, which replaces it', () => {
    const [builtin, undici] = TRANSPORTS;
    expect(missingTransport(undici, { node: '24.3.0', bun: '1.4.5' })).to.equal(
      'undici cannot be used in bun: use builtin, or Node',
    );
    expect(missingTransport(builtin, { node: '24.3.0', bun: '1.4.5' })).to.equal(undefined);
    expect(missingTransport(undici)).to.equal(undefined);
  });
});

describe('connections to ever new hosts', () => {
  for (const [what, options, http2] of [
    ['with pipelining', { pipelining: 2 }, false],
    ['that virtual users share, over HTTP/2', { connections: 1 }, 'prior-knowledge'],
  ])
    it(`take no more memory after they are closed: ${what}`, () =>
      transporting(
        'builtin',
        (transport) => {
          const endpointOf = createEndpoints();
          const generation = {};
          const visit = (from, to) => {
            for (let i = from; i < to; i++) {
              const endpoint = endpointOf(new URL(`http://h${i}.test/`), {}, { http2 });
              transport.connect(endpoint, undefined, generation).close();
            }
          };
          visit(0, 2000);
          const before = heapInUse();
          visit(2000, 20_000);
          expect(heapInUse() - before).to.be.below(4_000_000);
        },
        options,
      ));
});
