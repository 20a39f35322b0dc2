import { expect } from 'chai';

import benchrest from '../index.js';
import { faulting } from './support/faulty-server.js';
import { ok, serving } from './support/serve.js';
import { NAMES } from './support/transports.js';

/** Sends an operation, whose URL is `at`, and returns what the server got of it. */
const sent = (operation, httpClient, { handler = ok, at = '/' } = {}) =>
  serving(handler, async (url, seen) => {
    const options = { limit: 1, iterations: 1, baseUrl: url, httpClient };
    const { stats, errorCount } = await benchrest({ method: 'POST', uri: at, ...operation }, options);
    expect(errorCount, JSON.stringify(stats.errors)).to.equal(0);
    return seen;
  });

for (const httpClient of NAMES) {
  describe(`options of the request library that 1.2.4 took (${httpClient})`, () => {
    it('json: true sends an object as body', async () => {
      const [{ body, headers }] = await sent({ json: true, body: { a: '#{INDEX}' } }, httpClient);
      expect(body).to.equal('{"a":"0"}');
      expect(headers).to.include({ 'content-type': 'application/json', accept: 'application/json' });
    });

    it('an array as body is joined', async () => {
      const [{ body, headers }] = await sent({ body: ['a', 'b', Buffer.from('c')] }, httpClient);
      expect([body, headers['content-length']]).to.deep.equal(['abc', '3']);
    });

    it('multipart is multipart/related', async () => {
      const multipart = [{ 'content-type': 'application/json', body: '{}' }, { body: 'second' }];
      const [{ body, headers }] = await sent({ multipart, headers: { 'Content-Type': 'multipart/mixed' } }, httpClient);
      const boundary = /^multipart\/mixed; boundary=(.*)$/.exec(headers['content-type'])[1];
      expect(body.split(`--${boundary}`)).to.deep.equal([
        '',
        '\r\ncontent-type: application/json\r\n\r\n{}\r\n',
        '\r\n\r\nsecond\r\n',
        '--',
      ]);
    });

    it('any method is sent', async () => {
      // node:http refuses to parse unknown methods
      await faulting(
        async (io) => {
          await io.readRequest();
          io.send('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
        },
        async (url, { lines }) => {
          const { errorCount } = await benchrest(
            { method: 'x-own', uri: url },
            { limit: 1, iterations: 1, httpClient },
          );
          expect(errorCount).to.equal(0);
          expect(lines).to.deep.equal(['X-OWN / HTTP/1.1']);
        },
      );
    });

    it('a function decides about redirects, and another one returns the bearer token', async () => {
      let count = 0;
      const seen = await sent(
        {
          method: 'GET',
          auth: { bearer: () => `token${count++}` },
          followRedirect: ({ statusCode, statusMessage, headers }) =>
            `${statusCode} ${statusMessage} ${headers.location}` === '302 Found /1',
        },
        httpClient,
        { handler: (req, res) => res.writeHead(302, { location: req.url === '/' ? '/1' : '/2' }).end() },
      );
      expect(seen.map(({ url }) => url)).to.deep.equal(['/', '/1']);
      expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal(['Bearer token0', 'Bearer token0']);
      expect(seen[1].headers.referer).to.equal(`http://${seen[0].headers.host}/`);
    });

    for (const [what, bearer, message] of [
      ['throws', () => JSON.parse('{'), /flow\.main\[0\]\.auth\.bearer: .*JSON/],
      [
        'returns no text',
        () => Promise.resolve('x'),
        /auth bearer\(\) returned a Promise: return the token as a string/,
      ],
    ]) {
      it(`a bearer function that ${what} fails its operation, before anything is sent`, () =>
        serving(ok, async (url, seen) => {
          const { stats } = await benchrest({ get: url, auth: { bearer } }, { limit: 1, iterations: 1, httpClient });
          expect(stats.errors.details[0].message).to.match(message);
          expect(stats.errors.kinds).to.deep.equal({ hook: 1 });
          expect(seen).to.be.empty;
        }));
    }

    it('hooks see the response as node:http had it, and the last request', async () => {
      let response;
      const handler = (req, res) => {
        if (req.url === '/') res.writeHead(302, { location: '/to?a=1', 'set-cookie': 's=1; Path=/' }).end();
        else res.writeHead(200, 'Fine', { 'X-Own': 'a' }).end('body');
      };
      const hook = (all) => {
        response = all.response;
      };
      const auth = { user: 'a', pass: 'b' };
      const [{ headers }] = await sent({ method: 'GET', auth, afterHooks: [hook] }, httpClient, { handler });
      expect(response).to.include({ statusCode: 200, statusMessage: 'Fine', body: 'body' });
      expect(response.httpVersion).to.equal(httpClient === 'builtin' ? '1.1' : undefined);
      expect(response.rawHeaders.slice(0, 2)).to.deep.equal(['X-Own', 'a']);
      expect(response.request).to.include({ method: 'GET', href: `http://${headers.host}/to?a=1`, path: '/to?a=1' });
      expect(response.request.headers).to.include({ Authorization: 'Basic YTpi', cookie: 's=1' });
    });

    it('parts of a form have the type of their file name', async () => {
      const formData = { a: { value: 'x', options: { filename: 'x.png' } }, b: Buffer.from('y'), c: 'z' };
      const [{ body }] = await sent({ formData }, httpClient);
      expect(body.match(/Content-Type: .*/g)).to.deep.equal([
        'Content-Type: image/png',
        'Content-Type: application/octet-stream',
      ]);
    });
  });
}
