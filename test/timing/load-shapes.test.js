import { expect } from 'chai';

import benchrest from '../../index.js';
import { scaled } from '../support/scale.js';
import { ok, serving } from '../support/serve.js';
import { undisturbed, until } from '../support/until.js';

const balanced = ({ iterations: { started, completed, failed, cancelled } }) =>
  expect(started).to.equal(completed + failed + cancelled);

describe('load profiles', () => {
  it('S5 a duration ends a closed run, and running iterations finish', () =>
    serving(
      (req, res) => setTimeout(() => res.end(), 50),
      async (url, seen) => {
        const { stats, endReason } = await benchrest(url, { limit: 3, duration: 300 });
        expect(endReason).to.equal('completed');
        expect(stats.iterations.started).to.be.within(3, 30);
        expect(stats.iterations.completed).to.equal(seen.length);
        balanced(stats);
      },
    ));

  it('a run with a duration and iterations ends at the first of the two', () =>
    serving(ok, async (url) => {
      const { stats } = await benchrest(url, { limit: 2, duration: '1h', iterations: 10 });
      expect(stats.iterations.completed).to.equal(10);
    }));

  it('forever runs until it is stopped', () =>
    serving(ok, async (url) => {
      const run = benchrest(url, { limit: 2, forever: true, progress: 20 });
      run.on('progress', ({ iterations }) => iterations.completed > 20 && run.stop());
      const { stats, endReason } = await run;
      expect(endReason).to.equal('stopped');
      expect(stats.iterations.completed).to.be.above(20);
      balanced(stats);
    }));

  it('S3 a rate starts rate times duration iterations, and the progress ends at 100 %', () =>
    serving(ok, async (url, seen) => {
      const ticks = [];
      const { stats } = await benchrest(url, { limit: 20, rate: 200, duration: 1000, progress: 100 }).on(
        'progress',
        (_, percent) => ticks.push(percent),
      );
      expect(stats.iterations.started + stats.iterations.dropped).to.equal(200);
      expect(seen).to.have.lengthOf(stats.iterations.started);
      expect(Math.max(...ticks)).to.equal(100);
      expect(ticks).to.deep.equal([...ticks].sort((a, b) => a - b));
    }));

  it('a rate too high for the virtual users appears as late, backlog, dropped and in the response time', () =>
    serving(
      (req, res) => setTimeout(() => res.end(), 100),
      async (url) => {
        const { stats } = await undisturbed(() => benchrest(url, { limit: 2, rate: 100, duration: 1000 }));
        const { started, late, maxBacklog, dropped } = stats.iterations;
        expect(started + dropped).to.equal(100);
        expect(dropped).to.be.above(50);
        expect(late).to.be.above(5);
        expect(maxBacklog).to.be.above(50);
        expect(stats.main.histogram.max).to.be.above(500);
        expect(stats.main.serviceTime.p95).to.be.below(stats.main.histogram.p95);
        balanced(stats);
      },
    ));

  it('response time and service time are equal in a closed run', () =>
    serving(ok, async (url) => {
      const { main, iterations } = (await benchrest(url, { limit: 2, iterations: 50 })).stats;
      expect(main.serviceTime).to.deep.equal(main.histogram);
      expect(iterations).to.include({ late: 0, maxBacklog: 0, dropped: 0 });
    }));

  it('S4 a random rate has the same arrivals for the same seed', () =>
    serving(ok, async (url) => {
      const counts = [];
      for (const seed of [1, 1, 2]) {
        const { iterations } = (await benchrest(url, { limit: 50, rate: 300, arrival: 'poisson', duration: 500, seed }))
          .stats;
        counts.push(iterations.started + iterations.dropped);
      }
      expect(counts[0]).to.equal(counts[1]).and.not.equal(counts[2]);
    }));

  it('stages of a rate start as many iterations as the area under the ramp', () =>
    serving(ok, async (url) => {
      const { iterations } = (await benchrest(url, { limit: 20, stages: ['500ms:200', { duration: 500, rate: 0 }] }))
        .stats;
      expect(iterations.started + iterations.dropped).to.equal(100);
    }));

  it('stages of virtual users raise and lower the concurrency', () => {
    let active = 0;
    const most = [];
    return serving(
      (req, res) => {
        most.push(++active);
        setTimeout(() => (active--, res.end()), 20);
      },
      async (url) => {
        const stages = [
          { duration: 400, limit: 8 },
          { duration: 400, limit: 1, ramp: false },
        ];
        const { stats } = await undisturbed(() => {
          most.length = 0;
          return benchrest(url, { limit: 1, stages });
        }, 100);
        expect(Math.max(...most)).to.be.within(5, 8);
        expect(most[0]).to.equal(1);
        expect(Math.max(...most.slice(-3))).to.be.below(8);
        balanced(stats);
      },
    );
  });

  for (const [bailout, fewest, most] of [
    [10, 10, 20],
    ['50%', 100, 130],
  ]) {
    it(`bailout ${bailout} ends a run that fails`, () =>
      serving(
        (req, res) => res.writeHead(500).end(),
        async (url) => {
          const { stats, errorCount, endReason } = await benchrest(url, { limit: 5, iterations: 10_000, bailout });
          expect(endReason).to.equal('bailout');
          expect(errorCount).to.be.within(fewest, most);
          balanced(stats);
        },
      ));
  }

  const seconds = scaled(3, 5);
  // a tenth of the run
  const stall = seconds * 100;
  for (const limit of [200, 10]) {
    it(`S2 a server that freezes for a tenth of a run at 200 per second raises the response time with ${limit} lanes`, () => {
      let frozenUntil = 0;
      let first = 0;
      return serving(
        (req, res) => {
          const now = performance.now();
          first ||= now;
          if (!frozenUntil && now - first > 1500) frozenUntil = now + stall;
          setTimeout(() => res.end(), Math.max(0, frozenUntil - now));
        },
        async (url) => {
          const { main } = (
            await undisturbed(() => {
              first = 0;
              frozenUntil = 0;
              return benchrest(url, { limit, rate: 200, duration: `${seconds}s` });
            })
          ).stats;
          // share of the stall 10 %, response times uniform on 0..stall: p95 is half of it, p99 nine tenths; a busy
          // machine makes them longer
          expect(main.histogram.p95).to.be.above(0.3 * stall);
          expect(main.histogram.p99).to.be.above(0.7 * stall);
          expect(main.serviceTime.max).to.be.above(0.8 * stall);
          if (limit === 10)
            expect(main.serviceTime.p95, 'hidden from the service time').to.be.below(main.histogram.p95);
          else expect(main.serviceTime.p99).to.be.above(0.7 * stall);
        },
      );
    });
  }

  it('S13 a warm-up keeps its connections and is not in the result', () => {
    const ports = new Set();
    return serving(
      (req, res) => (ports.add(req.socket.remotePort), res.end()),
      async (url, seen) => {
        const { stats } = await benchrest(
          { before: [url], main: [`${url}/#{INDEX}`] },
          { limit: 3, iterations: 30, warmup: { duration: '300ms', limit: 3 } },
        );
        const warm = seen.filter(({ url: path }) => path.length > 10).length;
        expect(warm).to.be.at.least(3);
        expect(stats.warmup).to.deep.equal({ iterations: warm, errors: 0 });
        expect([stats.requests.sent, stats.outside.sent]).to.deep.equal([30, 1]);
        expect(stats.iterations.started).to.equal(30);
        expect(stats.operations[1].count).to.equal(30);
        expect(ports.size, 'one for before, three for the lanes').to.equal(4);
        expect(stats.connections.opened).to.equal(0);
        expect(stats.virtualUsers).to.include({ started: 3, answered: 3 });
        expect(stats.bytes.received).to.be.below(31 * 400);
      },
    );
  });

  it('errors of a warm-up are counted separately', () =>
    serving(
      (req, res) => res.writeHead(req.url.length > 10 ? 500 : 200).end(),
      async (url) => {
        const heard = [];
        const { stats, errorCount } = await benchrest(`${url}/#{INDEX}`, { limit: 2, iterations: 4, warmup: 50 }).on(
          'error',
          (error) => heard.push(error),
        );
        expect(stats.warmup.errors).to.equal(stats.warmup.iterations).and.be.above(0);
        expect([errorCount, heard.length]).to.deep.equal([0, 0]);
      },
    ));

  it('a warm-up can be stopped', () =>
    serving(ok, async (url, seen) => {
      const run = benchrest(url, { limit: 2, iterations: 4, warmup: '1h' });
      await until(() => seen.length > 2);
      run.stop();
      const { stats } = await run;
      expect(stats.iterations.started).to.equal(0);
      expect(stats.warmup.iterations).to.be.above(0);
    }));

  it('rampUp starts lanes one after the other', () => {
    let active = 0;
    const most = [];
    return serving(
      (req, res) => {
        most.push(++active);
        setTimeout(() => (active--, res.end()), 15);
      },
      async (url) => {
        const { stats } = await undisturbed(() => {
          most.length = 0;
          return benchrest(url, { limit: 10, duration: 600, rampUp: '500ms' });
        }, 100);
        expect(Math.max(...most.slice(0, 4))).to.be.below(5);
        expect(Math.max(...most)).to.be.within(6, 10);
        balanced(stats);
      },
    );
  });

  it('ratePerUser limits each virtual user, and its wait is not included in any timing', () =>
    serving(ok, async (url) => {
      const options = { limit: 2, duration: 1000, ratePerUser: 5 };
      const { stats } = await undisturbed(() => benchrest([url, url], options));
      expect(stats.requests.count).to.be.within(4, 16);
      // a wait before each second request would be 200
      expect(stats.main.histogram.median).to.be.below(200);
    }));

  it('a pause after an operation or between iterations is not included in any timing', () =>
    serving(ok, async (url) => {
      const flow = { main: [{ get: url, pause: [200, 250] }, url], afterMain: [{ get: url, pause: 10 }] };
      const { stats } = await benchrest(flow, { limit: 2, iterations: 10, pause: '50' });
      expect(stats.totalElapsed).to.be.above(5 * (200 + 10 + 50) - 60);
      expect(stats.main.histogram.median).to.be.below(200);
      expect(stats.errors.count).to.equal(0);
    }));

  it('a stop ends a pause between iterations, a cancel ends any pause', () =>
    serving(ok, async (url, seen) => {
      const run = benchrest(
        { main: [{ get: `${url}/think`, pause: '1h' }, url], afterMain: [`${url}/tidy`] },
        { limit: 2, iterations: 10, gracefulStop: 50 },
      );
      await until(() => seen.length === 2);
      run.stop();
      const { stats } = await run;
      expect(stats.iterations).to.include({ started: 2, cancelled: 2 });
      expect(seen.filter(({ url: path }) => path === '/tidy')).to.have.lengthOf(2);
      const resting = benchrest(url, { limit: 2, iterations: 10, pause: '1h' });
      await until(() => seen.length === 6);
      resting.stop();
      expect((await resting).stats.iterations).to.include({ started: 2, completed: 2, cancelled: 0 });
    }));

  it('requestsPerConnection opens a new connection after this many requests', () =>
    serving(ok, async (url) => {
      const { connections } = (await benchrest(url, { limit: 2, iterations: 20, requestsPerConnection: 5 })).stats;
      expect(connections.opened).to.be.within(4, 5);
      expect(connections.opened + connections.requestsOnReused).to.equal(20);
    }));

  const limits = [
    ['maxRequests', { limit: 3, maxRequests: 11 }, 10],
    ['maxRequestsPerUser', { limit: 3, maxRequestsPerUser: 5 }, 12],
    ['the first of several', { limit: 3, maxRequestsPerUser: 5, maxRequests: 100, iterations: 2 }, 4],
  ];
  for (const [name, options, requests] of limits) {
    it(`${name} is not exceeded, and iterations are complete`, () =>
      serving(ok, async (url, seen) => {
        const { stats } = await benchrest([url, url], options);
        expect(seen).to.have.lengthOf(requests);
        expect(stats.iterations.completed).to.equal(requests / 2);
      }));
  }

  it('maxRequestsPerUser limits every virtual user', () => {
    const counts = new Map();
    return serving(
      (req, res) => {
        counts.set(req.socket.remotePort, (counts.get(req.socket.remotePort) ?? 0) + 1);
        setTimeout(() => res.end(), counts.size === 1 ? 30 : 1);
      },
      async (url) => {
        await benchrest(url, { limit: 4, maxRequestsPerUser: 7 });
        expect([...counts.values()]).to.deep.equal([7, 7, 7, 7]);
      },
    );
  });

  it('a rate of a few iterations per minute is kept', () =>
    serving(ok, async (url) => {
      const { stats } = await benchrest(url, { limit: 2, rate: '120/m', duration: 1200 });
      expect(stats.iterations.started).to.equal(3);
      expect(stats.loadGenerator.startDelay.count).to.be.within(2, 3);
    }));

  const wrong = [
    [{ rate: 0 }, /runOptions\.rate: expected a rate above 0/],
    [{ rate: 'fast' }, /runOptions\.rate: .* got "fast"/],
    [{ duration: '5x' }, /runOptions\.duration: .* got "5x"/],
    [{ arrival: 'often' }, /constant or poisson/],
    [{ stages: [] }, /runOptions\.stages/],
    [{ stages: [{ duration: '1s' }] }, /runOptions\.stages/],
    [{ stages: ['1s:5', '1s:5c'] }, /runOptions\.stages/],
    [{ stages: ['1s:5'], rate: 5 }, /stages and rate cannot be combined/],
    [{ forever: true, duration: '1s' }, /forever and duration cannot be combined/],
    [{ arrival: 'poisson' }, /arrival: needs an arrival rate: set rate$/],
    [{ arrival: 'poisson', stages: ['1s:5'] }, /stages and arrival cannot be combined/],
    [{ maxBacklog: 5 }, /maxBacklog: needs an arrival rate: set rate or stages/],
    [{ warmup: 'long' }, /runOptions\.warmup: expected a time such as 5s/],
    [{ warmup: { duration: '1s', lanes: 3 } }, /runOptions\.warmup/],
    [{ pause: [5, 1] }, /runOptions\.pause/],
    [{ rate: 5, pause: 10 }, /rate and pause cannot be combined/],
    [{ rate: 5, rampUp: 10 }, /rate and rampUp cannot be combined/],
    [{ rate: 5, expectedInterval: 10 }, /rate and expectedInterval cannot be combined/],
    [{ ratePerUser: 0 }, /runOptions\.ratePerUser/],
    [{ requestsPerConnection: 0 }, /runOptions\.requestsPerConnection/],
    [{ maxRequests: 1.5 }, /runOptions\.maxRequests/],
    [{ pipelining: 0 }, /runOptions\.pipelining/],
    [{ bailout: '200%' }, /bailout/],
    [{ bailout: 0 }, /bailout/],
  ];
  it('a request limit below the requests of one iteration is refused', () => {
    for (const name of ['maxRequests', 'maxRequestsPerUser']) {
      const run = () =>
        benchrest(
          { main: ['http://127.0.0.1/', 'http://127.0.0.1/'], afterMain: ['http://127.0.0.1/'] },
          { limit: 1, [name]: 2 },
        );
      expect(run).to.throw(`runOptions.${name}: too low: one iteration of this flow makes 3 requests`);
    }
  });

  it('an invalid pause is refused', () => {
    expect(() => benchrest({ get: 'http://127.0.0.1/', pause: 'long' }, { limit: 1, iterations: 1 })).to.throw(
      /flow\.main\[0\]\.pause: expected milliseconds/,
    );
  });

  for (const [options, message] of wrong) {
    it(`${JSON.stringify(options)} is refused`, () => {
      const ends = options.duration || options.stages || options.forever ? {} : { iterations: 1 };
      expect(() => benchrest('http://127.0.0.1/', { limit: 1, ...ends, ...options }))
        .to.throw(message)
        .with.property('code', 'E_RUN_OPTIONS');
    });
  }
});
