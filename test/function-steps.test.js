import { setTimeout as wait } from 'node:timers/promises';

import { expect } from 'chai';

import benchrest from '../index.js';
import { holding, ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const ONE = { limit: 1 };
const lines = (seen) => seen.map(({ line }) => line);
const rows = ({ operations }) => operations.map(({ name, count, errors }) => [name, count, errors]);
const groups = ({ errors }) =>
  errors.details.map(({ code, path, operation, message, count }) => [
    code,
    [path, operation].filter(Boolean).join(' '),
    message,
    count,
  ]);
/** Answers with what it was asked; /bad with 500. */
const echo = (req, res, text) => {
  res.writeHead(req.url === '/bad' ? 500 : 200, { 'x-id': '7' });
  res.end(JSON.stringify({ method: req.method, url: req.url, text }));
};

/** The same, and ends the connection for /lost. */
const echoOrClose = (req, res, text) => (req.url === '/lost' ? req.socket.destroy() : echo(req, res, text));

describe('a function in a phase', () => {
  it('gets the value of a response whose JSON is a text, with json: true or without', () =>
    serving(
      (req, res) => res.end(req.url === '/none' ? 'x' : '"5"'),
      async (baseUrl) => {
        const received = [];
        const buy = async ({ request }) => {
          for (const json of [undefined, true]) received.push((await request({ get: '/', json })).json);
          const hooked = { get: '/', json: true, afterHooks: [(all) => ((all.body = '[6]'), all)] };
          received.push((await request(hooked)).json, (await request({ get: '/none', json: true })).body);
          await request({ get: '/none', json: true }).then(({ json }) => json);
        };
        const { stats } = await benchrest({ baseUrl, main: [buy] }, { ...ONE, iterations: 1 });
        expect(received).to.deep.equal(['5', '5', [6], 'x']);
        expect(stats.errors.details.map(({ message }) => message)).to.match(/SyntaxError|not valid JSON/);
      },
    ));

  it('sends requests one after the other, measured under their own names, between other operations', () =>
    serving(echo, async (url, seen) => {
      const received = [];
      const flow = {
        baseUrl: url,
        headers: { 'x-all': 'yes' },
        vars: { id: null },
        before: [async ({ request, vars }) => void (vars.id = (await request('/first')).json.url)],
        main: [
          '/a',
          async function buy({ index, request, vars, iterCtx }) {
            const item = await request({ get: `/items/${index}`, name: 'item' });
            received.push([item.status, item.headers['x-id'], item.json.url, vars.id]);
            iterCtx.url = item.json.url;
            if (index > 0) for (let i = 0; i < 2; i++) await request({ post: '/orders', json: { i, index } });
          },
          { get: ({ iterCtx }) => iterCtx.url, name: 'again' },
        ],
        afterHooks: [(all) => void expect(all.requestOptions.headers['x-all']).to.equal('yes')],
      };
      const { stats, errorCount } = await benchrest(flow, { ...ONE, iterations: 2 });
      expect(groups(stats)).to.deep.equal([]);
      expect(errorCount).to.equal(0);
      expect(lines(seen)).to.deep.equal([
        'GET /first',
        ...['GET /a', 'GET /items/0', 'GET /items/0'],
        ...['GET /a', 'GET /items/1', 'POST /orders', 'POST /orders', 'GET /items/1'],
      ]);
      expect(seen.slice(-3, -1).map(({ body }) => body)).to.deep.equal(['{"i":0,"index":1}', '{"i":1,"index":1}']);
      expect(received).to.deep.equal([
        [200, '7', '/items/0', '/first'],
        [200, '7', '/items/1', '/first'],
      ]);
      expect(rows(stats).sort()).to.deep.equal(
        [
          ['GET /first', 1, 0],
          ['GET /a', 2, 0],
          ['again', 2, 0],
          ['item', 2, 0],
          ['POST /orders', 2, 0],
        ].sort(),
      );
    }));

  itSlow('may be sync, and send nothing; many of them in a row', () =>
    serving(ok, async (url, seen) => {
      let called = 0;
      const main = [
        ...Array.from({ length: 3000 }, () => () => ({
          get: called++,
          get put() {
            throw new Error('unread');
          },
        })),
        '/',
      ];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 2 });
      expect([called, seen.length, stats.iterations.completed]).to.deep.equal([6000, 2, 2]);
    }),
  );

  it('gets hooks, checks and captures of what it requests, and thresholds of their names', () =>
    serving(echo, async (url) => {
      const log = [];
      const flow = {
        baseUrl: url,
        vars: { got: 0 },
        main: [
          async ({ request, vars }) => {
            await request({
              put: '/x',
              name: 'put x',
              body: 'text',
              expect: { status: 200 },
              capture: { got: { header: 'x-id' } },
              beforeHooks: [(all) => void log.push(all.requestOptions.body)],
              afterHooks: [(all) => void log.push(all.body)],
            });
            log.push(vars.got);
            await request({ get: '/y', beforeHooks: [(all) => all.skip()] });
          },
        ],
      };
      const thresholds = ['put x p95<1m', 'put x count==1', 'other p95<1m'];
      const { stats } = await benchrest(flow, { ...ONE, iterations: 1, thresholds });
      expect(groups(stats)).to.deep.equal([]);
      expect(log).to.deep.equal(['text', '{"method":"PUT","url":"/x","text":"text"}', '7']);
      expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true, true, false]);
      expect(stats.requests.skipped).to.equal(1);
      expect(stats.operations.map(({ name, skipped = 0 }) => [name, skipped])).to.deep.equal([
        ['put x', 0],
        ['GET /y', 1],
      ]);
      expect(stats.checks.details.map(({ operation, passed }) => [operation, passed])).to.deep.equal([['put x', 1]]);
    }));

  it('fails its iteration once, with the operation that failed; an error that it handles is none', () =>
    serving(echoOrClose, async (url, seen) => {
      const main = [
        async ({ request, index }) => {
          if (index === 0) await request('/bad');
          const error = await request(index === 1 ? '/bad' : { post: '/lost' }).catch((thrown) => thrown);
          await request('/good');
          if (index === 2) throw error;
        },
      ];
      const { stats, errorCount } = await benchrest(
        { baseUrl: url, main, afterMain: ['/end'] },
        { ...ONE, iterations: 3 },
      );
      expect(errorCount).to.equal(2);
      expect(groups(stats)).to.deep.equal([
        ['E_STATUS', 'flow.main[0].request GET /bad', 'error statusCode: 500', 1],
        [
          'E_RESET_BEFORE_HEAD',
          'flow.main[0].request POST /lost',
          'connection closed by the server before a response',
          1,
        ],
      ]);
      expect(stats.errors.details[1].exchange, 'that of /good is another one').to.equal(undefined);
      expect(lines(seen)).to.deep.equal([
        ...['GET /bad', 'GET /end', 'GET /bad', 'GET /good', 'GET /end', 'POST /lost', 'GET /good', 'GET /end'],
      ]);
      expect(rows(stats)).to.deep.include(['GET /bad', 2, 1]);
      expect([stats.iterations.completed, stats.iterations.failed]).to.deep.equal([1, 2]);
    }));

  it('an error that it passes on after other requests counts with the time of its response', () =>
    serving(echo, async (url) => {
      const main = [
        async ({ request }) => {
          const error = await request('/bad').catch((thrown) => thrown);
          await request('/good');
          await request('/good');
          throw error;
        },
      ];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 1 });
      const { errors, times } = stats.operations.find(({ name }) => name === 'GET /bad');
      expect([errors, times.serviceTime.count, times.withoutErrors.count]).to.deep.equal([1, 1, 0]);
    }));

  it('sends nothing more once a hook of its request has ended the iteration', () =>
    serving(ok, async (url, seen) => {
      const main = [
        async (scope) => {
          scope.iterCtx = { ends: (all) => all.end() };
          await scope.request({ get: '/last', afterHooks: [(all) => all.iterCtx.ends(all)] });
          await scope.request('/never');
        },
        '/never',
      ];
      const { stats } = await benchrest({ baseUrl: url, main, afterMain: ['/end'] }, { ...ONE, iterations: 1 });
      expect(groups(stats)).to.deep.equal([]);
      expect(lines(seen)).to.deep.equal(['GET /last', 'GET /end']);
      expect(stats.iterations).to.include({ completed: 1, failed: 0, endedEarly: 1 });
    }));

  for (const [title, call, code, message] of [
    [
      'throws',
      () => {
        throw new Error('no idea');
      },
      'E_HOOK',
      'flow.main[0]: no idea',
    ],
    ['rejects with nothing', () => Promise.reject(), 'E_HOOK', 'flow.main[0]: undefined'],
    [
      'requests a number',
      ({ request }) => request(7),
      'E_REQUEST_FIELD',
      "flow.main[0].request expected an operation such as { get: '/items' }, got 7; this operation was not sent",
    ],
    [
      'requests a misspelled property',
      ({ request }) => request({ get: '/', jsno: 1 }),
      'E_REQUEST_FIELD',
      'flow.main[0].request.jsno unknown property, did you mean json?; this operation was not sent',
    ],
    [
      'requests with repeat',
      ({ request }) => request({ get: '/', repeat: 2 }),
      'E_REQUEST_FIELD',
      'flow.main[0].request.repeat is for operations of a phase: write it in JavaScript; this operation was not sent',
    ],
    [
      'requests a token',
      ({ request }) => request('/#{INDEX}'),
      'E_REQUEST_FIELD',
      'flow.main[0].request.get has a token, and tokens are not replaced in what functions request: write `/items/${index}`; this operation was not sent',
    ],
    [
      'requests without a URL',
      ({ request }) => request({ json: 1 }),
      'E_REQUEST_FIELD',
      /^flow\.main\[0\]\.request has no URL/,
    ],
    [
      'pauses without a time',
      ({ pause }) => pause(),
      'E_VALUE',
      "flow.main[0] called pause() without a time: write pause('2s')",
    ],
    [
      'returns an operation',
      () => ({ get: '/items' }),
      'E_VALUE',
      "flow.main[0] returned an operation, which sends nothing: write await request({ get: '/items' })",
    ],
  ])
    it(`that ${title} fails its iteration, and nothing is sent`, () =>
      serving(ok, async (url, seen) => {
        const { stats, errorCount } = await benchrest({ baseUrl: url, main: [call] }, { ...ONE, iterations: 1 });
        expect([errorCount, seen.length]).to.deep.equal([1, 0]);
        const [[got, operation, text]] = groups(stats);
        expect(got).to.equal(code);
        expect(operation).to.match(/^flow\.main\[0\] .*function/);
        if (typeof message === 'string') expect(text).to.equal(message);
        else expect(text).to.match(message);
      }));

  it('that sends two requests at once, or does not await one, fails after they have ended', () =>
    serving(echo, async (url, seen) => {
      const main = [
        async ({ request, index }) => {
          if (index === 0) await Promise.all([request('/a'), request('/b')]);
          else void request('/c');
        },
        '/never',
      ];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 2 });
      expect(lines(seen)).to.deep.equal(['GET /a', 'GET /c']);
      expect(groups(stats).map(([, , text]) => text)).to.deep.equal([
        'flow.main[0] called request() before the last one had ended: a virtual user does one thing at a time, await each call',
        'flow.main[0] returned before its request or pause had ended: await each call',
      ]);
    }));

  it('that requests after it has ended is one error of the run, which goes on', () =>
    serving(ok, async (url, seen) => {
      const main = [
        ({ request }) => {
          void wait(1).then(async () => {
            for (let i = 0; i < 3; i++) void request('/late');
          });
        },
        { get: '/', pause: 20 },
      ];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 1 });
      expect(groups(stats).map(([, , text]) => text)).to.deep.equal([
        'flow.main[0] called request() after it had ended: await each call',
      ]);
      expect(stats.iterations).to.include({ completed: 1, failed: 0 });
      expect(lines(seen)).to.deep.equal(['GET /']);
    }));

  it('whose requests are in a forEach fails its iteration, and the run goes on', () =>
    serving(echo, async (url, seen) => {
      const main = [
        async ({ request }) =>
          ['/a', '/b', '/c'].forEach(async (path) => {
            await request(path);
            await request('/more');
          }),
      ];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 2 });
      expect(groups(stats).map(([, , text]) => text)).to.deep.equal([
        'flow.main[0] called request() before the last one had ended: a virtual user does one thing at a time, await each call',
      ]);
      expect(stats.iterations).to.include({ completed: 0, failed: 2 });
      expect(lines(seen)).to.deep.equal(['GET /a', 'GET /a']);
    }));

  it('that never ends has the time limit of a hook, which does not include its requests and pauses', () =>
    serving(ok, async (url) => {
      const main = [
        async ({ request, pause, index }) => {
          await request('/');
          await pause(350);
          if (index === 1) await new Promise(() => {});
        },
      ];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 2, timeout: 300 });
      expect(groups(stats).map(([code, , text]) => [code, text])).to.deep.equal([
        ['E_TIMEOUT_HOOK', 'flow.main[0] did not finish within 300 ms'],
      ]);
    }));

  it('is cancelled with its request when the run is aborted, also if it ignores every error', () =>
    holding('/slow', async ({ url, arrived, seen }) => {
      let errors = 0;
      const main = [
        async ({ request }) => {
          for (;;) {
            try {
              await request('/slow');
            } catch {
              errors++;
            }
          }
        },
      ];
      const run = benchrest({ baseUrl: url, main }, { ...ONE, iterations: 1 });
      await arrived;
      run.abort();
      const { stats } = await run;
      expect([stats.iterations.cancelled, stats.requests.cancelled, stats.errors.count]).to.deep.equal([1, 1, 0]);
      expect(seen.length).to.equal(1);
      await wait(5);
      expect(errors).to.be.below(3);
    }));

  it('pauses and waits for turns without being measured for it', () =>
    serving(ok, async (url) => {
      const main = [
        async ({ request, pause }) => {
          await request('/');
          await pause(200);
          await request('/');
        },
      ];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 1, ratePerUser: 20 });
      expect(stats.totalElapsed).to.be.above(200);
      expect(stats.main.histogram.max).to.be.below(stats.totalElapsed - 150);
    }));

  it('takes one turn for each of its requests, and none for itself', () =>
    serving(ok, async (url, seen) => {
      const main = [() => {}, async ({ request }) => void (await request('/')), () => {}];
      await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 1, ratePerUser: 0.001 });
      expect(seen.length).to.equal(1);
    }));

  it('unnamed requests with many URLs share a name, and operations are compiled once for a shape', () =>
    serving(ok, async (url, seen) => {
      const main = [
        async ({ request, index }) => {
          for (let i = 0; i < 5; i++) await request(`/items/${index}/${i}`);
        },
      ];
      const { stats } = await benchrest({ baseUrl: url, main }, { limit: 5, iterations: 40 });
      expect(new Set(lines(seen)).size).to.equal(200);
      const all = rows(stats);
      expect(all.length).to.equal(21);
      expect(all.find(([name]) => name === 'GET (function)')[1]).to.equal(180);
    }));

  it('operations with other values whose content is not in properties are not taken for the same', () =>
    serving(ok, async (url) => {
      const values = [new Date(1), new Date(2), new Map([[1, 1]]), new Map([[2, 2]])];
      const seen = [];
      const main = [
        async ({ request, vars }) => {
          for (const value of values) {
            await request({ get: '/', capture: { got: { header: 'x-none', default: value } } });
            seen.push(vars.got);
          }
        },
      ];
      await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 1 });
      expect(seen).to.deep.equal(values);
    }));

  it('runs in a scenario, with workers, and with requests of others rendered before the run', () =>
    serving(ok, async (url) => {
      const flow = new URL('./support/flows/function-step.js', import.meta.url);
      const { stats } = await here('workers', () =>
        benchrest(flow, { limit: 2, iterations: 20, workers: 2, baseUrl: url }),
      );
      expect(stats.errors.count).to.equal(0);
      expect(rows(stats)).to.deep.include(['order', 10, 0]).and.to.deep.include(['GET /home', 10, 0]);
      const { stats: own } = await benchrest(flow, { limit: 2, iterations: 20, prealloc: 5, baseUrl: url });
      expect(rows(own)).to.deep.include(['order', 10, 0]);
    }));

  it('reports its responses by name', () =>
    serving(ok, async (url) => {
      const run = benchrest(
        { baseUrl: url, main: [({ request }) => request({ get: '/x', name: 'x' })] },
        { ...ONE, iterations: 1 },
      );
      const events = [];
      run.on('response', ({ operation, phase }) => events.push([phase, operation]));
      await run;
      expect(events).to.deep.equal([['main', 'x']]);
    }));

  it('is refused in a oneOf, and with limits of requests', () => {
    const refusal = (main, options) => {
      try {
        return void benchrest({ baseUrl: 'http://127.0.0.1:1', main }, { limit: 1, iterations: 1, ...options });
      } catch (error) {
        return error.message;
      }
    };
    expect(refusal([{ oneOf: ['/', () => {}] }])).to.equal(
      'flow.main[0].oneOf[1]: is a function: write one function that chooses what it requests',
    );
    expect(refusal([() => {}], { maxRequests: 10 })).to.match(/^runOptions\.maxRequests: needs a known number/);
  });
});
