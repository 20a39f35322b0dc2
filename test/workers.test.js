import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect } from 'chai';

import benchrest from '../index.js';
import { command } from './support/command.js';
import { REFUSED_URL } from './support/faulty-server.js';
import { scaled } from './support/scale.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';
import { until } from './support/until.js';
import { messagesOf } from './support/messages.js';

const FLOW = new URL('./support/flows/worker.mjs', import.meta.url);
const upTo = (count) => Array.from({ length: count }, (_, i) => i);
const indexesOf = (seen) =>
  seen
    .map(({ url }) => Number(url.slice(1)))
    .filter((n) => !Number.isNaN(n))
    .sort((a, b) => a - b);
const balanced = ({ iterations: { started, completed, failed, cancelled }, requests: { sent, ...requests } }) => {
  expect(started).to.equal(completed + failed + cancelled);
  expect(sent).to.equal(requests.answered + requests.unanswered + requests.cancelled);
};

/** Requests of the workers that do not perform an iteration; none before it is known which one does. */
const othersThan = (index, seen) => {
  const { headers } = seen.find(({ url }) => url === `/${index}`) ?? {};
  return headers ? seen.filter((one) => ![undefined, headers['x-thread']].includes(one.headers['x-thread'])) : [];
};

/** The machine may be too slow for a run, which does not matter here; no other reason is allowed. */
const expectNoDoubt = ({ validity }) =>
  expect(
    messagesOf(validity.reasons).filter(
      (reason) => !/^(the load generator|rates may be)| (is a range|are ranges): /.test(reason),
    ),
  ).to.deep.equal([]);

/** Runs `story` with `act` in a worker, which creates the file `mark` before it blocks, and dies when that file exists. */
const acting = async (act, story) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
  const mark = join(folder, 'mark');
  Object.assign(process.env, { WORKER_ACT: act, WORKER_MARK: mark });
  try {
    return await story(mark);
  } finally {
    delete process.env.WORKER_ACT;
    delete process.env.WORKER_MARK;
    rmSync(folder, { recursive: true });
  }
};

describe('workers', () => {
  for (const workers of scaled([1, 2], [1, 2, 4])) {
    itSlow(
      `${workers} workers use each INDEX once, run before and after once, share runCtx and give one result`,
      () => {
        const story = () =>
          serving(ok, async (url, seen) => {
            const run = benchrest(FLOW, { baseUrl: url, limit: 8, iterations: 500, workers, progress: 50 });
            const percents = [];
            run.on('progress', (stats, percent) => percents.push(percent));
            const { stats, errorCount } = await run;
            expect(stats.errors.details).to.deep.equal([]);
            expect(errorCount).to.equal(0);
            expect(indexesOf(seen)).to.deep.equal(upTo(500));
            expect(
              seen.filter(({ url: path }) => path === '/before' || path === '/after').map(({ url: path }) => path),
            ).to.deep.equal(['/before', '/after']);
            expect(
              new Set(seen.filter(({ url: path }) => /\d/.test(path)).map(({ headers }) => headers['x-token'])),
            ).to.deep.equal(new Set(['secret of before']));
            balanced(stats);
            expect(stats.outside).to.include({ sent: 2, answered: 2 });
            expect(stats.requests.sent + stats.outside.sent).to.equal(seen.length);
            expect(stats.main.histogram.count).to.equal(500);
            expect(stats.main.meter.count).to.equal(500);
            expect(stats.mine.histogram).to.include({ count: 500, min: 1, max: 500 });
            expect(stats.operations.map(({ phase, count }) => [phase, count])).to.deep.equal([
              ['before', 1],
              ['main', 500],
              ['afterMain', 500],
              ['after', 1],
            ]);
            expect(stats.series.points.reduce((sum, { iterations }) => sum + iterations.completed, 0)).to.equal(500);
            expect(stats.loadGenerator.workers).to.equal(workers);
            expectNoDoubt(stats);
            expect(percents.at(-1)).to.equal(100);
            expect(percents).to.deep.equal([...percents].sort((a, b) => a - b));
          });
        // the threads of two show what one does
        return workers === 1 ? here('workers', story) : story();
      },
    );
  }

  itSlow('all workers share one schedule of a rate', () =>
    here('workers', () =>
      serving(ok, async (url, seen) => {
        const { stats } = await benchrest(`${url}/#{INDEX}`, { limit: 40, rate: 300, duration: 1000, workers: 2 });
        expect(stats.iterations.started + stats.iterations.dropped).to.equal(300);
        expect(indexesOf(seen)).to.deep.equal(upTo(stats.iterations.started));
        expect(stats.iterations.plannedRate).to.be.closeTo(300, 0.01);
        balanced(stats);
      }),
    ),
  );

  itSlow('a random rate has the same arrivals for any number of workers', () =>
    here('workers', () =>
      serving(ok, async (url) => {
        const planned = [];
        for (const workers of [undefined, 2]) {
          const { iterations } = (
            await benchrest(url, { limit: 20, rate: 300, arrival: 'poisson', duration: 500, seed: 7, workers })
          ).stats;
          planned.push(iterations.started + iterations.dropped);
        }
        expect(planned[0]).to.equal(planned[1]);
      }),
    ),
  );

  it('errors of workers are emitted and counted', () =>
    here('workers', () =>
      serving(
        (req, res) => res.writeHead(Number(req.url.slice(1)) % 10 === 3 ? 503 : 200).end(),
        async (url, seen) => {
          const heard = [];
          const { stats, errorCount } = await benchrest(`${url}/#{INDEX}`, {
            limit: 4,
            iterations: 100,
            workers: 2,
          }).on('error', (error, phase) => heard.push([error.code, error.message, phase, error instanceof Error]));
          expect(heard).to.deep.equal(
            Array.from({ length: 10 }, () => ['E_STATUS', 'error statusCode: 503', 'main', true]),
          );
          expect(errorCount).to.equal(10);
          expect(stats.errors.details).to.have.lengthOf(1);
          expect(stats.errors.details[0]).to.include({ count: 10, firstIndex: 3, code: 'E_STATUS' });
          expect(stats.exemplars.failed.length).to.be.within(1, 6);
          expect(seen).to.have.lengthOf(100);
          balanced(stats);
        },
      ),
    ));

  itSlow('run.stop() stops all workers', () =>
    here('workers', () =>
      serving(ok, async (url, seen) => {
        const run = benchrest(
          { main: [`${url}/#{INDEX}`], afterMain: [`${url}/tidy`] },
          { limit: 4, forever: true, workers: 2, progress: 20 },
        );
        run.on('progress', ({ iterations }) => iterations.completed > 50 && run.stop());
        const { stats, endReason } = await run;
        expect(endReason).to.equal('stopped');
        expect(stats.iterations.cancelled).to.equal(0);
        expect(stats.requests.sent).to.equal(seen.length);
        balanced(stats);
      }),
    ),
  );

  it('a limit of errors stops all workers', () =>
    here('workers', () =>
      serving(
        (req, res) => res.writeHead(500).end(),
        async (url) => {
          const { stats, endReason } = await benchrest(url, {
            limit: 4,
            iterations: 1_000_000,
            workers: 2,
            bailout: 20,
          });
          expect(endReason).to.equal('bailout');
          expect(stats.errors.count).to.be.within(20, 100_000);
          balanced(stats);
        },
      ),
    ));

  it('workers stop after 100 failed connections without keepGoing', async () => {
    const options = { limit: 4, iterations: 1_000_000, workers: 2, keepGoing: false };
    const { stats, endReason } = await here('workers', () => benchrest(REFUSED_URL, options));
    expect(endReason).to.equal('unreachable');
    expect(stats.errors.kinds.connect).to.equal(stats.errors.count);
    balanced(stats);
  });

  itSlow('the INDEX of a warm-up is far from those of the run, and its iterations are not in the result', () =>
    here('workers', () =>
      serving(ok, async (url, seen) => {
        const { stats } = await benchrest(`${url}/#{INDEX}`, { limit: 4, iterations: 50, workers: 2, warmup: 100 });
        const [warm, measured] = [indexesOf(seen).filter((n) => n >= 1e12), indexesOf(seen).filter((n) => n < 1e12)];
        expect(measured).to.deep.equal(upTo(50));
        expect(new Set(warm).size).to.equal(warm.length);
        expect(stats.warmup).to.deep.equal({ iterations: warm.length, errors: 0 });
        expect(stats.requests.sent).to.equal(50);
      }),
    ),
  );

  itSlow('iterations that a lost worker cut off are counted in their loads, and their sum is that of the run', () =>
    serving(
      (req, res) => setTimeout(() => res.end(), 5),
      async (baseUrl) => {
        const flow = new URL('./support/flows/lost-worker.mjs', import.meta.url);
        const { stats, endReason } = await benchrest(flow, { baseUrl, workers: 2 });
        expect(endReason).to.equal('worker');
        balanced(stats);
        const sum = { started: 0, completed: 0, failed: 0, cancelled: 0 };
        for (const { iterations, validity } of stats.loads) {
          expect(iterations.started).to.equal(iterations.completed + iterations.failed + iterations.cancelled);
          expect(validity.reasons.map(({ code }) => code)).to.not.include('accounting');
          for (const key of Object.keys(sum)) sum[key] += iterations[key];
        }
        expect(stats.iterations).to.include(sum);
        expect(stats.loads[0].iterations.cancelled).to.be.above(0);
      },
    ),
  );

  itSlow('C18 a worker that dies is named, its running iterations are cancelled, and the others stop', () =>
    acting('exit', (mark) =>
      serving(
        (req, res) => setTimeout(() => res.end(), 5),
        async (url, seen) => {
          const running = benchrest(FLOW, { baseUrl: url, limit: 8, iterations: 5000, workers: 2 });
          await until(() => othersThan(30, seen).length > 20);
          writeFileSync(mark, '');
          const { stats, endReason } = await running;
          expect(endReason).to.equal('worker');
          const [{ kind, code, message }] = stats.errors.details;
          expect({ kind, code }).to.deep.equal({ kind: 'worker', code: 'E_WORKER' });
          expect(message).to.match(/worker [12] of 2 was lost: it ended with code 3/);
          balanced(stats);
          expect(stats.iterations.cancelled).to.be.above(0);
          expect(stats.iterations.completed).to.be.above(10);
          expect(stats.iterations.started).to.be.below(5000);
          expect(seen.at(-1).url).to.equal('/after');
          expect(stats.validity.status).to.equal('suspect');
        },
      ),
    ),
  );

  itSlow('C18 a worker that computes forever is terminated after the grace period', () =>
    acting('spin', (mark) =>
      serving(
        (req, res) => setTimeout(() => res.end(), 5),
        async (url, seen) => {
          const options = { limit: 4, forever: true, workers: 2, gracefulStop: 100, teardownTimeout: 1000 };
          const run = benchrest(FLOW, { baseUrl: url, ...options });
          // iteration 30 blocks its worker; the other one continues
          await until(() => existsSync(mark) && seen.length > 60);
          run.stop();
          const { stats } = await run;
          // On a busy machine, iterations of the other one may be overdue.
          const lost = stats.errors.details.find(({ code }) => code === 'E_WORKER');
          expect(lost).to.include({ count: 1 });
          expect(lost.message).to.match(/worker [12] of 2 was lost: it did not stop/);
          expect(stats.iterations.cancelled).to.be.above(0);
          balanced(stats);
          expect(seen.at(-1).url).to.equal('/after');
        },
      ),
    ),
  );

  itSlow('a worker that computes forever is terminated, and named, if only a number of iterations ends the run', () =>
    acting('spin', () =>
      serving(
        (req, res) => setTimeout(() => res.end(), 5),
        async (url) => {
          const options = { limit: 4, iterations: 200, workers: 2, timeout: 3000 };
          const { stats, endReason } = await benchrest(FLOW, { baseUrl: url, ...options });
          expect(endReason).to.equal('worker');
          const lost = stats.errors.details.find(({ code }) => code === 'E_WORKER');
          expect(lost.message).to.match(
            /worker [12] of 2 was lost: code of the flow, such as an endless loop, has blocked it for \d+ s/,
          );
          balanced(stats);
        },
      ),
    ),
  );

  itSlow('no worker is lost because the main thread was blocked at the end of the run', () =>
    serving(
      (req, res) => req.url === '/' || res.end(),
      async (url) => {
        const options = { limit: 2, duration: 300, workers: 2, gracefulStop: 500, teardownTimeout: 100 };
        const run = benchrest(url, { ...options, progress: 50 });
        let isOver = false;
        run.on('progress', (_stats, percent) => {
          if (percent < 100 || isOver) return;
          isOver = true;
          // the workers cancel their requests and answer meanwhile; timers run before that is read
          setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500));
        });
        const { stats, endReason } = await run;
        expect([endReason, isOver]).to.deep.equal(['completed', true]);
        // the server never answers; no worker is lost
        expect(stats.errors.details.map(({ code }) => code)).to.deep.equal(['E_OVERDUE']);
        expect(stats.iterations).to.include({ completed: 0, failed: 0 });
        balanced(stats);
      },
    ),
  );

  it('values that before captures are known to all workers, and to after', () =>
    serving(ok, async (url, seen) => {
      const flow = new URL('./support/flows/capture.mjs', import.meta.url);
      const options = { baseUrl: url, limit: 4, iterations: 20, workers: 2 };
      const { stats } = await here('workers', () => benchrest(flow, options));
      expect(stats.errors.details).to.deep.equal([]);
      const sent = seen.filter(({ headers }) => headers['x-status'] !== undefined);
      expect(indexesOf(sent)).to.deep.equal(upTo(20));
      expect(new Set(sent.map(({ headers }) => `${headers['x-status']} ${headers['x-body']}`))).to.have.lengthOf(1);
      expect([seen[0].url, seen.at(-1).url]).to.deep.equal(['/before', '/after/200']);
    }));

  it('runCtx must hold only data that can be sent to the workers', () =>
    serving(ok, async (url, seen) => {
      const flow = fileURLToPath(new URL('./support/flows/bad-context.mjs', import.meta.url));
      const options = { baseUrl: url, limit: 2, iterations: 10, workers: 2 };
      const { stats, endReason } = await here('workers', () => benchrest(flow, options));
      expect(endReason).to.equal('before');
      expect(stats.errors.details[0]).to.include({ code: 'E_RUN_CTX', phase: 'before' });
      expect(stats.errors.details[0].message).to.match(
        /^runCtx and the variables cannot be copied to the workers: .* store only plain data in them$/,
      );
      expect(seen.map(({ url: path }) => path)).to.deep.equal(['/before', '/after']);
    }));

  const hook = () => {};
  const refused = [
    [
      'a hook that is a function',
      { main: [{ get: 'http://127.0.0.1/', afterHooks: ['verify2XX', hook] }] },
      { workers: 2 },
      /runOptions\.workers: flow\.main\[0\]\.afterHooks\[1\] is a function.*new URL\('\.\/flow\.js', import\.meta\.url\)/,
    ],
    [
      'fewer virtual users than workers',
      'http://127.0.0.1/',
      { workers: 3 },
      /3 workers need at least as many virtual users, got limit 2/,
    ],
    [
      'a string that is not a number',
      'http://127.0.0.1/',
      { workers: 'many' },
      /workers: expected a whole number from 1 to 1024, or auto, got "many"/,
    ],
    ['a trace', 'http://127.0.0.1/', { workers: 2, trace: hook }, /workers and trace cannot be combined/],
  ];
  for (const [what, flow, options, message] of refused) {
    it(`workers with ${what} are refused`, () => {
      expect(() => benchrest(flow, { limit: 2, iterations: 10, ...options }))
        .to.throw(message)
        .with.property('code', 'E_RUN_OPTIONS');
    });
  }

  it('auto is one worker per core, at most one per virtual user', () =>
    here('workers', () =>
      serving(ok, async (url) => {
        const { loadGenerator } = (await benchrest(url, { limit: 2, iterations: 10, workers: 'auto' })).stats;
        expect(loadGenerator.workers).to.equal(Math.min(2, availableParallelism()));
      }),
    ));

  it('a run of a flow file rejects with the errors of the file', async () => {
    const missing = await benchrest(new URL('./nowhere.mjs', import.meta.url), { limit: 1, iterations: 1 }).catch(
      (error) => error,
    );
    expect(missing.code).to.equal('E_FILE_NOT_FOUND');
    const wrong = await benchrest(FLOW, { limit: 1 }).catch((error) => error);
    expect(wrong.code).to.equal('E_NO_LIMIT');
  });

  itSlow('an unreadable flow file ends the process of a run without error listener that is not awaited', async () => {
    const program = `import benchrest from ${JSON.stringify(new URL('../index.js', import.meta.url).href)}; benchrest(new URL('file:///nowhere/flow.mjs'), { limit: 1, iterations: 1 });`;
    const failed = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]).catch(
      (error) => error,
    );
    expect(failed.code).to.equal(1);
    expect(failed.stderr).to.match(/flow file does not exist: \/nowhere\/flow\.mjs/);
  });

  describe('a server of this process as target', () => {
    itSlow(
      'gets its load from a worker if the flow can be sent to one, and its own utilization is reported',
      async () => {
        const server = http.createServer((req, res) => res.end('hello'));
        const { stats } = await benchrest('/', { target: server, limit: 5, iterations: 500 });
        expect(stats.errors.details).to.deep.equal([]);
        expectNoDoubt(stats);
        expect(stats.servers[0]).to.include.all.keys('eventLoopUtilization', 'eventLoopDelay', 'cpuTime', 'gcTime');
        // coarse accounting of the system may count nothing
        expect(stats.servers[0].cpuTime).to.be.at.least(0);
        expect(server.listening).to.equal(false);
      },
    );

    it('shares an event loop with hooks that are functions, and the verdict reports it', async () => {
      const server = http.createServer((req, res) => res.end('hello'));
      const { stats } = await benchrest({ get: '/', afterHooks: [hook] }, { target: server, limit: 5, iterations: 50 });
      expect(stats).to.not.have.property('servers');
      expect(stats.validity.status).to.equal('suspect');
      expect(messagesOf(stats.validity.reasons).join('\n')).to.match(
        /^load generator and server shared an event loop/m,
      );
    });
  });

  describe('in the command', () => {
    it('-w 2 runs a flow file with its hooks in two threads', () =>
      here('workers', () =>
        serving(ok, async (url, seen) => {
          const { code, stdout } = await command([
            '--json',
            '-w',
            '2',
            '-n',
            '200',
            '-c',
            '4',
            '--base-url',
            url,
            fileURLToPath(FLOW),
          ]);
          const stats = JSON.parse(stdout);
          expect(code).to.equal(0);
          expect(stats.loadGenerator.workers).to.equal(2);
          expect(indexesOf(seen)).to.deep.equal(upTo(200));
        }),
      ));

    itSlow('C18 a worker that dies leads to exit code 1, and the result is printed', () =>
      acting('exit', (mark) =>
        serving(ok, async (url) => {
          writeFileSync(mark, '');
          const { code, stdout, stderr } = await command(
            ['-w', '2', '-n', '50k', '-c', '4', '--base-url', url, fileURLToPath(FLOW)],
            { workers: 'thread' },
          );
          expect(code, stderr).to.equal(1);
          expect(stdout).to.match(/1 × worker in main\n\s+worker [12] of 2 was lost: it ended with code 3/);
          expect(stderr).to.match(/a worker was lost/);
        }),
      ),
    );

    it('a signal stops the workers gracefully', () =>
      here('workers', () =>
        serving(
          (req, res) => setTimeout(() => res.end(), 5),
          async (url, seen) => {
            const { code, stdout } = await command(['--json', '-w', '2', '--forever', '-c', '4', url], {
              act: async (child) => {
                while (seen.length < 50) await new Promise((resolve) => setTimeout(resolve, 10));
                child.kill('SIGINT');
              },
            });
            expect(code).to.equal(100);
            balanced(JSON.parse(stdout));
            expect(JSON.parse(stdout).requests.sent).to.equal(seen.length);
          },
        ),
      ));
  });
});
