import { expect } from 'chai';

import { PROTOCOLS, protocolOf, protocolOfUrl, refuseMixture } from '../../../../lib/core/flow/protocols/index.js';
import { compiledFlow } from '../../../support/compiled-flow.js';

const [HTTP] = PROTOCOLS;

describe('the protocol of a WebSocket', () => {
  it('is that of the property it has, and HTTP without one', () => {
    expect(protocolOf({ get: '/' })).to.equal(HTTP);
    expect(protocolOf({ ws: '/' }).name).to.equal('web-socket');
    expect(protocolOf({ ws: undefined, get: '/' })).to.equal(HTTP);
  });

  it('of a URL alone is that of its scheme', () => {
    expect(protocolOfUrl('https://h/')).to.equal(HTTP);
    expect(protocolOfUrl('/path')).to.equal(HTTP);
    expect(protocolOfUrl(' WSS://h/').name).to.equal('web-socket');
  });

  it('refuses the properties of others, and those that HTTP has too are its own', () => {
    expect(refuseMixture({ get: '/', expect: { status: 200 } })).to.deep.equal([]);
    expect(refuseMixture({ get: '/', send: 'a' })).to.deep.equal([
      { key: 'send', reason: "is for WebSockets: write { ws: 'ws://…', send }" },
    ]);
  });

  it('is one of each step', () => {
    const { main } = compiledFlow({ main: [{ get: 'http://h/' }, { ws: 'ws://h/', send: 'a' }] });
    expect(main.map(({ protocol, isImplied }) => [protocol.name, isImplied])).to.deep.equal([
      ['http', false],
      ['web-socket', true],
      ['web-socket', false],
    ]);
  });

  it('the steps of one connection name it; requests of HTTP have any connection to their endpoint', () => {
    const { main } = compiledFlow({ main: [{ get: 'http://h/' }, { ws: 'ws://h/', keepOpen: true }] });
    expect(main.map(({ held }) => held)).to.deep.equal([
      null,
      { key: 'ws ws://h/', opens: true, keeps: true, skipsIf: 'open' },
    ]);
  });
});
