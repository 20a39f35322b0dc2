import { expect } from 'chai';

import { NamedOrigins, originsOf } from '../../../lib/core/flow/origins.js';
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
    const deep = { a: { b: { c: { d: { e: { f: { g: ['http://deep.test/x'] } } } } } } };
    expect(new NamedOrigins({ vars: { deep } }).has({ origin: 'http://deep.test' })).to.equal(true);
  });

  it('an origin of code is foreign if a variable names its host, in any spelling and depth, or may do so', () => {
    const isForeign = (hostname, v) =>
      new NamedOrigins({}).isForeign({ origin: `http://${hostname}`, hostname }, 'code', {
        vars: Object.create({ v }),
      });
    const deep = { a: { a: { a: { a: { a: { a: { a: ['http://evil.test/x'] } } } } } } };
    for (const v of ['http://EVIL.test', '%65vil.test', 'ev\til.test', deep])
      expect(isForeign('evil.test', v), JSON.stringify(v)).to.equal(true);
    expect(isForeign('127.0.0.1', 'http://2130706433/')).to.equal(true);
    const cyclic = { text: 'a.test' };
    cyclic.itself = cyclic;
    for (const v of ['a.test', cyclic, { n: 1, none: null, bytes: Buffer.from('evil.test') }])
      expect(isForeign('evil.test', v)).to.equal(false);
    expect(
      isForeign(
        'evil.test',
        Array.from({ length: 20_000 }, (_, i) => `${i}`),
      ),
      'more than is searched',
    ).to.equal(true);
  });

  it('a unix socket is an origin', () => {
    expect(originsOf(compiledFlow('unix:/run/app.sock:/x'))).to.deep.equal(['unix:/run/app.sock']);
  });
});
