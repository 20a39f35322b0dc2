import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { compareResults, mergeResults, renderResult } from '../lib/results.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const ONE = { limit: 1 };
const paths = (seen) => seen.map(({ url }) => url);
const rows = ({ scenarios }) => scenarios.map(({ name, count, errors }) => [name, count, errors]);
const shop = (baseUrl) => ({
  baseUrl,
  scenarios: {
    browse: { weight: 8, main: ['/news', '/items?#{INDEX}'] },
    buy: { weight: 2, beforeMain: ['/login'], main: [{ put: '/cart/#{INDEX}' }], afterMain: ['/logout'] },
  },
});
const refusal = (flow, options) => {
  try {
    return void benchrest({ baseUrl: 'http://127.0.0.1:1', ...flow }, { limit: 1, iterations: 1, ...options });
  } catch (error) {
    return error.message;
  }
};

describe('scenarios', () => {
  it('each iteration runs one scenario, in turn, between the operations of all', () =>
    serving(ok, async (url, seen) => {
      const flow = {
        baseUrl: url,
        before: ['/before'],
        beforeMain: ['/begin'],
        scenarios: {
          browse: { main: ['/a', { oneOf: ['/b0', '/b1'] }] },
          buy: { beforeMain: ['/login'], main: ['/c'], afterMain: ['/logout'] },
        },
        afterMain: ['/end'],
        after: ['/after'],
      };
      const { stats, errorCount } = await benchrest(flow, { ...ONE, iterations: 3 });
      expect(errorCount).to.equal(0);
      expect(paths(seen)).to.deep.equal([
        '/before',
        ...['/begin', '/a', '/b0', '/end'],
        ...['/begin', '/login', '/c', '/logout', '/end'],
        ...['/begin', '/a', '/b0', '/end'],
        '/after',
      ]);
      expect(rows(stats)).to.deep.equal([
        ['browse', 2, 0],
        ['buy', 1, 0],
      ]);
    }));

  it('reports, series and thresholds tell operations of one name in several scenarios apart', () =>
    serving(ok, async (url) => {
      const flow = {
        baseUrl: url,
        scenarios: { browse: { main: ['/', '/news'] }, buy: { main: [{ get: '/', expect: { status: 200 } }] } },
      };
      const thresholds = [
        'GET / (buy) errors==0',
        'GET / (browse) count>100',
        'GET / count<3',
        'GET / (buy) checks==100%',
      ];
      const run = benchrest(flow, { ...ONE, iterations: 4, thresholds, seriesInterval: 1000 });
      const started = once(run, 'start');
      const { stats } = await run;
      expect(stats.thresholds.map(({ of, actual, passed }) => [of.operation, actual, passed])).to.deep.equal([
        ['GET / (buy)', 0, true],
        ['GET / (browse)', 2, false],
        ['GET /', 2, true],
        ['GET / (buy)', 1, true],
      ]);
      expect(stats.series.operations.map(({ name, labels }) => [name, labels.scenario])).to.deep.equal([
        ['GET /', 'browse'],
        ['GET /news', 'browse'],
        ['GET /', 'buy'],
      ]);
      const result = { ...stats, title: 'shop' };
      const names = ['GET / (browse)', 'GET /news', 'GET / (buy)'];
      expect((await started)[0].operations.main).to.deep.equal(names);
      for (const format of ['text', 'markdown', 'csv', 'html'])
        for (const name of names) expect(await renderResult(result, { format }), format).to.contain(name);
      expect(await renderResult(result, { format: 'csv' })).to.not.match(/,GET \/,/);
      expect(compareResults(result, { ...result, id: 'other' }).operations.map(({ name }) => name)).to.include.members(
        names,
      );
    }));

  it('a threshold on an operation of a scenario that has none is refused', () => {
    const flow = { scenarios: { browse: { main: ['/', '/news'] }, buy: { main: ['/'] } } };
    expect(refusal(flow, { thresholds: ['GET / (bye) p95<1s'] })).to.contain('did you mean "GET / (buy)"?');
  });

  itSlow('by weight the same iterations run the same scenarios, with any seed given, with workers and without', () =>
    serving(ok, async (url, seen) => {
      const chosen = async (options) => {
        seen.length = 0;
        const { stats } = await benchrest(shop(url), { limit: 4, iterations: 100, ...options });
        return { lines: paths(seen).sort(), stats };
      };
      const { lines, stats } = await chosen({});
      const buyers = lines.filter((line) => line.startsWith('/cart/')).length;
      expect(buyers).to.be.within(10, 30);
      expect(rows(stats)).to.deep.equal([
        ['browse', 100 - buyers, 0],
        ['buy', buyers, 0],
      ]);
      expect(stats.scenarios.map(({ times }) => times.responseTime.count)).to.deep.equal([100 - buyers, buyers]);
      const two = await here('workers', () => chosen({ workers: 2 }));
      expect(two.lines).to.deep.equal(lines);
      expect(two.stats.scenarios.map(({ times }) => times.least.count)).to.deep.equal([100 - buyers, buyers]);
      expect(rows(two.stats)).to.deep.equal(rows(stats));
      expect((await chosen({ seed: 2 })).lines).to.not.deep.equal(lines);
    }),
  );

  it('counts the iterations of a scenario that fail, with their times', () =>
    serving(
      (req, res) => res.writeHead(req.url === '/login' && req.headers['x-at'] === '3' ? 500 : 200).end(),
      async (url) => {
        const flow = shop(url);
        flow.scenarios.buy.beforeMain = [{ get: '/login', headers: { 'x-at': '#{INDEX}' } }];
        delete flow.scenarios.browse.weight;
        delete flow.scenarios.buy.weight;
        const { stats } = await benchrest(flow, { ...ONE, iterations: 4, thresholds: ['buy errors<1%', 'buy p95<1m'] });
        expect(rows(stats)).to.deep.equal([
          ['browse', 2, 0],
          ['buy', 2, 1],
        ]);
        expect(stats.scenarios[1].times.responseTime.count).to.equal(1);
        expect(stats.thresholds.map(({ passed, actual, unit }) => [passed, unit, actual < 60_000])).to.deep.equal([
          [false, 'ratio', true],
          [true, 'ms', true],
        ]);
        expect(stats.thresholds[0].actual).to.equal(0.5);
        expect(stats.errors.details[0].path).to.equal('flow.scenarios.buy.beforeMain[0]');
      },
    ));

  it('adds up over the results of several runs', () =>
    serving(ok, async (url) => {
      const results = [];
      for (const seed of [1, 2]) results.push(await benchrest(shop(url), { limit: 2, iterations: 20, seed }));
      const merged = mergeResults(results);
      const sum = (at) => results.reduce((total, { stats }) => total + stats.scenarios[at].count, 0);
      expect(rows(merged)).to.deep.equal([
        ['browse', sum(0), 0],
        ['buy', sum(1), 0],
      ]);
      expect(merged.scenarios.map(({ times }) => times.responseTime.count)).to.deep.equal([sum(0), sum(1)]);
      expect(merged.scenarios.map(({ times }) => times.least.count)).to.deep.equal([sum(0), sum(1)]);
      expect(merged.scenarios[0].times.responseTime.max).to.equal(
        Math.max(...results.map(({ stats }) => stats.scenarios[0].times.responseTime.max)),
      );
    }));

  it('hooks and functions get the name of the scenario; step timers have it in theirs', () =>
    serving(ok, async (url, seen) => {
      const log = [];
      const flow = {
        baseUrl: url,
        before: ['/before'],
        beforeHooks: [(all) => void log.push([all.scenario, all.env.scenario])],
        scenarios: {
          a: { main: [{ get: ({ scenario }) => `/${scenario}` }] },
          b: { main: [{ get: '/x', beforeHooks: ['startStepTimer'], afterHooks: ['endStepTimer'] }] },
        },
      };
      const { stats } = await benchrest(flow, { ...ONE, iterations: 2, thresholds: 'b_step_0.count==1' });
      expect(log).to.deep.equal([
        [undefined, undefined],
        ['a', 'a'],
        ['b', 'b'],
      ]);
      expect(paths(seen)).to.deep.equal(['/before', '/a', '/x']);
      expect(stats.b_step_0.histogram.count).to.equal(1);
      expect(stats.thresholds[0].passed).to.equal(true);
    }));

  it('a WebSocket that one scenario opens is not open in another', () => {
    const flow = {
      scenarios: {
        a: { main: [{ ws: 'ws://127.0.0.1:1/' }, { ws: 'ws://127.0.0.1:1/', send: 'x' }] },
        b: { main: [{ ws: 'ws://127.0.0.1:1/', send: 'x' }, { ws: 'ws://127.0.0.1:1/' }] },
      },
    };
    expect(refusal(flow)).to.equal(
      'flow.scenarios.b.main[1].ws: flow.scenarios.b.main[0] has opened this WebSocket: add send, receive or close',
    );
  });

  it('limits of requests count those of the longest scenario; requests can be rendered before the run', () =>
    serving(ok, async (url, seen) => {
      expect(refusal(shop('http://127.0.0.1:1'), { maxRequests: 2 })).to.equal(
        'runOptions.maxRequests: too low: one iteration of this flow makes 3 requests',
      );
      const { stats } = await benchrest(shop(url), { ...ONE, prealloc: 5, iterations: 10, maxRequests: 30 });
      const plain = paths(seen);
      seen.length = 0;
      await benchrest(shop(url), { ...ONE, iterations: 10 });
      expect(paths(seen)).to.deep.equal(plain);
      expect(stats.iterations.completed).to.equal(10);
    }));

  it('runs a YAML flow from the schema by its file, with workers', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scenarios-'));
    try {
      await serving(ok, async (url) => {
        const file = join(folder, 'flow.yaml');
        writeFileSync(file, `baseUrl: ${url}\nscenarios:\n  a: { main: [/a] }\n  b: { weight: 1, main: [/b] }\n`);
        const { stats } = await here('workers', () => benchrest(file, { limit: 2, iterations: 20, workers: 2 }));
        expect(rows(stats).map(([name]) => name)).to.deep.equal(['a', 'b']);
        expect(stats.scenarios[0].count + stats.scenarios[1].count).to.equal(20);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  for (const [title, flow, message] of [
    [
      'main beside scenarios',
      { main: ['/'], scenarios: { a: { main: ['/'] } } },
      'flow.main: is beside scenarios: make it a scenario, or remove one of them',
    ],
    [
      'no scenario',
      { scenarios: {} },
      "flow.scenarios: is empty: expected an object of scenarios such as { buy: { weight: 2, main: [{ get: '/' }] } }",
    ],
    [
      'a list',
      { scenarios: [{ main: ['/'] }] },
      "flow.scenarios: expected an object of scenarios such as { buy: { weight: 2, main: [{ get: '/' }] } }, got an array",
    ],
    [
      'a text',
      { scenarios: { a: '/' } },
      "flow.scenarios.a: expected a scenario such as { weight: 2, main: [{ get: '/' }] }, got a string",
    ],
    [
      'a scenario without operations',
      { scenarios: { a: { main: [] } } },
      "flow.scenarios.a: has no operations: write main: [{ get: '/' }]",
    ],
    [
      'a scenario without a name',
      { scenarios: { ' ': { main: ['/'] } } },
      'flow.scenarios: has a scenario without a name',
    ],
    [
      'an unknown key',
      { scenarios: { a: { main: ['/'], wieght: 2 } } },
      'flow.scenarios.a.wieght: unknown key of a scenario, did you mean weight?',
    ],
    [
      'a weight of 0',
      { scenarios: { a: { weight: 0, main: ['/'] } } },
      'flow.scenarios.a.weight: expected a number above 0, got 0',
    ],
    [
      'the name of an operation',
      { scenarios: { a: { main: [{ get: '/', name: 'a' }] } } },
      'flow.scenarios.a: has the name of an operation: results could not tell them apart',
    ],
    [
      'an unknown property',
      { scenarios: { a: { main: [{ get: '/', jsno: 1 }] } } },
      'flow.scenarios.a.main[0].jsno: unknown property, did you mean json?',
    ],
  ]) {
    it(`refuses ${title}`, () => {
      expect(refusal(flow)).to.equal(message);
    });
  }
});
