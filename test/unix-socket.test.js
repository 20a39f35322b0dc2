import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { NAMES } from './support/transports.js';

describe('unix sockets', () => {
  let folder;
  let path;
  let server;
  let seen;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    path = join(folder, 'app.sock');
    server = http.createServer((req, res) => {
      seen.push(`${req.method} ${req.url} ${req.headers.host}`);
      if (req.url.startsWith('/moved')) return res.writeHead(302, { location: '/here' }).end();
      return res.end('ok');
    });
    await new Promise((resolve) => server.listen(path, resolve));
  });
  beforeEach(() => (seen = []));
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  });

  for (const httpClient of NAMES) {
    const rows = [
      ['unix:/path:/uri', (at) => `unix:${at}:/a_#{INDEX}?x=1`, 'GET /a_0?x=1 localhost'],
      ['unix:/path alone', (at) => `unix:${at}`, 'GET / localhost'],
      ['http://unix:/path:/uri', (at) => `http://unix:${at}:/a`, 'GET /a localhost'],
      ['socketPath', (at) => ({ get: 'http://app/a', socketPath: at }), 'GET /a app'],
      ['a baseUrl', (at) => ({ baseUrl: `unix:${at}`, main: ['/a_#{INDEX}'] }), 'GET /a_0 localhost'],
      [
        'a baseUrl, with a hook that reads the body',
        (at) => ({
          baseUrl: `unix:${at}`,
          main: [{ get: '/a', qs: { x: 1 }, beforeHooks: [(all) => void all.requestOptions.uri] }],
        }),
        'GET /a?x=1 localhost',
      ],
    ];
    for (const [what, flow, line] of rows) {
      it(`${httpClient} connects to one by ${what}`, async () => {
        const run = benchrest(flow(path), { limit: 1, iterations: 1, httpClient });
        const { stats } = await run;
        expect(stats.errors.details).to.deep.equal([]);
        expect(seen).to.deep.equal([line]);
      });
    }

    it(`${httpClient} follows a redirect to the same socket`, async () => {
      const { errorCount } = await benchrest(`unix:${path}:/moved`, { limit: 1, iterations: 1, httpClient });
      expect(errorCount).to.equal(0);
      expect(seen).to.deep.equal(['GET /moved localhost', 'GET /here localhost']);
    });

    it(`${httpClient} reports a missing socket`, async () => {
      const { stats } = await benchrest(`unix:${path}x:/a`, { limit: 1, iterations: 3, httpClient });
      expect(stats.errors.kinds).to.deep.equal({ connect: 3 });
      expect(stats.errors.details[0].code).to.equal('ENOENT');
    });
  }
});
