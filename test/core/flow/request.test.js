import { expect } from 'chai';

import { Placeholder } from '../../../lib/core/flow/placeholder.js';
import { methodAndUrl, stepName } from '../../../lib/core/flow/request.js';
import { CERTIFICATES } from '../../support/certificate.js';
import { ROOT } from '../../support/command.js';
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

  it('a body of a function has the media type of its file, as one of the operation has, and none without a body', () => {
    const typeIn = ({ fields }) => fields[fields.indexOf('Content-Type') + 1];
    const typesOf = (operation, values) => {
      const { render } = compiledRequest({ post: '/', ...operation, body: new Placeholder(0) }, { folder: ROOT });
      return values.map((value) => {
        const request = render({ index: 7, values: [value] });
        return request.fields.includes('Content-Type') ? typeIn(request) : null;
      });
    };
    const values = [{ file: 'package.json' }, 'text', { file: 'README.md' }, null, { file: 'package.json' }];
    expect(typesOf({}, values)).to.deep.equal(['application/json', null, 'text/markdown', null, 'application/json']);
    expect(typesOf({ headers: { 'Content-Type': 'a/b' } }, values.slice(0, 2))).to.deep.equal(['a/b', 'a/b']);
    expect(typesOf({ json: true }, [{ file: 'README.md' }])).to.deep.equal(['application/json']);
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
    ['unix:/run/app.sock:/items', 'GET /items'],
    ['/items/#{INDEX}', 'GET /items/#{INDEX}'],
    ['http://h/?password=x', 'GET /?password=***'],
  ];
  for (const [url, name] of rows) {
    it(`${url} is ${name}`, () => expect(stepName('GET', url)).to.equal(name));
  }
});
