import { expect } from 'chai';

import { isLoopback, portOf, splitUnixSocket } from '../../../lib/core/http/url-parts.js';

describe('a URL of a unix socket', () => {
  for (const [text, socketPath, url] of [
    ['unix:/run/app.sock', '/run/app.sock', 'http://localhost/'],
    ['unix:/run/app.sock:/items?x=1', '/run/app.sock', 'http://localhost/items?x=1'],
    ['http://unix:/run/app.sock:/items', '/run/app.sock', 'http://localhost/items'],
    ['HTTPS://unix:/run/app.sock:/', '/run/app.sock', 'https://localhost/'],
  ]) {
    it(`${text} is ${url} of ${socketPath}`, () => expect(splitUnixSocket(text)).to.deep.equal({ socketPath, url }));
  }
  for (const text of ['http://unix/', 'unix:relative.sock:/', 'http://a/unix:/b', '']) {
    it(`${JSON.stringify(text)} is no unix socket`, () => expect(splitUnixSocket(text)).to.equal(null));
  }
});

describe('the port of a URL', () => {
  for (const [url, port] of [
    ['http://a/', 80],
    ['wss://a/', 443],
    ['https://a:80/', 80],
    ['http://a:0/', 0],
  ])
    it(`that of ${url} is ${port}`, () => expect(portOf(new URL(url))).to.equal(port));
});

describe('a host name that leads to this machine', () => {
  for (const [host, expected] of [
    ['localhost', true],
    ['LOCALHOST.', true],
    ['app.localhost', true],
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.0.0.1', false],
    ['::2', false],
    ['localhost.test', false],
    ['notlocalhost', false],
  ])
    it(`${host} is ${expected ? '' : 'not '}this machine`, () => expect(isLoopback(host)).to.equal(expected));
});
