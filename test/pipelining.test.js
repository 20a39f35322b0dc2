import { expect } from 'chai';

import bench from '../index.js';
import { faulty } from './support/faulty-server.js';
import { serving } from './support/serve.js';

/** undici does not pipeline */
const benchrest = (flow, options) => bench(flow, { transport: 'wire', ...options });
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const balanced = ({ iterations: { started, completed, failed, cancelled }, requests: { sent, ...requests } }) => {
  expect(started).to.equal(completed + failed + cancelled);
  expect(sent).to.equal(requests.answered + requests.failed + requests.cancelled);
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
        expect(stats.errors.samples).to.deep.equal([]);
        expect(stats.iterations.completed).to.equal(100);
        expect(stats.requests.connections).to.include({ opened: 2, reused: 98 });
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
    expect(stats.errors.samples).to.deep.equal([]);
    expect(stats.requests).to.include({ answered: 200, bytesReceived: 200 * OK.length });
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

  it('more responses than requests close the connection', async () => {
    const server = await faulty(async ({ readRequest, send }) => {
      for (;;) {
        await readRequest();
        await send(OK + OK + OK);
      }
    });
    const { stats } = await benchrest(server.url, { limit: 1, iterations: 10, pipelining: 2 });
    balanced(stats);
    expect(stats.requests.connections.opened).to.be.above(1);
    await server.close();
  });

  describe('limits hold for a connection, however many requests are in flight on it:', () => {
    /** The number of requests on each connection of a run. */
    const requestsPerSocket = async (options) => {
      const sockets = new Map();
      const count = (req, res) => {
        sockets.set(req.socket, (sockets.get(req.socket) ?? 0) + 1);
        res.end('ok');
      };
      const { stats } = await serving(count, (url) => benchrest(url, { pipelining: 4, ...options }));
      expect(stats.errors.samples).to.deep.equal([]);
      balanced(stats);
      return { counts: [...sockets.values()], stats };
    };

    it('reconnectRate', async () => {
      const { counts, stats } = await requestsPerSocket({ limit: 1, iterations: 400, reconnectRate: 5 });
      expect(counts).to.deep.equal(Array(80).fill(5));
      expect(stats.requests.connections).to.include({ opened: 80, asked: 1, reached: 1 });
    });

    it('maxConnectionRequests', async () => {
      const { counts, stats } = await requestsPerSocket({ limit: 2, maxConnectionRequests: 7 });
      expect(counts).to.deep.equal([7, 7]);
      expect(stats.requests.connections).to.include({ opened: 2, asked: 2, reached: 2 });
    });

    it('connectionRate', async () => {
      const { stats } = await requestsPerSocket({ limit: 1, iterations: 6, connectionRate: 50 });
      // timers may fire up to a millisecond early
      expect(stats.measuredElapsed).to.be.above(5 * 20 - 6);
    });

    it('the number of connections of a warm-up and of stages', async () => {
      for (const options of [
        { limit: 3, iterations: 60, warmup: { duration: 20, limit: 1 }, keepGoing: true },
        { limit: 1, maxOverallRequests: 60, stages: [{ duration: 60_000, limit: 3, ramp: false }] },
      ]) {
        const { counts } = await requestsPerSocket(options);
        expect(counts, JSON.stringify(options)).to.have.lengthOf(3);
      }
    });
  });

  const hook = () => {};
  const url = 'http://127.0.0.1/';
  const refused = [
    ['several operations', [url, url], {}, 'this flow has 2 operations per iteration'],
    ['a teardown', { main: [url], afterMain: [url] }, {}, 'this flow has 2 operations per iteration'],
    ['hooks', { get: url, afterHooks: [hook] }, {}, 'flow.main[0] has hooks'],
    [
      'a header that closes the connection',
      { get: url, headers: { CONNECTION: 'Close' } },
      {},
      'flow.main[0] sends Connection: close, so no request can follow',
    ],
    [
      'a default header that closes the connection',
      url,
      { headers: { connection: 'te, close' } },
      'flow.main[0] sends Connection: close, so no request can follow',
    ],
    ['tokens', `${url}#{INDEX}`, {}, 'flow.main[0] changes from iteration to iteration'],
  ];
  for (const [what, flow, options, reason] of refused) {
    it(`${what} are refused, with the reason`, () => {
      const run = () => benchrest(flow, { limit: 1, iterations: 1, pipelining: 2, ...options });
      expect(run).to.throw(
        `runOptions.pipelining: needs a flow of a single operation that never changes and has no hooks: ${reason}`,
      );
    });
  }
});
