import { expect } from 'chai';

import { PROTOCOLS, protocolOf, protocolOfUrl, refuseMixture } from '../../../../lib/core/flow/protocols/index.js';
import { SCHEMES } from '../../../../lib/core/http/url-parts.js';
import { compiledFlow } from '../../../support/compiled-flow.js';

const [HTTP, ...others] = PROTOCOLS;

describe('the table of protocols', () => {
  it('begins with HTTP, which has no property that selects it', () => {
    expect(HTTP.name).to.equal('http');
    expect(HTTP.key).to.equal(null);
    expect(HTTP.loadClient).to.equal(undefined);
  });

  for (const { name, key, urlKey, scheme, properties } of others) {
    it(`${name} is selected by a property of its own`, () => {
      expect(Object.keys(properties)).to.include(key);
      expect(others.filter((other) => other.key === key)).to.have.length(1);
      expect(HTTP.properties).to.not.have.property(key);
    });

    it(`the URLs of ${name} have a known scheme`, () => {
      expect(SCHEMES).to.include(scheme);
      if (urlKey !== null) expect(Object.keys(properties)).to.include(urlKey);
    });
  }
});

describe('the protocol of an operation', () => {
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
