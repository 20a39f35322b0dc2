import { expect } from 'chai';

import { methodAndUrl, stepName } from '../../../lib/flow/request.js';
import { CERTIFICATES } from '../../support/certificate.js';
import { compiledRequest, renderedRequest } from '../../support/compiled-request.js';

describe('flow/request', () => {
  for (const [operation, method] of [
    [{ del: '/a' }, 'DELETE'],
    [{ delete: '/a' }, 'DELETE'],
    [{ options: '/a' }, 'OPTIONS'],
    [{ uri: '/a' }, 'GET'],
    [{ method: 'propfind', url: '/a' }, 'PROPFIND'],
  ]) {
    it(`${JSON.stringify(operation)} is ${method} /a`, () =>
      expect(methodAndUrl(operation)).to.include({ method, url: '/a' }));
  }

  it('TLS options of the operation win over those of the run, rejectUnauthorized over strictSSL', () => {
    const tls = { rejectUnauthorized: false };
    expect(renderedRequest({ get: 'https://b/' }, { tls }).endpoint.tls).to.equal(tls);
    expect(
      renderedRequest({ get: 'https://b/', strictSSL: true, ca: CERTIFICATES.ca }, { tls }).endpoint.tls,
    ).to.deep.equal({
      rejectUnauthorized: true,
      ca: CERTIFICATES.ca,
    });
    expect(
      renderedRequest({ get: 'https://b/', strictSSL: true, rejectUnauthorized: false }).endpoint.tls,
    ).to.deep.equal(tls);
  });

  it('a request without iteration tokens is constant', () => {
    const varying = [
      { get: '/#{INDEX}' },
      { get: 'http://h#{INDEX}/' },
      { put: '/', body: '#{INDEX}' },
      { get: '/', auth: { user: '#{INDEX}' } },
      { get: '/', qs: { a: '#{INDEX}' } },
    ];
    expect(varying.map((operation) => compiledRequest(operation).isConstant)).to.deep.equal(varying.map(() => false));
    expect(compiledRequest({ put: '/', json: { a: '#{other}' }, headers: { a: 'b' } }).isConstant).to.equal(true);
  });
});

describe('stepName', () => {
  const rows = [
    ['http://h:80/items?a=1', 'GET /items?a=1'],
    ['wss://h', 'GET /'],
    ['unix:/run/app.sock:/items', 'GET /items'],
    ['/items/#{INDEX}', 'GET /items/#{INDEX}'],
    ['http://h/?password=x', 'GET /?password=***'],
  ];
  for (const [url, name] of rows) {
    it(`${url} is ${name}`, () => expect(stepName('GET', url)).to.equal(name));
  }
});
