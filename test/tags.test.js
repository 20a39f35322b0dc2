import { expect } from 'chai';

import { benchrest } from '../lib/core/run/benchrest.js';
import { command } from './support/command.js';
import { serving } from './support/serve.js';
import { itSlow } from './support/slow.js';

const answer = (req, res) => {
  res.statusCode = req.url.startsWith('/bad') ? 500 : 200;
  res.end('ok');
};
const run = async (flow, options) => {
  const { stats } = await benchrest(flow, { limit: 2, iterations: 20, quiet: true, ...options });
  return stats;
};

describe('tags of operations', () => {
  const flowOf = (url) => ({
    baseUrl: url,
    main: [
      { get: '/a', tags: { team: 'search', tier: 1 }, group: 'browse' },
      { get: '/b', tags: { team: 'search' } },
      { get: '/bad', tags: { team: 'cart' } },
      { get: '/c' },
    ],
  });

  it('a tag has the figures of its operations, as a row of the result', () =>
    serving(answer, async (url) => {
      const { tags, operations } = await run(flowOf(url));
      expect(operations.map(({ labels }) => labels)).to.deep.equal([
        { group: 'browse', team: 'search', tier: '1' },
        { team: 'search' },
        { team: 'cart' },
        {},
      ]);
      expect(tags.map(({ name, count, errors }) => [name, count, errors])).to.deep.equal([
        ['team:search', 40, 0],
        ['tier:1', 20, 0],
        ['team:cart', 20, 20],
      ]);
      const [{ labels, statusCodes, times }, , cart] = tags;
      expect(labels).to.deep.equal({ team: 'search' });
      expect(statusCodes).to.deep.equal({ 200: 40 });
      expect(times.serviceTime.count).to.equal(40);
      expect(times.serviceTime.max).to.equal(
        Math.max(...operations.slice(0, 2).map((one) => one.times.serviceTime.max)),
      );
      expect(cart.times.withoutErrors.count).to.equal(0);
    }));

  it('a tag has the operations of main alone, and those of another phase if none of main has it', () =>
    serving(answer, async (url) => {
      const tags = { team: 'search' };
      const stats = await run({
        baseUrl: url,
        before: [{ get: '/setup', repeat: 3, tags }],
        beforeMain: [{ get: '/login', tags: { ...tags, step: 'login' } }],
        main: [{ get: '/a', tags }],
        after: [
          { get: '/tidy', tags: { step: 'login' } },
          { get: '/bye', tags: { only: 'after' } },
        ],
      });
      expect(stats.tags.map(({ name, phase, count, rate }) => [name, phase, count, rate > 0])).to.deep.equal([
        ['team:search', 'main', 20, true],
        ['step:login', 'beforeMain', 20, true],
        ['only:after', 'after', 1, false],
      ]);
      expect(stats.requests).to.include({ sent: 40, rate: 40_000 / stats.measuredElapsed });
      expect(stats.outside).to.deep.equal({ sent: 5, answered: 5, unanswered: 0, cancelled: 0 });
    }));

  it('a threshold selects a tag, any percentile and the share of errors', () =>
    serving(answer, async (url) => {
      const thresholds = [
        'team:search p97.5<1m',
        'team:search errors<1%',
        'team:cart errors<1%',
        'team:search count==40',
      ];
      const stats = await run(flowOf(url), { thresholds });
      expect(stats.thresholds.map(({ passed, of }) => [passed, of])).to.deep.equal([
        [true, { tag: 'team:search' }],
        [true, { tag: 'team:search' }],
        [false, { tag: 'team:cart' }],
        [true, { tag: 'team:search' }],
      ]);
    }));

  itSlow('workers and merged results add tags up', () =>
    serving(answer, async (url) => {
      const { tags } = await run(flowOf(url), { workers: 2 });
      expect(tags.map(({ name, count }) => [name, count])).to.deep.equal([
        ['team:search', 40],
        ['tier:1', 20],
        ['team:cart', 20],
      ]);
    }),
  );

  itSlow('values that functions compute are bounded: the rest counts under other', () =>
    serving(answer, async (url) => {
      const main = [
        async ({ request, index }) => {
          await request({ get: '/a', name: 'a', tags: { user: index } });
        },
      ];
      const { tags } = await run({ baseUrl: url, main }, { iterations: 80 });
      expect(tags).to.have.lengthOf(51);
      expect(tags.find(({ name }) => name === 'user:other').count).to.equal(30);
    }),
  );

  for (const [tags, reason] of [
    [{ 'a b': 1 }, /flow\.main\[0\]\.tags\["a b"\].*is no name of a tag/],
    [{ group: 'x' }, /tags\["group"\].*is a label of every operation/],
    [{ team: '#{INDEX}' }, /tags\["team"\].*has a token/],
    [{ team: {} }, /tags.*at most 10 tags with their values/],
  ])
    it(`${JSON.stringify(tags)} is refused before the first request`, async () => {
      const flow = { main: [{ get: 'http://127.0.0.1:1/', tags }] };
      const error = await run(flow).then(
        () => null,
        (thrown) => thrown,
      );
      expect(error?.message).to.match(reason);
    });

  it('a text or a list of this name is left to hooks, with a warning', () =>
    serving(answer, async (url) => {
      for (const tags of ['search', ['search', 'buy']]) {
        const warnings = [];
        const started = benchrest({ main: [{ get: url, tags }] }, { limit: 1, iterations: 1 });
        started.on('warning', ({ message }) => warnings.push(message));
        const { stats } = await started;
        expect(stats.operations[0].labels).to.deep.equal({});
        expect(warnings.join()).to.match(/flow\.main\[0\]\.tags: expected at most 10 tags/);
      }
    }));

  it('a tag with the name of an operation is refused', async () => {
    const main = [
      { get: 'http://127.0.0.1:1/', name: 'team:search' },
      { get: 'http://127.0.0.1:1/x', tags: { team: 'search' } },
    ];
    const error = await run({ main }).then(
      () => null,
      (thrown) => thrown,
    );
    expect(error?.message).to.match(/flow\.main\[1\]\.tags.*team:search is another name of the flow/);
  });

  it('reports have a row for each tag', () =>
    serving(answer, async (url) => {
      const flow = JSON.stringify(flowOf(url));
      const { stdout } = await command(['-n', '4', '-c', '1', '--format', 'csv', '-'], { input: flow });
      expect(stdout).to.match(/^tag,team:search,8,0,/m);
    }));
});
