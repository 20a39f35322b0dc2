import { expect } from 'chai';

import { readFlow } from '../../../../lib/core/flow/compile.js';
import { programLayers } from '../../../../lib/core/run/options/layers.js';
import { inspectRunOptions } from '../../../../lib/core/run/options/read-options.js';
import { describeLoads } from '../../../../lib/core/run/plan.js';

const main = [{ get: 'http://127.0.0.1/' }];
const read = (scenarios, runOptions = {}) => {
  const all = Object.fromEntries(Object.entries(scenarios).map(([name, one]) => [name, { main, ...one }]));
  const { flow, problems: ofFlow } = readFlow({ scenarios: all });
  const { options, problems } = inspectRunOptions(programLayers(flow, runOptions), {}, flow);
  return {
    options,
    loads: options.loads,
    problems: [...ofFlow, ...problems.list].map(({ path, reason }) => `${path}: ${reason}`),
  };
};

describe('loads of scenarios', () => {
  it('have their options, and those without one share the load of the run, which is the first', () => {
    const { loads, options, problems } = read(
      {
        browse: {},
        buy: { weight: 2 },
        import: { load: { limit: 4, iterations: '1k', pause: '1s' } },
        spike: { load: { rate: '30/m', duration: '10s' }, startAfter: '30s' },
      },
      { rate: 200, duration: '1m', limit: 50 },
    );
    expect(problems).to.deep.equal([]);
    expect(loads.map(({ name, from, hasEnd }) => ({ name, from, hasEnd }))).to.deep.equal([
      { name: 'main', from: 0, hasEnd: true },
      { name: 'import', from: 0, hasEnd: true },
      { name: 'spike', from: 30_000, hasEnd: true },
    ]);
    expect(loads[0]).to.include({ rate: 200, duration: 60_000, limit: 50 });
    expect(loads[1]).to.include({ limit: 4, iterations: 1000, duration: 60_000 }).and.not.have.property('rate');
    expect(loads[2]).to.include({ rate: 0.5, duration: 10_000, limit: 50 });
    expect(options).to.include({ limit: 104, rate: undefined, duration: 60_000 });
  });

  it('begin after another one has ended as planned, also after the load of the run', () => {
    const { loads } = read(
      {
        browse: {},
        b: { load: { rate: 10, iterations: 50 }, startAfter: 'a' },
        a: { load: { stages: ['1s:10', '2s:20'] }, startAfter: 500 },
        c: { load: { limit: 1, duration: 10 }, startAfter: 'browse' },
      },
      { limit: 1, iterations: 40, rate: 20 },
    );
    expect(loads.map(({ name, from }) => [name, from])).to.deep.equal([
      ['main', 0],
      ['b', 3500],
      ['a', 500],
      ['c', 2000],
    ]);
  });

  it('a load without an end goes on until the others have ended', () => {
    const planned = read({ a: { load: { rate: 1, duration: '5s' }, startAfter: '1s' }, b: { load: { limit: 2 } } });
    expect(planned.loads[1]).to.include({ duration: 6000, hasEnd: true });
    const unknown = read({ a: { load: { iterations: 100 } }, b: { load: { limit: 2 } } });
    expect(unknown.loads[1]).to.include({ hasEnd: false }).and.not.have.property('duration');
  });

  it('start when another one has ended whose iterations are counted', () => {
    const { loads } = read({
      a: { load: { iterations: 9 } },
      b: { load: { duration: '5s' }, startAfter: 'a' },
      c: { load: { iterations: 3 }, startAfter: 'b' },
      d: { load: { rate: 2, iterations: 10 }, startAfter: 'c' },
    });
    expect(loads.map(({ from, after, hasEnd }) => [from, after, hasEnd])).to.deep.equal([
      [0, undefined, true],
      [0, 0, true],
      [5000, 0, true],
      [0, 2, true],
    ]);
  });

  it('run as long as a precision needs', () => {
    const { loads } = read({ a: { load: { rate: 1 } }, b: { load: {} } }, { precision: 'p95±3%', maxDuration: '1m' });
    expect(loads.map(({ duration, hasEnd }) => [duration, hasEnd])).to.deep.equal([
      [60_000, true],
      [60_000, true],
    ]);
  });

  it('say how they end', () => {
    const { loads } = read({ a: { load: { iterations: 100 } }, b: { load: { limit: 2 } } });
    expect(describeLoads({ loads }).map(({ text }) => text)).to.deep.equal([
      '100 iterations, 10 virtual users',
      'until the others have ended, 2 virtual users',
    ]);
  });

  it('the duration of the run ends all loads', () => {
    const { loads } = read(
      { a: { load: { rate: 1, duration: '5s' } }, b: { load: {}, startAfter: '1s' } },
      { duration: '3s' },
    );
    expect(loads.map(({ duration }) => duration)).to.deep.equal([3000, 2000]);
  });

  it('wait for arrivals as the run says, if one of them has a rate', () => {
    const open = { a: { load: { rate: 5, duration: '1s' } }, b: { load: { limit: 2 } } };
    const { options, problems } = read(open, { pacing: 'poll' });
    expect([options.pacing, problems]).to.deep.equal(['poll', []]);
    expect(read({ a: open.b, c: {} }, { pacing: 'poll', limit: 1, duration: '1s' }).problems).to.deep.equal([
      'runOptions.pacing: needs an arrival rate: set rate or stages',
    ]);
    expect(read({ a: open.a, c: {} }, { maxBacklog: 3, limit: 1, duration: '1s' }).problems).to.have.length(1);
  });

  it('may count iterations per virtual user', () => {
    const { loads } = read({ a: { load: { limit: 4, iterations: '1k per user' } } });
    expect(loads[0]).to.include({ iterations: 4000, iterationsOfLane: 1000 });
  });

  it('have different arrivals at random', () => {
    const { loads } = read({ a: { load: { rate: 1, arrival: 'poisson', duration: 1 } }, b: { load: { duration: 1 } } });
    expect(new Set(loads.map(({ seed }) => seed)).size).to.equal(2);
  });

  for (const [what, scenarios, runOptions, ...expected] of [
    ['a value', { a: { load: { rate: 'fast', duration: '1s' } } }, {}, 'flow.scenarios.a.load.rate: expected a rate'],
    ['no object', { a: { load: 5 } }, {}, 'flow.scenarios.a.load: expected a load such as'],
    [
      'an unknown name',
      { a: { load: { rat: 5 } } },
      {},
      'flow.scenarios.a.load.rat: unknown option, did you mean rate?',
    ],
    ['a name of other tools', { a: { load: { concurrency: 5 } } }, {}, 'flow.scenarios.a.load.concurrency: '],
    ['an option of the run', { a: { load: { timeout: 5 } } }, {}, 'a.load.timeout: is an option of the whole run'],
    [
      'a contradiction',
      { a: { load: { rate: 5, stages: ['1s:1'] } } },
      {},
      'flow.scenarios.a.load: stages and rate cannot be combined',
    ],
    [
      'an arrival without a rate',
      { a: { load: { maxBacklog: 5, duration: 5 } } },
      {},
      'a.load.maxBacklog: needs an arrival rate',
    ],
    [
      'a weight beside a load',
      { a: { weight: 2, load: { duration: 5 } } },
      {},
      'flow.scenarios.a.weight: is its share',
    ],
    [
      'a start without a load',
      { a: { startAfter: 5 } },
      { limit: 1, iterations: 1 },
      'a.startAfter: needs a load of its own',
    ],
    [
      'a start within load',
      { a: { load: { duration: 5, startAfter: '1s' } } },
      {},
      'a.load.startAfter: is a property of the scenario: write it beside load',
    ],
    [
      'an unknown scenario',
      { visit: { load: { duration: 5 } }, b: { load: { duration: 5 }, startAfter: 'visits' } },
      {},
      'b.startAfter: "visits" is neither a time such as \'30s\' nor the name of a scenario: did you mean visit?',
    ],
    [
      'a circle',
      { a: { load: { duration: 5 }, startAfter: 'b' }, b: { load: { duration: 5 }, startAfter: 'a' } },
      {},
      'flow.scenarios.a.startAfter: goes in a circle: a starts after b starts after a',
    ],
    [
      'a start after a load without an end',
      { a: { load: {} }, b: { load: { duration: 5 }, startAfter: 'a' } },
      {},
      'b.startAfter: a has no end',
    ],
    ['no end', { a: { load: { rate: 5 } } }, {}, 'runOptions: no load has an end'],
    [
      'a start after the end of the run',
      { a: { load: { duration: '5s' } }, b: { load: {}, startAfter: '5s' } },
      {},
      'b.startAfter: begins after 5 s, but all loads with an end have ended after 5 s, and the run with them: give this load an end',
    ],
    [
      'a start after the last iteration at a rate is due',
      { a: { load: { rate: 20, iterations: 6 } }, b: { load: { limit: 2 }, startAfter: 'a' } },
      {},
      'b.startAfter: begins after 300 ms, but all loads with an end have ended after 300 ms',
    ],
    [
      'a start after the duration of the run',
      { a: { load: { duration: '5s' }, startAfter: '5s' } },
      { duration: '3s' },
      'a.startAfter: begins after 5 s, but the run ends after 3 s: start it earlier',
    ],
    [
      'iterations per user in stages of virtual users',
      { a: { load: { stages: ['5s:5c'], iterations: '3 per user' } } },
      {},
      'flow.scenarios.a.load.iterations: per user: the number of virtual users changes in stages',
    ],
    [
      'stages that the run cuts off',
      { a: { load: { stages: ['5s:5'] } } },
      { duration: '3s' },
      'a.load.stages: end after 5 s, but the run ends after 3 s',
    ],
    [
      'an option of the run that no scenario uses',
      { a: { load: { duration: 5 } } },
      { rate: 9, iterations: 5 },
      'runOptions.rate: has no effect',
      'runOptions.iterations: has no effect',
    ],
    [
      'a correction of times that include the wait for a virtual user',
      { a: { load: { stages: ['5s:1'] } } },
      { expectedInterval: 9 },
      'runOptions.expectedInterval: a has an arrival rate',
    ],
    [
      'a name that is taken',
      { main: { load: { duration: 5 } }, b: {} },
      { limit: 1, iterations: 1 },
      'flow.scenarios.main: has the name of the load that scenarios without one share',
    ],
    [
      'fewer virtual users than shards',
      { a: { load: { duration: 5, limit: 9 } }, b: { load: { duration: 5, limit: 2 } } },
      { shard: '1/3' },
      'runOptions.shard: 2 virtual users of b cannot be divided by 3 shards: raise its limit to 3 or more',
    ],
    [
      'iterations per user that shards cannot divide evenly',
      { a: { load: { limit: 4, iterations: '25 per user' } } },
      { shard: '1/3' },
      'flow.scenarios.a.load.iterations: per user: 4 virtual users cannot be divided evenly by 3 shards',
    ],
    [
      'iterations per user at a rate',
      { a: { load: { rate: 4, iterations: '25 per user' } } },
      {},
      'flow.scenarios.a.load.iterations: per user: virtual users of an arrival rate take what is due',
    ],
  ])
    it(`refuse ${what}`, () => {
      const { problems } = read(scenarios, runOptions);
      for (const text of expected) expect(problems.join('\n')).to.include(text);
      expect(problems).to.have.lengthOf(expected.length);
    });

  for (const own of [{}, { load: { iterations: 9 }, startAfter: 'a' }])
    it(`--debug runs one iteration of each, one after the other: ${own.load ? 'each has a load' : 'one shares that of the run'}`, () => {
      const { flow } = readFlow({ scenarios: { a: { load: { rate: 9, duration: 5 }, main }, b: { ...own, main } } });
      const layers = [
        ...programLayers(flow, { limit: 1, iterations: 1 }),
        { name: '--debug', options: { trace: () => {} } },
      ];
      const { options, problems } = inspectRunOptions(layers, {}, flow);
      expect(problems.list).to.deep.equal([]);
      expect(options.limit).to.equal(2);
      expect(options.loads.map(({ iterations, from, after }) => [iterations, from, after])).to.deep.equal([
        [1, 0, undefined],
        [1, 0, 0],
      ]);
    });
});
