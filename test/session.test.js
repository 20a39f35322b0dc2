import zlib from 'node:zlib';

import { expect } from 'chai';
import { CookieJar } from 'tough-cookie';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';

const ONE = { limit: 1, iterations: 1 };
const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;
const redirecting = (status, hops) => (req, res) => {
  const n = Number(req.url.slice(1));
  if (n < hops) res.writeHead(status, { location: `/${n + 1}` });
  res.end();
};
/** The body of one response, as a hook gets it. */
async function bodyOf(operation, handler) {
  let body;
  await serving(handler, async (url, seen) => {
    const { stats, errorCount } = await benchrest(
      {
        get: url,
        ...operation,
        afterHooks: [
          (all) => {
            body = all.body;
          },
        ],
      },
      ONE,
    );
    expect(errorCount, JSON.stringify(stats.errors)).to.equal(0);
    expect(seen).to.have.lengthOf(1);
  });
  return body;
}

describe('session', () => {
  it('cookies live for one iteration', () =>
    serving(
      (req, res) => res.setHeader('set-cookie', `at=${req.url.slice(1)}; Path=/`).end(),
      async (url, seen) => {
        await benchrest(['/a#{INDEX}', '/b'], { limit: 1, iterations: 2, baseUrl: url });
        expect(seen.map(({ headers }) => headers.cookie)).to.deep.equal([undefined, 'at=a0', undefined, 'at=a1']);
      },
    ));

  it('jar: false neither sends nor keeps cookies', () =>
    serving(
      (req, res) => res.setHeader('set-cookie', `at=${req.url.slice(1)}; Path=/`).end(),
      async (url, seen) => {
        await benchrest([{ get: '/a', jar: false }, '/b', { get: '/c', jar: false }, '/d'], { ...ONE, baseUrl: url });
        expect(seen.map(({ headers }) => headers.cookie)).to.deep.equal([undefined, undefined, undefined, 'at=b']);
      },
    ));

  for (const httpClient of ['builtin', 'undici']) {
    it(`hooks read and set cookies at once, without a promise (${httpClient})`, () =>
      serving(
        (req, res) => res.setHeader('set-cookie', 'sid=7; Path=/').end(),
        async (url, seen) => {
          const read = [];
          const { errorCount } = await benchrest(
            [
              {
                get: '/a',
                afterHooks: [
                  ({ env }) => {
                    env.jar.setCookie('b=2', url);
                    read.push(env.jar.getCookieString(url), env.jar.getCookies(url).length);
                  },
                ],
              },
              '/b',
            ],
            { ...ONE, baseUrl: url, httpClient },
          );
          expect(errorCount).to.equal(0);
          expect(read).to.deep.equal(['sid=7; b=2', 2]);
          expect(seen[1].headers.cookie).to.equal('sid=7; b=2');
        },
      ));
  }

  it('a hook may put a jar of tough-cookie into env.jar', () =>
    serving(ok, async (url, seen) => {
      const own = new CookieJar();
      own.setCookieSync('own=1', url);
      await benchrest({ get: url, beforeHooks: [({ env }) => void (env.jar = own)] }, ONE);
      expect(seen[0].headers.cookie).to.equal('own=1');
    }));

  it('a cookie set by a redirect is sent to its target', () =>
    serving(
      (req, res) => (req.url === '/' ? res.writeHead(302, { location: '/in', 'set-cookie': 's=1' }).end() : res.end()),
      async (url, seen) => {
        await benchrest(url, ONE);
        expect(seen[1].headers.cookie).to.equal('s=1');
      },
    ));

  for (const [hops, errors] of [
    [10, 0],
    [11, 1],
  ]) {
    it(`a GET with ${hops} redirects ends with ${errors} errors`, () =>
      serving(redirecting(302, hops), async (url, seen) => {
        const { stats, errorCount } = await benchrest(`${url}/0`, ONE);
        expect(errorCount).to.equal(errors);
        expect(seen).to.have.lengthOf(11);
        expect(stats.requests).to.include({ sent: 11, count: 1, redirects: 10 });
      }));
  }

  it('a redirect of a POST is not followed', () =>
    serving(redirecting(302, 1), async (url, seen) => {
      const { errorCount } = await benchrest({ post: `${url}/0`, json: 1 }, ONE);
      expect(errorCount).to.equal(0);
      expect(seen).to.have.lengthOf(1);
    }));

  for (const [status, line, body] of [
    [302, 'GET /1', ''],
    [303, 'GET /1', ''],
    [307, 'POST /1', '{"a":1}'],
  ]) {
    it(`followAllRedirects sends ${line} after a POST with status ${status}`, () =>
      serving(redirecting(status, 1), async (url, seen) => {
        await benchrest({ post: `${url}/0`, json: { a: 1 }, followAllRedirects: true }, ONE);
        expect(seen[1]).to.include({ line, body });
      }));
  }

  it('a redirect keeps credentials within the origin and drops them beyond', () =>
    serving(ok, (other, elsewhere) =>
      serving(
        (req, res) => {
          const location = { '/same': '/there', '/other': `${other}/there` }[req.url];
          if (location) res.writeHead(302, { location });
          res.end();
        },
        async (url, seen) => {
          const headers = { cookie: 'c=1' };
          const auth = { user: 'joe', pass: 'secret' };
          await benchrest(
            [
              { get: `${url}/same`, auth, headers },
              { get: `${url}/other`, auth, headers },
            ],
            ONE,
          );
          expect(seen[1].headers.authorization).to.equal(basic('joe:secret'));
          expect(seen[1].headers.cookie).to.equal('c=1');
          expect(elsewhere).to.have.lengthOf(1);
          expect(elsewhere[0].headers).not.to.have.any.keys('authorization', 'cookie');
        },
      ),
    ));

  it('user and password of the run are sent as basic authentication', () =>
    serving(ok, async (url, seen) => {
      await benchrest([url, { get: url, auth: { bearer: 'tok' } }, { get: url, auth: { user: 'a', pass: 'b' } }], {
        ...ONE,
        user: 'u',
        password: 'p',
      });
      expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal([
        basic('u:p'),
        'Bearer tok',
        basic('a:b'),
      ]);
    }));

  it('a user that a hook writes to env is sent in that iteration', () =>
    serving(ok, async (url, seen) => {
      await benchrest(
        {
          get: url,
          beforeHooks: [
            ({ env }) => {
              env.user = `u${env.index}`;
              env.password = 'x';
            },
          ],
        },
        { limit: 1, iterations: 2, user: 'u' },
      );
      expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal([basic('u0:x'), basic('u1:x')]);
    }));

  it('form is sent urlencoded', () =>
    serving(ok, async (url, seen) => {
      await benchrest({ post: url, form: { a: '1 &', n: '#{INDEX}', deep: { x: [1] } } }, ONE);
      expect(seen[0].headers['content-type']).to.match(/^application\/x-www-form-urlencoded/);
      expect([...new URLSearchParams(seen[0].body)]).to.deep.equal([
        ['a', '1 &'],
        ['n', '0'],
        ['deep[x][0]', '1'],
      ]);
    }));

  it('formData is sent as multipart', () =>
    serving(ok, async (url, seen) => {
      await benchrest(
        {
          post: url,
          formData: {
            text: 'n#{INDEX}',
            bytes: Buffer.from('raw'),
            file: { value: Buffer.from('content'), options: { filename: 'a.txt', contentType: 'text/plain' } },
          },
        },
        ONE,
      );
      const form = await new Response(seen[0].body, {
        headers: { 'content-type': seen[0].headers['content-type'] },
      }).formData();
      expect(form.get('text')).to.equal('n0');
      expect(form.get('bytes')).to.equal('raw');
      expect(form.get('file')).to.include({ name: 'a.txt', type: 'text/plain' });
      expect(await form.get('file').text()).to.equal('content');
    }));

  it('qs is added to the query', () =>
    serving(ok, async (url, seen) => {
      await benchrest({ get: `${url}/p?a=1`, qs: { b: 'x y', c: '#{INDEX}' } }, ONE);
      expect([...new URL(seen[0].url, url).searchParams]).to.deep.equal([
        ['a', '1'],
        ['b', 'x y'],
        ['c', '0'],
      ]);
    }));

  it('a gzip body reaches hooks decoded', async () => {
    const gzipped = (req, res) => {
      expect(req.headers['accept-encoding']).to.match(/gzip/);
      res.setHeader('content-encoding', 'gzip').end(zlib.gzipSync('plain text'));
    };
    expect(await bodyOf({ gzip: true }, gzipped)).to.equal('plain text');
  });

  it('encoding: null gives hooks a Buffer', async () => {
    const body = await bodyOf({ encoding: null }, (req, res) => res.end(Buffer.from([0, 255, 128])));
    expect(Buffer.isBuffer(body)).to.equal(true);
    expect([...body]).to.deep.equal([0, 255, 128]);
  });

  it('a JSON body is parsed if the operation has json, otherwise it stays text', async () => {
    const answer = (text) => (req, res) => res.end(text);
    expect(await bodyOf({ json: true }, answer('{"a":1}'))).to.deep.equal({ a: 1 });
    expect(await bodyOf({ json: true }, answer('no json'))).to.equal('no json');
    expect(await bodyOf({}, answer('{"a":1}'))).to.equal('{"a":1}');
  });

  it('beside encoding: null, json parses what is JSON, and leaves a Buffer of anything else', async () => {
    const bytes = { json: true, encoding: null };
    const answer = (text) => (req, res) => res.end(text);
    expect(await bodyOf(bytes, answer('{"a":1}'))).to.deep.equal({ a: 1 });
    expect(await bodyOf(bytes, answer('no json'))).to.deep.equal(Buffer.from('no json'));
    expect(await bodyOf(bytes, answer(''))).to.equal(undefined);
  });

  it('a user that a hook writes to env is not sent to another origin', () =>
    serving(ok, (other, elsewhere) =>
      serving(
        (req, res) => res.writeHead(302, { location: other }).end(),
        async (url) => {
          await benchrest(
            {
              get: url,
              beforeHooks: [
                ({ env }) => {
                  env.user = 'joe';
                  env.password = 'secret';
                },
              ],
            },
            ONE,
          );
          expect(elsewhere[0].headers).not.to.have.property('authorization');
        },
      ),
    ));
});
