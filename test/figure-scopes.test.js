import { expect } from 'chai';

import { mergeStats } from '../lib/measure/merge.js';
import { benchrest } from '../lib/run/benchrest.js';
import { REPORTERS } from '../lib/report/formats/index.js';
import fc from './support/fast-check.js';
import { scaled } from './support/scale.js';
import { serving } from './support/serve.js';

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
  n: fc.integer({ min: 1, max: 8 }),
});
const run = fc.record({
  before: phase,
  beforeMain: phase,
  afterMain: phase,
  after: phase,
  scenarios: fc.array(scenario, { minLength: 1, maxLength: 3 }),
  areLoads: fc.boolean(),
});

/** The operations of a phase: their URLs tell the server which one it is, and a hook marks a meter at each. */
function operationsOf(where, all, events) {
  return all.map(({ tag, isError }, i) => ({
    get: `/${where}/${i}?status=${isError && where.startsWith('main') ? 500 : 200}`,
    name: `${where} ${i}`,
    ...(tag && { tags: { team: tag } }),
    afterHooks: [
      (done) => {
        done.env.stats.meter('marks').mark();
        done.env.stats.histogram('sizes').update(10 ** (events.length % 9));
        events.push(10 ** (events.length % 9));
        return done;
      },
    ],
  }));
}

/** @type {(given: any, events: number[]) => object} a flow of what was drawn */
function flowOf({ scenarios, areLoads, ...phases }, events) {
  const common = Object.fromEntries(
    Object.entries(phases).map(([name, all]) => [name, operationsOf(name, all, events)]),
  );
  const own = scenarios.map(({ main, n }, i) => [
    `s${i}`,
    {
      main: operationsOf(`main-s${i}`, main, events),
      ...(areLoads && { load: { limit: 2, iterations: n } }),
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
  if (places.length === 0) return;
  const { marks, sizes } = stats.metrics;
  expect([marks.count, sizes.count, sizes.outOfRange]).to.deep.equal([places.length, places.length, 0]);
  expect(marks.rate).to.be.closeTo(rate(inPhases(OF_ITERATIONS)), 1e-6);
}

/** The percentile of a list, by nearest rank. */
const percentileOf = (values, share) =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)];

const answer = (req, res) => {
  res.statusCode = Number(new URL(req.url, 'http://host').searchParams.get('status'));
  res.end('ok');
};

describe('figures cover what their names say', function () {
  this.timeout(120_000);

  it('each figure of a random run is that of the events of its phases, loads and scenarios, also in a sum', () =>
    fc.assert(
      fc.asyncProperty(run, async (given) => {
        await serving(answer, async (url, seen) => {
          const parts = [];
          const all = [];
          for (let i = 0; i < 2; i++) {
            const events = [];
            seen.length = 0;
            const options = {
              baseUrl: url,
              limit: 2,
              ...(!given.areLoads && { iterations: 12 }),
              seriesInterval: 1000,
            };
            const { stats } = await benchrest(flowOf(given, events), options);
            expectFigures(stats, seen, { given });
            for (const [key, share] of [
              ['median', 0.5],
              ['p95', 0.95],
            ])
              expect(stats.metrics.sizes[key]).to.be.closeTo(
                percentileOf(events, share),
                percentileOf(events, share) / 500,
              );
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
          { gracefulStop: 60, ...workers },
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
