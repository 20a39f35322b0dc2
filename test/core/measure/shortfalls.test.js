import { expect } from 'chai';

import { shortfallsOf } from '../../../lib/core/measure/shortfalls.js';

const stats = ({ asked = 10, reached = asked, loop = {}, prompt = 10, ...iterations } = {}) => ({
  iterations: {
    ...{ started: 1000, completed: 1000, failed: 0, cancelled: 0, dropped: 0, busyTime: 10_000 },
    ...{ promptTime: 10 * prompt, plannedRate: 1500, startedRate: 1000 },
    ...iterations,
  },
  loadGenerator: { eventLoopUtilization: 0.5, workers: 1, saturated: false, startDelay: { count: prompt }, ...loop },
  main: { serviceLeast: { mean: 10, stddev: 1 } },
  virtualUsers: { started: asked, answered: reached },
});
const dropped = 500;

describe('load that was not sent', () => {
  const rows = [
    ['a run that did what it was meant to do lacks nothing', stats(), []],
    [
      'iterations that the end cut off',
      stats({ cancelled: 3 }),
      ['cancelled: 3 iterations were still running when the run ended'],
    ],
    [
      'virtual users that never got a response',
      stats({ reached: 5 }),
      ['connections: 5 of 10 virtual users ever received a response'],
    ],
    ['if none of them did, the outcome says so', stats({ reached: 0 }), []],
    ['a few dropped iterations of the last interval are nothing', stats({ dropped: 3 }), []],
    [
      'dropped iterations have the number of virtual users that their rate keeps busy as advice',
      stats({ dropped }),
      [
        'dropped: 500 iterations were due, but never started; iterations took 10 ms on average: at that time, about 27 virtual users are enough for the rate (-c 27)',
      ],
    ],
    [
      'a service that takes longer when all virtual users are busy is the limit',
      stats({ dropped, promptTime: 50 }),
      [
        /never started; the service is the limit, at about 995\.0\/s, so more virtual users do not help(: find the rate that it can do with bench-rest capacity)?$/,
      ],
    ],
    [
      'the service may be the limit if no virtual user was idle before',
      stats({ dropped, prompt: 0 }),
      [
        /10 ms on average: unless the service is the limit,( which bench-rest capacity shows,)? about 27 virtual users are enough for the rate \(-c 27\)$/,
      ],
    ],
    [
      'with pipelining, a virtual user runs several at a time',
      stats({ dropped, asked: 4, loop: { pipelining: 4 } }),
      [/about 7 virtual users are enough for the rate \(-c 7\)$/],
    ],
    [
      'a busy event loop has no time for more virtual users',
      stats({ dropped, loop: { eventLoopUtilization: 0.886 } }),
      [/the event loop was busy 89 % of the time: use more cores \(--workers\), or a lower rate$/],
    ],
    [
      'a short run is busy with its start, which needs no advice',
      { ...stats({ dropped, loop: { eventLoopUtilization: 0.886 } }), measuredElapsed: 300 },
      [/never started$/],
    ],
    [
      'more virtual users are no advice if there are enough',
      stats({ dropped, asked: 100 }),
      [/never started; use a lower rate$/],
    ],
    [
      'there is no advice if nothing completed',
      stats({ started: 5, completed: 0, dropped: 95 }),
      [/^dropped: 95 iterations were due, but never started$/],
    ],
    [
      'there is none if iterations were cut off: how long they would have taken is not known',
      stats({ dropped, cancelled: 40, busyTime: 1_237_000 }),
      [/^cancelled/, /^dropped: 500 iterations were due, but never started$/],
    ],
    [
      'of several loads, the one that dropped some needs more virtual users',
      {
        ...stats({ started: 1e6, dropped: 60, asked: 100 }),
        loads: [
          { name: 'visits', ...stats({ started: 999_900 }) },
          { name: 'spike', ...stats({ started: 100, completed: 100, dropped: 60, plannedRate: 30, asked: 1 }) },
        ],
      },
      [
        'dropped: 60 iterations were due, but never started; spike: iterations took 100 ms on average: at that time, about 8 virtual users are enough for the rate (limit 8)',
      ],
    ],
    [
      'there is none if the load generator was the limit',
      stats({ dropped, loop: { saturated: true } }),
      [/^dropped: 500 iterations were due, but never started$/],
    ],
  ];
  for (const [title, figures, expected] of rows)
    it(title, () => {
      const found = shortfallsOf(figures).map(
        ({ what, text, advice }) => `${what}: ${text}${advice ? `; ${advice}` : ''}`,
      );
      expect(found).to.have.lengthOf(expected.length);
      expected.forEach((one, i) =>
        typeof one === 'string' ? expect(found[i]).to.equal(one) : expect(found[i]).to.match(one),
      );
    });
});
