import { expect } from 'chai';

import { mergeStats } from '../lib/addons/merge/measure/merge.js';
import { benchrest } from '../lib/core/run/benchrest.js';
import { REPORTERS } from '../lib/core/report/formats/index.js';
import fc from './support/fast-check.js';
import { scaled } from './support/scale.js';
import { serving } from './support/serve.js';
import { describeSlow } from './support/slow.js';

/**
 * Every figure of random runs is computed a second time, from a list of all events of the server of the test and of its
 * hooks, and compared.
 */

const PHASES = ['before', 'beforeMain', 'main', 'afterMain', 'after'];
const OF_ITERATIONS = ['beforeMain', 'main', 'afterMain'];

const phase = fc.array(fc.record({ tag: fc.constantFrom('a', 'b', null), isError: fc.boolean() }), { maxLength: 2 });
const scenario = fc.record({
  main: fc.array(
    phase.map(([one]) => one ?? { tag: 'a', isError: false }),
    { minLength: 1, maxLength: 2 },
  ),
  n: fc.integer({ min: 4, max: 8 }),
});
const run = fc.record({
  before: phase,
  beforeMain: phase,
  afterMain: phase,
  after: phase,
  scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
  areLoads: fc.boolean(),
  /** Threads of each part, and parts: shards of one run, or two whole runs. */
  workers: fc.constantFrom(null, null, 2),
  areShards: fc.boolean(),
});

/**
 * The operations of a phase: their URLs tell the server which one it is, and a hook marks a meter at each; workers get
 * no hooks of a program.
 */
function operationsOf(where, all, events) {
  const hook = (done) => {
    done.env.stats.meter('marks').mark();
    done.env.stats.histogram('sizes').update(10 ** (events.length % 9));
    events.push(10 ** (events.length % 9));
    return done;
  };
  return all.map(({ tag, isError }, i) => ({
    get: `/${where}/${i}?status=${isError && where.startsWith('main') ? 500 : 200}`,
    name: `${where} ${i}`,
    ...(tag && { tags: { team: tag } }),
    ...(events && { afterHooks: [hook] }),
  }));
}

/** @type {(given: any, events: number[]) => object} a flow of what was drawn */
function flowOf({ scenarios, areLoads, ...given }, events) {
  const common = Object.fromEntries(
    PHASES.filter((name) => name !== 'main').map((name) => [name, operationsOf(name, given[name], events)]),
  );
  const own = scenarios.map(({ main, n }, i) => [
    `s${i}`,
    {
      main: operationsOf(`main-s${i}`, main, events).map((one) => ({ ...one, group: `g${i}` })),
      ...(areLoads && { load: { limit: 4, iterations: n } }),
    },
  ]);
  return { ...common, scenarios: Object.fromEntries(own) };
}

/** @type {(url: string) => { phase: string, path: string }} */
function placeOf(url) {
  const path = url.split('?')[0];
  return { path, phase: path.split('/')[1].replace(/-.*/, '') };
}

/** What a result says, and the same from the requests that the server has got. */
function expectFigures(stats, seen, { given, measured = stats.measuredElapsed }) {
  const places = seen.map(({ url }) => placeOf(url));
  const inPhases = (phases) => places.filter((one) => phases.includes(one.phase)).length;
  const rate = (count) => (1000 * count) / measured;
  expect(stats.requests.sent).to.equal(inPhases(OF_ITERATIONS));
  expect(stats.requests.answered).to.equal(inPhases(OF_ITERATIONS));
  expect(stats.requests.rate).to.be.closeTo(rate(inPhases(OF_ITERATIONS)), 1e-6);
  expect(stats.outside?.sent ?? 0).to.equal(inPhases(['before', 'after']));
  for (const { name, phase: where, count, rate: own, times } of stats.operations) {
    const path = `/${name.replace(' ', '/')}`;
    const all = places.filter((one) => one.path === path).length;
    expect([count, times.serviceTime.count], name).to.deep.equal([all, all]);
    expect(own ?? null, name).to.equal(OF_ITERATIONS.includes(where) ? own : null);
    if (own !== undefined) expect(own).to.be.closeTo(rate(all), 1e-6);
  }
  for (const { name, phase: where, count, errors, times } of stats.tags ?? []) {
    const isTagged = ({ tag }) => `team:${tag}` === name;
    const lists = { ...given, main: given.scenarios.flatMap(({ main }) => main) };
    const first = lists.main.some(isTagged) ? 'main' : PHASES.find((one) => lists[one].some(isTagged));
    expect(where, name).to.equal(first);
    const own = stats.operations.filter((one) => one.phase === where && `team:${one.labels.team}` === name);
    const sum = (of) => own.reduce((total, one) => total + of(one), 0);
    expect([count, errors, times.serviceTime.count], name).to.deep.equal([
      sum((one) => one.count),
      sum((one) => one.errors),
      sum((one) => one.times.serviceTime.count),
    ]);
    expect(times.serviceTime.max ?? 0).to.equal(Math.max(...own.map((one) => one.times.serviceTime.max)));
  }
  for (const { name, count } of stats.scenarios) {
    const [main] = given.scenarios[Number(name.slice(1))].main.keys();
    expect(count, name).to.equal(places.filter((one) => one.path === `/main-${name}/${main}`).length);
  }
  for (const load of stats.loads ?? [])
    expect(load.rate).to.be.closeTo((1000 * load.iterations.completed) / load.measuredElapsed, 1e-6);
  for (const { name, count, errors } of stats.groups) {
    const of = stats.scenarios[Number(name.slice(1))];
    expect([count, errors], name).to.deep.equal([of.count, of.errors]);
  }
  if (places.length === 0) return;
  // Each response has a time in Server-Timing, which workers record, too.
  const { meter, histogram } = stats.metrics['serverTiming.db'];
  expect([meter.count, histogram.count]).to.deep.equal([places.length, places.length]);
  expect(histogram.max).to.equal(Math.max(...places.map(({ path }) => path.length)));
  const { marks = meter, sizes = histogram } = stats.metrics;
  expect([marks.count, sizes.count, sizes.outOfRange ?? 0]).to.deep.equal([places.length, places.length, 0]);
  for (const one of [meter, marks]) expect(one.rate).to.be.closeTo(rate(inPhases(OF_ITERATIONS)), 1e-6);
}

/** The percentile of a list, by nearest rank. */
const percentileOf = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)];

const answer = (req, res) => {
  const { pathname, searchParams } = new URL(req.url, 'http://host');
  res.statusCode = Number(searchParams.get('status'));
  res.setHeader('server-timing', `db;dur=${pathname.length}`);
  res.end('ok');
};

describeSlow('figures cover what their names say', function () {
  this.timeout(120_000);

  it('each figure of a random run is that of the events of its phases, loads and scenarios, also in a sum', () =>
    fc.assert(
      fc.asyncProperty(run, async (given) => {
        await serving(answer, async (url, seen) => {
          const parts = [];
          const all = [];
          const { areLoads, areShards, workers } = given;
          for (const number of [1, 2]) {
            const events = workers ? undefined : [];
            seen.length = 0;
            const { stats } = await benchrest(flowOf(given, events), {
              ...{ baseUrl: url, limit: 4, workers, seriesInterval: 1000 },
              ...(!areLoads && { iterations: 12 }),
              ...(areShards && { shard: { number, of: 2 } }),
            });
            expectFigures(stats, seen, { given });
            for (const [key, share] of Object.entries(events?.length ? { median: 0.5, p95: 0.95 } : {})) {
              const exact = percentileOf(events, share);
              expect(stats.metrics.sizes[key]).to.be.closeTo(exact, exact / 500);
            }
            parts.push(JSON.parse(JSON.stringify(stats)));
            all.push(...seen.map((request) => ({ url: request.url })));
          }
          // One after the other: the time of the sum is that of both.
          const offsets = [0, parts[0].measuredElapsed];
          expectFigures(mergeStats(parts, [], { offsets }), all, { given });
        });
      }),
      { numRuns: scaled(8, 100) },
    ));

  for (const threads of ['workers', 'the main thread'])
    it(`a hanging load fails beside a slow one, in ${threads}`, () => {
      let from = 0;
      const hanging = (req, res) => {
        from ||= performance.now();
        if (req.url === '/fast' && performance.now() - from > 300) return;
        setTimeout(() => res.end(), req.url === '/slow' ? 500 : 1);
      };
      return serving(hanging, async (url) => {
        const flow = (load) => ({
          scenarios: {
            fast: { ...load(2), main: [`${url}/fast`] },
            slow: { ...load(2), main: [`${url}/slow`] },
          },
        });
        const workers = threads === 'workers' ? { workers: 2 } : {};
        const { stats } = await benchrest(
          flow((limit) => ({ load: { limit, duration: 650 } })),
          { gracefulStop: '60ms', ...workers },
        );
        const [fast] = stats.loads;
        expect(fast.errors).to.equal(fast.iterations.overdue);
        expect(fast.errors).to.be.at.least(1);
        expect(stats.scenarios[0].overdue).to.equal(fast.errors);
        const sum = (rows) => rows.reduce((total, { overdue = 0 }) => total + overdue, 0);
        expect(sum(stats.scenarios)).to.equal(stats.iterations.overdue);
        expect(sum(stats.loads.map(({ iterations }) => iterations))).to.equal(stats.iterations.overdue);
      });
    });

  for (const where of ['scenarios', 'the flow'])
    it(`iterations that hang in a beforeMain of ${where} are errors of their load`, () => {
      let logins = 0;
      const hanging = (req, res) => {
        if (req.url !== '/login' || ++logins <= 20) res.end();
      };
      return serving(hanging, async (url) => {
        const beforeMain = [`${url}/login`];
        const load = { limit: 2, duration: 900 };
        const slow = { load, main: [`${url}/x`], ...(where === 'scenarios' && { beforeMain }) };
        const scenarios = { slow, other: { ...slow, load: { limit: 3, duration: 900 } } };
        const { stats } = await benchrest(
          { scenarios, ...(where === 'the flow' && { beforeMain }) },
          { gracefulStop: '60ms' },
        );
        expect(stats.loads.map(({ errors, iterations }) => [errors, iterations.overdue])).to.deep.equal([
          [2, 2],
          [3, 3],
        ]);
        expect(stats.iterations.overdue).to.equal(5);
      });
    });

  it('each overdue iteration of a shared beforeMain belongs to its load, also in a sum', () => {
    let logins = 0;
    const answering = (req, res) => {
      if (req.url !== '/login') return res.end();
      // The two users of the first load wait for ever.
      if (req.headers['x-load'] === 'hangs') return ++logins <= 2 && res.end();
      return setTimeout(() => res.end(), res.socket.served ? 100 : 400, (res.socket.served = true));
    };
    return serving(answering, async (url) => {
      const beforeMain = [{ get: `${url}/login`, headers: { 'x-load': ({ env }) => env.scenario } }];
      const scenario = { load: { limit: 2, duration: 900 }, main: [`${url}/x`] };
      const scenarios = { hangs: scenario, answered: scenario };
      const { stats } = await benchrest({ scenarios, beforeMain }, { gracefulStop: '60ms' });
      for (const one of [stats, mergeStats([JSON.parse(JSON.stringify(stats))])]) {
        const [hangs, answered] = one.loads.map(({ iterations }) => iterations.overdue);
        expect(hangs).to.equal(2);
        expect(one.iterations.overdue).to.equal(hangs + answered);
        expect(one.operations.find(({ phase }) => phase === 'beforeMain').overdue).to.equal(hangs + answered);
        expect(one.loads.reduce((sum, { errors }) => sum + errors, 0)).to.equal(hangs + answered);
      }
    });
  });

  it('operations beyond 1,000 keep their tags, scenarios and phases, also in a sum, and reports name the bound', () =>
    serving(answer, async (url) => {
      const oneOf = Array.from({ length: 1100 }, (_, i) => ({
        get: `/x?status=${i < 1000 ? 200 : 500}`,
        name: `op${i}`,
        tags: { team: i % 2 === 0 ? 'a' : 'b' },
      }));
      const thresholds = ['team:a errors<1%'];
      const { stats } = await benchrest(
        { main: [{ oneOf }] },
        { baseUrl: url, limit: 10, iterations: 1100, thresholds },
      );
      for (const one of [stats, mergeStats([JSON.parse(JSON.stringify(stats))])]) {
        expect(one.tags.map(({ name, count, errors }) => [name, count, errors])).to.deep.equal([
          ['team:a', 550, 50],
          ['team:b', 550, 50],
        ]);
        expect(
          one.operations.slice(1000).map(({ name, phase: where, count, labels }) => [name, where, count, labels.team]),
        ).to.deep.equal([
          ['other', 'main', 50, 'a'],
          ['other', 'main', 50, 'b'],
        ]);
        expect(one.validity.remarks.map(({ code }) => code)).to.include('bound');
      }
      expect(stats.thresholds[0].passed).to.equal(false);
      for (const { name, load } of REPORTERS.filter((one) =>
        ['text', 'json', 'csv', 'junit', 'markdown', 'html'].includes(one.name),
      )) {
        const { render } = await load();
        expect(render({ ...JSON.parse(JSON.stringify(stats)), run: undefined }, { full: true }), name).to.contain(
          '1,000 operations',
        );
      }
    }));
});
