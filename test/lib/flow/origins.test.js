import { expect } from 'chai';

import { NamedOrigins, originsOf } from '../../../lib/flow/origins.js';
import { compiledFlow } from '../../support/compiled-flow.js';

describe('flow/origins', () => {
  it('each origin of all phases is listed once, in their order', () => {
    const flow = { before: ['http://b/'], main: ['http://a/1', 'http://a/2', 'https://a/'], after: ['http://b/x'] };
    expect(originsOf(compiledFlow(flow))).to.deep.equal(['http://b', 'http://a', 'https://a']);
  });

  it('an origin that a token decides is not known', () => {
    expect(originsOf(compiledFlow(['http://h#{INDEX}/', 'http://a/#{INDEX}']))).to.deep.equal(['http://a']);
  });

  it('a host that ends with a slash gets the credentials of the run', () => {
    const named = new NamedOrigins({ credentialsFor: ['api.test/'] });
    expect(named.has({ origin: 'https://api.test' })).to.equal(true);
    expect(named.has({ origin: 'https://other.test' })).to.equal(false);
  });

  it('the subdomains of a name with letters beyond ASCII get the credentials of the run', () => {
    const named = new NamedOrigins({ credentialsFor: ['*.Bücher.test'] });
    expect(named.has({ origin: 'https://api.xn--bcher-kva.test' })).to.equal(true);
    expect(named.has({ origin: 'https://xn--bcher-kva.test' })).to.equal(false);
  });

  it('the host of a variable with a path gets the credentials of the run', () => {
    const named = new NamedOrigins({ vars: { base: 'api.test:8000/v1', text: 'a text/plain' } });
    expect(named.has({ origin: 'http://api.test:8000' })).to.equal(true);
    expect(named.has({ origin: 'http://api.test' })).to.equal(false);
  });

  it('a unix socket is an origin', () => {
    expect(originsOf(compiledFlow('unix:/run/app.sock:/x'))).to.deep.equal(['unix:/run/app.sock']);
  });
});
