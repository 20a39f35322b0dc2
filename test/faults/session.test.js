import { expect } from 'chai';

import benchrest from '../../index.js';
import { faulting, REFUSED_URL } from '../support/faulty-server.js';
import { scaled } from '../support/scale.js';
import { serving } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { here } from '../support/threads-here.js';
import { NAMES, runsWorkers, takesTurn } from '../support/transports.js';
import { balance, leavingNothing } from './ground.js';

const MANY = scaled(500, 3000);
const ONE = { limit: 1, iterations: 1, timeout: 15_000 };
const redirectTo = (location, status = 302) =>
  `HTTP/1.1 ${status} Found\r\n${location === undefined ? '' : `Location: ${location}\r\n`}Content-Length: 0\r\n\r\n`;
const END = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend';

for (const httpClient of NAMES) {
  /** Runs a flow against a server that answers `/` with `first`, and everything else with 200. */
  const redirected = (first, options) =>
    leavingNothing(() =>
      faulting(
        async (io) => {
          for (;;) {
            const path = (await io.readRequest()).split(' ')[1];
            await io.send(path === '/' ? Buffer.from(first, 'latin1') : END);
          }
        },
        async (url, seen) => {
          const { stats } = await benchrest(url, { limit: 5, iterations: 20, timeout: 15_000, ...options, httpClient });
          balance(stats, seen.requests);
          return { stats, paths: seen.lines.map((line) => line.split(' ')[1]) };
        },
      ),
    );

  describe(`redirects: ${httpClient}`, () => {
    const loops = [
      ['A to A', () => '/a'],
      ['A to B to A', (path) => (path === '/a' ? '/b' : '/a')],
      ['a new path each time', (path) => `/${path.length}${path}`.slice(0, 40)],
    ];
    for (const [what, next] of loops) {
      it(`F59 a redirect loop, ${what}, makes eleven requests and one failure per iteration`, () =>
        leavingNothing(() =>
          serving(
            (req, res) => res.writeHead(302, { location: next(req.url) }).end(),
            async (url, seen) => {
              const { stats } = await benchrest(`${url}/a`, { limit: 5, iterations: 20, httpClient });
              balance(stats, seen.length);
              expect(seen).to.have.lengthOf(20 * 11);
              expect(stats.requests).to.include({ count: 20, redirects: 200 });
              expect(stats.errors.details).to.have.lengthOf(1);
              expect(stats.errors.details[0]).to.include({ code: 'E_REDIRECT_LOOP', kind: 'protocol', count: 20 });
            },
          ),
        ));
    }

    for (const location of [
      'http://',
      'ftp://x/',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'http://[::1',
      '/a\r\nLocation: /b',
    ]) {
      it(`F60 a redirect to ${JSON.stringify(location)} is refused without a connection`, async () => {
        const { stats } = await redirected(redirectTo(location));
        expect(stats.errors.details).to.have.lengthOf(1);
        expect(stats.errors.details[0]).to.include({ kind: 'protocol', code: 'E_REDIRECT_TARGET', count: 20 });
      });
    }
    for (const location of [undefined, '', '\t']) {
      it(`F60 a redirect ${location === undefined ? 'without Location' : `with an empty Location ${JSON.stringify(location)}`} is the final response`, async () => {
        const { stats } = await redirected(redirectTo(location));
        expect(stats.errors.count).to.equal(0);
        expect(stats.requests).to.include({ redirects: 0, answered: 20 });
      });
    }
    const places = [
      ['/next', '/next'],
      ['next?q=1', '/next?q=1'],
      ['/next\r\nLocation: /next', '/next'],
      ['/\xc3\xa9', '/%C3%A9'],
      [`/${'x'.repeat(9000)}`, `/${'x'.repeat(9000)}`],
      ['/a, /b', '/a,%20/b'],
      ['/x#frag', '/x'],
    ];
    for (const [i, [location, path]] of places.entries()) {
      if (!takesTurn(i, httpClient)) continue;
      it(`F60 a redirect to ${JSON.stringify(location.slice(0, 40))} leads to ${path.slice(0, 20)}`, async () => {
        const { stats, paths } = await redirected(redirectTo(location));
        expect(stats.errors.details).to.deep.equal([]);
        expect(stats.requests.redirects).to.equal(20);
        expect(new Set(paths)).to.deep.equal(new Set(['/', path]));
      });
    }
    it('F60 a Location with a bare CR is an invalid response', async () => {
      const { stats } = await redirected(redirectTo('/a\rb'));
      expect(stats.errors.kinds).to.deep.equal({ protocol: 20 });
    });

    it('F61 X9 a redirect to another origin and back sends no credentials, neither there nor afterwards', () =>
      leavingNothing(() =>
        serving(
          (req, res) => res.writeHead(302, { location: req.url.slice(1) }).end(),
          (other, elsewhere) =>
            serving(
              (req, res) => {
                if (req.url === '/') res.writeHead(302, { location: `${other}/http://${req.headers.host}/back` });
                res.end();
              },
              async (url, seen) => {
                const headers = {
                  cookie: 'c=1',
                  'X-Api-Key': 'k',
                  'x-auth-token': 't',
                  'X-Goog-Api-Key': 'g',
                  'Idempotency-Key': 'i',
                  accept: 'text/plain',
                };
                const { stats } = await benchrest(
                  { get: url, auth: { user: 'joe', pass: 'secret' }, headers },
                  { ...ONE, httpClient },
                );
                expect(stats.requests).to.include({ redirects: 2, answered: 3 });
                const secret = ['authorization', 'cookie', 'x-api-key', 'x-auth-token', 'x-goog-api-key'];
                expect(seen[0].headers).to.include.keys(secret);
                for (const { headers: got } of [elsewhere[0], seen[1]]) {
                  expect(got).not.to.have.any.keys(secret);
                  expect(got).to.include({ accept: 'text/plain', 'idempotency-key': 'i' });
                }
              },
            ),
        ),
      ));

    it('F62 userinfo in a Location is neither used as credentials nor printed', () =>
      leavingNothing(() =>
        serving(
          (req, res) => res.end(),
          (other, elsewhere) =>
            serving(
              (req, res) => res.writeHead(302, { location: other.replace('http://', 'http://ann:hidden@') }).end(),
              async (home) => {
                const { stats } = await benchrest(home, { ...ONE, httpClient });
                expect(stats.errors.count).to.equal(0);
                expect(elsewhere[0].headers).not.to.have.property('authorization');
                expect(JSON.stringify(stats)).not.to.include('hidden');
              },
            ),
        ),
      ));

    it('F64 a redirect to a dead port has the kind connect and names the operation', async () => {
      const { stats } = await redirected(redirectTo(`${REFUSED_URL}/x`));
      expect(stats.errors.kinds).to.deep.equal({ connect: 20 });
      expect(stats.errors.details[0]).to.include({ code: 'ECONNREFUSED', path: 'flow.main[0]' });
      expect(stats.errors.details[0].message).to.include('127.0.0.1:1');
      expect(stats.requests).to.include({ answered: 20, unanswered: 0, redirects: 0 });
    });
  });

  describe(`cookies: ${httpClient}`, () => {
    // Set-Cookie fields, and the Cookie field of the next request to /dir/next (RFC 6265bis 5)
    const rows = [
      ['one cookie', ['a=b'], 'a=b'],
      ['several fields', ['a=1', 'b=2'], 'a=1; b=2'],
      ['a comma in Expires', ['a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT'], 'a=1'],
      ['an expired cookie', ['a=1', 'a=2; Expires=Wed, 09 Jun 1999 10:18:14 GMT'], undefined],
      ['Max-Age=0', ['a=1', 'a=2; Max-Age=0'], undefined],
      ['a cookie for another path', ['a=1; Path=/other'], undefined],
      ['a cookie for this path', ['a=1; Path=/dir'], 'a=1'],
      ['a cookie for another domain', ['a=1; Domain=example.com'], undefined],
      ['a domain named __proto__', ['a=1; Domain=__proto__'], undefined],
      [
        'cookies named like properties of Object.prototype',
        ['__proto__=1', 'constructor=2'],
        '__proto__=1; constructor=2',
      ],
      ['__Host- with Domain', ['__Host-a=1; Secure; Path=/; Domain=127.0.0.1'], undefined],
      ['an empty Set-Cookie', [''], undefined],
      ['a cookie of 10 KB, which is not kept', [`a=${'x'.repeat(10_000)}`], undefined],
      ['a cookie of 4,096 bytes', [`a=${'x'.repeat(4095)}`], `a=${'x'.repeat(4095)}`],
      ['bytes beyond ASCII', ['a=\xe9\xff'], 'a=\xe9\xff'],
      ['3,000 bytes of UTF-8', [`a=${'\xd0\xb6'.repeat(1500)}`], `a=${'\xd0\xb6'.repeat(1500)}`],
      ['UTF-8 that ends with the byte A0', ['a=voil\xc3\xa0'], 'a=voil\xc3\xa0'],
      ['a tab within a value', ['a=b\tc'], 'a=b\tc'],
    ];
    for (const [i, [what, lines, sent]] of rows.entries()) {
      if (!takesTurn(i, httpClient)) continue;
      it(`F65 RFC 6265bis is followed for ${what}`, () =>
        leavingNothing(() =>
          faulting(
            async (io) => {
              for (;;) {
                await io.readRequest();
                const set = lines.map((line) => `Set-Cookie: ${line}\r\n`).join('');
                await io.send(Buffer.from(`HTTP/1.1 200 OK\r\n${set}Content-Length: 0\r\n\r\n`, 'latin1'));
              }
            },
            async (base, seen) => {
              const { stats } = await benchrest(['/dir/first', '/dir/next'], { ...ONE, httpClient, baseUrl: base });
              balance(stats, 2);
              expect(stats.errors.details).to.deep.equal([]);
              expect(cookieOf(seen.heads[0])).to.equal(undefined);
              expect(cookieOf(seen.heads[1])?.split('; ').sort().join('; ')).to.equal(sent);
              expect({}.a).to.equal(undefined);
            },
          ),
        ));
    }

    it('F65 900 cookies are sent back', () =>
      serving(
        (req, res) => res.writeHead(200, { 'set-cookie': Array.from({ length: 900 }, (_, i) => `c${i}=1`) }).end(),
        async (base, seen) => {
          const { stats } = await benchrest(['/a', '/b'], { ...ONE, httpClient, baseUrl: base });
          expect(stats.errors.details).to.deep.equal([]);
          expect(seen[1].headers.cookie.split('; ')).to.have.lengthOf(900);
        },
      ));

    for (const workers of runsWorkers(httpClient, 'undici') ? [1, 2] : [1])
      itSlow(
        `F66 X2 iterations share no cookie, etag or context on reused connections, with ${workers} workers`,
        () => {
          const owners = new Map();
          const strays = [];
          let last = 0;
          return leavingNothing(() =>
            serving(
              (req, res) => {
                const index = req.url.slice(req.url.lastIndexOf('/') + 1);
                const id = /id=(\d+)/.exec(req.headers.cookie)?.[1];
                if (id === undefined) {
                  owners.set(String(++last), index);
                  res.setHeader('set-cookie', `id=${last}; Path=/`);
                } else if (owners.get(id) !== index) strays.push(req.url);
                const seenTag = req.headers['if-none-match'];
                if (seenTag !== undefined && seenTag !== `"${index}"`) strays.push(`${req.url} ${seenTag}`);
                res.setHeader('etag', `"${index}"`).end();
              },
              async (base, seen) => {
                const isFirst = ({ env, iterCtx }) => {
                  if (iterCtx.index !== undefined) strays.push(`iterCtx ${env.index}`);
                  iterCtx.index = env.index;
                };
                const isSame = ({ env, iterCtx }) => {
                  if (iterCtx.index !== env.index) strays.push(`iterCtx ${env.index}`);
                };
                // functions stay in their thread
                const own = (hook) => (workers === 1 ? [hook] : []);
                const flow = [
                  { get: '/in/#{INDEX}', beforeHooks: own(isFirst), afterHooks: ['saveEtag'] },
                  { get: '/in/#{INDEX}', beforeHooks: ['useEtag'], afterHooks: own(isSame) },
                ];
                const { stats } = await here('workers', () =>
                  benchrest(flow, {
                    limit: 50,
                    iterations: MANY,
                    // each virtual user has its share, however late its worker begins
                    maxRequestsPerUser: (2 * MANY) / 50,
                    workers: workers === 1 ? undefined : workers,
                    httpClient,
                    baseUrl: base,
                  }),
                );
                balance(stats, 2 * MANY);
                expect(strays).to.deep.equal([]);
                expect(last).to.equal(MANY);
                expect(stats.connections.opened).to.equal(50);
                expect(seen.filter(({ headers }) => headers['if-none-match'])).to.have.lengthOf(MANY);
              },
            ),
          );
        },
      );
  });
}

function cookieOf(head) {
  return /^cookie: (.*)$/im.exec(head)?.[1];
}
