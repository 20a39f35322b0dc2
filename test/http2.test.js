import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import net from 'node:net';
import { gzipSync } from 'node:zlib';

import { expect } from 'chai';

import bench from '../index.js';
import { mergeStats } from '../lib/addons/merge/measure/merge.js';
import { selfSigned } from './support/certificate.js';
import { command } from './support/command.js';
import { checkerOf } from './support/schemas.js';
import { listen, serving, shut } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const benchrest = (flow, options) => bench(flow, { httpClient: 'builtin', insecure: true, ...options });
const certificate = selfSigned('localhost');
const { NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR } = http2.constants;

const balanced = ({ iterations: { started, completed, failed, cancelled }, requests: { sent, ...requests } }) => {
  expect(started).to.equal(completed + failed + cancelled);
  expect(sent).to.equal(requests.answered + requests.unanswered + requests.cancelled);
};

const open = {
  h2c: (handler) => http2.createServer(handler),
  tls: (handler) => http2.createSecureServer(certificate, handler),
};
const modes = { h2c: 'prior-knowledge', tls: 'only' };

/** Runs `story(url, sessions)` with a server of HTTP/2, whose handler gets the body of each request. */
async function serving2(kind, handler, story, settings = {}) {
  const server = open[kind](async (req, res) => {
    let body = '';
    req.setEncoding('utf8');
    try {
      for await (const chunk of req) body += chunk;
    } catch {
      return;
    }
    handler(req, res, body);
  });
  if (settings) server.updateSettings(settings);
  const sessions = [];
  server.on('session', (session) => sessions.push(session.on('error', () => {})));
  server.on('sessionError', () => {});
  server.on('stream', (stream) => stream.on('error', () => {}));
  const url = await listen(server);
  try {
    return await story(kind === 'tls' ? url.replace('http:', 'https:') : url, sessions);
  } finally {
    for (const session of sessions) session.destroy();
    server.close();
    await once(server, 'close');
  }
}

const ok = (req, res) => res.end('ok');

const isResult = checkerOf('result');

describe('HTTP/2', () => {
  for (const kind of Object.keys(open)) {
    describe(kind, () => {
      itSlow('runs a flow of login, cookies, captures, redirects, bodies and hooks', () => {
        const seen = [];
        const handler = (req, res, body) => {
          seen.push(`${req.httpVersion} ${req.method} ${req.url} ${body.length} ${req.headers.cookie ?? ''}`);
          if (req.url === '/login') res.setHeader('set-cookie', ['session=1', 'other=2']);
          if (req.url === '/old') return res.writeHead(302, { location: `/items/${JSON.parse('7')}` }).end();
          if (req.method === 'POST') return res.writeHead(201).end(JSON.stringify({ id: 7, size: body.length }));
          return res.end(req.method === 'HEAD' ? undefined : `item ${req.headers['user-agent'] ? 'with agent' : ''}`);
        };
        return serving2(kind, handler, async (url, sessions) => {
          const flow = {
            baseUrl: url,
            headers: { 'X-Long': 'y'.repeat(40_000), Connection: 'keep-alive' },
            main: [
              { post: '/login', json: { user: 'u' } },
              {
                post: '/items',
                body: 'ü'.repeat(100_000),
                capture: { id: '$.id' },
                expect: { status: 201, json: { '$.id': 7, '$.size': 100_000 } },
              },
              { get: '/items/#{id}?n=#{INDEX}', headers: { 'X-Index': '#{INDEX}' } },
              { get: '/old' },
              { head: '/items/7' },
            ],
          };
          const { stats } = await benchrest(flow, { limit: 2, iterations: 6, http2: modes[kind] });
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.iterations.completed).to.equal(6);
          expect(stats.requests).to.include({ answered: 36, redirects: 6 });
          expect(stats.http2).to.include({ connections: 2, requests: 36, resets: 0, goAways: 0, waits: 0 });
          expect(sessions).to.have.lengthOf(2);
          expect(seen.filter((one) => one.startsWith('2.0 GET /items/7?n=5 0 session=1; other=2'))).to.have.lengthOf(1);
          balanced(stats);
        });
      });

      it('shares connections among virtual users, and obeys the limit of streams', () => {
        let inFlight = 0;
        let most = 0;
        const handler = (req, res) => {
          most = Math.max(most, ++inFlight);
          setImmediate(() => (inFlight--, res.end('ok')));
        };
        return serving2(kind, handler, async (url, sessions) => {
          const options = { limit: 20, iterations: 200, http2: modes[kind], connections: 2, streams: 3 };
          const { stats } = await benchrest(url, options);
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.requests.answered).to.equal(200);
          expect(sessions).to.have.lengthOf(2);
          expect(most).to.be.within(2, 6);
          expect(stats.http2.connections).to.equal(2);
          expect(stats.http2.waits).to.be.above(100);
          balanced(stats);
        });
      });
    });
  }

  it('waits for a stream if the server allows one at a time', () =>
    serving2(
      'h2c',
      ok,
      async (url) => {
        const { stats } = await benchrest(url, { limit: 5, iterations: 50, http2: 'prior-knowledge', connections: 1 });
        expect(stats.errors.details).to.deep.equal([]);
        expect(stats.requests.answered).to.equal(50);
        balanced(stats);
      },
      { maxConcurrentStreams: 1 },
    ));

  itSlow('sends bodies as the windows of the server allow, and reads large ones', () =>
    serving2(
      'h2c',
      (req, res, body) => res.end(body),
      async (url) => {
        const put = { put: url, body: 'x'.repeat(300_000), expect: { body: 'x'.repeat(300_000) } };
        const { stats } = await benchrest(put, { limit: 5, iterations: 10, http2: 'prior-knowledge', connections: 1 });
        expect(stats.errors.details).to.deep.equal([]);
        expect(stats.requests.answered).to.equal(10);
      },
      { initialWindowSize: 1000 },
    ),
  );

  describe('without HTTP/2 at the server', () => {
    const old = async (story) => {
      const server = https.createServer(certificate, (req, res) => res.end(req.httpVersion));
      let connections = 0;
      server.on('secureConnection', () => connections++);
      const url = (await listen(server)).replace('http:', 'https:');
      try {
        await story(url, () => connections);
      } finally {
        await shut(server);
      }
    };

    it('falls back to HTTP/1.1 on the same connections', () =>
      old(async (url, opened) => {
        const flow = { get: url, expect: { body: '1.1' } };
        for (const more of [{}, { connections: 1 }]) {
          const before = opened();
          const { stats } = await benchrest(flow, { limit: 3, iterations: 12, http2: true, ...more });
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.iterations.completed).to.equal(12);
          expect(stats.connections).to.include({ opened: 3, requestsOnReused: 9, closedByServer: 0 });
          expect(stats.http2).to.include({ fallbacks: 3, requests: 0, concurrency: null });
          isResult(stats);
          expect(isResult.errors).to.equal(null);
          expect(stats.requests.retries).to.equal(0);
          expect(opened() - before).to.equal(3);
          balanced(stats);
        }
      }));

    it('fails with http2: only, and says what to write', () =>
      old(async (url) => {
        const { stats } = await benchrest(url, { limit: 1, iterations: 2, http2: 'only' });
        expect(stats.errors.details.map(({ code }) => code)).to.deep.equal(['E_NO_HTTP2']);
        expect(stats.errors.details[0].message).to.include('write http2: true');
      }));

    it('fails with prior knowledge, in plain words', () =>
      serving(ok, async (url) => {
        const { stats } = await benchrest(url, { limit: 1, iterations: 1, http2: 'prior-knowledge' });
        expect(stats.errors.details).to.have.lengthOf(1);
        expect(stats.errors.details[0].message).to.match(/does not speak HTTP\/2: it answered in HTTP\/1\.1/);
      }));

    it('a server of HTTP/2 alone is named, with what to write', () =>
      serving2('h2c', ok, async (url) => {
        const { stats } = await benchrest(url, { limit: 1, iterations: 1 });
        expect(stats.errors.details[0].message).to.match(/speaks HTTP\/2.*write --http2 prior-knowledge/);
      }));

    it('the command notices that --http2 has no effect on http: URLs', () =>
      serving(ok, async (url) => {
        const { stderr } = await command(['--http2', '-n', '1', url]);
        expect(stderr.replace(/\s+/g, ' ')).to.include('no URL of the flow is https:');
      }));

    it('http: URLs are spoken to in HTTP/1.1, unless prior knowledge says more', () =>
      serving(ok, async (url) => {
        const { stats } = await benchrest(url, { limit: 1, iterations: 3, http2: true });
        expect(stats.requests.answered).to.equal(3);
        expect(stats.http2).to.equal(undefined);
      }));
  });

  it('an operation chooses its own version', () =>
    serving(
      (req, res) => res.end(req.httpVersion),
      (oldUrl) =>
        serving2(
          'h2c',
          (req, res) => res.end(req.httpVersion),
          async (url) => {
            const flow = [
              { get: url, http2: 'prior-knowledge', expect: { body: '2.0' } },
              { get: oldUrl, expect: { body: '1.1' } },
            ];
            const { stats } = await benchrest(flow, { limit: 1, iterations: 3 });
            expect(stats.errors.details).to.deep.equal([]);
            expect(stats.http2.requests).to.equal(3);
          },
        ),
    ));

  it('a request that was refused is repeated once', () => {
    let count = 0;
    const handler = (req, res, body) => {
      if (++count % 2 === 1) req.stream.close(NGHTTP2_REFUSED_STREAM);
      else res.end(body);
    };
    return serving2('h2c', handler, async (url) => {
      const flow = { post: url, body: 'once', expect: { body: 'once' } };
      const { stats } = await benchrest(flow, { limit: 1, iterations: 3, http2: 'prior-knowledge' });
      expect(stats.errors.details).to.deep.equal([]);
      expect(stats.requests).to.include({ answered: 3, retries: 3, unanswered: 3, sent: 6 });
      expect(stats.http2).to.include({ resets: 3, connections: 1 });
    });
  });

  it('an error of a stream is named by its code, and the connection is used again', () => {
    let count = 0;
    const handler = (req, res) => (++count === 2 ? req.stream.close(NGHTTP2_INTERNAL_ERROR) : res.end('ok'));
    return serving2('h2c', handler, async (url) => {
      const { stats } = await benchrest(url, { limit: 1, iterations: 4, http2: 'prior-knowledge' });
      expect(stats.errors.details.map(({ kind, code, count: n }) => [kind, code, n])).to.deep.equal([
        ['reset', 'INTERNAL_ERROR', 1],
      ]);
      const codes = [{ event: 'reset', code: 'INTERNAL_ERROR', count: 1 }];
      expect(stats.http2.codes).to.deep.equal(codes);
      expect(mergeStats([stats, stats], []).http2.codes).to.deep.equal([{ ...codes[0], count: 2 }]);
      expect(stats.connections.opened).to.equal(1);
      balanced(stats);
    });
  });

  it('after GOAWAY, requests use another connection', () => {
    const handler = (req, res) => {
      res.end('ok');
      req.stream.session.goaway();
    };
    return serving2('h2c', handler, async (url) => {
      const { stats } = await benchrest(url, { limit: 2, iterations: 10, http2: 'prior-knowledge', connections: 1 });
      expect(stats.errors.details).to.deep.equal([]);
      expect(stats.requests.answered).to.equal(10);
      expect(stats.http2.goAways).to.be.within(5, 10);
      balanced(stats);
    });
  });

  it('a request that takes too long is cancelled, and the connection is used again', () => {
    const codes = [];
    const handler = (req, res) => {
      if (req.url === '/slow') req.stream.on('close', () => codes.push(req.stream.rstCode));
      else res.end('ok');
    };
    return serving2('h2c', handler, async (url) => {
      const flow = { baseUrl: url, main: [{ get: '/fast' }, { get: '/slow', timeout: '50ms' }] };
      const { stats } = await benchrest(flow, { limit: 2, iterations: 4, http2: 'prior-knowledge', connections: 1 });
      expect(stats.errors.details.map(({ code, count }) => [code, count])).to.deep.equal([['E_TIMEOUT_REQUEST', 4]]);
      expect(stats.requests.answered).to.equal(4);
      expect(new Set(codes)).to.deep.equal(new Set([NGHTTP2_CANCEL]));
      balanced(stats);
    });
  });

  it('reads streams of events, and ends them early', () => {
    const handler = (req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const data of ['a', 'b', '[DONE]', 'c']) res.write(`data: ${data}\n\n`);
    };
    return serving2('h2c', handler, async (url) => {
      const flow = { get: url, stream: { kind: 'sse', events: 2 } };
      const { stats } = await benchrest(flow, { limit: 1, iterations: 3, http2: 'prior-knowledge' });
      expect(stats.errors.details).to.deep.equal([]);
      expect(stats.operations[0].stream).to.include({ count: 3, events: 6 });
      expect(stats.operations[0].stream.duration.max).to.be.at.most(stats.measuredElapsed);
      expect(stats.connections.opened).to.equal(1);
    });
  });

  it('decodes streams of events as they arrive', () => {
    const handler = (req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' });
      // the end never comes
      res.write(gzipSync('data: a\n\ndata: b\n\n'));
    };
    return serving2('h2c', handler, async (url) => {
      const flow = { get: url, stream: { kind: 'sse', events: 2 } };
      const { stats } = await benchrest(flow, { limit: 2, iterations: 6, http2: 'prior-knowledge', connections: 1 });
      expect(stats.errors.details).to.deep.equal([]);
      expect(stats.operations[0].stream).to.include({ count: 6, events: 12 });
      balanced(stats);
    });
  });

  it('goes through the tunnel of a proxy', async () => {
    const asked = [];
    const proxy = http.createServer().on('connect', (req, socket, head) => {
      const [host, port] = req.url.split(':');
      asked.push(req.url);
      const to = net.connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        to.write(head);
        to.pipe(socket).pipe(to);
      });
      for (const one of [to, socket]) one.on('error', () => {});
    });
    const proxyUrl = await listen(proxy);
    for (const kind of Object.keys(open)) {
      await serving2(
        kind,
        (req, res) => res.end(req.httpVersion),
        async (url) => {
          const flow = { get: url, expect: { body: '2.0' } };
          const { stats } = await benchrest(flow, { limit: 1, iterations: 2, http2: modes[kind], proxy: proxyUrl });
          expect(stats.errors.details).to.deep.equal([]);
          expect(asked.pop()).to.equal(new URL(url).host);
        },
      );
    }
    await shut(proxy);
  });

  it('divides shared connections among workers', () =>
    here('workers', () =>
      serving2('h2c', ok, async (url, sessions) => {
        const options = { limit: 4, iterations: 40, workers: 2, connections: 3, http2: 'prior-knowledge' };
        const { stats } = await benchrest(url, options);
        expect(stats.requests.answered).to.equal(40);
        expect(stats.http2.connections).to.equal(3);
        expect(sessions).to.have.lengthOf(3);
      }),
    ));

  describe('refuses before the first request', () => {
    const rows = [
      [['--connections', '2'], /is for HTTP\/2: set http2/],
      [['--http2', '--pipelining', '2'], /--pipelining: is for HTTP\/1\.1/],
      [['--http2', 'only'], /'only' is negotiated by TLS/],
      [['--http2', '--http-client', 'undici'], /not supported by the HTTP client undici/],
      [['--http2', '--connections', '2', '--requests-per-connection', '5'], /connections shares them/],
      [['--http2', '--connections', '1', '-w', '2'], /cannot be divided among 2 workers: each needs one/],
      [['--http2', '--connections', '2', '--shard', '1/3'], /cannot be divided among 3 shards: each needs one/],
      [['--http2=3'], /Expected true, false, 'only' or 'prior-knowledge'/],
      [['--http2', 'only', 'wss://127.0.0.1:9'], /a WebSocket \(\S+\) is opened by HTTP\/1\.1/],
    ];
    for (const [args, reason] of rows)
      it(args.join(' '), async () => {
        const source = args.at(-1).startsWith('wss:') ? [] : ['http://127.0.0.1:9'];
        const { code, stderr } = await command([...args, '-n', '4', '-c', '4', ...source]);
        expect(stderr.replace(/\s+/g, ' ')).to.match(reason);
        expect(code).to.be.above(0);
      });
  });

  it('the command names the version of HTTP before and after the run', () =>
    serving2('h2c', ok, async (url) => {
      const { stdout, stderr } = await command(['--http2', 'prior-knowledge', '--connections', '1', '-n', '4', url]);
      expect(stderr).to.include('HTTP/2, 1 shared connection');
      expect(stdout).to.match(/HTTP\/2 +1 connection, 4 requests on each/);
    }));

  const curl = 'curl --http2-prior-knowledge https://localhost:9/';
  for (const [args, names] of [
    [
      ['--http2', 'only', '--connections', '2', '--streams', '5', 'https://localhost:9/'],
      'HTTP/2; 2 shared connections; 5 in flight per connection',
    ],
    [['--http2', 'https://localhost:9/'], 'HTTP/2 where servers have it'],
    [['-e', curl], 'HTTP/2'],
    [
      ['-e', '{ main: [{ get: "https://localhost:9/", http2: true }, { get: "https://localhost:9/" }] }'],
      'HTTP/2 in some operations where servers have it',
    ],
    [
      ['--http2', '-e', '[{ get: "https://localhost:9/" }, { ws: "wss://localhost:9/", send: "a" }]'],
      'HTTP/2 where servers have it; WebSockets over HTTP/1.1',
    ],
  ])
    it(`--print-plan names its use: ${names}`, async () => {
      const { stdout, stderr } = await command(['--print-plan', '-n', '4', ...args]);
      const text = stdout.replace(/\s+/g, ' ').replace(', wss://localhost:9', '');
      expect(text, stderr).to.include(`https://localhost:9; ${names}; nothing is sent`);
    });
});
