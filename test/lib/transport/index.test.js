import { expect } from 'chai';

import { TRANSPORTS, missingTransport, transportNamed } from '../../../lib/transport/index.js';

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
