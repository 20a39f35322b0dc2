import { expect } from 'chai';

import { compiledRequest, renderedRequest } from '../../support/compiled-request.js';

const addressOf = ({ endpoint, path }) => endpoint.origin + path;

describe('flow/request-url', () => {
  const rows = [
    ['b', 'http://a.test/dir/b', 'relative to the base (RFC 3986 5.2)'],
    ['?q=#{INDEX}', 'http://a.test/dir/x?q=7', 'a query alone'],
    ['HTTPS://B.Test:443/É', 'https://b.test/%C3%89', 'scheme and host lose their case, the path is encoded'],
    ['/%zz?a=%20', 'http://a.test/%zz?a=%20', 'what is encoded is not encoded again'],
    ['http://b.test:80#{INDEX}/a?b', 'http://b.test:807/a?b', 'a token in the port'],
    ['http://u:p@b.test:#{INDEX}', 'http://b.test:7/', 'a token as port, after a user'],
    ['https://[::1]:#{INDEX}/a:#{INDEX}', 'https://[::1]:7/a:7', 'a token as port of an IPv6 address'],
    ['//h#{INDEX}:8#{INDEX}', 'http://h7:87/', 'tokens as host and port'],
    ['http://h#{INDEX}.test/#{INDEX}/é', 'http://h7.test/7/%C3%A9', 'tokens in host and path'],
    ['http://b.test?x#part', 'http://b.test/?x', 'no fragment'],
    ['/Lunch club/nw1 0ne?a=b c', 'http://a.test/Lunch%20club/nw1%200ne?a=b%20c', 'spaces are encoded'],
    [' \n/a\tb\r ', 'http://a.test/ab', 'spaces around it, tabs and line ends in it are removed'],
    ['http:\\\\b.test\\c?d=\\', 'http://b.test/c?d=\\', 'a backslash before the query is a slash'],
    ['http:///b.test/a', 'http://b.test/a', 'a slash too many after the scheme'],
    ['//b.test/a', 'http://b.test/a', 'the scheme is that of the base URL'],
    ['http://bücher.test/ü', 'http://xn--bcher-kva.test/%C3%BC', 'umlauts in host and path'],
    ['/{a}|"<>`?b=\'"<>', 'http://a.test/%7Ba%7D|%22%3C%3E%60?b=%27%22%3C%3E', 'other characters'],
    ['/a/./b/../c d/#{INDEX}', 'http://a.test/a/c%20d/7', 'dot segments, and a token'],
    ['\u0001/a\u0001b\u007f', 'http://a.test/a%01b%7F', 'control characters'],
  ];
  for (const [get, expected, why] of rows)
    it(why, () => expect(addressOf(renderedRequest({ get }))).to.equal(expected));

  const refused = [
    ['', 'is not a URL'],
    ['mailto:a', 'is not an http:// or https:// URL'],
    ['http://[::1', 'is not a valid URL'],
    ['[::1]:80/', 'did you mean http://[::1]:80/?'],
    ['localhost:#{INDEX}/', 'did you mean http://localhost:#{INDEX}/?'],
  ];
  for (const [get, reason] of refused)
    it(`${JSON.stringify(get)} ${reason}`, () =>
      expect(compiledRequest({ get }).said)
        .to.have.lengthOf(1)
        .and.satisfy(([one]) => one.startsWith('get: ') && one.endsWith(reason)));

  it('qs comes before a fragment, and goes along where the host has a token', () => {
    expect(renderedRequest({ get: '/a?b=1#f', qs: { 'c#{INDEX}': 'x y' } }).path).to.equal('/a?b=1&c7=x%20y');
    expect(renderedRequest({ get: 'http://h#{INDEX}.test/', qs: { a: '&#{INDEX}' } }).path).to.equal('/?a=%267');
  });
});
