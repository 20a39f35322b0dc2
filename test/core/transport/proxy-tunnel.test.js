import { expect } from 'chai';

import { createEndpoints } from '../../../lib/core/http/endpoint.js';
import { parseProxy } from '../../../lib/core/http/proxy.js';
import { ConnectAnswer } from '../../../lib/core/transport/proxy.js';

const LIMIT = 200;
const endpointBy = (proxy) => createEndpoints()(new URL('https://[::1]:444/'), {}, { proxy: parseProxy(proxy) });

/** Feeds a text in pieces; true: the tunnel is open; false: more is needed; or the code and message of the error. */
function fed(text, size = Infinity, proxy = 'http://p') {
  const answer = new ConnectAnswer(endpointBy(proxy), LIMIT);
  const bytes = Buffer.from(text, 'latin1');
  let isOpen = false;
  try {
    for (let at = 0; at < bytes.length; at += size) isOpen = answer.feed(bytes.subarray(at, at + size));
  } catch ({ code, message }) {
    return `${code}: ${message}`;
  }
  return isOpen;
}

describe('tunnels through a proxy', () => {
  const rows = [
    ['HTTP/1.1 200 OK\r\n\r\n', true, 'any 2xx opens the tunnel'],
    ['HTTP/1.0 200\r\n\r\n', true, 'HTTP/1.0 and no reason are fine'],
    ['HTTP/1.1 204 No Content\r\nVia: x\r\n\r\n', true, '204 opens the tunnel as well'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', true, 'lengths have no meaning'],
    ['HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n', true, 'interim answers are skipped'],
    ['HTTP/1.1 200 OK\r\nVia: x\r\n', false, 'a head that is not complete needs more'],
    ['HTTP', false, 'what may become an answer needs more'],
    ['HTTP/1.1 407 Auth\r\n\r\n', /^E_PROXY_AUTH: the proxy http:\/\/p asks for credentials/, '407'],
    ['HTTP/1.1 302 Found\r\n\r\n', /^E_PROXY_REFUSED: .* 302 to CONNECT \[::1\]:444; .* --noproxy ::1 /, 'a redirect'],
    ['HTTP/1.1 502 Bad Gateway\r\n\r\nlong text', /^E_PROXY_REFUSED: .* answered 502 to CONNECT/, 'an error status'],
    ['SSH-2.0-x\r\n\r\n', /^E_PROXY_ANSWER: .* something else than HTTP\/1.1; is it an HTTP proxy/, 'another protocol'],
    ['HTTP/2 200 OK\r\n\r\n', /^E_PROXY_ANSWER/, 'another version'],
    ['HTTP/1.1 20 OK\r\n\r\n', /^E_PROXY_ANSWER: .* a malformed status line/, 'a malformed status'],
    ['HTTP/1.1 200 OK\n\n\r\n\r\n', /^E_PROXY_ANSWER: .* a malformed status line/, 'bare line feeds'],
    [
      `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(LIMIT)}`,
      /^E_PROXY_ANSWER: .* a head of more than 200 bytes/,
      'an endless head',
    ],
    [
      'HTTP/1.1 103 E\r\n\r\n'.repeat(20),
      /^E_PROXY_ANSWER: .* a head of more than 200 bytes/,
      'endless interim answers',
    ],
  ];
  for (const [text, expected, why] of rows) {
    it(`${why}, whole and byte by byte`, () => {
      for (const size of [Infinity, 1]) {
        if (expected instanceof RegExp) expect(fed(text, size)).to.match(expected);
        else expect(fed(text, size)).to.equal(expected);
      }
    });
  }

  it('bytes after the answer are refused, as the server says nothing before it is asked', () =>
    expect(fed('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')).to.match(
      /^E_PROXY_ANSWER: .* answered CONNECT \[::1\]:444 with 200 and 5 bytes that the server cannot have sent/,
    ));

  it('a text of the proxy is in no message', () => {
    for (const status of [407, 500])
      expect(fed(`HTTP/1.1 ${status} c4n4ry\r\nx: c4n4ry\r\n\r\n`)).not.to.include('c4n4ry');
  });

  it('refused credentials are not in the message', () =>
    expect(fed('HTTP/1.1 407 x\r\n\r\n', Infinity, 'http://joe:c4n4ry@p')).to.match(
      /^E_PROXY_AUTH: the proxy http:\/\/p refuses the credentials in its URL/,
    ));
});
