import { mkdtempSync, readFile, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { expect } from 'chai';

import { renderResult } from '../lib/results.js';
import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';

const TWO = { limit: 1, iterations: 2 };
const never = () => new Promise(() => {});

describe('hooks', () => {
  it('saveEtag and useEtag send If-None-Match with GET and If-Match with PUT', () =>
    serving(
      (req, res) => res.setHeader('etag', '"v1"').end(),
      async (url, seen) => {
        const { errorCount } = await benchrest(
          [
            { get: '/a', afterHooks: ['saveEtag'] },
            { get: '/a', beforeHooks: ['useEtag'] },
            { put: '/a', json: 1, beforeHooks: ['useEtag'] },
            { get: '/b', beforeHooks: ['useEtag'] },
          ],
          { ...TWO, iterations: 1, baseUrl: url },
        );
        expect(errorCount).to.equal(0);
        expect(seen.map(({ headers }) => [headers['if-none-match'], headers['if-match']])).to.deep.equal([
          [undefined, undefined],
          ['"v1"', undefined],
          [undefined, '"v1"'],
          [undefined, undefined],
        ]);
      },
    ));

  for (const [what, clear, text] of [
    ['sets requestOptions to null', (all) => void (all.requestOptions = null), 'null'],
    ['sets requestOptions to undefined', (all) => void (all.requestOptions = undefined), 'undefined'],
  ])
    it(`a hook that ${what} fails its operation before it is sent`, () =>
      serving(ok, async (url, seen) => {
        const errors = [];
        await benchrest([{ get: url, beforeHooks: [clear] }], { limit: 1, iterations: 1 }).on('error', (error) =>
          errors.push([error.code, error.message]),
        );
        expect(seen).to.deep.equal([]);
        expect(errors).to.have.lengthOf(1);
        expect(errors[0][0]).to.equal('E_REQUEST_FIELD');
        expect(errors[0][1]).to.match(
          new RegExp(`flow\\.main\\[0\\]\\.requestOptions is ${text}: .* calls all\\.skip\\(\\)`),
        );
      }));

  it('all has what bench-rest 1 had, as JSON and as text of console.log', () =>
    serving(ok, async (url) => {
      const seen = [];
      const see = (all) => void seen.push(JSON.parse(JSON.stringify(all)), inspect(all));
      await benchrest([{ post: url, json: { a: 1 }, afterHooks: [see] }], { limit: 1, iterations: 1 });
      const [json, text] = seen;
      expect(Object.keys(json)).to.have.members([
        ...['env', 'opIndex', 'iterCtx', 'requestOptions', 'err', 'response', 'body'],
      ]);
      expect(json.requestOptions).to.deep.include({ method: 'POST', json: { a: 1 } });
      expect(text).to.include('requestOptions: {').and.to.include('iterCtx: {');
    }));

  it('serviceTime and ttfb stay those of their operation when later ones have run', () =>
    serving(
      (req, res) => void setTimeout(() => res.end(), req.url === '/slow' ? 40 : 0),
      async (url) => {
        const seen = [];
        const keep = (all) => void seen.push([all, all.serviceTime, all.ttfb]);
        const main = [
          { get: `${url}/slow`, afterHooks: [keep] },
          { get: `${url}/`, afterHooks: [keep] },
          { get: `${url}/`, beforeHooks: [keep] },
        ];
        await benchrest({ main }, { limit: 1, iterations: 1 });
        for (const [all, ...times] of seen.slice(0, 2)) expect([all.serviceTime, all.ttfb]).to.deep.equal(times);
        expect(seen[2].slice(1)).to.deep.equal([undefined, undefined]);
      },
    ));

  it('a URL object works like its text, in a flow and from a hook', () =>
    serving(ok, async (url, seen) => {
      const turn = (all) => {
        all.requestOptions.uri = new URL('/b', url);
      };
      const { stats } = await benchrest([{ get: new URL('/a', url) }, { get: url, beforeHooks: [turn] }], {
        limit: 1,
        iterations: 1,
      });
      expect(stats.errors.count).to.equal(0);
      expect(seen.map((request) => request.url)).to.deep.equal(['/a', '/b']);
    }));

  it('saveEtag ignores a Location that is not a URL', () =>
    serving(
      (req, res) => res.writeHead(201, { etag: '"1"', location: 'http://[' }).end(),
      async (url) => {
        const { stats } = await benchrest(
          { post: `${url}/items`, json: {}, afterHooks: ['saveEtag'] },
          { limit: 1, iterations: 1 },
        );
        expect(stats.errors.count).to.equal(0);
      },
    ));

  it('saveEtag after a POST stores the ETag under its Location', () =>
    serving(
      (req, res) => {
        if (req.method === 'POST') res.writeHead(201, { etag: '"new"', location: '/items/7' });
        res.end();
      },
      async (url, seen) => {
        await benchrest(
          [
            { post: '/items', json: {}, afterHooks: ['saveEtag'] },
            { get: '/items/7', beforeHooks: ['useEtag'] },
          ],
          { ...TWO, iterations: 1, baseUrl: url },
        );
        expect(seen[1].headers['if-none-match']).to.equal('"new"');
      },
    ));

  it('ignoreStatus continues the flow, with the real status at originalStatusCode and in the stats', () =>
    serving(
      (req, res) => {
        res.statusCode = req.url === '/bad' ? 404 : 200;
        res.end();
      },
      async (url) => {
        const found = [];
        const { stats, errorCount } = await benchrest(
          [
            {
              get: '/bad',
              afterHooks: [
                'ignoreStatus',
                ({ response }) => {
                  found.push(response.statusCode, response.originalStatusCode);
                },
              ],
            },
            '/good',
          ],
          { ...TWO, iterations: 1, baseUrl: url },
        );
        expect(found).to.deep.equal([200, 404]);
        expect(errorCount).to.equal(0);
        expect(stats.requests.statusCodes).to.deep.equal({ 200: 1, 404: 1 });
      },
    ));

  it('verify2XX fails on a redirect that is not followed', () =>
    serving(
      (req, res) => res.writeHead(302, { location: '/x' }).end(),
      async (url) => {
        const { stats } = await benchrest({ get: url, followRedirect: false, afterHooks: ['verify2XX'] }, TWO);
        expect(stats.errors.kinds).to.deep.equal({ hook: 2 });
        expect(stats.errors.details[0].message).to.match(/statusCode was not in 200-299 range, statusCode: 302/);
      },
    ));

  it('step timers appear as step_N in main and <phase>_step_N elsewhere', () =>
    serving(ok, async (url) => {
      const timed = { get: url, beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'] };
      const { stats } = await benchrest({ beforeMain: [timed], main: [url, timed] }, TWO);
      expect(stats.step_1.meter.count).to.equal(2);
      expect(stats.step_1.histogram.count).to.equal(2);
      expect(stats.beforeMain_step_0.histogram.count).to.equal(2);
      expect(stats).not.to.have.property('step_0');
    }));

  it('a metric may have any name: stats.metrics has all of them, the stats those that are not keys of a result', () =>
    serving(ok, async (url) => {
      const names = ['requests', 'errors', 'metrics', 'type', '__proto__', 'step_0'];
      const count = ({ env: { stats } }) => names.forEach((name) => stats.counter(name).inc());
      const run = benchrest({ main: [{ get: url, afterHooks: [count] }] }, TWO);
      const ofEvent = new Promise((resolve) => run.on('end', resolve));
      const { stats } = await run;
      expect(stats.errors.count).to.equal(0);
      expect(stats.requests.answered).to.equal(2);
      expect(Object.entries(stats.metrics)).to.deep.equal(names.map((name) => [name, 2]));
      expect([stats.step_0, (await ofEvent).step_0]).to.deep.equal([2, 2]);
      expect(JSON.parse(await renderResult(stats, { format: 'json' }))).not.to.have.property('step_0');
    }));

  for (const httpClient of ['builtin', 'undici']) {
    it(`env.stats has the metrics of measured-core, and thresholds judge them (${httpClient})`, () =>
      serving(ok, async (url) => {
        const hook = ({ env: { stats } }) => {
          stats.meter('seen').mark();
          stats.counter('hits').inc(2);
          stats.histogram('size').update(500);
          stats.gauge('load', () => 0.5);
        };
        const { stats } = await benchrest(
          { get: url, afterHooks: [hook] },
          {
            limit: 2,
            iterations: 4,
            httpClient,
            thresholds: ['hits==8', 'seen.count==4', 'size.p99<=500', 'load<1', 'hits<8'],
          },
        );
        expect([stats.seen.count, stats.hits, stats.size.count, stats.load]).to.deep.equal([4, 8, 4, 0.5]);
        expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true, true, true, true, false]);
      }));
  }

  it('env.stats.timer creates a timer that appears in the stats', () =>
    serving(ok, async (url) => {
      const { stats } = await benchrest(
        {
          get: url,
          beforeHooks: [
            (all) => {
              all.iterCtx.watch = all.env.stats.timer('mine').start();
            },
          ],
          afterHooks: [
            (all) => {
              all.iterCtx.watch.end();
            },
          ],
        },
        TWO,
      );
      expect(stats.mine.histogram.count).to.equal(2);
      expect(stats.mine.histogram).to.have.all.keys(
        'min',
        'max',
        'sum',
        'variance',
        'mean',
        'stddev',
        'count',
        'median',
        'p75',
        'p90',
        'p95',
        'p99',
        'p999',
        'outOfRange',
        'hdr',
      );
    }));

  it('C14 an async hook is awaited, and may return nothing', () =>
    serving(ok, async (url, seen) => {
      const { errorCount } = await benchrest(
        {
          get: url,
          beforeHooks: [
            async (all) => {
              await new Promise((r) => setTimeout(r, 10));
              all.requestOptions.headers['x-h'] = 'late';
            },
            () => {},
          ],
        },
        TWO,
      );
      expect(errorCount).to.equal(0);
      expect(seen.map(({ headers }) => headers['x-h'])).to.deep.equal(['late', 'late']);
    }));

  const bad = {
    throws: () => {
      throw new Error('my reason');
    },
    rejects: () => Promise.reject(new Error('my reason')),
    'throws a string': () => {
      throw 'my reason';
    },
    'sets all.err': (all) => {
      all.err = new Error('my reason');
    },
  };
  for (const [what, hook] of Object.entries(bad)) {
    it(`a before-hook that ${what} sends nothing and counts one error`, () =>
      serving(ok, async (url, seen) => {
        const { stats, errorCount } = await benchrest([{ get: url, beforeHooks: [hook] }, url], TWO);
        expect(seen).to.be.empty;
        expect(errorCount).to.equal(2);
        expect(stats.errors.details[0].message).to.match(/my reason/);
        expect(stats.iterations.failed).to.equal(2);
      }));

    it(`an after-hook that ${what} ends the iteration's main`, () =>
      serving(ok, async (url, seen) => {
        const { errorCount } = await benchrest([{ get: '/a', afterHooks: [hook] }, '/b'], { ...TWO, baseUrl: url });
        expect(seen.map((r) => r.url)).to.deep.equal(['/a', '/a']);
        expect(errorCount).to.equal(2);
      }));
  }

  it('C14 a hook that returns anything but all fails with its location', () =>
    serving(ok, async (url) => {
      const hooks = [({ cb, env }) => void [cb, env], () => false];
      const another = await benchrest({ get: url, afterHooks: hooks }, TWO);
      expect(another.stats.errors.details[0].message, 'cb is that of the hook that reads it').to.match(
        /\[1\] returned false/,
      );
      const { stats } = await benchrest({ get: url, afterHooks: [() => 'text'] }, TWO);
      expect(stats.errors.kinds).to.deep.equal({ hook: 2 });
      expect(stats.errors.details[0]).to.include({ code: 'E_HOOK_RESULT' });
      expect(stats.errors.details[0].message).to.match(/flow\.main\[0\]\.afterHooks\[0\] returned a string/);
    }));

  for (const where of ['beforeHooks', 'afterHooks']) {
    it(`a hook of ${where} with a second parameter ends when it calls it`, () =>
      serving(ok, async (url) => {
        const calls = [];
        const hooks = [
          // the value of the expression is no result
          (all, next) => setTimeout(next, 5),
          (all, next) =>
            void setImmediate(() => {
              calls.push('first');
              next();
            }),
          (all, next) => next(),
          (all, next) => next(all),
          (all, next) => readFile(new URL(import.meta.url), next),
          // as in bench-rest 1, whose hooks return all
          (all, _unused) => all,
          async (all, next) => {
            await null;
            next();
          },
          () => void calls.push('last'),
        ];
        const { stats } = await benchrest({ get: url, [where]: hooks }, { limit: 1, iterations: 2 });
        expect(stats.errors.details).to.deep.equal([]);
        expect(calls).to.deep.equal(['first', 'last', 'first', 'last']);
      }));

    it(`a hook of ${where} fails with what it passes to its second parameter, and later calls have no effect`, () =>
      serving(ok, async (url) => {
        const hook = (all, next) => {
          next(new Error('my reason'));
          next();
          setImmediate(() => next(new Error('again')));
        };
        const { stats } = await benchrest({ get: url, [where]: [hook] }, TWO);
        expect(stats.errors.details).to.have.lengthOf(1);
        expect(stats.errors.details[0]).to.include({ code: 'E_HOOK', count: 2 });
        expect(stats.errors.details[0].message).to.match(/ \(hook\): my reason$/);
      }));

    it(`C13 C42 a hook of ${where} that never calls its second parameter ends at the timeout`, () =>
      serving(ok, async (url) => {
        const late = [];
        const hook = (all, next) => void late.push(next);
        const flow = [{ get: url, timeout: 500, [where]: [hook] }, url];
        const run = benchrest(flow, TWO);
        run.on('error', () => late.pop()(new Error('too late')));
        const { stats } = await run;
        expect(stats.errors.details).to.have.lengthOf(1);
        expect(stats.errors.details[0]).to.include({ code: 'E_TIMEOUT_HOOK', kind: 'hook', count: 2 });
        expect(stats.errors.details[0].message).to.equal(
          `flow.main[0].${where}[0] (hook) did not call next within 500 ms; call it, or return a promise`,
        );
        expect(stats.iterations).to.include({ started: 2, failed: 2, cancelled: 0 });
      }));
  }

  it('C42 a hook that never calls its second parameter, in the file of the flow, is shown with its line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-rest-'));
    const file = join(folder, 'flow.mjs');
    writeFileSync(
      file,
      "export default {\n  main: [{ get: '/', timeout: 1000, afterHooks: [(all, next) => {}] }],\n};\n",
    );
    await serving(ok, async (url) => {
      const { stats } = await benchrest(file, { baseUrl: url, limit: 1, iterations: 1 });
      expect(stats.errors.details[0].location).to.include({ line: 2 });
      expect(stats.errors.details[0].location.source).to.include('(all, next) => {}');
    });
    rmSync(folder, { recursive: true });
  });

  for (const where of ['beforeHooks', 'afterHooks']) {
    it(`C13 a hook of ${where} that never resolves ends at the timeout`, () =>
      serving(ok, async (url) => {
        const { stats } = await benchrest({ get: url, timeout: 500, [where]: [never] }, TWO);
        expect(stats.errors.details[0]).to.include({ code: 'E_TIMEOUT_HOOK', kind: 'hook', count: 2 });
        expect(stats.iterations.failed).to.equal(2);
      }));
  }

  it('runCtx passes data from before to every iteration', () =>
    serving(
      (req, res) => res.end('secret'),
      async (url, seen) => {
        await benchrest(
          {
            before: [
              {
                get: url,
                afterHooks: [
                  (all) => {
                    all.runCtx.token = all.body;
                  },
                ],
              },
            ],
            main: [
              {
                get: url,
                beforeHooks: [
                  (all) => {
                    all.requestOptions.headers.authorization = `Bearer ${all.runCtx.token}`;
                  },
                ],
              },
            ],
          },
          TWO,
        );
        expect(seen.slice(1).map(({ headers }) => headers.authorization)).to.deep.equal([
          'Bearer secret',
          'Bearer secret',
        ]);
      },
    ));

  it('beforeHooks and afterHooks of a flow run around every operation', () =>
    serving(ok, async (url) => {
      const calls = [];
      const note = (name) => (all) => {
        calls.push(`${name} ${all.phase}`);
      };
      await benchrest(
        {
          beforeHooks: [note('begin')],
          afterHooks: [note('end')],
          before: [url],
          main: [{ get: url, beforeHooks: [note('own')], afterHooks: [note('own')] }],
        },
        { limit: 1, iterations: 1 },
      );
      expect(calls).to.deep.equal(['begin before', 'end before', 'begin main', 'own main', 'own main', 'end main']);
    }));
});
