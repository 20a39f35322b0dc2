import http from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { expect } from 'chai';

import benchrest from '../../index.js';
import { RUN_OPTIONS } from '../../lib/core/run/options/index.js';
import { GUIDE_ROWS } from '../support/migration-guide.js';
import { proxying } from '../support/proxy.js';
import { ok, serving } from '../support/serve.js';
import { namesIn, refused, sending } from './expectations.js';

const ONE = { limit: 1, iterations: 1 };
const JOE = { user: 'joe', password: 'x' };
const JOE_FIELD = `authorization: Basic ${btoa('joe:x')}`;

/** Runs operations against a server, which redirects to another one and names it: what the other one got. */
async function elsewhere(operationsOf, options) {
  let seen;
  await serving(ok, (other, got) => {
    seen = got;
    const answer = (req, res) =>
      req.url === '/away'
        ? res.writeHead(302, { location: `${other}/b` }).end()
        : res.setHeader('x-where', `${other}/b`).end();
    return serving(answer, (url) => benchrest(operationsOf(url, other), { ...ONE, ...options }));
  });
  return seen;
}

/** URLs, redirects, credentials, cookies and connections. @type {import('../migrating-from-1.test.js').Stories} */
export const CONNECTIONS = {
  'An operation has a timeout': {
    async here({ runs, url }) {
      expect(RUN_OPTIONS.find(({ name }) => name === 'timeout').default).to.equal(30_000);
      const { errors } = await runs({ get: `${url}/a`, timeout: 500, beforeHooks: [() => new Promise(() => {})] });
      expect(errors.map(({ code }) => code)).to.deep.equal(['E_TIMEOUT_HOOK']);
    },
    async instead({ command, runs, url, codes: [none, flag], valueOf }) {
      const slow = { afterHooks: [() => new Promise((resolve) => setTimeout(resolve, 50))] };
      const { errors } = await runs({ get: `${url}/a`, ...valueOf(`{ ${none} }`), ...slow }, { timeout: 10 });
      expect(errors).to.deep.equal([]);
      const { stdout } = await command([...flag.split(' '), '--print-config', url]);
      expect(stdout).to.match(/^timeout +120000 /m);
    },
  },
  'The codes of timeouts': {
    async instead({ runs, url, codes: [code], valueOf }) {
      const { errors } = await runs([`${url}/a`, { get: `${url}/never`, timeout: 300 }]);
      expect(errors.map((err) => valueOf(code, { err }))).to.deep.equal([true]);
    },
  },
  'URLs are read as browsers': {
    instead: sending(({ url }) => `${url}/a%2F..%2Fb?x=%7B1%7D%7C`, ['GET /a%2F..%2Fb?x=%7B1%7D%7C, host: TARGET']),
  },
  'URLs that no request': {
    async instead({ runs, url, codes: [baseUrl, whole] }) {
      const { requests } = await runs({
        [baseUrl]: url,
        main: ['/items', whole.replace('http://localhost:8000', url)],
      });
      expect(requests).to.deep.equal(['GET /items, host: TARGET', 'GET /items, host: TARGET']);
    },
  },
  'Redirects never carry': {
    async here() {
      const [{ headers }] = await elsewhere((url) => ({ get: `${url}/away`, headers: { Authorization: 'x' } }));
      expect(headers).not.to.have.property('authorization');
      expect(headers.referer).to.match(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    },
    async instead({ codes: [property], valueOf }) {
      const headers = { Authorization: 'x' };
      const own = (url, other) => [
        { get: `${url}/away`, ...valueOf(`{ ${property} }`) },
        { get: other, headers },
      ];
      expect((await elsewhere(own)).map((seen) => seen.headers.authorization)).to.deep.equal(['x']);
    },
  },
  'Credentials of the run': {
    async here() {
      const [{ headers }] = await elsewhere((url) => captured(url), JOE);
      expect(headers).not.to.have.property('authorization');
    },
    async instead({ codes: [flag, property] }) {
      expect(flag).to.match(/^--credentials-for /);
      const [named] = await elsewhere((url) => captured(url), { ...JOE, credentialsFor: '127.0.0.1' });
      const [own] = await elsewhere((url) => captured(url, { [property]: { user: 'joe', pass: 'x' } }), JOE);
      for (const { headers } of [named, own]) expect(`authorization: ${headers.authorization}`).to.equal(JOE_FIELD);
    },
  },
  'A `unix:` URL': {
    here: ({ runs, folder }) =>
      onSocket(folder, async (socketPath, seen) => {
        const write = (all) => void (all.requestOptions.uri = `http://unix:${socketPath}:/a`);
        const { errors } = await runs({ get: 'http://app/', beforeHooks: [write] });
        expect([errors.length, seen]).to.deep.equal([1, []]);
      }),
    instead: ({ runs, folder, codes: [name] }) =>
      onSocket(folder, async (path, seen) => {
        const write = (all) => void Object.assign(all.requestOptions, { [name]: path, uri: 'http://app/hook' });
        await runs([
          { get: 'http://app/own', [name]: path },
          { get: 'http://app/', beforeHooks: [write] },
        ]);
        expect(seen).to.deep.equal(['/own', '/hook']);
      }),
  },
  '`maxRedirects: 0`': {
    async instead({ runs, url, codes: [hook] }) {
      const { errorCount } = await runs({ get: `${url}/redirect/302`, maxRedirects: 0, afterHooks: [hook] });
      expect(errorCount).to.equal(1);
    },
  },
  'Redirects have the status': {
    instead: sending(
      ({ url }) => `${url}/redirect/302`,
      ['GET /redirect/302, host: TARGET', 'GET /landed, host: TARGET, referer: http://TARGET/redirect/302'],
    ),
  },
  'A redirect by 301 or 302': {
    async instead({ runs, url }) {
      const { requests } = await runs({ put: `${url}/redirect/303`, followAllRedirects: true });
      expect(requests[1]).to.match(/^GET \/landed, /);
    },
  },
  '`jar: false` means': {
    instead: sending(
      ({ url }) => [`${url}/cookie/1`, `${url}/a`],
      ['GET /cookie/1, host: TARGET', 'GET /a, cookie: s=1, host: TARGET'],
    ),
  },
  '`before` and `after` have cookies': {
    async instead({ runs, url, codes: [property], valueOf }) {
      const without = { get: `${url}/b`, ...valueOf(`{ ${property} }`) };
      const { requests } = await runs({ before: [`${url}/cookie/1`, without], main: [`${url}/a`] });
      expect(requests[1]).to.equal('GET /b, host: TARGET');
    },
  },
  '`Secure` cookies': {
    here: () =>
      serving(
        (req, res) => res.setHeader('set-cookie', 's=1; Secure').end(),
        async (url, seen) => {
          for (const host of ['127.0.0.1', 'localhost']) {
            seen.length = 0;
            const at = url.replace('127.0.0.1', host);
            await benchrest([at, at], { ...ONE, family: 4 });
            expect(seen.map(({ headers }) => headers.cookie)).to.deep.equal([undefined, 's=1']);
          }
        },
      ),
  },
  'Cookies that browsers refuse': {
    here: () =>
      serving(
        (req, res) => res.setHeader('set-cookie', ['a=1; SameSite=None', `b=${'x'.repeat(4096)}`, '__Host-c=1']).end(),
        async (url, seen) => {
          await benchrest([url, url], ONE);
          expect(seen.map(({ headers }) => headers.cookie)).to.deep.equal([undefined, undefined]);
        },
      ),
    async instead({ runs, url, codes: [property], valueOf }) {
      const { requests } = await runs({ get: `${url}/a`, ...valueOf(`{ ${property} }`) });
      expect(requests).to.deep.equal(['GET /a, cookie: a=1, host: TARGET']);
    },
  },
  '`gzip: true` accepts': {
    async instead({ runs, url, codes: [property], valueOf }) {
      const { requests } = await runs({ get: `${url}/gzip`, gzip: true, ...valueOf(`{ ${property} }`) });
      expect(requests).to.deep.equal(['GET /gzip, accept-encoding: gzip, host: TARGET']);
    },
  },
  'A compressed response that is cut': {
    async instead({ runs, url, codes: [property], valueOf }) {
      let body;
      const read = (all) => void (body = all.body);
      const { errors } = await runs({ get: `${url}/cut`, ...valueOf(`{ ${property} }`), afterHooks: [read] });
      expect([errors, typeof body]).to.deep.equal([[], 'string']);
    },
  },
  'A compressed response is decoded': {
    async instead({ runs, url, codes: [property], valueOf }) {
      let body;
      const read = (all) => void (body = all.body);
      const headers = { 'Accept-Encoding': 'gzip' };
      await runs({ get: `${url}/gzip`, headers, ...valueOf(`{ ${property} }`), afterHooks: [read] });
      expect(gunzipSync(body).toString()).to.equal('packed');
    },
  },
  'A user without a password': {
    async instead({ runs, url, codes: [property], valueOf }) {
      const { requests } = await runs(`${url}/a`, { user: 'joe', ...valueOf(`{ ${property} }`) });
      expect(requests).to.deep.equal([`GET /a, authorization: Basic ${btoa('joe:undefined')}, host: TARGET`]);
    },
  },
  'An `Authorization` of': {
    instead: sending(({ url }) => `${url}/a`, [`GET /a, ${JOE_FIELD}, host: TARGET`], JOE),
  },
  '`followOriginalHttpMethod`': {
    async instead({ runs, url }) {
      for (const status of [307, 308]) {
        const { requests } = await runs({ post: `${url}/redirect/${status}`, body: 'x', followAllRedirects: true });
        expect(requests[1]).to.match(/^POST \/landed, .* <x>$/);
      }
    },
  },
  'Options of the request library': {
    async here({ runs, url }) {
      const { differs } = GUIDE_ROWS.find((row) => row.differs.startsWith('Options of the request library'));
      const options = namesIn(differs);
      expect(options).to.have.lengthOf.above(8);
      const own = Object.fromEntries(options.map((name) => [name, { a: 1 }]));
      const { requests, notices, errors } = await runs({ get: `${url}/a`, ...own });
      expect([requests, errors]).to.deep.equal([['GET /a, host: TARGET'], []]);
      for (const name of options) expect(notices.join()).to.include(`flow.main[0].${name}: `);
    },
    async instead({ runs, url }) {
      const { requests, notices } = await runs(`${url}/a`, { iterations: 2 });
      expect([requests.length, notices]).to.deep.equal([2, []]);
    },
  },
  '`HTTP_PROXY`': {
    here: ({ command, url, requests }) =>
      proxying(async (proxy, seen) => {
        await command([`${url}/a`], { env: { HTTP_PROXY: proxy, http_proxy: proxy } });
        expect([seen, requests()]).to.deep.equal([[], ['GET /a, host: TARGET']]);
      }),
    instead: ({ command, runs, url, codes: [property, flag] }) =>
      proxying(async (proxy, seen) => {
        await runs({ get: `${url}/own`, [property]: proxy });
        await command([flag, proxy, `${url}/flag`]);
        expect(seen.map(({ line }) => line)).to.deep.equal([`GET ${url}/own`, `GET ${url}/flag`]);
      }),
  },
  '`tunnel: false`': {
    here: () => {
      const proxy = 'http://127.0.0.1:1';
      refused({ get: 'https://127.0.0.1/', proxy, tunnel: false }, /tunnel/);
      refused({ get: 'http://127.0.0.1/', proxy, headers: { 'Proxy-Authorization': 'x' } }, /Proxy-Authorization/);
    },
    instead: ({ runs, url, codes: [property], valueOf }) =>
      proxying(async (at, seen) => {
        await runs({ get: `${url}/a`, ...valueOf(`{ ${property.replace('proxy:3128', new URL(at).host)} }`) });
        expect(seen[0].headers['proxy-authorization']).to.equal(`Basic ${btoa('user:password')}`);
      }),
  },
  '`Connection: keep-alive` is not': {
    here: () =>
      serving(ok, async (url, seen) => {
        await benchrest([url, { get: url, headers: { Connection: 'close' } }], { ...ONE, httpClient: 'builtin' });
        expect(seen.map(({ headers }) => headers.connection)).to.deep.equal([undefined, 'close']);
      }),
    instead: () =>
      serving(
        (req, res) => res.end(String(req.socket.remotePort)),
        async (url) => {
          const ports = [];
          await benchrest({ get: url, afterHooks: [(all) => void ports.push(all.body)] }, { limit: 1, iterations: 3 });
          expect(new Set(ports).size).to.equal(1);
        },
      ),
  },
};

/** The URL of another server is in a response. */
const captured = (url, operation = {}) => [
  { get: `${url}/where`, capture: { where: { header: 'x-where' } } },
  { get: '#{where}', ...operation },
];

/** Tells a story of a server on a Unix socket. */
async function onSocket(folder, story) {
  const path = join(folder, 'app.sock');
  const seen = [];
  const server = http.createServer((req, res) => res.end(seen.push(req.url) && 'ok'));
  await new Promise((resolve) => server.listen(path, resolve));
  try {
    await story(path, seen);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
