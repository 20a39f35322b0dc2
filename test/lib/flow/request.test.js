import { expect } from 'chai';

import { createEndpoints } from '../../../lib/endpoint.js';
import { compileRequest, methodAndUrl, refuseField } from '../../../lib/flow/request.js';
import { markTokens } from '../../../lib/flow/template.js';
import { createProblems } from '../../../lib/problems.js';

/** Compiles in the context of a run; `said` lists the reported problems. */
function compiled(operation, context = {}) {
  const said = [];
  const mark = (text, path, isUrl) => markTokens(text, { problems: createProblems('E_FLOW'), path, isUrl });
  const complain = (key, reason) => said.push(`${key}: ${reason}`);
  const run = { where: 'op', baseUrl: 'http://a.test/dir/x', tls: {}, endpointOf: createEndpoints(), mark, complain };
  return {
    ...compileRequest(operation, { ...run, ...context, headers: { ...context.headers, ...operation.headers } }),
    said,
  };
}
const sent = (operation, context) => compiled(operation, context).render({ index: 7 });
const addressOf = ({ endpoint, path }) => endpoint.origin + path;
const basic = (text) => ['Authorization', `Basic ${Buffer.from(text).toString('base64')}`];

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

  describe('the address', () => {
    const rows = [
      ['b', 'http://a.test/dir/b', 'a relative path is resolved against the base (RFC 3986 5.2)'],
      ['?q=#{INDEX}', 'http://a.test/dir/x?q=7', 'a query alone keeps the path of the base'],
      ['HTTPS://B.Test:443/É', 'https://b.test/%C3%89', 'scheme and host become lower case, the path is encoded'],
      ['/%zz?a=%20', 'http://a.test/%zz?a=%20', 'an encoded path is not encoded again'],
      ['http://h#{INDEX}.test/#{INDEX}/é', 'http://h7.test/7/%C3%A9', 'tokens are replaced in host and path'],
      ['http://b.test?x#part', 'http://b.test/?x', 'a fragment is not sent'],
    ];
    for (const [get, expected, why] of rows) it(why, () => expect(addressOf(sent({ get }))).to.equal(expected));

    const refused = [
      ['', 'is no URL'],
      ['//b.test/', 'is no URL'],
      ['/a\tb', 'percent-encode it'],
      ['http:///b', 'is no http:// or https:// URL'],
      ['mailto:a', 'is no http:// or https:// URL'],
      ['http://[::1', 'is no valid URL'],
      ['[::1]:80/', 'did you mean http://[::1]:80/?'],
    ];
    for (const [get, reason] of refused)
      it(`${JSON.stringify(get)} ${reason}`, () =>
        expect(compiled({ get }).said)
          .to.have.lengthOf(1)
          .and.satisfy(([one]) => one.startsWith('get: ') && one.endsWith(reason)));

    it('qs comes before the fragment, even if the host has a token', () => {
      expect(sent({ get: '/a?b=1#f', qs: { 'c#{INDEX}': 'x y' } }).path).to.equal('/a?b=1&c7=x%20y');
      expect(sent({ get: 'http://h#{INDEX}.test/', qs: { a: '&#{INDEX}' } }).path).to.equal('/?a=%267');
    });

    it('TLS options of the operation win over those of the run, rejectUnauthorized over strictSSL', () => {
      const tls = { rejectUnauthorized: false };
      expect(sent({ get: 'https://b/' }, { tls }).endpoint.tls).to.equal(tls);
      expect(sent({ get: 'https://b/', strictSSL: true, ca: 'x' }, { tls }).endpoint.tls).to.deep.equal({
        rejectUnauthorized: true,
        ca: 'x',
      });
      expect(sent({ get: 'https://b/', strictSSL: true, rejectUnauthorized: false }).endpoint.tls).to.deep.equal(tls);
    });
  });

  describe('fields', () => {
    const run = { user: 'u', password: 'p' };
    const rows = [
      [{}, {}, [], 'none'],
      [{ headers: { a: 1, A: 'x' } }, {}, ['A', 'x'], 'the later of two fields that differ only in case wins'],
      [{ headers: { a: ['1', '2'] } }, {}, ['a', '1', 'a', '2'], 'an array sends several fields of one name'],
      [
        { headers: { a: null, b: undefined } },
        { headers: { A: 'x', b: 'y' } },
        [],
        'null and undefined remove a default',
      ],
      [{ headers: { 'Content-Length': 5 } }, {}, [], 'Content-Length is computed, whatever the flow sets'],
      [
        { json: {}, headers: { accept: 'a/b', 'content-type': 'c/d' } },
        {},
        ['accept', 'a/b', 'content-type', 'c/d'],
        'a given Content-Type wins over that of the body',
      ],
      [{ auth: { user: 'a', pass: 'b' } }, run, basic('a:b'), 'auth wins over the user of the run'],
      [{ auth: { username: 'a', password: 'b' } }, run, basic('a:b'), 'auth accepts username and password'],
      [{ auth: { user: 'a' } }, run, basic('a:'), 'auth without a password sends an empty one'],
      [
        { auth: { user: 'a#{INDEX}', pass: '#{INDEX}' } },
        {},
        basic('a7:7'),
        'tokens in auth are replaced before encoding',
      ],
      [{ auth: { bearer: 't' } }, run, ['Authorization', 'Bearer t'], 'auth accepts a bearer token'],
      [
        { headers: { authorization: 'x' }, auth: { user: 'a' } },
        run,
        ['authorization', 'x'],
        'an authorization header wins over auth',
      ],
      [{ get: 'http://x%40:y%3A@b/' }, {}, basic('x@:y:'), 'userinfo is decoded and sent as basic authentication'],
      [{ get: 'http://x:y@b/' }, run, basic('u:p'), 'the user of the run wins over userinfo'],
      [{ get: 'http://u#{INDEX}@b/' }, {}, basic('u7:'), 'userinfo may have tokens'],
    ];
    for (const [operation, context, expected, why] of rows)
      it(why, () => expect(sent({ get: '/', ...operation }, context).fields).to.deep.equal(expected));

    for (const [name, value, reason] of [
      ['a b', '', 'is no name'],
      ['', '', 'is no name'],
      ['a', 'b\r\nc: d', 'has a character'],
      ['a', '\u0100', 'has a character'],
      ['a', '\x7f', 'has a character'],
      ['Expect', '', 'sent at once'],
      ['TRANSFER-ENCODING', '', 'with their length'],
    ]) {
      it(`${JSON.stringify(`${name}: ${value}`)} ${reason}`, () => expect(refuseField(name, value)).to.include(reason));
    }
    for (const [name, value] of [
      ['a', ''],
      ['a', '\t\xe9~'],
      ['Host', 'x'],
      ["x!#$%&'*+-.^_`|~", '1'],
    ])
      it(`${name}: ${JSON.stringify(value)} can be sent`, () => expect(refuseField(name, value)).to.equal(undefined));
  });

  it('a request without iteration tokens is constant', () => {
    const varying = [
      { get: '/#{INDEX}' },
      { get: 'http://h#{INDEX}/' },
      { put: '/', body: '#{INDEX}' },
      { get: '/', auth: { user: '#{INDEX}' } },
      { get: '/', qs: { a: '#{INDEX}' } },
    ];
    expect(varying.map((operation) => compiled(operation).isConstant)).to.deep.equal(varying.map(() => false));
    expect(compiled({ put: '/', json: { a: '#{other}' }, headers: { a: 'b' } }).isConstant).to.equal(true);
  });
});
