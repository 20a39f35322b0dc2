import { expect } from 'chai';

import { closesConnection, refuseField } from '../../../lib/core/flow/request-fields.js';
import { compiledFlow } from '../../support/compiled-flow.js';
import { renderedRequest } from '../../support/compiled-request.js';

const basic = (text) => ['Authorization', `Basic ${Buffer.from(text).toString('base64')}`];

describe('flow/request-fields', () => {
  it('the last of two fields that differ in case decides on the end of the connection', () => {
    const headers = { Connection: 'keep-alive', connection: 'close' };
    expect(closesConnection({}, { headers, run: {} })).to.equal(true);
  });

  const run = { user: 'u', password: 'p' };
  const rows = [
    [{}, {}, [], 'none'],
    [{ headers: { a: 1, A: 'x' } }, {}, ['A', 'x'], 'the later of two that differ in case'],
    [{ headers: { a: ['1', '2'] } }, {}, ['a', '1', 'a', '2'], 'several of one name'],
    [
      { headers: { a: null, b: undefined } },
      { headers: { A: 'x', b: 'y' } },
      [],
      'null and undefined take a default away',
    ],
    [{ headers: { 'Content-Length': 0 } }, {}, ['Content-Length', '0'], 'a length that is right is sent as written'],
    [
      { json: {}, headers: { accept: 'a/b', 'content-type': 'c/d' } },
      {},
      ['accept', 'a/b', 'content-type', 'c/d'],
      'what is given wins over what follows from the body',
    ],
    [{ auth: { user: 'a', pass: 'b' } }, run, basic('a:b'), 'auth wins over the run'],
    [{ auth: { username: 'a', password: 'b' } }, run, basic('a:b'), 'its longer names'],
    [{ auth: { user: 'a' } }, run, basic('a:'), 'its user without a password has none'],
    [
      { auth: { user: 'a#{INDEX}', pass: '#{INDEX}' } },
      {},
      basic('a7:7'),
      'tokens are replaced before they are encoded',
    ],
    [{ auth: { bearer: 't' } }, run, ['Authorization', 'Bearer t'], 'a bearer token'],
    [{ auth: { bearer: null } }, run, basic('u:p'), 'a bearer token that is null is none'],
    [{ auth: { username: null } }, run, basic('u:p'), 'a user that is null is none'],
    [
      { headers: { authorization: 'x' }, auth: { user: 'a' } },
      run,
      ['authorization', 'x'],
      'a field that is written wins over both',
    ],
    [{ get: 'http://x%40:y%3A@b/' }, {}, basic('x@:y:'), 'userinfo is decoded'],
    [{ get: 'http://x:y@b/' }, run, basic('u:p'), 'the user of the run wins over userinfo'],
    [{ get: 'http://u#{INDEX}@b/' }, {}, basic('u7:'), 'userinfo may have tokens'],
    [{ get: 'http://u:%23%7BINDEX%7D@b/' }, {}, basic('u:#{INDEX}'), 'an encoded # in userinfo begins no token'],
  ];
  for (const [operation, context, expected, why] of rows)
    it(why, () => expect(renderedRequest({ get: '/', ...operation }, context).fields).to.deep.equal(expected));

  it('the user of a URL has its tokens replaced when the server asks for credentials', () => {
    const operation = { get: 'http://u#{INDEX}:p:#{INDEX}@b/', auth: { sendImmediately: false } };
    const [{ credentials }] = compiledFlow([operation]).main;
    expect(credentials({ index: 7 })).to.deep.equal({ user: 'u7', password: 'p:7' });
  });

  for (const [name, value, reason] of [
    ['a b', '', 'is not a header field name'],
    ['', '', 'is not a header field name'],
    ['a', 'b\r\nc: d', 'has a character'],
    ['a', '\u0100', 'has a character'],
    ['a', '\x7f', 'has a character'],
    ['Proxy-AUTHORIZATION', '', 'into its URL'],
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
