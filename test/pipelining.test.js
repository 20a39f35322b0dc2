import { expect } from 'chai';

import bench from '../index.js';
import { Pipeline } from '../lib/core/transport/wire/pipeline.js';
import { faulting, faulty } from './support/faulty-server.js';
import { REQUEST, playWire, turn } from './support/played-wire.js';
import { serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';
import { exchange, requestTo, transporting } from './support/transports.js';
import { until } from './support/until.js';

/** undici does not pipeline */
const benchrest = (flow, options) => bench(flow, { httpClient: 'builtin', ...options });
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const balanced = ({ iterations: { started, completed, failed, cancelled }, requests: { sent, ...requests } }) => {
  expect(started).to.equal(completed + failed + cancelled);
  expect(sent).to.equal(requests.answered + requests.unanswered + requests.cancelled);
};

describe('pipelining', () => {
  it('sends several requests on a connection before the first response', () => {
    let inFlight = 0;
    let most = 0;
    return serving(
      (req, res) => {
        most = Math.max(most, ++inFlight);
        setTimeout(() => (inFlight--, res.end('ok')), 10);
      },
      async (url, seen) => {
        const { stats } = await benchrest(
          { put: url, body: 'ä'.repeat(10) },
          { limit: 2, iterations: 100, pipelining: 5 },
        );
        expect(stats.errors.details).to.deep.equal([]);
        expect(stats.iterations.completed).to.equal(100);
        expect(stats.connections).to.include({ opened: 2, requestsOnReused: 98 });
        expect(seen).to.have.lengthOf(100);
        expect(new Set(seen.map(({ body }) => body))).to.deep.equal(new Set(['ä'.repeat(10)]));
        expect(most).to.be.above(2);
        balanced(stats);
      },
    );
  });

  it('matches each response to its request, however the bytes are split', async () => {
    const server = await faulty(async ({ readRequest, send, wait }) => {
      for (let n = 0; ; n += 4) {
        for (let i = 0; i < 4; i++) await readRequest();
        const all = OK.repeat(4);
        const cut = n % all.length;
        await send(all.slice(0, cut));
        await wait(1);
        await send(all.slice(cut));
      }
    });
    const { stats } = await benchrest(server.url, { limit: 1, iterations: 200, pipelining: 4 });
    expect(stats.errors.details).to.deep.equal([]);
    expect(stats.requests.answered).to.equal(200);
    expect(stats.bytes.received).to.equal(200 * OK.length);
    await server.close();
  });

  it('requests after a response that closes the connection are retried once', async () => {
    const server = await faulty(async ({ readRequest, send, fin }) => {
      await readRequest();
      await send(OK.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
      await fin();
    });
    const { stats } = await benchrest(server.url, { limit: 1, iterations: 20, pipelining: 2, timeout: 5000 });
    balanced(stats);
    expect(stats.iterations.started).to.equal(20);
    expect(stats.iterations.completed).to.be.above(5);
    expect(Object.keys(stats.errors.kinds).filter((kind) => kind !== 'reset')).to.deep.equal([]);
    await server.close();
  });

  it('a request without a response closes the connection, and the requests after it fail', async () => {
    const server = await faulty(async ({ readRequest }) => {
      for (;;) await readRequest();
    });
    const { stats } = await benchrest(
      { post: server.url, body: 'x' },
      { limit: 1, iterations: 8, pipelining: 4, timeout: 100 },
    );
    balanced(stats);
    expect(stats.iterations.failed).to.equal(8);
    expect(Object.keys(stats.errors.kinds).sort()).to.include('timeout');
    await server.close();
  });

  describe('a request that is aborted ends no other one that was not sent yet:', () => {
    const rows = [
      ['both wait for the connection', { sent: [], connections: 1 }],
      ['it was sent, which ends the connection', { path: '/hung', sent: ['GET /hung HTTP/1.1'], connections: 2 }],
      ['it was answered', { sent: ['GET /a HTTP/1.1'], isAnswered: true, connections: 1 }],
    ];
    for (const [why, { path = '/a', sent, isAnswered = false, connections }] of rows) {
      it(why, () =>
        faulting(
          async (io) => {
            for (;;) if (!(await io.readRequest()).startsWith('GET /hung')) await io.send(OK);
          },
          (url, seen) =>
            transporting(
              'builtin',
              async (httpClient) => {
                const group = {};
                const { endpoint } = requestTo(url);
                const [one, other] = [1, 2].map(() => httpClient.connect(endpoint, undefined, group));
                const ended = exchange(one, requestTo(url + path));
                await until(() => seen.lines.length === sent.length);
                if (isAnswered) await ended;
                const answered = exchange(other, requestTo(`${url}/b`));
                one.abort(Object.assign(new Error('too late'), { code: 'E_LATE' }));
                expect(await answered).to.include({ status: 200, body: 'ok' });
                expect(await ended).to.include(isAnswered ? { status: 200 } : { code: 'E_LATE' });
                expect(seen.lines).to.deep.equal([...sent, 'GET /b HTTP/1.1']);
                expect(seen.connections).to.equal(connections);
              },
              { pipelining: 2 },
            ),
        ),
      );
    }
  });

  it('an internal error of a receiver fails no other request of the connection', async () => {
    const { wire } = playWire();
    const pipeline = new Pipeline(REQUEST.endpoint, wire);
    const socket = { writableLength: 0, write() {}, cork() {}, uncork() {}, destroy() {} };
    pipeline.dialled = () => socket;
    const log = [];
    const send = (name, onResponse) =>
      pipeline.addSlot().send(REQUEST, 'status', { onResponse, onError: ({ code }) => log.push(`${name} ${code}`) });
    send('a', () => {
      throw new Error('internal');
    });
    send('b', ({ statusCode }) => log.push(`b ${statusCode}`));
    await turn();
    pipeline.onOpen(socket, socket);
    const receive = () => pipeline.onData(socket, wire.buffer.write(OK));
    expect(receive).to.throw('internal');
    receive();
    expect(log).to.deep.equal(['b 200']);
  });

  it('more responses than requests close the connection', async () => {
    const server = await faulty(async ({ readRequest, send }) => {
      for (;;) {
        await readRequest();
        await send(OK + OK + OK);
      }
    });
    const { stats } = await benchrest(server.url, { limit: 1, iterations: 10, pipelining: 2 });
    balanced(stats);
    expect(stats.connections.opened).to.be.above(1);
    await server.close();
  });

  describe('limits hold for a connection, however many requests are in flight on it:', () => {
    /** The number of requests on each connection of a run. */
    const requestsPerSocket = async (options, main = ['/']) => {
      const sockets = new Map();
      const count = (req, res) => {
        sockets.set(req.socket, (sockets.get(req.socket) ?? 0) + 1);
        res.end('ok');
      };
      const { stats } = await serving(count, (url) => benchrest({ baseUrl: url, main }, { pipelining: 4, ...options }));
      expect(stats.errors.details).to.deep.equal([]);
      balanced(stats);
      return { counts: [...sockets.values()], stats };
    };

    itSlow('requestsPerConnection', async () => {
      const { counts, stats } = await requestsPerSocket({ limit: 1, iterations: 400, requestsPerConnection: 5 });
      expect(counts).to.deep.equal(Array(80).fill(5));
      expect(stats.connections.opened).to.equal(80);
      expect(stats.virtualUsers).to.include({ started: 1, answered: 1 });
    });

    it('maxRequestsPerUser', async () => {
      const { counts, stats } = await requestsPerSocket({ limit: 2, maxRequestsPerUser: 7 });
      expect(counts).to.deep.equal([7, 7]);
      expect(stats.connections.opened).to.equal(2);
      expect(stats.virtualUsers).to.include({ started: 2, answered: 2 });
    });

    it('ratePerUser', async () => {
      const { stats } = await requestsPerSocket({ limit: 1, iterations: 6, ratePerUser: 50 });
      // timers may fire up to a millisecond early
      expect(stats.measuredElapsed).to.be.above(5 * 20 - 6);
    });

    for (const rate of [undefined, 1000]) {
      it(`ratePerUser: iterations that wait for a turn do not start after the end of a run with rate ${rate}`, async () => {
        const { counts, stats } = await requestsPerSocket({ limit: 1, duration: 300, rate, ratePerUser: 0.01 });
        expect(counts).to.deep.equal([1]);
        expect(stats.iterations).to.include({ started: 1, completed: 1, cancelled: 0, dropped: rate ? 299 : 0 });
        expect(stats.measuredElapsed).to.be.below(50_000);
      });
    }

    it('ratePerUser: requests of running iterations are not behind iterations that have not started', async () => {
      const { stats } = await requestsPerSocket({ limit: 1, duration: 30, pipelining: 1000, ratePerUser: 50 }, [
        '/',
        '/',
      ]);
      expect(stats.iterations.cancelled).to.equal(0);
      expect(stats.measuredElapsed).to.be.below(10_000);
    });

    it('the number of connections of a warm-up and of stages', async () => {
      for (const options of [
        { limit: 3, iterations: 60, warmup: { duration: 20, limit: 1 }, keepGoing: true },
        { limit: 1, maxRequests: 60, stages: [{ duration: 60_000, limit: 3, ramp: false }] },
      ]) {
        const { counts } = await requestsPerSocket(options);
        expect(counts, JSON.stringify(options)).to.have.lengthOf(3);
      }
    });
  });

  describe('several operations, tokens and hooks', () => {
    /** Answers with the request line, in the order of the requests; logs them by connection. */
    const echoing = async (story, { answer = (line) => line } = {}) => {
      const connections = [];
      const server = await faulty(async ({ readRequest, send }) => {
        const own = [];
        connections.push(own);
        for (;;) {
          const [line] = (await readRequest()).split('\r\n');
          own.push(line.replace(' HTTP/1.1', ''));
          const body = answer(own.at(-1), own.length);
          await send(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
        }
      });
      try {
        return await story(server.url, connections);
      } finally {
        await server.close();
      }
    };

    it('requests with tokens leave in the order of their INDEX', () =>
      echoing(async (url, connections) => {
        const { stats } = await benchrest(`${url}/#{INDEX}`, { limit: 1, iterations: 50, pipelining: 5 });
        balanced(stats);
        expect(stats.iterations.completed).to.equal(50);
        expect(connections).to.deep.equal([Array.from({ length: 50 }, (_, i) => `GET /${i}`)]);
      }));

    it('each iteration sends its operations in series, and others fill the pipeline', () =>
      echoing(async (url, connections) => {
        const names = ['login', 'one', 'two', 'bye'];
        const [beforeMain, ...rest] = names.map((name) => [{ post: `${url}/${name}/#{INDEX}`, body: '#{INDEX}' }]);
        const flow = { beforeMain, main: [...rest[0], ...rest[1]], afterMain: rest[2] };
        const { stats } = await benchrest(flow, { limit: 2, iterations: 40, pipelining: 4 });
        balanced(stats);
        expect(stats.iterations.completed).to.equal(40);
        expect(stats.requests).to.include({ count: 160, answered: 160 });
        expect(connections).to.have.lengthOf(2);
        for (let index = 0; index < 40; index++) {
          const own = connections.filter((lines) => lines.includes(`POST /login/${index}`));
          expect(own).to.have.lengthOf(1);
          expect(own[0].filter((line) => line.endsWith(`/${index}`))).to.deep.equal(
            names.map((name) => `POST /${name}/${index}`),
          );
        }
        const mixed = connections[0].slice(0, 4).map((line) => line.split('/')[1]);
        expect(mixed).to.deep.equal(['login', 'login', 'login', 'login']);
      }));

    it('each hook gets the response of its own request, whose value the next request can use', () =>
      echoing(async (url, connections) => {
        const wrong = [];
        const check = (all) => {
          if (all.body !== `GET ${new URL(all.requestOptions.uri).pathname}`) wrong.push(all.body);
          all.iterCtx.seen = all.body.split('/').at(-1);
        };
        const use = (all) => (all.requestOptions.uri = `${url}/used/${all.iterCtx.seen}`);
        const flow = [
          { get: `${url}/first/#{INDEX}`, afterHooks: [check] },
          { get: url, beforeHooks: [async (all) => void use(all)], afterHooks: [check] },
        ];
        const { stats } = await benchrest(flow, { limit: 2, iterations: 60, pipelining: 6 });
        expect(stats.errors.details).to.deep.equal([]);
        expect(wrong).to.deep.equal([]);
        balanced(stats);
        const used = connections.flat().filter((line) => line.startsWith('GET /used/'));
        expect(new Set(used).size).to.equal(60);
      }));

    it('each iteration uses what it captured of its own response', () =>
      echoing(async (url, connections) => {
        const main = [
          { get: '/first/#{INDEX}', capture: { n: { text: '/first/(\\d+)' } } },
          { get: '/used/#{n}/#{INDEX}', expect: { body: 'GET /used/#{n}/#{INDEX}' } },
        ];
        const { stats } = await benchrest({ baseUrl: url, main }, { limit: 2, iterations: 60, pipelining: 6 });
        expect(stats.errors.details).to.deep.equal([]);
        balanced(stats);
        const used = connections.flat().flatMap((line) => /^GET \/used\/(\d+)\/(\d+)/.exec(line) ?? []);
        expect(used.length).to.equal(3 * 60);
        for (let i = 0; i < used.length; i += 3) expect(used[i + 1]).to.equal(used[i + 2]);
      }));

    it('each iteration has its own cookies and ETags', () =>
      serving(
        (req, res) => {
          const n = req.url.split('/').at(-1);
          if (req.url.startsWith('/login')) res.setHeader('set-cookie', `id=${n}; path=/`).setHeader('etag', `"${n}"`);
          else if (req.headers.cookie !== `id=${n}`) res.statusCode = 403;
          res.end();
        },
        async (url, seen) => {
          const flow = [{ post: `${url}/login/#{INDEX}` }, { get: `${url}/me/#{INDEX}` }];
          const { stats } = await benchrest(flow, { limit: 1, iterations: 50, pipelining: 8 });
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.connections.opened).to.equal(1);
          expect(seen).to.have.lengthOf(100);
        },
      ));

    for (const [what, act] of [
      ['closes the connection in the middle of a body', async ({ send, fin }) => (await send(OK.slice(0, -1)), fin())],
      ['resets the connection', async ({ rst }) => rst()],
      ['answers garbage', async ({ send }) => send('garbage\r\n\r\n')],
      [
        'says that it closes the connection',
        async ({ send, fin }) => (await send(OK.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n')), fin()),
      ],
    ])
      it(`every request is accounted for when the server ${what}`, async () => {
        const server = await faulty(async (socket) => {
          for (let n = 1; n < 7; n++) {
            await socket.readRequest();
            await socket.send(OK);
          }
          await socket.readRequest();
          await act(socket);
        });
        const flow = [`${server.url}/a/#{INDEX}`, { post: `${server.url}/b/#{INDEX}`, body: 'x' }, `${server.url}/c`];
        const { stats } = await benchrest(flow, { limit: 2, iterations: 60, pipelining: 4, timeout: 30_000 });
        balanced(stats);
        const { started, completed, failed } = stats.iterations;
        expect([started, completed + failed]).to.deep.equal([60, 60]);
        expect(failed).to.be.above(0);
        expect(stats.errors.count).to.equal(failed);
        expect(stats.operations.reduce((sum, { errors }) => sum + errors, 0)).to.equal(failed);
        expect(stats.validity.status).to.not.equal('invalid');
        await server.close();
      });

    it('a status that fails an iteration ends it alone', () =>
      serving(
        (req, res) => {
          res.statusCode = Number(req.url.slice(3)) % 3 === 0 && req.url.startsWith('/a') ? 500 : 200;
          res.end();
        },
        async (url, seen) => {
          const flow = [`${url}/a/#{INDEX}`, `${url}/b/#{INDEX}`];
          const { stats } = await benchrest(flow, { limit: 1, iterations: 30, pipelining: 5 });
          balanced(stats);
          expect(stats.iterations).to.include({ completed: 20, failed: 10 });
          expect(seen).to.have.lengthOf(50);
          expect(stats.connections.opened).to.equal(1);
        },
      ));

    it('limits of a connection hold', async () => {
      const flow = ['/a/#{INDEX}', '/b/#{INDEX}', '/c'];
      const all = await echoing(async (baseUrl, connections) => {
        await benchrest(flow, { baseUrl, limit: 2, maxRequestsPerUser: 13, pipelining: 4 });
        return connections.map(({ length }) => length);
      });
      expect(all).to.deep.equal([12, 12]);
      const anew = await echoing(async (baseUrl, connections) => {
        await benchrest(flow, { baseUrl, limit: 1, iterations: 20, requestsPerConnection: 6, pipelining: 4 });
        return connections.map(({ length }) => length);
      });
      expect(anew).to.deep.equal(Array(10).fill(6));
    });

    it('workers pipeline too', () =>
      echoing(async (baseUrl, connections) => {
        // each virtual user has its share, however late its worker begins
        const options = { baseUrl, limit: 2, iterations: 40, maxRequestsPerUser: 40, pipelining: 3, workers: 2 };
        const { stats } = await here('workers', () => benchrest(['/a/#{INDEX}', '/b/#{INDEX}'], options));
        balanced(stats);
        expect(stats.iterations.completed).to.equal(40);
        expect([connections.length, new Set(connections.flat()).size]).to.deep.equal([2, 80]);
      }));
  });

  const url = 'http://127.0.0.1/';
  const closing = { get: `${url}#{INDEX}`, headers: { CONNECTION: 'Close' } };
  const refused = [
    ['a header that closes the connection', [url, closing], {}, 'flow.main[1]'],
    ['a default header that closes the connection', url, { headers: { connection: 'te, close' } }, 'flow.main[0]'],
    ['a run without keep-alive', url, { keepAlive: false }, 'flow.main[0]'],
    ['an operation without keep-alive', [url, { get: url, keepAlive: false }], {}, 'flow.main[1]'],
    ['a teardown that closes the connection', { main: [url], afterMain: [closing] }, {}, 'flow.afterMain[0]'],
  ];
  for (const [what, flow, options, where] of refused) {
    it(`${what} is refused, with its operation`, () => {
      const run = () => benchrest(flow, { limit: 1, iterations: 1, pipelining: 2, ...options });
      const reason =
        'sends Connection: close, so no request can follow on its connection: keep it alive, or remove pipelining';
      expect(run).to.throw(`runOptions.pipelining: ${where} ${reason}`);
    });
  }

  it('undici refuses it: its Client starts the next request when the last one is answered', () => {
    const run = () => bench(url, { limit: 1, iterations: 1, pipelining: 2, httpClient: 'undici' });
    expect(run).to.throw('runOptions.pipelining: not supported by the HTTP client undici: use builtin');
  });
});
