import { expect } from 'chai';

import benchrest from '../index.js';
import { ok, serving } from './support/serve.js';
import { itSlow } from './support/slow.js';
import { here } from './support/threads-here.js';

const ONE = { limit: 1 };
const paths = (seen) => seen.map(({ url }) => url);
const groups = ({ groups: all }) =>
  all.map(({ name, count, errors, times }) => [name, count, errors, times.duration.count]);
const refusal = (main, options) => {
  try {
    return void benchrest({ baseUrl: 'http://127.0.0.1:1', main }, { limit: 1, iterations: 1, ...options });
  } catch (error) {
    return error.message;
  }
};
/** Answers /bad with 500, and others with 200. */
const mixed = (req, res) => res.writeHead(req.url === '/bad' ? 500 : 200).end();

describe('repeat', () => {
  it('performs an operation several times, with its hooks, tokens and pause', () =>
    serving(ok, async (url, seen) => {
      let hooked = 0;
      const main = [
        { get: '/a/#{INDEX}', repeat: 3, pause: 1, afterHooks: [() => void hooked++] },
        { get: '/b', repeat: ({ index }) => index },
        '/c',
      ];
      const { stats, errorCount } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 3 });
      expect(errorCount).to.equal(0);
      expect(paths(seen)).to.deep.equal([
        ...['/a/0', '/a/0', '/a/0', '/c'],
        ...['/a/1', '/a/1', '/a/1', '/b', '/c'],
        ...['/a/2', '/a/2', '/a/2', '/b', '/b', '/c'],
      ]);
      expect(hooked).to.equal(9);
      expect(stats.operations.map(({ count }) => count)).to.deep.equal([9, 3, 3]);
      expect([stats.iterations.completed, stats.requests.skipped]).to.deep.equal([3, 1]);
    }));

  for (const [how, afterHooks] of [
    ['a failure', []],
    ['the end of its iteration', ['ignoreStatus', (all) => all.end()]],
  ])
    it(`${how} in a repetition does not repeat the operations of the next phase, also if they are paced`, () =>
      serving(mixed, async (url, seen) => {
        const flow = { baseUrl: url, main: [{ get: '/bad', repeat: 5, afterHooks }], afterMain: ['/after'] };
        await benchrest(flow, { ...ONE, iterations: 2, ratePerUser: 1000 });
        expect(paths(seen)).to.deep.equal(['/bad', '/after', '/bad', '/after']);
      }));

  it('ends at the first failure', () =>
    serving(mixed, async (url, seen) => {
      const { errorCount } = await benchrest(
        { baseUrl: url, main: [{ get: '/bad', repeat: 5 }, '/c'] },
        { ...ONE, iterations: 1 },
      );
      expect(errorCount).to.equal(1);
      expect(paths(seen)).to.deep.equal(['/bad']);
    }));

  it('works in every phase, in a oneOf, and with requests rendered before the run', () =>
    serving(ok, async (url, seen) => {
      const flow = {
        baseUrl: url,
        before: [{ get: '/before', repeat: 2 }],
        main: [{ oneOf: [{ get: '/x', repeat: 2 }, '/y'] }],
        afterMain: [{ get: '/end', repeat: 2 }],
      };
      await benchrest(flow, { ...ONE, iterations: 2, prealloc: 2 });
      expect(paths(seen)).to.deep.equal(['/before', '/before', '/x', '/x', '/end', '/end', '/y', '/end', '/end']);
    }));

  it('limits of requests count repetitions', () => {
    expect(refusal([{ get: '/', repeat: 5 }], { maxRequests: 4 })).to.equal(
      'runOptions.maxRequests: too low: one iteration of this flow makes 5 requests',
    );
    expect(refusal([{ get: '/', repeat: () => 5 }], { maxRequests: 4 })).to.equal(
      'runOptions.maxRequests: needs a known number of requests: a function of this flow decides how many an iteration makes',
    );
  });
});

describe('when', () => {
  it('leaves an operation out, or ends its repetition; each is asked anew', () =>
    serving(ok, async (url, seen) => {
      const asked = [];
      const main = [
        { get: '/odd', when: ({ index }) => index % 2 === 1 },
        {
          get: '/poll',
          repeat: 10,
          when: async ({ iterCtx, index }) => (asked.push(index), (iterCtx.n = (iterCtx.n ?? 0) + 1) < 3),
        },
        '/last',
      ];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 2 });
      expect(paths(seen)).to.deep.equal(['/poll', '/poll', '/last', '/odd', '/poll', '/poll', '/last']);
      expect(asked).to.deep.equal([0, 0, 0, 1, 1, 1]);
      expect([stats.iterations.completed, stats.requests.skipped]).to.deep.equal([2, 1]);
    }));

  it('compares variables and columns of feeders, in JSON and YAML too', () =>
    serving(ok, async (url, seen) => {
      const flow = {
        baseUrl: url,
        vars: { kind: 'a' },
        data: {
          users: [
            { country: 'CH', age: '7' },
            { country: 'AT', age: '30' },
          ],
        },
        main: [
          { get: '/ch', when: { 'users.country': 'CH', kind: 'a' } },
          { get: '/b', when: { kind: { ne: 'a' } } },
          { get: '/captured', capture: { id: { status: true, default: 0 } } },
          { get: '/later', when: { id: { gte: 200 } } },
        ],
      };
      await benchrest(flow, { ...ONE, iterations: 2 });
      expect(paths(seen)).to.deep.equal(['/ch', '/captured', '/later', '/captured', '/later']);
    }));

  itSlow('may leave out all operations of many iterations', () =>
    serving(ok, async (url, seen) => {
      const main = Array.from({ length: 2000 }, () => ({ get: '/', when: () => false }));
      const { stats } = await benchrest({ baseUrl: url, main }, { limit: 2, iterations: 20 });
      expect(seen).to.deep.equal([]);
      expect([stats.iterations.completed, stats.requests.skipped]).to.deep.equal([20, 40_000]);
    }),
  );

  for (const [title, operation, message, code] of [
    [
      'when throws',
      {
        get: '/',
        when: () => {
          throw new Error('no idea');
        },
      },
      'flow.main[0].when: no idea',
      'E_HOOK',
    ],
    [
      'when rejects',
      {
        get: '/',
        when: async () => {
          throw new Error('no idea');
        },
      },
      'flow.main[0].when: no idea',
      'E_HOOK',
    ],
    [
      'when never ends',
      { get: '/', timeout: 20, when: () => new Promise(() => {}) },
      /flow\.main\[0\]\.when/,
      'E_TIMEOUT_HOOK',
    ],
    [
      'repeat throws',
      {
        get: '/',
        repeat: () => {
          throw new Error('no idea');
        },
      },
      'flow.main[0].repeat: no idea',
      'E_HOOK',
    ],
    [
      'repeat returns a text',
      { get: '/', repeat: async () => 'often' },
      'flow.main[0].repeat returned a string: return a whole number from 0',
      'E_VALUE',
    ],
  ])
    it(`${title}: the operation fails, and nothing is sent`, () =>
      serving(ok, async (url, seen) => {
        const { stats, errorCount } = await benchrest({ baseUrl: url, main: [operation] }, { ...ONE, iterations: 1 });
        expect([errorCount, seen.length]).to.deep.equal([1, 0]);
        const [{ message: got, code: gotCode, kind }] = stats.errors.details;
        expect(gotCode).to.equal(code);
        expect(kind).to.equal('hook');
        expect(got).to.match(typeof message === 'string' ? new RegExp(message.replace(/[[\].]/g, '\\$&')) : message);
      }));

  it('is cancelled when the run ends', () =>
    serving(ok, async (url) => {
      let asked;
      const isAsked = new Promise((resolve) => (asked = resolve));
      const when = () => (asked(), new Promise(() => {}));
      const run = benchrest({ baseUrl: url, main: [{ get: '/', timeout: 0, when }] }, { ...ONE, iterations: 1 });
      await isAsked;
      run.abort();
      const { stats } = await run;
      expect(stats.iterations.cancelled).to.equal(1);
    }));
});

describe('group', () => {
  it('measures consecutive operations as one transaction, without the pauses after and within it', () =>
    serving(ok, async (url) => {
      const main = [
        '/',
        { get: '/cart', group: 'checkout', pause: 60_000 },
        { get: '/pay', group: 'checkout', repeat: 2 },
        { get: '/x', group: 'other' },
        '/',
      ];
      main[1].pause = 30;
      const flow = { baseUrl: url, main, thresholds: ['checkout p95<1m', 'other count==3', 'checkout errors<1%'] };
      const { stats } = await benchrest(flow, { ...ONE, iterations: 3 });
      expect(groups(stats)).to.deep.equal([
        ['checkout', 3, 0, 3],
        ['other', 3, 0, 3],
      ]);
      const { duration: time } = stats.groups[0].times;
      const whole = stats.main.histogram;
      expect(time.sum).to.be.below(whole.sum);
      expect(stats.thresholds.map(({ passed }) => passed)).to.deep.equal([true, true, true]);
    }));

  it('counts transactions that fail; what was not performed is no part of it', () =>
    serving(mixed, async (url) => {
      const flow = {
        baseUrl: url,
        beforeMain: [{ get: '/', group: 'login' }],
        main: [
          { get: '/', group: 'a', when: ({ index }) => index > 0 },
          { get: '/', group: 'b' },
          { get: ({ index }) => (index === 2 ? '/bad' : '/'), group: 'b', name: 'last' },
          { get: '/', group: 'a' },
        ],
      };
      const { stats } = await benchrest(flow, { ...ONE, iterations: 3 });
      expect(groups(stats)).to.deep.equal([
        ['login', 3, 0, 3],
        ['a', 4, 0, 4],
        ['b', 3, 1, 2],
      ]);
    }));

  it('is exact with workers', () =>
    serving(ok, async (url) => {
      const main = [
        { get: '/', group: 'one' },
        { get: '/b', group: 'one' },
      ];
      const { stats } = await here('workers', () =>
        benchrest({ baseUrl: url, main }, { limit: 2, iterations: 50, workers: 2 }),
      );
      expect(groups(stats)).to.deep.equal([['one', 50, 0, 50]]);
    }));
});

const CAPTURING = { get: '/', capture: { id: '$.id' } };

describe('control of operations', () => {
  for (const [title, main, message] of [
    [
      'when: true',
      [{ get: '/', when: true }],
      'flow.main[0].when: expected a function, or variables with what they must be, such as { id: { exists: true } }, got true',
    ],
    ['an unknown variable', [{ get: '/', when: { id: 1 } }], /^flow\.main\[0\]\.when\["id"\]: is not a token/],
    ['an unknown comparison', [{ get: '/', when: { id: { above: 1 } } }], /^flow\.main\[0\]\.when\["id"\]: .*above/],
    [
      'a token in a condition',
      [{ get: '/', when: { id: '#{INDEX}' } }],
      'flow.main[0].when["id"]: has a token, and tokens are not replaced here: use a function',
    ],
    [
      'INDEX in a condition',
      [{ get: '/', when: { INDEX: 1 } }],
      'flow.main[0].when["INDEX"]: is neither a variable nor a column of a feeder: use a function',
    ],
    [
      'a condition on what the operation itself captures',
      [{ get: '/', repeat: 5, when: { done: false }, capture: { done: '$.done' } }],
      'flow.main[0].when["done"]: has no value before the operation that captures it: declare a first one, vars: { done: … }',
    ],
    [
      'the notation of a token for the name of a variable',
      [CAPTURING, { get: '/', when: { '#{id}': 1 } }],
      'flow.main[1].when["#{id}"]: expected the name alone: write "id"',
    ],
    [
      'a value within a variable',
      [CAPTURING, { get: '/', when: { 'id.a': 1 } }],
      'flow.main[1].when["id.a"]: reads within the variable id: use a function',
    ],
    [
      'repeat: 0',
      [{ get: '/', repeat: 0 }],
      "flow.main[0].repeat: expected a whole number from 1, a function that returns one, or { count: 50, every: '200ms' }, got 0",
    ],
    ['group: 1', [{ get: '/', group: 1 }], 'flow.main[0].group: expected the name of a group, got 1'],
    [
      'the name of an operation as group',
      [{ get: '/', name: 'x', group: 'x' }],
      'flow.main[0].group: has the name of an operation: results could not tell them apart',
    ],
    [
      'repeat of a WebSocket without a message',
      [{ ws: 'ws://127.0.0.1:1/', repeat: 2 }],
      'flow.main[0].repeat: repeats messages, and none is sent or received here',
    ],
    [
      'a group beside oneOf',
      [{ oneOf: ['/'], group: 'x' }],
      'flow.main[0].group: cannot be combined with oneOf: put it into each of its operations',
    ],
  ])
    it(`refuses ${title}`, () => {
      if (typeof message === 'string') expect(refusal(main)).to.equal(message);
      else expect(refusal(main)).to.match(message);
    });

  it('refuses a change by a hook', () =>
    serving(ok, async (url) => {
      const main = [{ get: '/', beforeHooks: [({ requestOptions }) => void (requestOptions.repeat = 2)] }];
      const { stats } = await benchrest({ baseUrl: url, main }, { ...ONE, iterations: 1 });
      expect(stats.errors.details[0].message).to.match(/repeat.* cannot be changed by a hook/);
    }));
});
