import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { fields, recorded, recording } from './support/har.js';
import { serving } from './support/serve.js';

const SHOP = 'https://shop.example';
const COMMON = fields({
  ':authority': 'shop.example',
  Host: 'shop.example',
  Connection: 'keep-alive',
  'Accept-Encoding': 'gzip, deflate, br',
});

/** As the developer tools of Firefox write it. */
const FIREFOX = {
  log: {
    version: '1.2',
    creator: { name: 'Firefox', version: '128.0' },
    browser: { name: 'Firefox', version: '128.0' },
    pages: [
      {
        id: 'page_1',
        pageTimings: { onContentLoad: 10, onLoad: 20 },
        startedDateTime: '2026-01-05T10:00:00.000+01:00',
        title: SHOP,
      },
    ],
    entries: [
      {
        startedDateTime: '2026-01-05T10:00:00.000+01:00',
        request: {
          bodySize: 0,
          method: 'GET',
          url: `${SHOP}/`,
          httpVersion: 'HTTP/2',
          headers: COMMON,
          cookies: [],
          queryString: [],
          headersSize: 9,
          postData: { mimeType: '', params: [], text: '' },
        },
        response: {
          status: 200,
          statusText: 'OK',
          httpVersion: 'HTTP/2',
          headers: [],
          cookies: [],
          content: { mimeType: 'text/html', size: 2, text: 'ok' },
          redirectURL: '',
          headersSize: 1,
          bodySize: 2,
        },
        cache: {},
        timings: { blocked: 0, dns: 0, connect: 0, ssl: 0, send: 0, wait: 9, receive: 0 },
        time: 9,
        _securityState: 'secure',
        serverIPAddress: '192.0.2.1',
        connection: '443',
        pageref: 'page_1',
      },
      {
        startedDateTime: '2026-01-05T10:00:01.000+01:00',
        request: {
          bodySize: 21,
          method: 'POST',
          url: `${SHOP}/login`,
          httpVersion: 'HTTP/2',
          cookies: [],
          queryString: [],
          headersSize: 9,
          headers: [
            ...COMMON,
            ...fields({ 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '21', Origin: SHOP }),
          ],
          postData: {
            mimeType: 'application/x-www-form-urlencoded',
            params: fields({ user: 'a b' }),
            text: 'user=a+b&password=x%26',
          },
        },
        response: { status: 302, redirectURL: '/me', headers: [], cookies: [], content: {} },
        cache: {},
        timings: {},
        time: 5,
        pageref: 'page_1',
      },
      {
        startedDateTime: '2026-01-05T10:00:01.100+01:00',
        request: { method: 'GET', url: `${SHOP}/me`, headers: COMMON },
        response: { status: 200 },
        time: 5,
      },
    ],
  },
};

/** As the developer tools of Chromium write it. */
const CHROMIUM = {
  log: {
    version: '1.2',
    creator: { name: 'WebInspector', version: '537.36' },
    pages: [],
    entries: [
      {
        _connectionId: '7',
        _initiator: { type: 'other' },
        _priority: 'VeryHigh',
        _resourceType: 'document',
        cache: {},
        connection: '443',
        request: {
          method: 'GET',
          url: `${SHOP}/`,
          httpVersion: 'http/2.0',
          headers: COMMON,
          queryString: [],
          cookies: [],
          headersSize: -1,
          bodySize: 0,
        },
        response: { status: 200, statusText: '', _transferSize: 9, _error: null, _fetchedViaServiceWorker: false },
        serverIPAddress: '192.0.2.1',
        startedDateTime: '2026-01-05T10:00:00.001Z',
        time: 40.5,
        timings: {},
      },
      {
        _fromCache: 'memory',
        _resourceType: 'script',
        cache: {},
        request: {
          method: 'GET',
          url: `${SHOP}/app.js`,
          httpVersion: 'http/2.0',
          headers: [],
          queryString: [],
          cookies: [],
          headersSize: -1,
          bodySize: 0,
        },
        response: { status: 200 },
        startedDateTime: '2026-01-05T10:00:00.050Z',
        time: 0.5,
      },
      {
        _resourceType: 'websocket',
        _webSocketMessages: [{ type: 'send', time: 1, opcode: 1, data: 'x' }],
        cache: {},
        request: { method: 'GET', url: 'wss://shop.example/live', headers: [] },
        response: { status: 101 },
        startedDateTime: '2026-01-05T10:00:00.060Z',
        time: 9,
      },
      {
        _resourceType: 'fetch',
        cache: {},
        request: {
          method: 'POST',
          url: `${SHOP}/cart?id=1`,
          httpVersion: 'h3',
          queryString: fields({ id: '1' }),
          cookies: [],
          headersSize: -1,
          bodySize: 9,
          headers: [...COMMON, ...fields({ 'content-type': 'application/json', 'content-length': '9' })],
          postData: { mimeType: 'application/json', text: '{"n":"ü"}' },
        },
        response: { status: 201 },
        startedDateTime: '2026-01-05T10:00:00.100Z',
        time: 3,
      },
      {
        request: { method: 'GET', url: `${SHOP}/blocked`, headers: [] },
        response: { status: 0, _error: 'net::ERR_BLOCKED_BY_CLIENT' },
        startedDateTime: '2026-01-05T10:00:00.200Z',
        time: 1,
      },
    ],
  },
};

/** Sets a session cookie at /login, and redirects from it. */
const shop = (req, res) => {
  if (req.url !== '/login') return res.end('ok');
  return res.writeHead(302, { location: '/me', 'set-cookie': 'session=new' }).end();
};

describe('HAR recordings', () => {
  let folder;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'bench-rest-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name, document) => {
    writeFileSync(join(folder, name), JSON.stringify(document, null, 2));
    return join(folder, name);
  };

  it('a recording of Firefox is sent as it was recorded, with the cookies of the server', () =>
    serving(shop, async (baseUrl, seen) => {
      const { stats } = await benchrest(file('firefox.har', FIREFOX), { baseUrl, limit: 1, iterations: 1 });
      expect(stats.errors.details).to.deep.equal([]);
      const host = new URL(baseUrl).host;
      expect(seen.map(({ line, body }) => `${line} ${body}`)).to.deep.equal([
        'GET / ',
        'POST /login user=a+b&password=x%26',
        'GET /me ',
      ]);
      expect(seen[0].headers).to.include({ host, 'accept-encoding': 'gzip, deflate, br' });
      expect(seen[1].headers).to.include({
        origin: baseUrl,
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': '22',
      });
      expect(seen[2].headers).to.include({ cookie: 'session=new' });
      expect(stats.operations.map(({ name }) => name)).to.deep.equal(['GET /', 'POST /login', 'GET /me']);
    }));

  it('a recording of Chromium, as .json: what was left out is counted and named on stderr', () =>
    serving(shop, async (url, seen) => {
      const { code, stderr } = await command([
        '-n',
        '2',
        '-c',
        '1',
        '--base-url',
        url,
        file('chromium.json', CHROMIUM),
      ]);
      expect(stderr).to.include(`chromium.json: sends 2 of 5 recorded requests, those to ${SHOP}; left out:`);
      for (const line of ["from the browser's cache", 'WebSocket: log.entries[2]', 'without a response'])
        expect(stderr).to.include(line);
      expect(code).to.equal(0);
      expect(seen.map(({ line, body }) => `${line} ${body}`)).to.deep.equal(
        [1, 2].flatMap(() => ['GET / ', 'POST /cart?id=1 {"n":"ü"}']),
      );
    }));

  it('a program is warned of what was left out', () =>
    serving(shop, async (baseUrl) => {
      const warned = new Promise((resolve) => process.once('warning', resolve));
      await benchrest(file('warning.har', CHROMIUM), { baseUrl, limit: 1, iterations: 1 });
      const { name, message } = await warned;
      expect(name).to.equal('BenchRestWarning');
      expect(message).to.match(/warning\.har: sends 2 of 5/);
    }));

  it('--har-cookies sends the recorded cookies, and -H replaces a recorded field, in workers too', () =>
    serving(shop, async (url, seen) => {
      const entries = [
        recorded(`GET ${SHOP}/login`, { headers: fields({ Cookie: 'old=1', Authorization: 'Bearer old' }) }),
        recorded(`GET ${SHOP}/me`, { at: 5, cookies: fields({ old: '2' }) }),
      ];
      const path = file('cookies.har', recording(...entries));
      const args = [
        '--har-cookies',
        '-H',
        'authorization: Bearer new',
        '-w',
        '1',
        '-n',
        '1',
        '-c',
        '1',
        '--base-url',
        url,
        path,
      ];
      expect((await command(args)).code).to.equal(0);
      expect(seen.map(({ headers: { cookie, authorization } }) => ({ cookie, authorization }))).to.deep.equal([
        { cookie: 'old=1', authorization: 'Bearer new' },
        { cookie: 'old=2', authorization: 'Bearer new' },
      ]);
    }));

  it('harTiming pauses between the requests', () =>
    serving(shop, async (baseUrl) => {
      const path = file(
        'timing.har',
        recording(recorded(`GET ${SHOP}/1`, { time: 5 }), recorded(`GET ${SHOP}/2`, { at: 45 })),
      );
      const start = performance.now();
      await benchrest(path, { baseUrl, limit: 1, iterations: 3, harTiming: true });
      expect(performance.now() - start).to.be.at.least(3 * 39);
    }));

  it('the requests go to the embedded target with --serve', async () => {
    const path = file('echo.har', recording(recorded(`GET ${SHOP}/echo`)));
    const { code, stderr } = await command(['--serve', '-n', '1', path]);
    expect(stderr).to.not.include('left out');
    expect(code).to.equal(0);
  });

  it('without --base-url the recorded origin is the target', async () => {
    const { stdout } = await command(['--print-config', file('origin.har', recording(recorded(`GET ${SHOP}/`)))]);
    expect(stdout).to.match(new RegExp(`baseUrl +"${SHOP}"  \\(.*origin\\.har\\)`));
  });

  it('a status that the recording has is no error, another one is', () =>
    serving(
      (req, res) => res.writeHead(404).end(),
      async (baseUrl) => {
        const path = file(
          'status.har',
          recording(recorded(`GET ${SHOP}/a`, { status: 404 }), recorded(`GET ${SHOP}/b`, { at: 1 })),
        );
        const { stats } = await benchrest(path, { baseUrl, limit: 1, iterations: 1 });
        expect(stats.errors.details.map(({ path, operation }) => [path, operation])).to.deep.equal([
          ['flow.main[1]', 'GET /b'],
        ]);
      },
    ));

  for (const name of ['harCookies', 'harTiming']) {
    it(`${name} is refused for another flow`, async () => {
      const options = { limit: 1, iterations: 1, [name]: true };
      const failure = await Promise.resolve()
        .then(() => benchrest('http://127.0.0.1:9/', options))
        .catch((error) => error);
      expect(failure).to.have.property('code', 'E_RUN_OPTIONS');
      expect(failure.message).to.include(`${name}: is an option of recordings`);
    });
  }
});
