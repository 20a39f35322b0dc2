import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect } from 'chai';

import benchrest from '../index.js';
import { Histogram } from '../lib/core/measure/histogram.js';
import { command } from './support/command.js';
import { scaled } from './support/scale.js';
import { ok, serving } from './support/serve.js';
import { describeSlow, itSlow } from './support/slow.js';
import { suiteHere } from './support/threads-here.js';

/** Keeps the paths of all requests: `/NAME/INDEX`. */
function recording() {
  const seen = [];
  return { seen, answer: (req, res) => void (seen.push(req.url), res.end('{}')) };
}
const named = (seen, name) =>
  seen.filter((path) => path.startsWith(`/${name}/`)).map((path) => Number(path.split('/')[2]));
const sumOf = (numbers) => numbers.reduce((sum, one) => sum + one, 0);
const indexesOf = (seen) => seen.map((path) => Number(path.split('/')[2])).sort((a, b) => a - b);
/** INDEX of the first iterations of the load at a position. */
const first = (count, at, of) => Array.from({ length: count }, (_, n) => n * of + at);
const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const get = (url, name) => [{ get: `${url}/${name}/#{INDEX}` }];

/**
 * 40 arrivals, 60 iterations of 4 virtual users and then 12 of another load, and 20 of those that share the load of the
 * run.
 */
const flowOf = (url) => ({
  scenarios: {
    visits: { load: { rate: 400, iterations: 40, limit: 5 }, main: get(url, 'visits') },
    import: { load: { limit: 4, iterations: 60 }, main: get(url, 'import') },
    later: { load: { limit: 3, iterations: 12 }, startAfter: 'import', main: get(url, 'later') },
    a: { main: get(url, 'a') },
    b: { main: get(url, 'b') },
  },
});
const RUN = { limit: 3, iterations: 20 };
const COUNTS = [
  ['main', 20],
  ['visits', 40],
  ['import', 60],
  ['later', 12],
];
/** INDEX of all iterations. */
const INDEXES = [...first(20, 0, 4), ...first(40, 1, 4), ...first(60, 2, 4), ...first(12, 3, 4)].sort((a, b) => a - b);

/** The counts of histograms, added: each percentile follows from them. */
const countsOf = (summaries) => {
  const sum = new Histogram();
  for (const summary of summaries) if (summary.count > 0) sum.add(Histogram.decode(summary));
  return sum.encoded();
};

/** The figures of the run are the sum of those of its loads. */
function expectSum({ loads, iterations, main, errors, scenarios, series: all }) {
  expect(all.points.reduce((sum, point) => sum + point.iterations.completed, 0)).to.equal(main.completed.count);
  for (const name of ['started', 'completed', 'failed', 'cancelled', 'dropped', 'late'])
    expect(
      loads.reduce((sum, load) => sum + load.iterations[name], 0),
      name,
    ).to.equal(iterations[name]);
  expect(loads.reduce((sum, { times }) => sum + times.responseTime.count, 0)).to.equal(main.completed.count);
  for (const [own, all] of [
    ['responseTime', main.completed],
    ['serviceTime', main.serviceTime],
  ])
    expect(countsOf(loads.map(({ times }) => times[own]))).to.deep.equal(countsOf([all]));
  expect(Math.max(...loads.map(({ times }) => times.responseTime.max ?? 0))).to.equal(main.completed.max ?? 0);
  expect(loads.reduce((sum, load) => sum + load.errors, 0)).to.equal(errors.count);
  expect(
    loads.flatMap(({ series }) => series.points).reduce((sum, point) => sum + point.iterations.completed, 0),
  ).to.equal(iterations.completed);
  for (const { name, count } of scenarios) {
    const load = loads.find((one) => one.name === name);
    if (load) expect(load.count).to.equal(count);
  }
}

describe('several loads', () => {
  suiteHere('workers');

  for (const workers of scaled([undefined, 1, 3], [undefined, 1, 2, 3]))
    itSlow(
      `${workers ?? 'no'} workers: each load has its iterations, INDEX is used once, and the run is the sum`,
      () => {
        const { seen, answer } = recording();
        return serving(answer, async (url) => {
          const { stats } = await benchrest(flowOf(url), { ...RUN, ...(workers && { workers }) });
          expect(stats.errors.details).to.deep.equal([]);
          expect(stats.loads.map(({ name, iterations }) => [name, iterations.completed])).to.deep.equal(COUNTS);
          expect(sorted(named(seen, 'visits'))).to.deep.equal(first(40, 1, 4));
          expect(sorted(named(seen, 'import'))).to.deep.equal(first(60, 2, 4));
          expect(sorted(named(seen, 'later'))).to.deep.equal(first(12, 3, 4));
          expect(sorted([...named(seen, 'a'), ...named(seen, 'b')])).to.deep.equal(first(20, 0, 4));
          const names = seen.map((path) => path.split('/')[1]);
          expect(names.indexOf('later'), 'later begins when import has ended').to.be.above(names.lastIndexOf('import'));
          expect(named(seen, 'a')).to.have.lengthOf(10);
          expectSum(stats);
          expect(stats.scenarios.map(({ name, count }) => [name, count])).to.deep.equal([
            ['visits', 40],
            ['import', 60],
            ['later', 12],
            ['a', 10],
            ['b', 10],
          ]);
          expect(stats.virtualUsers.started).to.equal(
            stats.loads.reduce((sum, load) => sum + load.virtualUsers.started, 0),
          );
          const [shared, visits, imported, later] = stats.loads;
          expect(shared.iterations).to.not.have.property('plannedRate');
          expect(visits.iterations.plannedRate).to.be.closeTo(400, 1e-6);
          expect(imported.virtualUsers.started).to.be.at.most(4);
          expect(later.startAfter).to.be.at.least(imported.measuredElapsed);
          expect(stats.validity.status).to.not.equal('invalid');
        });
      },
    );

  for (const count of scaled([3], [1, 2, 3]))
    itSlow(`${count} shards: every INDEX of every load runs in one of them, and merged they are the run`, () => {
      const { seen, answer } = recording();
      const folder = mkdtempSync(join(tmpdir(), 'bench-rest-loads-'));
      return serving(answer, async (url) => {
        try {
          const flow = join(folder, 'flow.json');
          writeFileSync(flow, JSON.stringify(flowOf(url)));
          const files = Array.from({ length: count }, (_, i) => join(folder, `${i + 1}.json`));
          for (const [i, file] of files.entries()) {
            const shard = ['--shard', `${i + 1}/${count}`];
            const { stderr, code } = await command(['-n', '20', '-c', '3', ...shard, '--quiet', '-o', file, flow]);
            expect(code, stderr).to.equal(0);
          }
          expect(indexesOf(seen)).to.deep.equal(INDEXES);
          const merged = join(folder, 'merged.json');
          await command(['merge', '--partial', ...files, '--quiet', '-o', merged]);
          const [result, ...parts] = [merged, ...files].map((file) => JSON.parse(readFileSync(file, 'utf8')));
          expect(result.loads.map(({ name, iterations }) => [name, iterations.completed])).to.deep.equal(COUNTS);
          expectSum(result);
          for (const [at, { times }] of result.loads.entries())
            expect(countsOf([times.responseTime])).to.deep.equal(
              countsOf(parts.map(({ loads }) => loads[at].times.responseTime)),
            );
          await command(['merge', '--partial', ...files.slice(1), '--quiet', '-o', merged]);
          const { iterations, loads } = count === 1 ? { loads: [] } : JSON.parse(readFileSync(merged, 'utf8'));
          for (const [at, { name, iterations: own }] of loads.entries()) {
            expect(own.missing).to.be.above(0);
            expect([name, own.started + own.missing]).to.deep.equal(COUNTS[at]);
          }
          if (count > 1) expect(iterations.missing).to.equal(sumOf(loads.map((one) => one.iterations.missing)));
          expect(result.run.loads.map(({ name, after }) => [name, after])).to.deep.equal([
            ...['main', 'visits', 'import'].map((name) => [name, undefined]),
            ['later', 'import'],
          ]);
        } finally {
          rmSync(folder, { recursive: true });
        }
      });
    });

  it('a load begins after its time, and one without an end goes on until the others have ended', () => {
    const { seen, answer } = recording();
    return serving(answer, async (url) => {
      const { stats, endReason } = await benchrest(
        {
          scenarios: {
            background: { load: { limit: 1, pause: '5ms' }, main: get(url, 'background') },
            early: { load: { rate: 100, iterations: 10, limit: 5 }, main: get(url, 'early') },
            later: { load: { iterations: 5, limit: 1 }, startAfter: 'early', main: get(url, 'later') },
          },
        },
        {},
      );
      expect(endReason).to.equal('completed');
      expect(stats.loads.map(({ name, startAfter }) => [name, startAfter])).to.deep.equal([
        ['background', 0],
        ['early', 0],
        ['later', 100],
      ]);
      const [background, early, later] = stats.loads.map(({ iterations }) => iterations);
      expect([early.completed, later.completed]).to.deep.equal([10, 5]);
      expect(background.started).to.be.above(0);
      expect(named(seen, 'background')).to.deep.equal(first(background.started, 0, 3));
      expect(stats.iterations.cancelled).to.equal(0);
      expectSum(stats);
    });
  });

  it('oneOf and rows are taken in turn by each load, and rows of order unique are used once', () => {
    const { seen, answer } = recording();
    const rows = Array.from({ length: 4 }, (_, i) => ({ name: `r${i}` }));
    return serving(answer, async (url) => {
      const load = { limit: 1, iterations: 4 };
      const choice = (name) => [
        { oneOf: [{ get: `${url}/${name}/x/#{users.name}` }, { get: `${url}/${name}/y/#{users.name}` }] },
      ];
      const scenarios = { a: { load, main: choice('a') }, b: { load, main: choice('b') } };
      await benchrest({ data: { users: { rows } }, scenarios }, {});
      for (const name of ['a', 'b'])
        expect(seen.filter((path) => path.startsWith(`/${name}/`))).to.deep.equal([
          `/${name}/x/r0`,
          `/${name}/y/r1`,
          `/${name}/x/r2`,
          `/${name}/y/r3`,
        ]);
      seen.splice(0);
      await benchrest({ data: { users: { rows, order: 'unique' } }, scenarios }, {});
      expect(seen.map((path) => path.split('/')[3]).sort()).to.deep.equal(['r0', 'r1', 'r2', 'r3']);
    });
  });

  itSlow('a warm-up runs all loads, and does not count', () => {
    const { seen, answer } = recording();
    return serving(answer, async (url) => {
      const { stats } = await benchrest(flowOf(url), { ...RUN, warmup: 50 });
      expect(stats.loads.map(({ name, iterations }) => [name, iterations.completed])).to.deep.equal(COUNTS);
      const warm = indexesOf(seen).filter((index) => index >= 1e12);
      expect(new Set(warm).size).to.equal(warm.length);
      expect(new Set(warm.map((index) => (index - 1e12) % 4)).size).to.equal(4);
    });
  });

  itSlow('thresholds judge a load by its name, and a small load that was dropped fails the run', () =>
    serving(
      (req, res) => {
        if (req.url.startsWith('/slow')) setTimeout(() => res.end(), 300);
        else res.end();
      },
      async (url) => {
        const { stats } = await benchrest(
          {
            scenarios: {
              fast: { load: { limit: 2, iterations: scaled(100, 2000) }, main: get(url, 'fast') },
              slow: { load: { rate: 100, duration: 100, limit: 1, maxBacklog: 1 }, main: get(url, 'slow') },
            },
            thresholds: ['fast p99<10s', 'slow dropped<5', 'fast errors<1%', 'slow count>0'],
          },
          {},
        );
        const [, slow] = stats.loads;
        expect(slow.iterations.dropped).to.be.at.least(5);
        expect(stats.thresholds.map(({ of, passed }) => [of, passed])).to.deep.equal([
          [{ load: 'fast' }, true],
          [{ load: 'slow' }, false],
          [{ load: 'fast' }, true],
          [{ load: 'slow' }, true],
        ]);
        expect(stats.outcome.reasons.map(({ code }) => code)).to.include('threshold');
        const { outcome } = (
          await benchrest(
            {
              scenarios: {
                fast: { load: { limit: 2, iterations: scaled(1000, 2000) }, main: get(url, 'fast') },
                slow: { load: { rate: 100, duration: 100, limit: 1, maxBacklog: 1 }, main: get(url, 'slow') },
              },
            },
            {},
          )
        ).stats;
        const [{ code, message, of }] = outcome.reasons;
        expect([code, of]).to.deep.equal(['dropped', { load: 'slow' }]);
        expect(message).to.match(/^slow: \d+ of 10 planned iterations never started/);
      },
    ),
  );

  itSlow('abortOnFailOf ends the run when a threshold of this load fails, and others do not end it', () =>
    serving(
      (req, res) => {
        res.statusCode = req.url.startsWith('/bad') ? 500 : 200;
        res.end();
      },
      async (url) => {
        const main = (name) => [{ get: `${url}/${name}/#{INDEX}`, expect: { status: 200 } }];
        const load = { limit: 1, duration: '10m', pause: 10 };
        const flow = {
          scenarios: { bad: { load, main: main('bad') }, good: { load, main: main('good') } },
          thresholds: ['bad errors<50%', 'good p99<1h', 'errors<1'],
        };
        const { stats, endReason } = await benchrest(flow, { abortOnFailOf: 'bad' });
        expect(endReason).to.equal('threshold');
        expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([false, true, false]);
        const short = { ...load, duration: 1500 };
        const others = {
          ...flow,
          scenarios: { bad: { load: short, main: main('bad') }, good: { load: short, main: main('good') } },
        };
        expect((await benchrest(others, { abortOnFailOf: ['good'] })).endReason).to.equal('completed');
        expect(() => benchrest(flow, { abortOnFailOf: ['none'] })).to.throw(
          '"none" has no threshold: those that have one are bad, good',
        );
      },
    ),
  );

  for (const workers of scaled([undefined, 2], [undefined, 1, 2, 3]))
    itSlow(
      `maxRequests ends all loads, and prealloc renders the first iterations of each: ${workers ?? 'no'} workers`,
      () => {
        const { seen, answer } = recording();
        return serving(answer, async (url) => {
          const scenarios = {
            pair: { load: { limit: 3 }, main: [...get(url, 'pair'), ...get(url, 'pair')] },
            single: { load: { rate: 300, limit: 3 }, main: get(url, 'single') },
          };
          const { stats, endReason } = await benchrest(
            { scenarios },
            { maxRequests: 101, prealloc: 5, ...(workers && { workers }) },
          );
          expect(endReason).to.equal('completed');
          expect(stats.requests.sent).to.be.within(99, 101);
          expect(seen).to.have.lengthOf(stats.requests.sent);
          const [pair, single] = stats.loads.map(({ iterations }) => iterations.completed);
          expect(2 * pair + single).to.equal(stats.requests.sent);
          expect(sorted(named(seen, 'pair'))).to.deep.equal(first(pair, 0, 2).flatMap((index) => [index, index]));
          expect(sorted(named(seen, 'single'))).to.deep.equal(first(single, 1, 2));
          expectSum(stats);
        });
      },
    );

  it('virtual users do not pause when no request of maxRequests is left', () =>
    serving(ok, async (url) => {
      const load = { limit: 1, pause: '1h' };
      const scenarios = { a: { load, main: get(url, 'a') }, b: { load, main: get(url, 'b') } };
      const { stats, endReason } = await benchrest({ scenarios }, { maxRequests: 2 });
      expect([endReason, stats.requests.sent]).to.deep.equal(['completed', 2]);
    }));

  it('expectedInterval corrects the times of closed loads', () =>
    serving(
      (req, res) => void setTimeout(() => res.end(), 25),
      async (url) => {
        const load = { limit: 1, iterations: 3 };
        const scenarios = { a: { load, main: get(url, 'a') }, b: { load, main: get(url, 'b') } };
        const { stats } = await benchrest({ scenarios }, { expectedInterval: 10 });
        expect(stats.main.completed.count).to.equal(6);
        expect(stats.main.corrected.count).to.be.at.least(12);
      },
    ));

  it('maxRequestsPerUser limits the virtual users of each load by its own operations', () => {
    const { seen, answer } = recording();
    return serving(answer, async (url) => {
      const scenarios = {
        pair: { load: { limit: 3 }, main: [...get(url, 'pair'), ...get(url, 'pair')] },
        single: { load: { limit: 2 }, startAfter: 'pair', main: get(url, 'single') },
      };
      const { stats } = await benchrest({ scenarios }, { maxRequestsPerUser: 5 });
      expect(stats.loads.map(({ iterations }) => iterations.completed)).to.deep.equal([6, 10]);
      expect(seen).to.have.lengthOf(22);
    });
  });

  for (const [text, scenarios, options] of [
    [
      'begins when import has ended, and the run ends then',
      { import: { load: { iterations: 5 } }, later: { load: { limit: 1 }, startAfter: 'import' } },
    ],
    ['import has no end', { import: { load: { limit: 1 } }, later: { load: { iterations: 1 }, startAfter: 'import' } }],
    [
      'flow.scenarios.later.startAfter: changes the load while the run goes on',
      { import: { load: { limit: 1 } }, later: { load: { limit: 1 }, startAfter: '1s' } },
      { precision: 'p95±3%' },
    ],
    [
      'runOptions.expectedInterval: later has an arrival rate',
      { import: { load: { limit: 1 } }, later: { load: { rate: 1 } } },
      { expectedInterval: 10, duration: 1000 },
    ],
  ])
    it(`is refused: ${text}`, () => {
      const main = ['http://127.0.0.1:9/'];
      const flow = {
        scenarios: Object.fromEntries(Object.entries(scenarios).map(([name, one]) => [name, { ...one, main }])),
      };
      expect(() => benchrest(flow, options ?? {})).to.throw(text);
    });

  it('a load that waits for another one does not start when the run is stopped', () =>
    serving(ok, async (url) => {
      const run = benchrest(
        {
          scenarios: {
            first: { load: { limit: 1, duration: '10m', iterations: 1e6 }, main: get(url, 'first') },
            then: { load: { iterations: 5 }, startAfter: 'first', main: get(url, 'then') },
          },
        },
        {},
      );
      setTimeout(() => run.stop(), 50);
      const { stats } = await run;
      const [first, then] = stats.loads;
      expect(first.startAfter).to.equal(0);
      expect(then).to.not.have.property('startAfter');
      expect(then.iterations.started).to.equal(0);
    }));

  it('an error limit of the run ends all loads', () =>
    serving(
      (req, res) => {
        res.statusCode = 500;
        res.end();
      },
      async (url) => {
        const scenarios = Object.fromEntries(
          ['a', 'b'].map((name) => [
            name,
            {
              load: { limit: 2, duration: '10m' },
              main: [{ get: `${url}/${name}/#{INDEX}`, expect: { status: 200 } }],
            },
          ]),
        );
        const { stats, endReason } = await benchrest({ scenarios }, { bailout: 50 });
        expect(endReason).to.equal('bailout');
        expectSum(stats);
      },
    ));

  itSlow('the command line joins loads by +, and draws them with --print-plan', () => {
    const { seen, answer } = recording();
    return serving(answer, async (url) => {
      const loads = ['-r', '400', '-n', '20', '/items', '+', '-c', '2', '-n', '30', '-m', 'POST', '-b', 'x', '/import'];
      const { stdout, stderr, code } = await command(['--base-url', url, ...loads]);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/\n *load +start .*\n *\/items .*\n *\/import /);
      expect(seen.filter((path) => path === '/items')).to.have.lengthOf(20);
      expect(seen.filter((path) => path === '/import')).to.have.lengthOf(30);
      seen.splice(0);
      const plan = await command([
        '--base-url',
        url,
        '--print-plan',
        ...['--pacing', 'poll'],
        ...loads,
        ...['+', '--start-after', '10s', '-t', '5s', '/b'],
        ...['+', '--start-after', '/import', '-n', '5', '/c'],
        ...['+', '-n', '1', '/c', '+', '-n', '1', '/c 2'],
      ]);
      expect(plan.code, plan.stderr).to.equal(0);
      expect(plan.stdout).to.include('/items').and.include('from 10 s').and.include('30 iterations');
      expect(plan.stdout)
        .to.include('/c after /import: 5 iterations')
        .and.include('; paced by polling; nothing is sent');
      expect(plan.stdout, 'each load has a name of its own').to.match(/^\/c 2 .*\n\/c 2 2 /m);
      expect(seen).to.deep.equal([]);
    });
  });

  describeSlow('counts per virtual user, steps, spikes and recorded curves', () => {
    // 15 + 30 in steps, 20 in a spike, 2 x (10 + 30) / 2 of a curve, and 3 of each of 4 virtual users
    const COUNTS_OF_STAGES = [
      ['/steps', 45],
      ['/spike', 20],
      ['/curve', 40],
      ['/each', 12],
    ];
    const CURVE = 'time,rate\n0,100\n0.1,300\n';
    const flowWith = (url, file) => {
      const load = (name, own) => ({ load: { limit: 4, ...own }, main: [`${url}${name}/#{INDEX}`] });
      return {
        scenarios: {
          '/steps': load('/steps', { stages: [{ duration: 200, rate: 300, steps: 2 }] }),
          '/spike': load('/spike', { stages: [{ duration: '50ms', rate: 0 }, '100ms:=200'] }),
          '/curve': load('/curve', { stages: { file }, scale: 2, speed: 2 }),
          '/each': load('/each', { iterations: '3 per user' }),
        },
      };
    };
    const expectCounts = ({ loads }) => {
      expect(loads.map(({ name, iterations }) => [name, iterations.started + iterations.dropped])).to.deep.equal(
        COUNTS_OF_STAGES,
      );
      expect(loads[0].iterations.plannedRate).to.be.closeTo(225, 1);
      expect(loads[2].iterations.plannedRate).to.be.closeTo(400, 1);
    };

    for (const [how, run] of [
      ['code', async (url, file) => (await benchrest(flowWith(url, file), {})).stats],
      [
        'YAML, with a path relative to the flow',
        async (url, file, folder) => {
          const path = join(folder, 'flow.yaml');
          writeFileSync(path, JSON.stringify(flowWith(url, 'traffic.csv')));
          return JSON.parse((await command(['--json', path])).stdout);
        },
      ],
      [
        'the command line',
        async (url, file) => {
          const loads = [
            ['-c', '4', '--stage', '200ms:300 in 2 steps', '/steps'],
            ['-c', '4', '--stage', '50ms:0', '--stage', '100ms:=200', '/spike'],
            ['-c', '4', '--stage', `@${file}`, '--scale', '2', '--speed', '2', '/curve'],
            ['-c', '4', '-n', '3 per user', '/each'],
          ];
          const args = loads.flatMap((load, i) => (i === 0 ? load : ['+', ...load]));
          return JSON.parse((await command(['--json', '--base-url', url, ...args])).stdout);
        },
      ],
    ])
      it(`work in ${how}`, () => {
        const folder = mkdtempSync(join(tmpdir(), 'bench-rest-loads-'));
        const file = join(folder, 'traffic.csv');
        return serving(ok, async (url, seen) => {
          try {
            writeFileSync(file, CURVE);
            expectCounts(await run(url, file, folder));
            expect(seen.filter((request) => request.url.startsWith('/each'))).to.have.lengthOf(12);
          } finally {
            rmSync(folder, { recursive: true });
          }
        });
      });
  });

  it('--print-plan draws a load with a line break in its name in one line', async () => {
    const load = { load: { iterations: 1 }, main: ['http://127.0.0.1:9/'] };
    const flow = JSON.stringify({ scenarios: { 'a\nb': load, c: { ...load, startAfter: 'a\nb' } } });
    const { stdout, stderr } = await command(['--print-plan', '-e', flow]);
    expect(stderr).to.equal('');
    expect(stdout)
      .to.match(/^a\\nb {2}.*1 iteration$/m)
      .and.match(/^c after a\\nb: 1 iteration/m);
  });

  for (const [args, text] of [
    [['-r', '1', '-t', '1s', '/a', '+', '-w', '2', '/b'], '-w is of the whole run: write it before the first +'],
    [['-r', '1', '-t', '1s', '/a', '+', '-c', '2'], 'after + comes another load: -c 2 URL'],
    [
      ['-r', '1', '-t', '1s', '/a', '+', '-r', 'x', '/b'],
      "after +: option '-r, --rate <rate>' argument 'x' is invalid",
    ],
    [['-r', '1', '-t', '1s', 'flow.js', '+', '/b'], 'flow.js is a flow: loads that are joined by + have URLs'],
    [['-t', '1s', '+', '/b'], 'a URL is missing before +'],
    [['-t', '1s', '--title', '+', '-c', '+', '/b'], "option '-c, --concurrency <n>' argument '+' is invalid"],
    [['-r', '1', '/a', '+', '-c', '2', '/b'], 'no load has an end'],
    [['-t', '1s', '/a', '+', '--start-after', '30', '/b'], '--start-after 30: '],
    [['-t', '1s', '/a', '+', '--start-after', '/c', '/b'], 'the name of a load: did you mean /a?'],
    [['--stage', '@none.csv', '/a'], "'@none.csv' is invalid. none.csv does not exist"],
    [['-t', '1s', '/a', '+', '--stage', '@none.csv', '/b'], 'none.csv does not exist'],
  ])
    it(`${args.join(' ')} is refused`, async () => {
      const { stderr, code } = await command(['--base-url', 'http://127.0.0.1:9', ...args]);
      expect(stderr).to.include(text);
      expect(code).to.not.equal(0);
    });
});
