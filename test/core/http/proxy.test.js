import { expect } from 'chai';

import { maskProxy, missingCredentials, parseProxy } from '../../../lib/core/http/proxy.js';

const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('proxy', () => {
  const rows = [
    ['http://proxy:3128', { name: 'http://proxy:3128', protocol: 'http:', hostname: 'proxy', port: 3128 }],
    ['http://proxy:3128/', { name: 'http://proxy:3128' }],
    ['proxy:3128', { name: 'http://proxy:3128', port: 3128 }],
    ['proxy', { name: 'http://proxy', port: 80 }],
    ['https://proxy', { protocol: 'https:', port: 443 }],
    ['HTTP://Proxy', { name: 'http://proxy' }],
    [new URL('http://proxy:1'), { port: 1 }],
    ['http://[::1]:3128', { hostname: '::1', host: '[::1]:3128' }],
    ['http://proxy', { authorization: null }],
    ['http://joe@proxy', { authorization: basic('joe:'), name: 'http://proxy' }],
    ['http://joe:a%40b%3Ac@proxy', { authorization: basic('joe:a@b:c') }],
    ['joe:secret@proxy:3128', { authorization: basic('joe:secret'), name: 'http://proxy:3128' }],
  ];
  for (const [text, expected] of rows)
    it(`${text} is read as ${JSON.stringify(expected)}`, () =>
      expect(parseProxy(text)).to.include({ ...expected, problem: null }));

  const wrong = [
    [
      'socks5://proxy:1080',
      /^is a SOCKS proxy, which is not supported: use an HTTP proxy, such as http:\/\/proxy:3128/,
    ],
    ['socks4a://proxy', /^is a SOCKS proxy/],
    ['ftp://proxy', /^is not the URL of an HTTP proxy: write http:\/\/proxy:3128/],
    ['http://', /^is not the URL of a proxy: write/],
    ['', /^is not the URL of a proxy: write/],
    ['http://pro xy', /^is not the URL of a proxy/],
    ['http://proxy:99999', /^is not the URL of a proxy/],
    ['http://proxy:0', /^is not the URL of a proxy/],
    ['http://proxy\\x', /^is not the URL of a proxy/],
    ['http://proxy/path', /^has a path, which the URL of a proxy cannot have/],
    ['http://proxy/?q', /^has a path/],
    ['http://user#{INDEX}@proxy', /^has a path/],
    ['http://joe:50%@proxy', /^has a user or password that is not percent-encoded as it should be/],
  ];
  for (const [text, problem] of wrong)
    it(`${text || 'an empty text'} ${problem.source.slice(1, 40)}…`, () =>
      expect(parseProxy(text).problem).to.match(problem));

  it('a problem never repeats the URL, which may hold a password', () => {
    for (const [text] of wrong)
      expect(parseProxy(text.replace('proxy', 'joe:c4n4ry@h')).problem).not.to.include('c4n4ry');
  });

  for (const [text, expected] of [
    ['http://joe:c4n4ry@proxy:1', 'http://***@proxy:1'],
    ['joe:c4n4ry@proxy:1', '***@proxy:1'],
    ['http://joe:c4n4@ry@proxy', 'http://***@proxy'],
    ['http://proxy:1', 'http://proxy:1'],
  ])
    it(`${text} is shown as ${expected}`, () => expect(maskProxy(text)).to.equal(expected));

  it('the error about missing credentials shows how to write them, and not those that were refused', () => {
    expect(missingCredentials(parseProxy('https://p:1'))).to.include({
      code: 'E_PROXY_AUTH',
      kind: 'proxy',
      message:
        'the proxy https://p:1 asks for credentials (407); write user and password into its URL, in front of the host: user:password@p:1',
    });
    expect(missingCredentials(parseProxy('http://joe:c4n4ry@p')).message).to.match(
      /^the proxy http:\/\/p refuses the credentials in its URL \(407\); check user and password/,
    );
  });
});
