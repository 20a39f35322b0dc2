import { expect } from 'chai';

import { benchrest } from '../../../../index.js';
import { choosePacing } from '../../../../lib/core/run/load/pacer.js';
import { PacingThread } from '../../../../lib/core/run/load/pacing-thread.js';
import { quotaIn } from '../../../../lib/core/run/options/machine.js';
import { scheduleFor } from '../../../../lib/core/schedule/index.js';
import { ok, serving } from '../../../support/serve.js';
import { itSlow } from '../../../support/slow.js';

/** The loads of a run, each with the end that it has in the run. */
const loadsOf = (loads) =>
  loads.map((options) => ({ options, schedule: scheduleFor(options).create({ limit: 10, ...options }) }));
const step = (duration, rate) => ({ duration, rate, ramp: false });

describe('pacing', () => {
  for (const { options, loads = [{ rate: 100 }], cores, chosen, because } of [
    { options: {}, cores: 2, chosen: 'thread', because: 'a core is left for the thread' },
    { options: {}, cores: 1, chosen: 'timer', because: 'the load needs the only core' },
    { options: { workers: 4 }, cores: 4, chosen: 'timer', because: 'each core has a worker' },
    { options: { workers: 3 }, cores: 4, chosen: 'thread', because: 'one core has no worker' },
    { options: {}, loads: [{ rate: 10_000 }], cores: 2, chosen: 'poll', because: 'the event loop hardly sleeps' },
    {
      options: { workers: 2 },
      loads: [{ rate: 10_000 }],
      cores: 3,
      chosen: 'thread',
      because: 'each worker starts 5,000/s',
    },
    {
      options: { shard: { number: 2, of: 4 } },
      loads: [{ rate: 20_000 }],
      cores: 2,
      chosen: 'thread',
      because: 'it starts 5,000/s',
    },
    {
      options: {},
      loads: [{ rate: 10_000, arrival: 'poisson' }],
      cores: 2,
      chosen: 'poll',
      because: 'a thread would be late',
    },
    {
      options: {},
      loads: [{ stages: [step(2000, 12_000)] }],
      cores: 2,
      chosen: 'poll',
      because: 'a stage is a rate, too',
    },
    {
      options: {},
      loads: [{ stages: [step(9000, 100), step(1000, 50_000)] }],
      cores: 2,
      chosen: 'thread',
      because: 'most of the time the event loop sleeps',
    },
    {
      options: {},
      loads: [{ rate: 6000, duration: 1000 }, { rate: 4000, duration: 1000 }, { duration: 1000 }],
      cores: 2,
      chosen: 'poll',
      because: 'the loads of a thread add up',
    },
    {
      options: {},
      loads: [{ rate: 20_000, duration: 1000 }, { rate: 100 }],
      cores: 2,
      chosen: 'thread',
      because: 'the other one goes on until it is stopped',
    },
    {
      options: {},
      loads: [{ rate: 20_000, iterations: 200 }, { rate: 100 }],
      cores: 2,
      chosen: 'thread',
      because: 'the first one has its iterations after 10 ms',
    },
    { options: {}, loads: [{ rate: 10_000 }], cores: 1, chosen: 'timer', because: 'no core is free, at any rate' },
    { options: { pacing: 'poll' }, cores: 1, chosen: 'poll', because: 'the option decides' },
    { options: { pacing: 'thread' }, loads: [{}], cores: 8, chosen: null, because: 'a closed run never waits' },
  ])
    it(`${JSON.stringify({ ...options, loads })} on ${cores} cores: ${chosen ?? 'none'}, because ${because}`, () => {
      expect(choosePacing(options, loadsOf(loads), () => cores)).to.equal(chosen);
    });

  for (const [text, cores] of [
    ['max 100000\n', Infinity],
    ['200000 100000\n', 2],
    ['50000 100000\n', 0.5],
    ['', Infinity],
  ])
    it(`the quota ${JSON.stringify(text)} of a container is ${cores} cores`, () => {
      expect(quotaIn(text)).to.equal(cores);
    });
});

describe('pacing of a run', () => {
  for (const pacing of ['timer', 'thread', 'poll'])
    for (const [workers, test] of [
      [undefined, it],
      [2, itSlow],
    ])
      test(`${pacing}${workers ? ` with ${workers} workers` : ''} starts every iteration, and the result names it`, () =>
        serving(ok, async (url) => {
          const { stats } = await benchrest(
            { main: [{ get: url }] },
            { limit: 5, rate: 200, iterations: 40, pacing, workers },
          );
          expect(stats.iterations.completed).to.equal(40);
          const { startDelay, spacing } = stats.loadGenerator;
          expect(stats.loadGenerator.pacing).to.equal(pacing);
          expect(spacing.count).to.equal(startDelay.count);
        }));

  /** @returns the threads that were started and not closed meanwhile */
  async function leftOpen(run) {
    const { start } = PacingThread;
    const open = new Set();
    PacingThread.start = async (parts) => {
      const thread = await start.call(PacingThread, parts);
      const { close } = thread;
      open.add(thread);
      thread.close = () => (open.delete(thread), close.call(thread));
      return thread;
    };
    try {
      const started = await run(open);
      return { started, open: open.size };
    } finally {
      PacingThread.start = start;
    }
  }

  it('a closed run has no pacing, and starts no thread', () =>
    serving(ok, async (url) => {
      const { started, open } = await leftOpen(async (threads) => {
        const { stats } = await benchrest(url, { limit: 1, iterations: 1, pacing: 'auto' });
        expect(stats.loadGenerator).to.not.have.property('pacing');
        return threads.size;
      });
      expect([started, open]).to.deep.equal([0, 0]);
    }));

  it('a run that is refused after its thread was started ends it, as it would keep the process alive', async () => {
    const flow = { main: [{ post: 'http://127.0.0.1:1/', body: '#{INDEX}'.padEnd(1000) }] };
    const load = { limit: 1, iterations: 1000, rate: 1000, pacing: 'thread' };
    const { open } = await leftOpen(async () => {
      const error = await benchrest(flow, { ...load, prealloc: 1000, maxBodyMemory: '100k' }).catch((one) => one);
      expect(error.code).to.equal('E_RUN_OPTIONS');
    });
    expect(open).to.equal(0);
  });

  itSlow('an idle virtual user that starts late delays no response time', () =>
    serving(ok, async (url) => {
      const block = setInterval(() => {
        const until = performance.now() + 30;
        while (performance.now() < until);
      }, 50);
      const { stats } = await benchrest(url, { limit: 40, rate: 100, iterations: 40, pacing: 'timer' });
      clearInterval(block);
      expect(stats.loadGenerator.startDelay.max).to.be.above(10);
      expect(stats.loadGenerator.startDelay.count).to.equal(40);
      expect(stats.main.histogram).to.deep.equal(stats.main.serviceTime);
    }),
  );
});
