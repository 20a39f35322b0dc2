import { expect } from 'chai';

import benchrest from '../../../../index.js';
import { RequestLimits, limitLoad } from '../../../../lib/core/run/load/request-limits.js';
import { serving } from '../../../support/serve.js';
import { itSlow } from '../../../support/slow.js';

const MANY = { rate: 1e6, requests: 1e6, bytes: 1e9 };
/** Runs a flow with limits; the requests that the server saw, and the stats. */
const limited = (limits, flow, options, handler = (req, res) => res.end('ok')) =>
  serving(handler, async (url, seen) => {
    limitLoad({ ...MANY, ...limits });
    try {
      const { stats, endReason } = await benchrest(flow, { baseUrl: url, ...options });
      return { count: seen.length, seen, stats, endReason };
    } finally {
      limitLoad(undefined);
    }
  });
const redirecting = (req, res) => {
  const n = Number(req.url.slice(1));
  if (n < 5) res.writeHead(302, { location: `/${n + 1}` });
  res.end();
};

describe('run/load/request-limits', () => {
  it('turns are as far apart as the rate says, those of requests without a turn included', () => {
    let now = 0;
    const limits = new RequestLimits({ ...MANY, rate: 100 }, 1, { now: () => now });
    const connection = { send() {} };
    const transport = { connect: () => connection, totals: () => ({ bytesSent: 0, bytesReceived: 0 }) };
    limits
      .around(() => transport)({})
      .connect();
    expect([limits.takeTurn(now), limits.takeTurn(now)]).to.deep.equal([0, 10]);
    // Two with a turn, and two that a redirect makes
    for (let i = 0; i < 4; i++) connection.send({});
    expect(limits.takeTurn(now)).to.equal(40);
    now = 1000;
    expect(limits.takeTurn(now)).to.equal(0);
  });

  it('requests without a turn are at most a second and 20 requests early, then the run ends', () => {
    const limits = new RequestLimits({ ...MANY, rate: 100 }, 1, { now: () => 0 });
    let sent = 0;
    const connection = { send: () => sent++ };
    const transport = { connect: () => connection, totals: () => ({ bytesSent: 0, bytesReceived: 0 }) };
    limits
      .around(() => transport)({})
      .connect();
    for (let i = 0; i < 500; i++) connection.send({}, null, { onError() {} });
    expect(sent).to.equal(120);
  });

  it('each of several threads has its part', () => {
    const limits = new RequestLimits({ ...MANY, rate: 100 }, 4, { now: () => 0 });
    expect([limits.takeTurn(0), limits.takeTurn(0)]).to.deep.equal([0, 40]);
  });

  for (const [what, flow, options, handler] of [
    ['iterations', { main: ['/0'] }, { iterations: 500, limit: 4 }],
    ['repeat', { main: [{ get: '/0', repeat: 500 }] }, { iterations: 1, limit: 1 }],
    ['before', { before: [{ get: '/0', repeat: 500 }], main: ['/0'] }, { iterations: 1, limit: 1 }],
    ['the warm-up', { main: ['/0'] }, { warmup: '20s:2c', iterations: 1, limit: 1 }],
    ['redirects', { main: ['/0'] }, { iterations: 100, limit: 2 }, redirecting],
    [
      'a function',
      {
        main: [
          async ({ request }) => {
            for (let i = 0; i < 500; i++) await request({ get: '/0' });
          },
        ],
      },
      { iterations: 1, limit: 1 },
    ],
    ['workers', { main: ['/0'] }, { iterations: 500, limit: 4, workers: 2 }],
  ])
    (options.workers ? itSlow : it)(`a run ends at the most requests, whatever sends them: ${what}`, async () => {
      const { count, endReason } = await limited({ requests: 50 }, flow, options, handler);
      expect(count).to.be.within(10, 50);
      expect(endReason).to.equal('limit');
    });

  it('a run ends when it has sent and received the most bytes, also in the middle of a response', async () => {
    const handler = (req, res) => {
      const timer = setInterval(() => res.write(Buffer.alloc(64 * 1024)), 1);
      res.on('close', () => clearInterval(timer));
    };
    const options = { iterations: 1, limit: 1 };
    const { stats, endReason } = await limited({ bytes: 1e6 }, { main: ['/'] }, options, handler);
    expect(endReason).to.equal('limit');
    expect(stats.traffic?.bytesReceived ?? 0).to.be.below(100e6);
  });

  it('a run ends when its time since the first request is over, though nothing is answered', async () => {
    const options = { iterations: 1, limit: 1, gracefulStop: 0 };
    const { endReason } = await limited({ duration: 200 }, { main: ['/'] }, options, () => {});
    expect(endReason).to.equal('limit');
  });

  it('a teardown that does not wait for its turns ends at the rate, too', async () => {
    const flow = { main: [{ get: '/slow' }], afterMain: [{ get: '/a', repeat: 5000 }] };
    const options = { duration: '100ms', gracefulStop: '0s', limit: 1 };
    const { count } = await limited({ rate: 100 }, flow, options, (req, res) => req.url !== '/slow' && res.end());
    expect(count).to.be.below(2000);
  });

  it('iterations that wait for their turn when the run ends are no errors', async () => {
    const { stats, endReason } = await limited(
      { rate: 50, requests: 20 },
      { main: ['/'] },
      { forever: true, limit: 3 },
    );
    expect(endReason).to.equal('limit');
    // on a busy machine, requests that were sent may be overdue
    expect(stats.errors.count).to.be.at.most(stats.requests.cancelled);
  });

  it('a run within its limits ends as planned, and sends all', async () => {
    const { count, endReason } = await limited({}, { main: ['/0'] }, { iterations: 50, limit: 4 });
    expect([count, endReason]).to.deep.equal([50, 'completed']);
  });
});
