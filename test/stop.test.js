import { getEventListeners } from 'node:events';
import http from 'node:http';

import { expect } from 'chai';

import benchrest from '../index.js';
import { listen, ok, serving, shut } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const MANY = 1_000_000;

describe('stop', () => {
  const ways = {
    'run.stop()': (options) => {
      const run = { stop: () => {} };
      return { options, stop: () => run.stop(), attach: (started) => (run.stop = () => started.stop()) };
    },
    'an AbortSignal': (options) => {
      const controller = new AbortController();
      return { options: { ...options, signal: controller.signal }, stop: () => controller.abort(), attach: () => {} };
    },
  };
  for (const [name, make] of Object.entries(ways)) {
    it(`${name} ends a run early, afterMain and after still run`, async () => {
      let stop;
      await serving(
        (req, res) => {
          if (req.url === '/20') stop();
          res.end();
        },
        async (url, seen) => {
          const way = make({ limit: 4, iterations: MANY, baseUrl: url });
          stop = way.stop;
          const run = benchrest({ main: ['/#{INDEX}'], afterMain: ['/tidy'], after: ['/end'] }, way.options);
          way.attach(run);
          const { stats, errorCount } = await run;
          const count = (path) => seen.filter((r) => r.url === path).length;
          expect(errorCount).to.equal(0);
          expect(stats.iterations.started).to.be.within(21, MANY - 1);
          expect(stats.iterations.completed).to.equal(stats.iterations.started);
          expect(count('/tidy')).to.equal(stats.iterations.started);
          expect(count('/end')).to.equal(1);
          expect(stats.requests.sent + stats.outside.sent).to.equal(seen.length);
        },
      );
    });
  }

  for (const workers of [undefined, 2]) {
    it(`run.abort() cancels running iterations at once and skips teardown${workers ? ', in all threads' : ''}`, () => {
      let hung = 0;
      let abort;
      return here('workers', () =>
        serving(
          (req, res) => {
            if (req.url !== '/hang') return void res.end();
            if (++hung === 3) abort();
          },
          async (url, seen) => {
            const run = benchrest(
              { main: ['/hang'], afterMain: ['/tidy'], after: ['/end'] },
              { limit: 3, iterations: 100, baseUrl: url, workers },
            );
            abort = () => run.abort();
            const { stats, endReason } = await run;
            expect(endReason).to.equal('aborted');
            expect(stats.iterations).to.include({ started: 3, completed: 0, cancelled: 3 });
            expect(stats.requests).to.include({ sent: 3, cancelled: 3 });
            expect(stats.errors.count).to.equal(0);
            expect(seen.map((request) => request.url)).to.deep.equal(['/hang', '/hang', '/hang']);
          },
        ),
      );
    });
  }

  it('run.abort() before the start sends nothing', () =>
    serving(ok, async (url, seen) => {
      const run = benchrest(
        { before: [`${url}/before`], main: [`${url}/`], after: [`${url}/after`] },
        { limit: 2, iterations: 10 },
      );
      run.abort();
      const { stats } = await run;
      expect(stats.iterations.started).to.equal(0);
      expect(seen).to.be.empty;
    }));

  it('a signal aborted before the run starts no iteration', () =>
    serving(ok, async (url, seen) => {
      const { stats } = await benchrest(url, { limit: 2, iterations: 10, signal: AbortSignal.abort() });
      expect(stats.iterations.started).to.equal(0);
      expect(seen).to.be.empty;
    }));

  for (const [order, runAll] of [
    ['at the same time', (runs) => Promise.all(runs.map((start) => start()))],
    [
      'one after the other',
      async (runs) => {
        for (const start of runs) await start();
      },
    ],
  ]) {
    itSlow(`an AbortSignal used by 12 runs ${order} gives no warning, and keeps no listener`, () =>
      serving(ok, async (url) => {
        const { signal } = new AbortController();
        const warnings = [];
        const hear = (warning) => warnings.push(String(warning));
        process.on('warning', hear);
        const start = () => benchrest(url, { limit: 1, iterations: 3, signal });
        await runAll(Array.from({ length: 12 }, () => start));
        await new Promise((resolve) => setImmediate(resolve));
        process.off('warning', hear);
        expect(warnings).to.deep.equal([]);
        expect(getEventListeners(signal, 'abort')).to.have.lengthOf(0);
      }),
    );
  }

  it('an AbortSignal ends all the runs that use it, and those alone', () => {
    const controller = new AbortController();
    let asked = 0;
    return serving(
      (req, res) => {
        if (++asked === 30) controller.abort();
        res.end();
      },
      async (url) => {
        const start = (signal) => benchrest(url, { limit: 1, iterations: signal ? MANY : 200, signal });
        const runs = await Promise.all([start(controller.signal), start(controller.signal), start()]);
        expect(runs.map(({ endReason }) => endReason)).to.deep.equal(['aborted', 'aborted', 'completed']);
      },
    );
  });

  it('after has its own time limit, independent of afterMain', () =>
    serving(
      (req, res) => {
        if (!['/hang', '/tidy'].includes(req.url)) res.end();
      },
      async (url, seen) => {
        const { stats } = await benchrest(
          { main: ['/hang'], afterMain: ['/tidy'], after: ['/end'] },
          { limit: 2, duration: 200, gracefulStop: 50, teardownTimeout: 1000, baseUrl: url },
        );
        expect(stats.iterations).to.include({ started: 2, cancelled: 2, teardownFailed: 2 });
        expect(seen.at(-1).url).to.equal('/end');
        expect(stats.errors).to.include({ count: 4, overdue: 4 });
      },
    ));

  it('after of a run that ended as planned takes the time it needs', () => {
    let grace = 50;
    return serving(
      (req, res) => setTimeout(() => res.end(), req.url === '/end' ? 8 * grace : 0),
      async (url) => {
        const flow = { main: ['/'], after: ['/end'] };
        const run = () =>
          benchrest(flow, { limit: 2, duration: 50, gracefulStop: grace, teardownTimeout: grace, baseUrl: url });
        let { stats } = await run();
        // a busy machine needs a longer grace period for the iterations, which may have completed just after it
        while (stats.measuredElapsed > 50 + grace && grace < 2000) {
          grace *= 2;
          ({ stats } = await run());
        }
        expect(stats.errors.count, JSON.stringify(stats)).to.equal(0);
      },
    );
  });

  it('gracefulStop cancels iterations that hang, and tears them down', () => {
    let hung = 0;
    let stop;
    return serving(
      (req, res) => {
        if (req.url !== '/hang') return void res.end();
        if (++hung === 3) stop();
      },
      async (url, seen) => {
        const run = benchrest(
          { main: ['/hang'], afterMain: ['/tidy'], after: ['/end'] },
          { limit: 3, iterations: 100, gracefulStop: 50, baseUrl: url },
        );
        stop = () => run.stop();
        const { stats, errorCount } = await run;
        expect(stats.iterations).to.include({ started: 3, completed: 0, failed: 0, cancelled: 3, teardownFailed: 0 });
        // they had waited, and none completed
        expect([errorCount, stats.iterations.overdue]).to.deep.equal([3, 3]);
        expect(stats.requests).to.include({ sent: 6, answered: 3, cancelled: 3 });
        expect(stats.outside).to.include({ sent: 1, answered: 1 });
        expect(seen.map((r) => r.url).sort()).to.deep.equal([
          '/end',
          '/hang',
          '/hang',
          '/hang',
          '/tidy',
          '/tidy',
          '/tidy',
        ]);
      },
    );
  });

  const series = {
    operations: ['/first', '/second'],
    'the requests of a function': [
      async ({ request }) => {
        await request('/first');
        await request('/second');
      },
    ],
  };
  for (const [name, main] of Object.entries(series)) {
    it(`gracefulStop cancels ${name} that wait for their turn, and sends none of them`, () => {
      let stop;
      return serving(
        (req, res) => {
          if (req.url === '/first') stop();
          res.end();
        },
        async (url, seen) => {
          const run = benchrest(
            { main, afterMain: ['/tidy'] },
            { limit: 1, iterations: 1, ratePerUser: 0.001, gracefulStop: 50, baseUrl: url },
          );
          stop = () => run.stop();
          const { stats } = await run;
          expect(seen.map((r) => r.url)).to.deep.equal(['/first', '/tidy']);
          expect(stats.iterations).to.include({ started: 1, completed: 0, failed: 0, cancelled: 1 });
        },
      );
    });
  }

  it('gracefulStop cancels a hook that never resolves', () =>
    serving(ok, async (url) => {
      const run = benchrest(
        {
          get: url,
          afterHooks: [
            () => {
              run.stop();
              return new Promise(() => {});
            },
          ],
        },
        { limit: 1, iterations: 5, gracefulStop: 50 },
      );
      const { stats } = await run;
      expect(stats.iterations).to.include({ started: 1, cancelled: 1 });
    }));

  it('a target that does not listen is started for the run and closed afterwards', async () => {
    const server = http.createServer(ok);
    for (let i = 0; i < 2; i++) {
      const { stats, errorCount } = await here('workers', () =>
        benchrest('/x', { limit: 2, iterations: 10, target: server }),
      );
      expect(errorCount).to.equal(0);
      expect(stats.iterations.completed).to.equal(10);
      expect(server.listening).to.equal(false);
      expect(server.listenerCount('error')).to.equal(0);
    }
  });

  it('a target that listens keeps listening', async () => {
    const server = http.createServer(ok);
    await listen(server);
    try {
      const { errorCount } = await here('workers', () => benchrest('/x', { limit: 2, iterations: 10, target: server }));
      expect(errorCount).to.equal(0);
      expect(server.listening).to.equal(true);
    } finally {
      await shut(server);
    }
  });
});
