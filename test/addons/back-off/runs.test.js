import { expect } from 'chai';

import benchrest from '../../../index.js';
import { blocksOf } from '../../../lib/addons/back-off/report.js';
import { mergeResults, renderResult } from '../../../lib/results.js';
import { balance } from '../../faults/ground.js';
import { command } from '../../support/command.js';
import { serving } from '../../support/serve.js';
import { suiteHere } from '../../support/threads-here.js';

const ITERATIONS = 6;
/** Waits of a millisecond where the service names none. */
const SOON = { first: 1, jitter: 0 };

/** Answers the first requests of each path with a status, then 200. */
function limiting(refusals, { status = 429, headers = { 'retry-after': '0' } } = {}) {
  const counts = new Map();
  return (req, res, body) => {
    const count = counts.get(req.url) ?? 0;
    counts.set(req.url, count + 1);
    if (count < refusals) res.writeHead(status, headers).end('slow down');
    else res.end(`fine ${body}`);
  };
}

const ran = async (flow, options) => {
  const { stats } = await benchrest(flow, { limit: 2, iterations: ITERATIONS, ...options }).on('error', () => {});
  balance(stats);
  return stats;
};
const getEach = { get: '/#{INDEX}', retryAfter: SOON };

describe('back-off', () => {
  suiteHere('workers');

  for (const httpClient of ['builtin', 'undici'])
    for (const [status, headers] of [
      [429, { 'retry-after': '0' }],
      [503, {}],
    ])
      it(`F106 a request is sent again after ${status} ${JSON.stringify(headers)}, and is no error: ${httpClient}`, () =>
        serving(limiting(2, { status, headers }), async (baseUrl, seen) => {
          const stats = await ran(getEach, { baseUrl, httpClient });
          expect(stats.errors.count).to.equal(0);
          expect(stats.requests).to.include({ count: ITERATIONS, sent: 18, answered: 18, throttled: 12, exhausted: 0 });
          expect(stats.requests.statusCodes).to.deep.equal({ 200: ITERATIONS, [status]: 12 });
          expect(stats.requests.throttledShare).to.be.closeTo(12 / 18, 1e-9);
          expect(stats.operations[0]).to.deep.include({ count: ITERATIONS, statusCodes: { 200: ITERATIONS } });
          expect(seen).to.have.lengthOf(18);
        }));

  it('the request stays the same, and functions, checks, captures and hooks see one response', () =>
    serving(limiting(1), async (baseUrl, seen) => {
      const [made, heard] = [[], []];
      const flow = [
        {
          post: '/#{INDEX}',
          headers: { 'idempotency-key': '#{uuid}' },
          body: ({ index }) => `${made.push(index)}`,
          expect: { status: 200 },
          capture: { word: { text: '(fine)' } },
          afterHooks: [({ body }) => void heard.push(body)],
        },
        { get: '/#{word}' },
      ];
      const stats = await ran(flow, { baseUrl, iterations: 2, limit: 1, retryAfter: SOON });
      expect(stats.errors.details).to.deep.equal([]);
      expect([made.length, heard]).to.deep.equal([2, ['fine 1', 'fine 2']]);
      const posts = seen.filter(({ method }) => method === 'POST');
      expect(posts[0].headers['idempotency-key']).to.equal(posts[1].headers['idempotency-key']);
      expect(posts.map(({ body }) => body)).to.deep.equal(['1', '1', '2', '2']);
      expect(stats.checks.passed).to.equal(2);
    }));

  it('the iteration has the time of the waits, the operation that of its last request', () =>
    serving(limiting(1, { headers: {} }), async (baseUrl) => {
      const flow = { get: '/#{INDEX}', retryAfter: { first: 300, jitter: 0 } };
      const { main, operations, requests } = await ran(flow, { baseUrl });
      expect(main.completed.min).to.be.at.least(295);
      expect(operations[0].times.serviceTime.min).to.be.below(main.completed.min - 250);
      expect(requests.throttledTime).to.be.at.least(ITERATIONS * 295);
      expect(requests.ttfb.count).to.equal(2 * ITERATIONS);
    }));

  const TIMEOUT = 'raise timeout (2 s), in which the wait would not end';
  /** Why a response is the last one. */
  const LAST = [
    [
      'was sent as often as allowed',
      { retryAfter: { ...SOON, attempts: 2 } },
      { 'retry-after': '0' },
      2,
      'raise attempts of retryAfter (2)',
    ],
    [
      'would wait longer than allowed',
      { retryAfter: { longest: '1s' } },
      { 'retry-after': '2' },
      1,
      'raise longest of retryAfter (1 s)',
    ],
    [
      'would wait forever',
      { retryAfter: true },
      { 'retry-after': '9'.repeat(400) },
      1,
      'raise longest of retryAfter (30 s)',
    ],
    ['would wait longer than its time limit', { retryAfter: true, timeout: '2s' }, { 'retry-after': '20' }, 1, TIMEOUT],
  ];
  for (const [what, property, headers, times, remedy] of LAST)
    it(`F106 a request that ${what} ends with its response`, () =>
      serving(limiting(Infinity, { headers }), async (baseUrl, seen) => {
        const stats = await ran({ get: '/', ...property }, { baseUrl, iterations: 1, limit: 1 });
        expect(stats.errors.details.map(({ kind }) => kind)).to.deep.equal(['status']);
        expect(stats.errors.details[0].exchange.at(-1)).to.equal(`! not sent again: ${remedy}`);
        expect(stats.requests).to.include({ throttled: times - 1, exhausted: 1 });
        expect(stats.operations[0].statusCodes).to.deep.equal({ 429: 1 });
        expect(seen).to.have.lengthOf(times);
      }));

  it('F106 a malformed Retry-After counts as none', () =>
    serving(limiting(1, { headers: { 'retry-after': 'soon' } }), async (baseUrl) => {
      const { requests, errors } = await ran(getEach, { baseUrl });
      expect([requests.throttled, errors.count]).to.deep.equal([ITERATIONS, 0]);
    }));

  it('an operation without it, and one that switches it off, fail at once', () =>
    serving(limiting(1), async (baseUrl) => {
      const flow = { main: [{ get: '/a', retryAfter: false, expect: { status: 429 } }, { get: '/b' }] };
      const stats = await ran(flow, { baseUrl, iterations: 1, limit: 1, retryAfter: SOON });
      expect([stats.requests.throttled, stats.errors.count]).to.deep.equal([1, 0]);
    }));

  it('waits at the target of a redirect, and keeps the cookies of the response', () => {
    const limit = limiting(1, { headers: { 'retry-after': '0', 'set-cookie': 'a=1' } });
    const answer = (req, res, body) =>
      req.url === '/from' ? res.writeHead(302, { location: '/to' }).end() : limit(req, res, body);
    return serving(answer, async (baseUrl, seen) => {
      const stats = await ran({ get: '/from', retryAfter: SOON }, { baseUrl, iterations: 1, limit: 1 });
      expect(stats.requests).to.include({ count: 1, redirects: 1, throttled: 1 });
      expect(seen.map(({ url, headers }) => [url, headers.cookie])).to.deep.equal([
        ...[['/from', undefined]],
        ['/to', undefined],
        ['/to', 'a=1'],
      ]);
    });
  });

  it('the end of the run cuts waits, whose iterations are cancelled, and those of a teardown go on', () =>
    serving(
      (req, res) => {
        const isAgain = req.url === '/down' && seenDown.has(req.headers['x-index']);
        if (req.url === '/down') seenDown.add(req.headers['x-index']);
        if (isAgain) res.end();
        else res.writeHead(429, { 'retry-after': req.url === '/down' ? '0' : '25' }).end();
      },
      async (baseUrl) => {
        seenDown.clear();
        const flow = {
          main: [{ get: '/', retryAfter: true }],
          afterMain: [{ get: '/down', headers: { 'x-index': '#{INDEX}' }, retryAfter: SOON }],
        };
        const stats = await ran(flow, { baseUrl, iterations: undefined, duration: 300 });
        expect(stats.iterations).to.include({ started: 2, cancelled: 2 });
        expect(stats.requests).to.include({ throttled: 2, waitsCut: 2, exhausted: 0 });
        expect(stats.virtualUsers).to.deep.equal({ started: 2, answered: 2 });
        expect(stats.errors.details).to.deep.equal([]);
        expect((await renderResult(stats, { format: 'text' })).replaceAll(/\s+/g, ' ')).to.include(
          '2 waits cut by the end',
        );
        expect(stats.measuredElapsed).to.be.below(20_000);
      },
    ));
  const seenDown = new Set();

  it('the age of an iteration that is cut in a request has none of its waits', () => {
    let cut;
    const counts = new Map();
    const answer = (req, res) => {
      const count = counts.get(req.url) ?? 0;
      counts.set(req.url, count + 1);
      if (req.url === '/0') setTimeout(() => res.end(), 400);
      else if (count === 0) res.writeHead(429).end();
      else cut();
    };
    return serving(answer, async (baseUrl) => {
      const flow = { get: '/#{INDEX}', retryAfter: { first: 500, jitter: 0 } };
      const run = benchrest(flow, { baseUrl, limit: 1, iterations: 2, gracefulStop: 0 });
      cut = () => run.stop();
      const { stats } = await run;
      expect(stats.iterations).to.include({ completed: 1, cancelled: 1, overdue: 0 });
      expect(stats.errors.details).to.deep.equal([]);
    });
  });

  it('arrivals of an open run go on while virtual users wait', () =>
    serving(limiting(1, { headers: {} }), async (baseUrl) => {
      const flow = { get: '/#{INDEX}', retryAfter: { first: 400, jitter: 0 } };
      const stats = await ran(flow, { baseUrl, limit: 20, rate: 100 });
      expect(stats.iterations).to.include({ completed: ITERATIONS, late: 0, dropped: 0 });
      expect(stats.requests.throttled).to.equal(ITERATIONS);
    }));

  it('counts add up over workers and merged results, and thresholds judge them', () =>
    serving(limiting(1), async (baseUrl) => {
      const thresholds = ['throttled<51%', 'throttled>49%', 'requests.throttled==6', 'requests.exhausted==0'];
      const stats = await ran(getEach, { baseUrl, workers: 2, thresholds });
      expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true, true, true, true]);
      const { requests } = mergeResults([stats, await serving(limiting(1), (url) => ran(getEach, { baseUrl: url }))]);
      expect(requests).to.include({ throttled: 12, exhausted: 0, throttledShare: 0.5 });
      expect(requests.throttledTime).to.be.above(stats.requests.throttledTime);
    }));
});

describe('a report', () => {
  const outputs = async (main, options, use) =>
    serving(limiting(1), async (baseUrl) => {
      const stats = await ran(main, { baseUrl, ...options });
      const formats = ['text', 'markdown', 'html'];
      await use(...(await Promise.all(formats.map((format) => renderResult(stats, { format })))));
    });

  it('has the waits and their share in text, Markdown and page', () =>
    outputs(getEach, {}, (...all) => {
      for (const text of all) expect(text).to.match(/6 requests \(50 %\) sent again, each after a wait of [\d.]+ ms/);
    }));

  it('names the waits as the cause of dropped iterations, if they take a part of the time', () => {
    const textOf = (busyTime, dropped) =>
      blocksOf(
        { requests: { throttled: 2, throttledTime: 500 }, iterations: { busyTime, dropped } },
        { scale: { withUnit: (ms) => `${ms} ms` } },
      )[0].lines[0].text;
    expect(textOf(1000, 3)).to.include('virtual users spent 50 % of their time in waits, so iterations were dropped');
    for (const text of [textOf(1000, 0), textOf(6000, 3)]) expect(text).not.to.include('dropped');
  });

  it('has no section of them if nothing waited, and says how to wait where the service asks for it', () =>
    outputs('/#{INDEX}', {}, (text) => {
      expect(text).to.not.include('back-off');
      expect(text.replaceAll(/\s+/g, ' ')).to.include('(retry-after: 0): send less, such as -r 10, or wait as it asks');
    }));

  it('a status of 503 with Retry-After has the same hint, and one without has none', async () => {
    const hintOf = (headers) =>
      serving(limiting(Infinity, { status: 503, headers }), async (baseUrl) => {
        const { stdout } = await command(['-n', '1', baseUrl]);
        return /the server asks to wait \(retry-after: 7\)/.test(stdout);
      });
    expect([await hintOf({ 'retry-after': '7' }), await hintOf({})]).to.deep.equal([true, false]);
  });

  it('tells what to raise if operations gave up', () =>
    serving(limiting(Infinity), async (baseUrl) => {
      const { stdout } = await command(['-n', '1', '-e', `{ get: '${baseUrl}/', retryAfter: { attempts: 2 } }`]);
      expect(stdout.replaceAll(/\s+/g, ' '))
        .to.include('1 operation ended without another attempt')
        .and.include('or raise attempts of retryAfter (2)');
    }));

  for (const topic of ['retryAfter', 'retry-after'])
    it(`help ${topic} leads to the guide`, async () => {
      const { stdout } = await command(['help', topic]);
      expect(stdout).to.include('--retry-after').and.include('bench-rest help back-off');
    });

  it('--debug prints each of the requests', () =>
    serving(limiting(1), async (baseUrl) => {
      const { stdout, stderr } = await command(['--debug', '--retry-after', `${baseUrl}/`]);
      expect((stdout + stderr).match(/429/g).length).to.be.at.least(1);
      expect((stdout + stderr).match(/> GET /g).length).to.be.at.least(2);
      expect(stdout + stderr).to.match(/sent again after a wait of \d+ ms/);
    }));

  for (const [field, hint] of [
    [undefined, 'the server limits the rate: send less, such as -r 10, or wait with --retry-after, each time longer'],
    ['soon', '(malformed retry-after: soon): send less, such as -r 10, or wait with --retry-after, each time longer'],
  ])
    it(`has no wait that the service does not ask for: Retry-After ${field}`, () =>
      serving(limiting(Infinity, { headers: field ? { 'retry-after': field } : {} }), async (baseUrl) => {
        const { stdout } = await command(['-n', '1', '--no-retry-after', baseUrl]);
        expect(stdout.replaceAll(/\s+/g, ' ')).to.include(hint);
      }));
});
