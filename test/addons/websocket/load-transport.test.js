import { expect } from 'chai';

import { loadTransport } from '../../../lib/core/run/load/measured-transport.js';
import { compiledFlow } from '../../support/compiled-flow.js';

const open = () => {};

const transport = { name: 'x', about: '', capabilities: [], load: async () => ({ open }) };

describe('the transport of WebSockets', () => {
  it('adds WebSockets for flows that use them alone', async () => {
    expect(await loadTransport({ flow: compiledFlow('http://h/'), transport })).to.equal(open);
    expect(await loadTransport({ flow: compiledFlow('ws://h/'), transport })).to.not.equal(open);
  });
});
