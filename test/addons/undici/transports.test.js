import { expect } from 'chai';

import { TRANSPORTS, missingTransport } from '../../../lib/core/transport/index.js';

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
