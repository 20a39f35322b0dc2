import { expect } from 'chai';

import { COMPLETED } from '../../../lib/core/ground/end-reasons.js';
import { Stride } from '../../../lib/core/run/options/shard.js';
import { plannedIn, shareOf } from '../../../lib/core/run/run-figures.js';
import { scheduleFor } from '../../../lib/core/schedule/index.js';

const LOAD = { limit: 10, rate: 300, duration: 1000 };

describe('run/run-figures', () => {
  it('a shard without iterations has ended', () =>
    expect([shareOf(0, 0), shareOf(1, 4), shareOf(5, Infinity)]).to.deep.equal([1, 0.25, 0]));

  const rows = [
    [
      'S45 a single iteration of a low rate, which is no rate of 40/s',
      { limit: 1, rate: 100 / 3600, iterations: 5, duration: 1000 },
      25,
      { why: COMPLETED, stoppedMs: 25 },
      { planned: 1, plannedMs: 36_000 },
    ],
    [
      'a run that ends before its last interval is over',
      { limit: 5, rate: 1, duration: 10_000 },
      9020,
      { why: COMPLETED },
      { planned: 10, plannedMs: 10_000 },
    ],
    [
      'a ramp, which also has its highest rate',
      { limit: 5, stages: [{ duration: 1000, rate: 100 }] },
      1000,
      { why: COMPLETED },
      { planned: 50, plannedMs: 1000, peakRate: 100 },
    ],
    ['a run in its middle', LOAD, 500, {}, { planned: 151, plannedMs: 500 }],
    [
      'a short run at random in its middle, whose end is known',
      { limit: 5, rate: 100, arrival: 'poisson', duration: 4000 },
      500,
      {},
      { planned: 51, plannedMs: 500 },
    ],
    ['a run that its timer ends a little early', LOAD, 998.9, { why: COMPLETED }, { planned: 300, plannedMs: 1000 }],
    [
      'the same run in a worker, whose end is not that of the main thread',
      LOAD,
      995,
      {},
      { planned: 300, plannedMs: 1000 },
    ],
    ['a run with a drain', LOAD, 1700, { why: COMPLETED, stoppedMs: 1000 }, { planned: 300, plannedMs: 1000 }],
    [
      'a run that is stopped just before its end',
      LOAD,
      1200,
      { why: 'aborted', stoppedMs: 995 },
      { planned: 299, plannedMs: 299_000 / 300 },
    ],
    [
      'a run of a low rate that is stopped: it stands for the time until the next one would be due',
      { limit: 1, rate: 0.05 },
      1400,
      { why: 'stopped', stoppedMs: 1400 },
      { planned: 1, plannedMs: 20_000 },
    ],
    [
      'a ramp that is stopped',
      { limit: 5, stages: [{ duration: 1000, rate: 100 }] },
      500,
      { why: 'stopped', stoppedMs: 500 },
      { planned: 13, plannedMs: 500, peakRate: 100 },
    ],
    [
      'a run that is aborted before its first iteration',
      LOAD,
      0,
      { stoppedMs: -5, why: 'aborted' },
      { planned: 0, plannedMs: 0 },
    ],
    [
      'a run in a stage whose rate is 0',
      {
        limit: 5,
        stages: [
          { duration: 1000, rate: 0 },
          { duration: 1000, rate: 100 },
        ],
      },
      500,
      {},
      { planned: 0, plannedMs: 500, peakRate: 0 },
    ],
    ['one of three shards', { ...LOAD, shard: { number: 1, of: 3 } }, 1000, {}, { planned: 100, plannedMs: 1000 }],
    ['a closed model', { limit: 10, duration: 1000 }, 1000, {}, { planned: null, plannedMs: 1000 }],
  ];
  for (const [what, { shard, ...load }, measuredMs, ending, expected] of rows) {
    it(`${what}: ${expected.planned} iterations are planned in ${expected.plannedMs} ms`, () => {
      const plan = { schedule: scheduleFor(load).create(load), stride: new Stride(shard) };
      expect(plannedIn(plan, measuredMs, { stoppedMs: Infinity, why: null, ...ending })).to.deep.equal(expected);
    });
  }
});
