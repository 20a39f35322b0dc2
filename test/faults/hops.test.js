import { expect } from 'chai';

import benchrest from '../../index.js';
import { faulting, GOOD } from '../support/faulty-server.js';
import { serving } from '../support/serve.js';
import { itSlow } from '../support/slow.js';
import { here } from '../support/threads-here.js';
import { NAMES } from '../support/transports.js';
import { balance } from './ground.js';

const FLOW = new URL('../support/flows/changing.mjs', import.meta.url);
const ONE = { limit: 1, iterations: 1, timeout: 15_000 };
const basic = (text) => `Basic ${Buffer.from(text).toString('base64')}`;

/** All values of a field, in the order of arrival. */
function valuesOf({ rawHeaders }, name) {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1].toLowerCase() === name);
}

for (const httpClient of NAMES) {
  /** Performs `operations` once against `handler(path, res)`; the Cookie and Authorization fields of each request. */
  const fieldsOf = (operations, handler, options) => {
    const fields = [];
    return serving(
      (req, res) => {
        fields.push({
          line: `${req.method} ${req.url}`,
          cookie: valuesOf(req, 'cookie'),
          authorization: valuesOf(req, 'authorization'),
        });
        handler(req.url, res);
        res.end();
      },
      async (url) => {
        const { stats } = await benchrest(operations, { ...ONE, baseUrl: url, ...options, httpClient });
        expect(stats.errors.details).to.deep.equal([]);
        balance(stats);
        return fields;
      },
    );
  };
  const redirect = (res, location, setCookie = [], status = 302) =>
    res.writeHead(status, { location, 'set-cookie': setCookie });
  const cookiesOf = (fields) => fields.map(({ cookie }) => cookie.join(' | '));

  describe(`N7 fields added for one hop are not sent at the next: ${httpClient}`, () => {
    for (const [what, headers, prefix] of [
      ['without a cookie header', {}, ''],
      ['with a cookie header of the operation', { Cookie: 'own=1' }, 'own=1; '],
      ['with a cookie header in lower case', { cookie: 'own=1' }, 'own=1; '],
    ]) {
      it(`a cookie that the redirect deletes or sets is deleted or set at the next hop, ${what}`, async () => {
        const fields = await fieldsOf(['/login', { get: '/start', headers }], (path, res) => {
          if (path === '/login') res.setHeader('set-cookie', ['old=1; Path=/', 'keep=1; Path=/']);
          if (path === '/start') redirect(res, '/next', ['old=; Path=/; Max-Age=0', 'new=1; Path=/']);
        });
        expect(cookiesOf(fields)).to.deep.equal(['', `${prefix}old=1; keep=1`, `${prefix}keep=1; new=1`]);
      });
    }

    it('a cookie of one path is not sent to another, and is sent again after a redirect back', async () => {
      const fields = await fieldsOf(['/a/set', { get: '/a/start', headers: { cookie: 'own=1' } }], (path, res) => {
        if (path === '/a/set') res.setHeader('set-cookie', 'a=1; Path=/a');
        if (path === '/a/start') redirect(res, '/b/next');
        if (path === '/b/next') redirect(res, '/a/end');
      });
      expect(cookiesOf(fields)).to.deep.equal(['', 'own=1; a=1', 'own=1', 'own=1; a=1']);
    });

    it('a POST that 303 turns into GET sends only the cookies of its new path', async () => {
      const fields = await fieldsOf(
        ['/a', { post: '/a/start', json: {}, headers: { cookie: 'own=1' }, followAllRedirects: true }],
        (path, res) => {
          if (path === '/a') res.setHeader('set-cookie', 'a=1; Path=/a');
          if (path === '/a/start') redirect(res, '/b', ['b=1; Path=/b'], 303);
        },
      );
      expect(fields.map(({ line }) => line)).to.deep.equal(['GET /a', 'POST /a/start', 'GET /b']);
      expect(cookiesOf(fields)).to.deep.equal(['', 'own=1; a=1', 'own=1; b=1']);
    });

    it('cookies of one origin are not sent to another, and are sent again after a redirect back', () =>
      serving(
        (req, res) => redirect(res, req.url.slice(1)).end(),
        async (other, elsewhere) => {
          const home = other.replace('127.0.0.1', 'localhost');
          const fields = await fieldsOf(['/set', { get: '/start', headers: { cookie: 'own=1' } }], (path, res) => {
            if (path === '/set') res.setHeader('set-cookie', 'a=1; Path=/');
            if (path === '/start') redirect(res, `${home}/http://${res.req.headers.host}/back`);
          });
          expect(elsewhere[0].headers.cookie).to.equal(undefined);
          expect(cookiesOf(fields)).to.deep.equal(['', 'own=1; a=1', 'a=1']);
        },
      ));

    const userOf = (user) => [(all) => void Object.assign(all.env, { user, password: 'x' })];
    for (const [what, operation, options, expected] of [
      ['a user set by a hook', { beforeHooks: userOf('joe') }, {}, 'joe:x'],
      ['a user set by a hook, instead of that of the run', { beforeHooks: userOf('joe') }, { user: 'u' }, 'joe:x'],
      ['the user of the run', {}, { user: 'u', password: 'p' }, 'u:p'],
      ['the user in auth', { auth: { user: 'a', pass: 'b' }, beforeHooks: userOf('joe') }, { user: 'u' }, 'a:b'],
      ['the user in a header', { headers: { AUTHORIZATION: basic('h:h') }, beforeHooks: userOf('joe') }, {}, 'h:h'],
      [
        'a header that a hook adds',
        { beforeHooks: [...userOf('joe'), (all) => void (all.requestOptions.headers.authorization = basic('k:k'))] },
        { user: 'u' },
        'k:k',
      ],
    ]) {
      it(`${what} is sent as one Authorization field at every hop`, async () => {
        const fields = await fieldsOf(
          { get: '/0', ...operation },
          (path, res) => {
            const n = Number(path.slice(1));
            if (n < 3) redirect(res, `/${n + 1}`, [`c${n}=1; Path=/`]);
          },
          options,
        );
        expect(fields.map(({ authorization }) => authorization)).to.deep.equal(Array(4).fill([basic(expected)]));
      });
    }

    it('a user in the URL is sent as one Authorization field at every hop, unless a hook sets another', () =>
      serving(
        (req, res) => (req.url === '/0' ? redirect(res, '/1') : res).end(),
        async (url, seen) => {
          const get = `${url.replace('://', '://url:secret@')}/0`;
          await benchrest([{ get }, { get, beforeHooks: userOf('joe') }], { ...ONE, httpClient });
          expect(seen.map(({ headers }) => headers.authorization)).to.deep.equal(
            ['url:secret', 'url:secret', 'joe:x', 'joe:x'].map(basic),
          );
        },
      ));

    it('a retry after a redirect sends the fields of its own hop, each once', () =>
      faulting(
        async (io, id) => {
          // the first connection closes during its third request
          for (let i = 0; ; i++) {
            const path = (await io.readRequest()).split(' ')[1];
            if (id === 0 && i === 2) return io.fin();
            if (path === '/b') await io.send(GOOD);
            else if (path === '/c') await io.send(GOOD);
            else
              await io.send(
                'HTTP/1.1 302 Found\r\nLocation: /c\r\nSet-Cookie: c=1; Path=/c\r\nSet-Cookie: a=2; Path=/a\r\nContent-Length: 0\r\n\r\n',
              );
          }
        },
        async (url, seen) => {
          const flow = ['/b', { get: '/a', headers: { cookie: 'own=1' }, beforeHooks: userOf('joe') }];
          const { stats } = await benchrest(flow, { ...ONE, baseUrl: url, httpClient });
          expect(stats.requests).to.include({ retries: 1, redirects: 1, answered: 3 });
          const retried = seen.heads.at(-1);
          expect(retried).to.match(/^GET \/c /);
          expect(retried.match(/^cookie: .*$/gim)).to.deep.equal(['cookie: own=1; c=1']);
          expect(retried.match(/^authorization: .*$/gim)).to.have.lengthOf(1);
        },
      ));

    it('a retry with little or no time left is a request timeout', () =>
      faulting(
        async (io, id) => {
          // a reused connection closes around the timeout of its second request; the new one of a retry never answers
          const [, path] = (await io.readRequest()).split(' ');
          if (path === '/late') return io.hang();
          await io.send(GOOD);
          await io.readRequest();
          await io.wait(95 + id);
          io.fin();
        },
        async (url) => {
          const options = { ...ONE, iterations: 8, baseUrl: url, httpClient };
          const { stats } = await benchrest(['/', { get: '/late', timeout: 100 }], options);
          balance(stats);
          expect(stats.iterations.failed).to.equal(8);
          expect(stats.errors.details.map(({ code }) => code)).to.deep.equal(['E_TIMEOUT_REQUEST']);
        },
      ));

    itSlow('N8 workers build every hop from the original request, and apply the changes of their hooks', () => {
      return serving(
        (req, res) => {
          const [, first, index] = req.url.split('/');
          if (first === 'a') redirect(res, `/c/${index}`, [`a=${index}; Path=/a`, `c=${index}; Path=/c`]);
          if (first === 'b') redirect(res, `/d/${index}`);
          res.end();
        },
        async (url, seen) => {
          const { stats } = await here('workers', () =>
            benchrest(FLOW, { limit: 4, iterations: 40, workers: 2, baseUrl: url, httpClient }),
          );
          expect(stats.errors.details).to.deep.equal([]);
          balance(stats, 40 * 3 + 20);
          for (const { url: path, headers } of seen) {
            const [, first, index] = path.split('/');
            if (first === 'c') expect(headers.cookie).to.equal(`own=1; c=${index}`);
            if (first === 'c') expect(Number(index) % 2).to.equal(0);
            if (first === 'd') expect(headers.authorization).to.equal(basic(`u${index}:`));
          }
        },
      );
    });
  });
}
